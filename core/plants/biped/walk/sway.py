"""Sway and squat: a sine of the body over standing feet, blended in and out."""

import math

from core.plants.biped.walk.swing import minimum_jerk
from core.plants.interface import Sway
from shows.joints import SwayRange

AXES = {"forward": 0, "left": 1, "up": 2}


class SwayMotion:
    """Owns the sine of the body.

    Its amplitude grows from zero within the blend time, and falls to zero within it: before the
    last zero crossing of the cycles that were asked for, or as soon as the request ends. A request
    that comes meanwhile begins after that.

    Args:
        limits: of the profile; a robot without them does not sway.

    Attributes:
        active: the body sways.
        offset: of the centre of mass forward, to the left and up (3) [m].
        velocity: its rate (3) [m/s].
        acceleration: the rate of that (3) [m/s²].
    """

    def __init__(self, limits: SwayRange | None) -> None:
        minimum_jerk(0.0)  # loads its machine code before the first tick
        self._limits = limits
        self._blend_s = 1.0 if limits is None else limits.blend_s
        self.active = False
        self.offset, self.velocity, self.acceleration = [0.0] * 3, [0.0] * 3, [0.0] * 3
        self._asked: Sway | None = None
        self._pending: Sway | None = None
        self._axis, self._amplitude_m, self._rate = 0, 0.0, 0.0
        self._start_s, self._fade_s = 0.0, math.inf

    def fits(self, sway: Sway) -> bool:
        """Tell whether a request is within the limits of the robot."""
        limits = self._limits
        if limits is None or sway.direction not in AXES:
            return False
        faults = limits.faults(sway.direction, sway.amplitude_m, sway.frequency_hz)
        return sway.cycles >= 0 and next(faults, None) is None

    def stop(self) -> None:
        """Be at rest at once, as when the robot begins to step."""
        self._pending = None
        self._rest()

    def _rest(self) -> None:
        self.active = False
        for vector in (self.offset, self.velocity, self.acceleration):
            vector[:] = 0.0, 0.0, 0.0

    def fade(self, now_s: float) -> None:
        """Begin to return to rest; the present request is over, and a new one begins after that."""
        if self.active:
            self._fade_s = min(self._fade_s, now_s)

    def reset(self) -> None:
        """Be at rest, and forget the present request."""
        self.stop()
        self._asked = None

    def follow(self, now_s: float, wanted: Sway | None, calm: bool) -> Sway | None:
        """Advance to a time; return a request that cannot begin, once.

        Args:
            now_s: time of the tick [s].
            wanted: present request.
            calm: the robot stands still enough to begin.
        """
        if wanted is not self._asked:
            self._asked = self._pending = wanted
            self.fade(now_s)
        if self.active:
            self._move(now_s)
        if self.active or self._pending is None:
            return None
        pending, self._pending = self._pending, None
        if not (calm and self.fits(pending)):
            return pending
        self._begin(now_s, pending)
        return None

    def _begin(self, now_s: float, sway: Sway) -> None:
        self.active = True
        self._axis, self._amplitude_m = AXES[sway.direction], sway.amplitude_m
        self._rate = 2.0 * math.pi * sway.frequency_hz
        length_s = sway.cycles / sway.frequency_hz if sway.cycles else math.inf
        self._start_s, self._fade_s = now_s, now_s + max(0.0, length_s - self._blend_s)

    def _move(self, now_s: float) -> None:
        """Write offset, velocity and acceleration of a time."""
        blend_s = self._blend_s
        since_s, falling_s = now_s - self._start_s, now_s - self._fade_s
        if falling_s >= blend_s:
            self._rest()
            return
        rise = _blend(since_s, blend_s)
        fall = _blend(falling_s, blend_s)
        share = rise[0] * (1.0 - fall[0])
        share_rate = rise[1] * (1.0 - fall[0]) - rise[0] * fall[1]
        share_curve = rise[2] * (1.0 - fall[0]) - 2.0 * rise[1] * fall[1] - rise[0] * fall[2]
        rate, amplitude, axis = self._rate, self._amplitude_m, self._axis
        sine, cosine = math.sin(rate * since_s), math.cos(rate * since_s)
        self.offset[axis] = amplitude * share * sine
        self.velocity[axis] = amplitude * (share_rate * sine + share * rate * cosine)
        self.acceleration[axis] = amplitude * (
            share_curve * sine + 2.0 * share_rate * rate * cosine - share * rate * rate * sine
        )


def _blend(time_s: float, blend_s: float) -> tuple[float, float, float]:
    """Return a blend from 0 to 1 that begins at time 0, and its first two derivatives by time."""
    if time_s <= 0.0:
        return 0.0, 0.0, 0.0
    if time_s >= blend_s:
        return 1.0, 0.0, 0.0
    value, slope, curve = minimum_jerk(time_s / blend_s)
    return value, slope / blend_s, curve / (blend_s * blend_s)
