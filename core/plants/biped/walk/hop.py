"""Jumps in place over both feet: the height of the body, and the soles in the air."""

import math

import numpy as np

from core.constants import GRAVITY
from core.plants.biped.settings import Hopping
from core.plants.dynamics_filter.vertical import height_at, lay_heights
from devices.interface import Bools, Floats
from shows.gaits import Jump, JumpRange

PUSH, FLIGHT, ABSORB, REST = range(4)
EARLIEST = 0.5  # share of a flight after which a touch is a landing


class Hop:
    """Owns the jumps of a robot that stands; see equation 19 of the dynamics filter's paper.

    A jump pushes, flies, absorbs and rests; each part is one polynomial of the height. A push is
    always followed by its flight, and a flight by its landing; a request that ends, ends before
    the next push.

    Attributes:
        active: a jump is made, or its landing absorbed.
        height: of the body above its standing height, with its derivatives (3).
        lift: of the soles above the ground, with its derivatives (3); zero on the ground.
        flies: the feet are in the air.
    """

    def __init__(self, settings: Hopping | None, limits: JumpRange | None) -> None:
        self._settings, self._limits = settings, limits
        self.height: Floats = np.zeros(3)
        self.lift: Floats = np.zeros(3)
        self._heights: Floats = np.zeros((3, 6))
        self._durations: Floats = np.zeros(4)
        self.reset()

    def reset(self) -> None:
        """Stand on the ground, and forget the present request."""
        self._wanted: Jump | None = None
        self._left = 0
        self._part, self._begin_s = REST, -math.inf
        self.active = self.flies = False
        self.height[:] = self.lift[:] = 0.0

    @property
    def jumps(self) -> bool:
        """A request is not finished."""
        return self.active or self._left > 0

    def follow(self, now_s: float, wanted: Jump | None, calm: bool, loaded: Bools) -> None:
        """Advance to a time.

        Args:
            now_s: time of the tick [s].
            wanted: present request; None ends it.
            calm: the robot stands still on both feet, so that it may push.
            loaded: feet that carry weight (2).
        """
        if wanted is not self._wanted:
            self._wanted = wanted
            self._left = 0 if wanted is None or self._settings is None else wanted.count
        if not self.active:
            if not (self._left and calm):
                return
            self._begin(now_s)
        self._advance(now_s, loaded)
        if self.active:
            self._write(now_s)

    def _begin(self, now_s: float) -> None:
        """Begin a jump."""
        settings, limits, jump = self._settings, self._limits, self._wanted
        assert settings is not None and limits is not None and jump is not None
        flight_s = jump.flight_s or limits.usual_flight_s
        period_s = jump.period_s or limits.usual_period_s
        moving_s = settings.push_s + flight_s + settings.absorb_s
        self._durations[:] = settings.push_s, flight_s, settings.absorb_s, period_s - moving_s
        speed = 0.5 * GRAVITY * flight_s
        ends = np.zeros((3, 3))
        ends[PUSH] = settings.rise, speed, -GRAVITY
        flights = np.array((0.0, 1.0, 0.0))
        lay_heights(self._durations[:3].copy(), flights, ends, np.zeros(3), self._heights)
        self._left -= 1
        self._part, self._begin_s, self.active = PUSH, now_s, True

    def _advance(self, now_s: float, loaded: Bools) -> None:
        """Go on to the part of a time; a touch ends a flight."""
        while self.active:
            duration_s = float(self._durations[self._part])
            since_s = now_s - self._begin_s
            touches = self._part == FLIGHT and since_s > EARLIEST * duration_s and loaded.any()
            if since_s < duration_s and not touches:
                return
            self._begin_s = now_s if touches else self._begin_s + duration_s
            self._part += 1
            if self._part > REST:
                self.active = False
                self._part = REST
                self.height[:] = self.lift[:] = 0.0
                if self._left:
                    self._begin(self._begin_s)
            self.flies = self.active and self._part == FLIGHT

    def _write(self, now_s: float) -> None:
        """Write heights of body and soles."""
        settings, part = self._settings, self._part
        assert settings is not None
        t = now_s - self._begin_s
        self.lift[:] = 0.0
        if part == REST:
            self.height[:] = 0.0
            return
        self.height[:] = height_at(self._heights[part], t)
        if part == FLIGHT:
            rate = 1.0 / float(self._durations[FLIGHT])
            u = t * rate
            w, apex = 1.0 - u, 16.0 * settings.lift
            self.lift[0] = apex * u * u * w * w
            self.lift[1] = apex * rate * 2.0 * u * w * (w - u)
            self.lift[2] = apex * rate * rate * 2.0 * (1.0 - 6.0 * u * w)
            spare = settings.clearance
            self.lift[0] += spare * u * u * u * (10.0 + u * (6.0 * u - 15.0))
            self.lift[1] += spare * rate * 30.0 * u * u * w * w
            self.lift[2] += spare * rate * rate * 60.0 * u * w * (w - u)
