"""What the motion manager refuses."""

from core.errors import CoreError


class BehaveError(CoreError):
    """A motion or a request for one cannot be used; the body goes on with what it was doing.

    Attributes:
        place: the clip, limb or joint at fault.
        reason: why it is refused and what to do.
    """

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place}: {reason}")
        self.place = place
        self.reason = reason
