"""The lowest and highest value in each of many short times: what a plot can show."""

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]


class Bins:
    """A ring of bins of one column.

    Args:
        period_s: length of a bin [s].
        count: number of bins.
    """

    def __init__(self, period_s: float, count: int) -> None:
        self.period_s, self._count = period_s, count
        self._low = np.full(count, np.nan, dtype=np.float32)
        self._high = np.full(count, np.nan, dtype=np.float32)
        self._last = -1  # number of the newest bin

    @property
    def end_s(self) -> float:
        """Time of the end of the newest bin [s]."""
        return (self._last + 1) * self.period_s

    def add(self, times_s: Floats, values: Singles) -> None:
        """Add samples (n), whose times rise; older ones than the ring holds are left out."""
        self.add_ranges(times_s, values, values)

    def add_ranges(self, times_s: Floats, low: Singles, high: Singles) -> None:
        """Add the ranges of short times (n), whose times rise."""
        if not len(times_s):
            return
        numbers = (times_s / self.period_s).astype(np.int64)
        if numbers[-1] < self._last - self._count:  # the clock has begun again
            self.clear()
        starts = np.flatnonzero(np.diff(numbers, prepend=numbers[0] - 1))
        lows = np.fmin.reduceat(low, starts)
        highs = np.fmax.reduceat(high, starts)
        for number, least, most in zip(numbers[starts].tolist(), lows, highs, strict=True):
            self._put(number, least, most)

    def _put(self, number: int, low: np.float32, high: np.float32) -> None:
        place = number % self._count
        if number <= self._last:
            if number > self._last - self._count:
                self._low[place] = np.fmin(self._low[place], low)
                self._high[place] = np.fmax(self._high[place], high)
            return
        for missed in range(max(self._last + 1, number - self._count + 1), number):
            self._low[missed % self._count] = self._high[missed % self._count] = np.nan
        self._low[place], self._high[place] = low, high
        self._last = number

    def clear(self) -> None:
        """Forget everything."""
        self._low[:] = np.nan
        self._high[:] = np.nan
        self._last = -1

    def read(self) -> tuple[Floats, Singles]:
        """Return the times (2 count) [s] and the low and high values by turns (2 count)."""
        first = self._last + 1 - self._count
        order = np.arange(first, self._last + 1) % self._count
        times_s = np.repeat((np.arange(first, self._last + 1) + 0.5) * self.period_s, 2)
        values = np.empty(2 * self._count, dtype=np.float32)
        values[0::2], values[1::2] = self._low[order], self._high[order]
        return times_s, values


def binned(
    times_s: Floats, values: Singles, from_s: float, to_s: float, count: int
) -> tuple[Floats, Singles]:
    """Return the ranges of samples (n) in a span of time, as `Bins.read` does."""
    begin, end = np.searchsorted(times_s, [from_s, to_s])
    if end - begin <= 2 * count:
        return times_s[begin:end], values[begin:end]
    period_s = (to_s - from_s) / count
    numbers = ((times_s[begin:end] - from_s) / period_s).astype(np.int64)
    starts = np.flatnonzero(np.diff(numbers, prepend=-1))
    found = np.empty(2 * len(starts), dtype=np.float32)
    found[0::2] = np.fmin.reduceat(values[begin:end], starts)
    found[1::2] = np.fmax.reduceat(values[begin:end], starts)
    return np.repeat(from_s + (numbers[starts] + 0.5) * period_s, 2), found
