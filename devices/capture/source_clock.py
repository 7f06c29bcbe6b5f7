"""The clock of a source against the host's: the least delay of the last seconds is the offset."""

from collections import deque
from typing import Final

WINDOW_S: Final = 5.0
RESTART_S: Final = 1.0
"""Step back of the stamps that shows a source which was started again."""


class SourceClock:
    """Converts a source's stamps to the host's monotonic clock.

    The offset is the least of arrival − stamp over 5 s: what arrives later than this was delayed.
    """

    def __init__(self) -> None:
        self._least: deque[tuple[float, float]] = deque()  # arrival and delay, both ascending
        self._last_s = float("-inf")

    def hear(self, stamp_s: float, arrival_s: float) -> None:
        """Take the stamp and the arrival of a message [s]."""
        if stamp_s < self._last_s - RESTART_S:
            self._least.clear()
        self._last_s = stamp_s
        delay_s = arrival_s - stamp_s
        while self._least and self._least[-1][1] >= delay_s:
            self._least.pop()
        self._least.append((arrival_s, delay_s))
        while self._least[0][0] < arrival_s - WINDOW_S:
            self._least.popleft()

    def host_s(self, stamp_s: float) -> float:
        """Return a stamp on the host's clock [s]; before the first message the stamp itself."""
        return stamp_s + (self._least[0][1] if self._least else 0.0)

    def stamp_s(self, host_s: float) -> float:
        """Return a time of the host on the source's clock [s]; the inverse of `host_s`."""
        return host_s - (self._least[0][1] if self._least else 0.0)
