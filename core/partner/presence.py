"""Whether a person's input may move the robot: a loss leads to standing, only a start back."""

from enum import StrEnum
from typing import Final

from core.link.catalogue import partner as why
from core.link.statement import Statement

SILENT_S: Final = 0.1
"""Age of the newest frame from which the reference stands still."""
LOST_S: Final = 0.3
"""Age from which the robot stands, arms at rest, until an operator starts it again."""


class Presence(StrEnum):
    """What the robot does with the input."""

    AWAY = "away"  # nothing is followed: it was not started, ended, or its input was lost
    FOLLOWED = "followed"
    HELD = "held"  # the last posture is held, its velocity is zero


class Attendance:
    """Judges by the times of the frames. Only `start` leads out of AWAY.

    Attributes:
        lost: the input was lost since the last start.
    """

    def __init__(self) -> None:
        self.lost = False
        self._started = False
        self._heard_s = float("-inf")

    def hear(self, stamp_s: float, now_s: float) -> None:
        """Take a frame.

        Args:
            stamp_s: when it was measured, on the host's clock [s]; not later than now.
            now_s: time [s].
        """
        self._heard_s = max(self._heard_s, min(stamp_s, now_s))

    def start(self, now_s: float) -> Statement | None:
        """Follow the input from now on [s]; return why not, if it is silent."""
        if not now_s - self._heard_s < SILENT_S:
            return why.PARTNER_UNHEARD()
        self._started, self.lost = True, False
        return None

    def end(self) -> None:
        """Follow no longer."""
        self._started = False

    def at(self, now_s: float) -> Presence:
        """Return what applies at a time [s]; call it in every tick, a loss is noticed here."""
        age_s = now_s - self._heard_s
        if self._started and not age_s < LOST_S:
            self._started, self.lost = False, True
        if not self._started:
            return Presence.AWAY
        return Presence.FOLLOWED if age_s < SILENT_S else Presence.HELD
