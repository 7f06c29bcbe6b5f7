"""Statements: a code with fields. The catalogue gives each code its sentence."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

import msgspec

Severity: TypeAlias = Literal["info", "warning", "error"]


class Statement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A statement as data; `core.link.wording` renders its sentence for display.

    Attributes:
        code: code of the sentence in the catalogue.
        fields: values of the sentence's template, in SI units; a value may be a statement.
    """

    code: str
    fields: dict[str, "Value"] = {}


Value: TypeAlias = str | bool | int | float | tuple[str, ...] | Statement
"""The value of a field."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One entry of the catalogue. A call with its fields returns a statement.

    Attributes:
        code: unique in the catalogue.
        template: template of `str.format`; it begins in lower case and ends without a full stop, so
            that it can be a part of another sentence.
        severity: default severity of its event.
        advice: instructions to the operator, in whole sentences; may be empty.
        lists_rest: fields that the template does not name are appended as a list.
    """

    code: str
    template: str
    severity: Severity = "info"
    advice: str = ""
    lists_rest: bool = False

    def __call__(self, **fields: Value) -> Statement:
        """Return the statement with these fields."""
        return Statement(self.code, fields)
