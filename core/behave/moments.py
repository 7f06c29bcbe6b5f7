"""Moments at irregular times: a pure function of a seed and time."""

import math
import random
from bisect import bisect_right

BLOCK = 24  # mean number of moments in a block that is drawn at once


class Moments:
    """Moments whose distances are drawn from a log-normal distribution above a least one.

    Time is cut into blocks; the moments of a block depend on the seed and the block's number
    alone, so that no draw depends on what was asked before.

    Args:
        name: seeds the draws.
        mean_s: mean time from one moment to the next, inside a block [s].
        spread: standard deviation of the logarithm of what a distance has beyond the least one.
        least_s: shortest time from one moment to the next [s].
    """

    __slots__ = ("_block_s", "_first", "_last", "_least_s", "_mean_s", "_name", "_spread", "_times")

    def __init__(self, name: str, mean_s: float, spread: float, least_s: float = 0.0) -> None:
        self._name, self._mean_s, self._spread, self._least_s = name, mean_s, spread, least_s
        self._block_s = BLOCK * mean_s
        self._times: list[float] = []
        self._first, self._last = math.inf, -math.inf

    def near(self, t: float) -> tuple[float, float, float]:
        """Return the moment before the present one, the present one and the next one [s].

        The present moment is the last one up to the time [s].
        """
        if not self._first <= t < self._last:
            self._draw(math.floor(t / self._block_s))
        i = bisect_right(self._times, t)
        return self._times[i - 2], self._times[i - 1], self._times[i]

    def draw(self, moment_s: float, what: str = "") -> random.Random:
        """Return random numbers that belong to a moment [s]."""
        return random.Random(f"{self._name}/{what}/{moment_s:.6f}")

    def _draw(self, block: int) -> None:
        """Draw the moments of a block and of its neighbours."""
        self._times = [t for i in (-1, 0, 1) for t in self._moments(block + i)]
        self._first, self._last = block * self._block_s, (block + 1) * self._block_s

    def _moments(self, block: int) -> list[float]:
        chance = random.Random(f"{self._name}/{block}")
        least, spread = self._least_s, self._spread
        typical = (self._mean_s - least) * math.exp(-0.5 * spread * spread)
        # Half of the least distance at both ends keeps the neighbours' moments apart.
        end = (block + 1) * self._block_s - 0.5 * least
        t = block * self._block_s + 0.5 * least
        t += chance.random() * typical * math.exp(spread * chance.gauss(0.0, 1.0))
        found = [min(t, end)]
        while True:
            t = found[-1] + least + typical * math.exp(spread * chance.gauss(0.0, 1.0))
            if t > end:
                return found
            found.append(t)
