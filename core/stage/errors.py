"""Errors of loading and playing shows."""

from core.errors import CoreError


class StageError(CoreError):
    """A show cannot be loaded; the loaded show stays.

    Attributes:
        place: faulty part of the show or message, in the operator's terms.
        reason: why it is refused and what to do.
    """

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place}: {reason}" if place else reason)
        self.place = place
        self.reason = reason
