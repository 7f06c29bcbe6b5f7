"""The time that a simulated body lives in."""

import time
from enum import StrEnum


class Pace(StrEnum):
    """How fast simulated time passes."""

    REAL = "real"
    MAX = "max"


REANCHOR_S = 0.5


class SimulatedClock:
    """Simulated time, which only the body advances, held to the wall's pace or free."""

    def __init__(self, pace: Pace = Pace.MAX) -> None:
        """Start at zero."""
        self.pace = pace
        self._now_s = 0.0
        self._start_s = time.monotonic()

    def now_s(self) -> float:
        """Return the simulated time [s]."""
        return self._now_s

    def set(self, now_s: float) -> None:
        """Set the simulated time [s]; the body's business alone."""
        self._now_s = now_s

    def wait_until(self, stamp_s: float) -> float:
        """Wait for an absolute simulated time [s] and return how late it is [s].

        At maximal pace nothing is ever late. At real pace a delay of more than half a second
        (a suspended computer) is reported once and not made up for.
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
