"""The steps of a robot that follows the steps of a person."""

import math

import numpy as np

from core.constants import GRAVITY
from core.link.partner import Posture
from core.plants.interface import Plant, Step, Wanted
from core.retouch.shift import RetouchedShift
from core.retouch.stream import LATENCY_S
from devices.interface import Floats

CALM_S = 0.8  # the robot stands so long before a step that begins at once
CATCH_UP_S = 0.5  # in which the robot makes up for what is left of the person's way
# Lengths by the height of the robot's pendulum, so that a small robot follows small steps.
AHEAD, LEFT = 0.27, 0.11  # largest velocities [1/s]
LEFT_OVER, WAY = 0.027, 0.067  # of the person's way: forgiven in a step, and while standing
STAGE_M = 1.0  # to each side of where following began, that the robot leaves not
BEGUN_S = 0.05  # after a request, in which a step has begun
GOES_ON_S = 0.5  # after the person's last lift, in which the robot steps on


class FollowSteps:
    """Owns where the person's feet lead the robot, and when the robot lifts a foot.

    A standing robot lifts the same foot `LATENCY_S` after the person, with its weight brought over
    before. The way of the middle between the person's feet is the robot's: it steps on with the
    velocity that makes up for what is left of it.

    Args:
        plant: the body.
        shift: leads its centre of mass.
        now_s: when following begins [s].
        posture: of the person then.
    """

    def __init__(self, plant: Plant, shift: RetouchedShift, now_s: float, posture: Posture) -> None:
        self._plant, self._shift = plant, shift
        self._middle = _middle(posture)
        self._way, self._made = np.zeros(2), np.zeros(2)
        height_m = GRAVITY / shift.room.omega**2
        self._largest = np.array([AHEAD, LEFT]) * height_m
        self._left_over_m, self._way_m = LEFT_OVER * height_m, WAY * height_m
        self._now_s = now_s
        self._on = posture.on
        self._lifted_s = -math.inf
        self._stood_s = now_s
        self._stands = True
        self._due: tuple[float, Step] | None = None
        self._asked_s = math.inf
        self._owed_s = -math.inf  # when a step was asked for that could not be timed

    def hear(self, now_s: float, stamp_s: float, posture: Posture) -> None:
        """Take a posture.

        Args:
            now_s: time of the tick [s].
            stamp_s: when the person was so, on the same clock [s].
            posture: of the person.
        """
        way = _middle(posture) - self._middle
        self._way = np.clip(way, -STAGE_M, STAGE_M)
        before, self._on = self._on, posture.on
        for foot in range(2):
            if before[foot] and not posture.on[foot]:
                self._lifted_s = now_s
                self._lift(now_s, stamp_s, foot)

    def _lift(self, now_s: float, stamp_s: float, foot: int) -> None:
        """Bring the weight over, if the robot stands and can do so in time."""
        begin_s = stamp_s + LATENCY_S - self._shift.room.load_s
        calm = self._stands and now_s - self._stood_s >= CALM_S
        if self._due is not None or not calm or begin_s <= now_s:
            self._owed_s = now_s
            return
        self._due = begin_s, Step(foot)
        if self._shift.room.step_left > 0.0:
            self._shift.step(now_s, begin_s, foot)

    def write(self, now_s: float, wanted: Wanted) -> None:
        """Write the steps and the velocity of a tick.

        Args:
            now_s: time of the tick [s].
            wanted: request to the plant, overwritten.
        """
        wanted.ready = True
        stands = self._plant.stands
        if stands and not self._stands:
            self._stood_s = now_s
            if float(np.linalg.norm(self._way - self._made)) < self._way_m:
                self._made = self._way
            room = self._plant.sway_room()
            if room is not None:
                self._shift.stand(room)
            self._shift.begin(now_s)
        self._stands = stands
        if self._due is not None and now_s >= self._due[0]:
            wanted.step, self._due = self._due[1], None
            self._asked_s = now_s
        elif not stands:
            self._asked_s = math.inf
        elif now_s - self._asked_s > BEGUN_S:
            self._asked_s, self._owed_s = math.inf, now_s
            self._shift.resume(now_s)
        left = self._way - self._made
        velocity = np.clip(left / CATCH_UP_S, -self._largest, self._largest)
        elapsed_s, self._now_s = now_s - self._now_s, now_s
        far = float(np.linalg.norm(left))
        recent = now_s - self._lifted_s < GOES_ON_S
        if stands:
            wanted.step_in_place = now_s - self._owed_s < GOES_ON_S
            calm = self._due is None and now_s - self._stood_s >= CALM_S
            if calm and far > self._way_m and wanted.step is None and not recent and all(self._on):
                wanted.velocity[:2] = velocity
            return
        wanted.step_in_place = recent
        if far > self._left_over_m:
            wanted.velocity[:2] = velocity
            self._made += elapsed_s * velocity


def _middle(posture: Posture) -> Floats:
    """Return the middle between the person's feet (2) [m]."""
    (x0, y0, _), (x1, y1, _) = posture.feet
    return np.array([0.5 * (x0 + x1), 0.5 * (y0 + y1)])


def over_feet(posture: Posture) -> Floats:
    """Return where the person's centre of mass is over the middle of its feet (2) [m]."""
    return np.array(posture.com[:2]) - _middle(posture)
