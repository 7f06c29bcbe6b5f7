"""One time line for presses that carry a time stamp and for those that carry none: pure."""

import math

OTHER_CLOCK_S = 60.0  # no event waits as long: the stamps have begun anew


class EventClock:
    """Tells when things were pressed; a busy program hears of them late and all at once.

    Times between two stamped events are those of their stamps. Whatever has no stamp is put
    among them by the host's clock, less the least delay that any event has had.
    """

    def __init__(self) -> None:
        self._start_s = 0.0  # the first event is where the host's clock was when it was heard
        self._least_s = math.inf  # smallest difference of the host's clock and a stamp

    def time_s(self, now_s: float, stamp_ms: int = 0) -> float:
        """Return when something happened [s].

        Args:
            now_s: the host's clock when it is heard [s].
            stamp_ms: its time stamp, on the screen's clock; 0 where it has none [ms].
        """
        if not stamp_ms:
            return now_s if math.isinf(self._least_s) else now_s + self._start_s - self._least_s
        stamp_s = 1e-3 * stamp_ms
        ahead_s = now_s - stamp_s
        if not abs(ahead_s - self._least_s) < OTHER_CLOCK_S:
            self._start_s = self._least_s = ahead_s
        self._least_s = min(self._least_s, ahead_s)
        return stamp_s + self._start_s
