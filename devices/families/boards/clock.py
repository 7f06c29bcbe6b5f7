"""A board's clock as our own clock sees it."""

import math

from devices.real.device_clock import DeviceClock
from devices.wire.frame import elapsed_us

_BACK_US = 1 << 31  # a step of the 32-bit clock beyond this is one backward
_DISORDER_US = 1_000_000  # a step backward by less is no new beginning


class BoardClock:
    """Tells when a board's samples were taken, however long its line or an adapter kept them."""

    __slots__ = ("_clock", "_t_us", "_elapsed_us", "_stamp_s")

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Know nothing of the board's clock: it began anew."""
        self._clock = DeviceClock()
        self._t_us = 0
        self._elapsed_us = 0
        self._stamp_s = math.inf

    def stamp_s(self, t_us: int, age_s: float, arrival_s: float) -> float:
        """Return when a sample was taken, on our clock [s].

        Args:
            t_us: the board's clock then, modulo 2**32 [µs].
            age_s: of the sample when the board sent it, as it says [s].
            arrival_s: when it was read, on our clock [s].
        """
        step_us = elapsed_us(t_us, self._t_us)
        if step_us >= _BACK_US:
            back_us = elapsed_us(self._t_us, t_us)
            if back_us < _DISORDER_US:
                return min(self._stamp_s - 1e-6 * back_us, arrival_s - age_s)
            self.forget()
            step_us = 0
        self._t_us = t_us
        self._elapsed_us += step_us
        self._stamp_s = self._clock.feed(1000 * self._elapsed_us, arrival_s - age_s)
        return self._stamp_s
