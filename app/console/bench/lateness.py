"""The lateness of a program's event loop; pure, from the times of a steady pulse."""

from array import array
from collections.abc import Sequence


class Lateness:
    """The wait of an event at each tick of a steady clock.

    A loop that was busy for 50 ms misses ten pulses of 5 ms and feels one: each of the missed
    ones would have waited as long as it took from its time on.

    Attributes:
        waits_s: every wait [s].
    """

    def __init__(self, period_s: float) -> None:
        self.waits_s = array("f")
        self._period_s = period_s
        self._due_s: float | None = None

    def feel(self, now_s: float) -> None:
        """Take a pulse [s]."""
        if self._due_s is None:
            self._due_s = now_s
        if now_s < self._due_s:  # the pulse came early: it is the one that is due next
            self.waits_s.append(0.0)
            self._due_s += self._period_s
        while self._due_s <= now_s:
            self.waits_s.append(now_s - self._due_s)
            self._due_s += self._period_s


def spread(waits_s: Sequence[float]) -> dict[str, float]:
    """Return median, 99th percentile and largest [ms]; nothing of nothing."""
    if not waits_s:
        return {}
    sorted_s = sorted(waits_s)
    last = len(sorted_s) - 1
    found = {"median": sorted_s[last // 2], "p99": sorted_s[round(0.99 * last)]}
    return {name: 1e3 * wait_s for name, wait_s in (found | {"max": sorted_s[-1]}).items()}
