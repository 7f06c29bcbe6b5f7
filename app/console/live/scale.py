"""A vertical range that is calm: it grows at once in round steps, and shrinks late."""

import math

CALM_S = 5.0


def round_up(value: float) -> float:
    """Return the next of 1, 2, 5, 10, 20 … that is not below a positive value."""
    power = 10.0 ** math.floor(math.log10(value))
    for step in (1.0, 2.0, 5.0, 10.0):
        if value <= step * power * (1.0 + 1e-9):
            return step * power
    return 10.0 * power


class CalmScale:
    """Owns the range of one plot; time is an argument.

    Attributes:
        low: lower end.
        high: upper end.
    """

    def __init__(self, low: float, high: float) -> None:
        self.low, self.high = low, high
        self._least = (low, high)
        self._fits_since_s: float | None = None

    def fit(self, now_s: float, lowest: float, highest: float) -> bool:
        """Fit what is to be seen at a time, and tell whether the range has changed.

        Args:
            now_s: [s].
            lowest: of the values; NaN where there are none.
            highest: of the values; NaN where there are none.
        """
        if math.isnan(lowest) or math.isnan(highest):
            return False
        low, high = self._wanted(lowest, highest)
        if low < self.low or high > self.high:
            self._fits_since_s = None
            return self._take(min(low, self.low), max(high, self.high))
        if (low, high) == (self.low, self.high):
            self._fits_since_s = None
            return False
        if self._fits_since_s is None:
            self._fits_since_s = now_s
        if now_s - self._fits_since_s < CALM_S:
            return False
        self._fits_since_s = None
        return self._take(low, high)

    def _wanted(self, lowest: float, highest: float) -> tuple[float, float]:
        low, high = self._least
        if lowest < low:
            low = high - round_up(high - lowest)
        if highest > high:
            high = low + round_up(highest - low)
        return low, high

    def _take(self, low: float, high: float) -> bool:
        changed = (low, high) != (self.low, self.high)
        self.low, self.high = low, high
        return changed
