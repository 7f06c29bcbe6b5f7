"""What can be wrong with a show, in words an operator can act upon."""

import re
from collections.abc import Iterable
from typing import Self

MAX_OTHERS = 4  # further faults that are named
MAX_PART = 300
"""Longest file, place, reason or advice that is shown [characters]."""

_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\s]+")


class ShowError(Exception):
    """A show, a motion or a sound was refused; `str()` is one line that says why.

    Attributes:
        file: the file as the operator knows it, or "" where there is none yet.
        place: where in the file: a line, a JSON path, a joint and a time; may be "".
        reason: the fault.
        advice: what to do about it; may be "".
        others: further faults of the same file.
    """

    others: tuple["ShowError", ...] = ()

    def __init__(self, file: object, place: str, reason: str, advice: str = "") -> None:
        """Take the parts; control characters and line breaks become spaces."""
        self.file = one_line(str(file))
        self.place = one_line(place)
        self.reason = one_line(reason)
        self.advice = one_line(advice)
        super().__init__(self.file, self.place, self.reason, self.advice)

    def with_others(self, others: Iterable["ShowError"]) -> Self:
        """Return this error, which names further faults of the same file, too."""
        self.others = tuple(others)
        return self

    def __str__(self) -> str:
        """Return "file, place: reason; advice" on one line, and the first of the other faults."""
        where = ", ".join(part for part in (self.file, self.place) if part)
        what = "; ".join(part for part in (self.reason, self.advice) if part)
        text = f"{where}: {what}" if where else what
        if not self.others:
            return text
        named = [f"{other.place}: {other.reason}" for other in self.others[:MAX_OTHERS]]
        more = len(self.others) - len(named)
        rest = f"; and {more} more" if more else ""
        return f"{text}. Also {'; '.join(named)}{rest}"


def one_line(text: str) -> str:
    """Return the text without control characters and line breaks, shortened to MAX_PART."""
    flat = _UNPRINTABLE.sub(" ", text).strip()
    if len(flat) <= MAX_PART:
        return flat
    half = (MAX_PART - 3) // 2
    return f"{flat[:half]}...{flat[-half:]}"
