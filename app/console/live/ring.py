"""The last seconds of a few values: a ring that never grows, one column a time bin."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Ring:
    """Keeps the newest bins of several values; values of one bin are joined into one.

    Args:
        channels: how many values.
        span_s: how far back it reaches [s].
        bin_s: length of a bin [s]; a redraw needs no more points than it has pixels.
        largest: a bin keeps its largest value (a delay's peaks must not be lost), not its last.
    """

    def __init__(self, channels: int, span_s: float, bin_s: float, largest: bool = False) -> None:
        self.span_s = span_s
        self._bin_s, self._largest = bin_s, largest
        size = int(round(span_s / bin_s)) + 1
        self._values: Floats = np.full((channels, size), np.nan)
        self._bins = np.full(size, -1, dtype=np.int64)

    def push(self, now_s: float, *values: float) -> None:
        """Add the values of a time [s]; NaN where one is not known."""
        number = int(now_s / self._bin_s)
        column = number % self._bins.size
        new = np.array(values, dtype=np.float64)
        if self._bins[column] != number:
            self._bins[column] = number
            self._values[:, column] = new
        elif self._largest:
            self._values[:, column] = np.fmax(self._values[:, column], new)
        else:
            self._values[:, column] = new

    def read(self, now_s: float) -> tuple[Floats, Floats]:
        """Return ages, negative and rising to 0 (n) [s], and values (channels, n).

        A bin without a value is NaN, so that a gap is visible.
        """
        newest = int(now_s / self._bin_s)
        numbers = np.arange(newest - self._bins.size + 1, newest + 1)
        columns = numbers % self._bins.size
        values: Floats = np.where(self._bins[columns] == numbers, self._values[:, columns], np.nan)
        ages: Floats = np.arange(1 - self._bins.size, 1, dtype=np.float64) * self._bin_s
        return ages, values
