"""A limb's motion time, which a freeze brings smoothly to rest."""

from typing import Self


class MotionClock:
    """Maps real time to motion time; its rate runs smoothly between 1 and 0.

    The motion of a limb is a function of its motion time. A freeze therefore changes when a
    pose is reached but not the path, and needs no special case for a transition, a gesture or
    idle motion. During a ramp of length T the rate goes from r0 to r1 as
    r0 + (r1 - r0)(3u² - 2u³), u = t/T, so that velocities are C¹ and positions C².

    Attributes:
        motion_s: motion time at the last advance [s].
        rate: its rate [s/s].
        rate_slope: the rate's derivative [1/s].
        frozen: the clock stands still or slows down to it.
    """

    __slots__ = (
        "_from",
        "_origin_s",
        "_ramp_s",
        "_since_s",
        "_to",
        "frozen",
        "motion_s",
        "rate",
        "rate_slope",
    )

    def __init__(self) -> None:
        self.motion_s = 0.0
        self.rate = 1.0
        self.rate_slope = 0.0
        self.frozen = False
        # Motion time equals real time exactly until the first freeze.
        self._since_s = 0.0
        self._origin_s = 0.0
        self._from = 1.0
        self._to = 1.0
        self._ramp_s = 0.0

    @property
    def is_real_time(self) -> bool:
        """The clock has never been frozen."""
        return self._since_s == 0.0 and self._origin_s == 0.0 and not self.frozen

    @property
    def at_rest(self) -> bool:
        """The clock stands still."""
        return self.frozen and self.rate == 0.0

    def copy(self) -> Self:
        """Return another clock with the same state."""
        twin = type(self)()
        for slot in MotionClock.__slots__:
            setattr(twin, slot, getattr(self, slot))
        return twin

    def advance(self, now_s: float) -> None:
        """Bring the attributes to a real time [s]."""
        elapsed = now_s - self._since_s
        ramp = self._ramp_s
        if elapsed >= ramp:
            self.rate = self._to
            self.rate_slope = 0.0
            swept = 0.5 * ramp * (self._from + self._to)
            self.motion_s = self._origin_s + swept + self._to * (elapsed - ramp)
            return
        u = elapsed / ramp
        change = self._to - self._from
        rate = self._from + change * u * u * (3.0 - 2.0 * u)
        self.rate = min(1.0, max(0.0, rate))  # rounding must not reverse a motion
        self.rate_slope = change * 6.0 * u * (1.0 - u) / ramp
        swept = self._from * u + change * u * u * u * (1.0 - 0.5 * u)
        self.motion_s = self._origin_s + ramp * swept

    def freeze(self, now_s: float, ramp_s: float) -> None:
        """Slow down to standstill within a time [s]."""
        self._ramp_to(0.0, now_s, ramp_s)
        self.frozen = True

    def resume(self, now_s: float, ramp_s: float) -> None:
        """Run on from the present motion time, up to full rate within a time [s]."""
        self._ramp_to(1.0, now_s, ramp_s)
        self.frozen = False

    def _ramp_to(self, rate: float, now_s: float, ramp_s: float) -> None:
        self.advance(now_s)
        self._since_s = now_s
        self._origin_s = self.motion_s
        self._from = self.rate
        self._to = rate
        self._ramp_s = ramp_s
