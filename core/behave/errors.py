"""The errors of the motion manager."""

from core.errors import CoreError


class BehaveError(CoreError):
    """A motion, or a request for one, is refused; every limb continues its present motion.

    Attributes:
        place: the clip, limb or joint at fault.
        reason: why it is refused, and how to correct it.
    """

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place}: {reason}")
        self.place = place
        self.reason = reason
