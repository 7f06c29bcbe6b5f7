"""The way of a walking robot to a place: velocities that lead it there, and when it has arrived.

The place of a robot is the middle between its soles and their mean heading. In a walk it moves
evenly, without the sway of the body, so that it can be led back directly.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

import numpy as np

from core.link.hello import WalkRange
from devices.interface import Floats
from shows.marks import Foot, Place

GAIN = 0.8  # velocity by distance [1/s]
SHARE = 0.7  # of the robot's largest velocities
BACKWARD = 0.5  # of the largest velocity forward
NEAR_M = 0.35  # here a robot that faces its way turns to the heading of its goal
TRIM_M = 0.02  # of the goal, within which the robot learns the velocity at which it stays
TRIM_GAIN = 0.4  # of that velocity by distance and time; with `GAIN` the damping is 0.6 [1/s²]
LARGEST_TRIM = 0.01  # twice the drift of a walk in place [m/s]
CLOSE_M, CLOSE_RAD = 0.006, math.radians(0.8)  # of the goal when it ends its steps
CALM_S = 0.8  # so long it is that close before
MET_M, MET_RAD = 0.012, math.radians(1.5)  # of the goal when it stands; else it tries again
TRIES = 3
START_S, STOP_S = 0.9, 1.6  # before the first step, and from the last way to standing still
STEP_S = 0.05  # of the estimate of how long it takes
LONGEST_S = 600.0
SIDES: dict[Foot, int] = {"either": -1, "left": 0, "right": 1}


@dataclass(frozen=True, slots=True, eq=False)
class Goal:
    """A request to walk to a place. Each object is a new request.

    Attributes:
        stage: where the robot shall stand, frame of the stage.
        foot: foot whose step is the last.
        name: of the mark; empty without one.
    """

    stage: Place
    foot: Foot = "either"
    name: str = ""


class Part(Enum):
    """Part of an approach."""

    WALK = auto()
    SETTLE = auto()
    ARRIVED = auto()


class Approach:
    """Leads a walking robot to a place; a pure state machine that takes the time as an argument.

    Args:
        goal: where it shall stand, world frame.
        foot: foot whose step is the last.
        pace: the robot's largest velocities.
        place: where it stands, world frame.

    Attributes:
        goal: as given.
        last_foot: index of the foot whose step is the last; -1: either.
        part: part of the approach.
        error: the goal as seen from the robot at the last update.
        usual_s: time of the way at full velocity from the beginning, its turns and its length one
            after the other [s].
    """

    def __init__(self, goal: Place, foot: Foot, pace: WalkRange, place: Place) -> None:
        self.goal = goal
        self.last_foot = SIDES[foot]
        self.part = Part.WALK
        self.error = goal.within(place)
        self._forward = SHARE * pace.forward
        self._backward = BACKWARD * pace.forward
        self._sideways = SHARE * pace.sideways
        self._turning = SHARE * pace.turning
        facing_s, straight_s = self._ways_s(self.error)
        self._faces = self.error.distance > NEAR_M and facing_s < straight_s
        self.usual_s = min(facing_s, straight_s)
        self._tries = 0
        self._close_s: float | None = None
        self._trim = (0.0, 0.0)  # velocity that the robot needs to stay where it is [m/s]
        self._updated_s = math.inf

    @property
    def off_cm(self) -> float:
        """Distance from the goal [cm]."""
        return 100.0 * self.error.distance

    @property
    def turned_deg(self) -> float:
        """Angle to the goal's heading [°]."""
        return math.degrees(abs(self.error.yaw))

    @property
    def steps(self) -> bool:
        """The robot keeps stepping, also at zero velocity."""
        return self.part is Part.WALK

    def update(self, now_s: float, place: Place, stands: bool, velocity: Floats) -> None:
        """Write the velocity of a tick; it is zero from the end of the walk on.

        Args:
            now_s: time of the tick [s].
            place: of the robot, world frame.
            stands: it takes no steps.
            velocity: forward, to the left [m/s] and yaw rate [rad/s], overwritten (3).
        """
        elapsed_s, self._updated_s = max(0.0, now_s - self._updated_s), now_s
        self.error = error = self.goal.within(place)
        velocity.fill(0.0)
        if self.part is Part.SETTLE and stands:
            self._tries += 1
            met = error.distance < MET_M and abs(error.yaw) < MET_RAD
            self.part = Part.ARRIVED if met or self._tries >= TRIES else Part.WALK
            self._close_s = None
        if self.part is not Part.WALK:
            return
        if stands and self._tries == 0 and error.distance < CLOSE_M and abs(error.yaw) < CLOSE_RAD:
            self.part = Part.ARRIVED
            return
        self._learn(error, elapsed_s)
        self._lead(error, velocity)
        if error.distance > CLOSE_M or abs(error.yaw) > CLOSE_RAD:
            self._close_s = None
        elif self._close_s is None:
            self._close_s = now_s
        elif now_s - self._close_s >= CALM_S:
            self.part = Part.SETTLE
            velocity.fill(0.0)

    def _learn(self, error: Place, elapsed_s: float) -> None:
        """Learn the velocity that the robot needs to stay where it is, near the goal."""
        if error.distance < TRIM_M:
            step = TRIM_GAIN * elapsed_s
            x, y = self._trim[0] + step * error.x, self._trim[1] + step * error.y
            share = max(1.0, math.hypot(x, y) / LARGEST_TRIM)
            self._trim = x / share, y / share

    def _lead(self, error: Place, velocity: Floats) -> None:
        """Write the velocity to the goal, along the straight line."""
        if error.distance < NEAR_M:
            self._faces = False
        x, y, yaw = GAIN * error.x, GAIN * error.y, error.yaw
        share = max(1.0, x / self._forward, -x / self._backward, abs(y) / self._sideways)
        if self._faces:
            yaw = math.atan2(error.y, error.x)
        turn = GAIN * yaw
        velocity[0], velocity[1] = x / share + self._trim[0], y / share + self._trim[1]
        velocity[2] = min(self._turning, max(-self._turning, turn))

    def _ways_s(self, error: Place) -> tuple[float, float]:
        """Return the time with turns to the way and to the goal, and the time without [s]."""
        bearing = math.atan2(error.y, error.x)
        last = math.remainder(error.yaw - bearing, 2.0 * math.pi)
        facing_s = (abs(bearing) + abs(last)) / self._turning + error.distance / self._forward
        along = self._forward if error.x > 0.0 else self._backward
        straight_s = max(
            abs(error.x) / along, abs(error.y) / self._sideways, abs(error.yaw) / self._turning
        )
        return facing_s, straight_s


def way(goal: Goal, pace: WalkRange, place: Place) -> Iterator[tuple[float, Place]]:
    """Yield the way of a walk to a place: time since it was requested [s], and where the robot is.

    The robot follows the velocity at once; its acceleration is left out. A robot that stands there
    has no way.

    Args:
        goal: where it shall stand.
        pace: the robot's largest velocities.
        place: where it stands, frame of the stage.
    """
    approach, velocity, now_s = Approach(goal.stage, goal.foot, pace, place), np.zeros(3), 0.0
    approach.update(now_s, place, True, velocity)
    while approach.part is Part.WALK and now_s < LONGEST_S:
        place, now_s = Place(*(STEP_S * velocity)).beyond(place), now_s + STEP_S
        approach.update(now_s, place, False, velocity)
        yield START_S + now_s, place


def length_s(goal: Goal, pace: WalkRange, place: Place) -> float:
    """Return about how long a walk to a place takes, from standing to standing [s].

    The arguments are as of `way`.
    """
    needed_s = 0.0
    for time_s, _ in way(goal, pace, place):
        needed_s = time_s + STOP_S
    return needed_s
