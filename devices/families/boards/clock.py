"""Conversion of a board's clock to the computer's clock."""

import math

from devices.real.device_clock import DeviceClock
from devices.wire.frame import elapsed_us

_BACK_US = 1 << 31  # a larger step of the 32-bit clock is a step backward
_DISORDER_US = 1_000_000  # a smaller step backward is no restart


class BoardClock:
    """Computes when a board's samples were taken, whatever the delay of its line and adapter."""

    __slots__ = ("_clock", "_t_us", "_elapsed_us", "_stamp_s")

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Reset after a restart of the board."""
        self._clock = DeviceClock()
        self._t_us = 0
        self._elapsed_us = 0
        self._stamp_s = math.inf

    def stamp_s(self, t_us: int, age_s: float, arrival_s: float) -> float:
        """Return when a sample was taken, on the computer's clock [s].

        Args:
            t_us: time of the sending on the board's clock, modulo 2**32 [µs].
            age_s: age of the sample at its sending, as the board states [s].
            arrival_s: time of the reading, on the computer's clock [s].
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
