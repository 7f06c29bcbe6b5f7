"""The error of capture, and the reasons for which input is refused."""

from enum import StrEnum

from devices.wire.errors import WireError


class Refusal(StrEnum):
    """The reason for which a datagram or a picture, or the posture in it, is refused."""

    STRANGER = "another address"
    SIZE = "too large"
    RATE = "too many a second"
    MESSAGES = "too many messages"
    FORM = "no message of the protocol"
    NUMBERS = "an impossible number"
    BONES = "bones are missing"
    LATE = "older than the one before"
    NOBODY = "nobody is seen"
    HIDDEN = "arms or legs are not all in sight"


class CaptureError(WireError):
    """A datagram or a recording is refused, or cannot be encoded.

    Attributes:
        reason: its kind, which a gate counts.
    """

    def __init__(self, reason: Refusal, text: str) -> None:
        super().__init__(text)
        self.reason = reason
