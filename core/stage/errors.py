"""What can go wrong between a show on disk and a show on stage."""

from core.errors import CoreError


class StageError(CoreError):
    """A show cannot be put on stage; the show that is there stays.

    Attributes:
        place: where in the show or message, as an operator finds it.
        reason: why it is refused and what to do.
    """

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place}: {reason}" if place else reason)
        self.place = place
        self.reason = reason
