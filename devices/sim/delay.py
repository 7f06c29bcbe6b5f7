"""A delay of a row of numbers by a time."""

import numpy as np

from devices.interface import Floats


class Delay:
    """Keeps the newest rows and returns the row of some time ago, between two rows if need be.

    Before that time is over, the first row is returned.
    """

    def __init__(self, delay_s: float, step_s: float, size: int) -> None:
        """Start empty.

        Args:
            delay_s: for how long a row is kept back [s].
            step_s: time from one row to the next [s].
            size: numbers in a row.
        """
        steps = delay_s / step_s
        if abs(steps - round(steps)) < 1e-6:
            steps = round(steps)
        self._rows = np.zeros((int(steps) + 2, size))
        self._back = int(steps)
        self._share = steps - self._back
        self._last = 0
        self._empty = True

    def put(self, row: Floats) -> Floats:
        """Take a row in, and return the row of the delay ago (size)."""
        rows, count = self._rows, len(self._rows)
        if self._empty:
            rows[:] = row
            self._empty = False
        self._last = (self._last + 1) % count
        rows[self._last] = row
        newer = rows[(self._last - self._back) % count]
        older = rows[(self._last - self._back - 1) % count]
        found: Floats = newer + self._share * (older - newer)
        return found

    def clear(self) -> None:
        """Forget every row."""
        self._empty = True
