"""Fraction of lost messages of a device."""

import math

_WINDOW_S = 1.0


class LossMeter:
    """Evaluates monotonic counts, one second at a time.

    Attributes:
        share: fraction of the messages due in the last whole second that did not arrive.
        end_s: end of this second; an update before it changes nothing [s].
    """

    __slots__ = ("share", "end_s", "_good", "_lost")

    def __init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        """Restart the counts after an interruption of the line."""
        self.share = 0.0
        self.end_s = -math.inf
        self._good = 0
        self._lost = 0

    def update(self, good: int, lost: int, now_s: float) -> None:
        """Update the counts of received and lost messages at a time [s]."""
        if now_s < self.end_s:
            return
        came, missed = good - self._good, lost - self._lost
        if self.end_s > -math.inf and came + missed:
            self.share = missed / (came + missed)
        self._good, self._lost = good, lost
        self.end_s = now_s + _WINDOW_S
