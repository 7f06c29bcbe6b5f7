"""What share of a device's messages is lost."""

import math

_WINDOW_S = 1.0


class LossMeter:
    """Watches counts that only grow, a second at a time.

    Attributes:
        share: of the messages that were due in the last whole second, those that did not come.
        end_s: of this second; before that an update changes nothing [s].
    """

    __slots__ = ("share", "end_s", "_good", "_lost")

    def __init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        """Let the next counts be those that losses are counted from: the line was interrupted."""
        self.share = 0.0
        self.end_s = -math.inf
        self._good = 0
        self._lost = 0

    def update(self, good: int, lost: int, now_s: float) -> None:
        """Take note of the messages that came and that were lost by now [s]."""
        if now_s < self.end_s:
            return
        came, missed = good - self._good, lost - self._lost
        if self.end_s > -math.inf and came + missed:
            self.share = missed / (came + missed)
        self._good, self._lost = good, lost
        self.end_s = now_s + _WINDOW_S
