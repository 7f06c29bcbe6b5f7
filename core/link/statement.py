"""A statement is data: a code and its fields. The catalogue gives each code its one sentence."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

import msgspec

Severity: TypeAlias = Literal["info", "warning", "error"]


class Statement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is said, without words; `core.link.wording` renders it where it is displayed.

    Attributes:
        code: names the sentence in the catalogue.
        fields: values of the sentence's template, in SI units; a statement may hold others.
    """

    code: str
    fields: dict[str, "Value"] = {}


Value: TypeAlias = str | bool | int | float | tuple[str, ...] | Statement
"""The value of a field."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One entry of the catalogue. Calling it with its fields gives a statement.

    Attributes:
        code: unique in the catalogue.
        template: as of `str.format`; begins in lower case and ends without a full stop, so that it
            can be a part of another sentence.
        severity: of the event that says it, unless the event chooses another.
        advice: what the operator does about it, as whole sentences; empty without any.
        lists_rest: fields that the template does not name follow it as a list.
    """

    code: str
    template: str
    severity: Severity = "info"
    advice: str = ""
    lists_rest: bool = False

    def __call__(self, **fields: Value) -> Statement:
        """Return the statement with these fields."""
        return Statement(self.code, fields)
