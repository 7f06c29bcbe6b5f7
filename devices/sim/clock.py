"""The clock of a simulated body."""

import time
from enum import StrEnum


class Pace(StrEnum):
    """The pace of simulated time."""

    REAL = "real"
    MAX = "max"


REANCHOR_S = 0.5


class SimulatedClock:
    """Simulated time, which only the body advances, at the pace of the wall clock or free."""

    def __init__(self, pace: Pace = Pace.MAX) -> None:
        """Start at zero."""
        self.pace = pace
        self._now_s = 0.0
        self._start_s = time.monotonic()

    def now_s(self) -> float:
        """Return the simulated time [s]."""
        return self._now_s

    def set(self, now_s: float) -> None:
        """Set the simulated time [s]; only the body calls this."""
        self._now_s = now_s

    def wait_until(self, stamp_s: float) -> float:
        """Wait for an absolute simulated time [s] and return how late it is [s].

        At maximal pace the result is 0. At real pace a delay of more than half a second (a
        suspended computer) is reported once and not caught up.
        """
        if self.pace is Pace.MAX:
            return 0.0
        left = self._start_s + stamp_s - time.monotonic()
        if left > 0.0:
            time.sleep(left)
            left = self._start_s + stamp_s - time.monotonic()
        late = max(-left, 0.0)
        if late > REANCHOR_S:
            self._start_s += late
        return late
