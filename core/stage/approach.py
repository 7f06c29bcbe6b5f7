"""The way of a walking robot to a place: velocities that lead it there, and when it has arrived.

The place of a robot is the middle between its soles and their mean heading. In a walk it moves
evenly, without the sway of the body, so that it can be led back directly.
"""

import math
from dataclasses import dataclass
from enum import Enum, auto
from typing import NamedTuple

from core.plants.pace import Pace
from devices.interface import Floats
from shows.marks import Foot

GAIN = 0.8  # velocity by distance [1/s]
SHARE = 0.7  # of the robot's largest velocities
BACKWARD = 0.5  # of the largest velocity forward
NEAR_M = 0.35  # here a robot that faces its way turns to the heading of its goal
CLOSE_M, CLOSE_RAD = 0.01, math.radians(0.8)  # of the goal when it ends its steps
CALM_S = 0.8  # so long it is that close before
MET_M, MET_RAD = 0.02, math.radians(2.0)  # of the goal when it stands; else it tries again
TRIES = 3
SIDES: dict[Foot, int] = {"either": -1, "left": 0, "right": 1}


class Place(NamedTuple):
    """A place to stand.

    Attributes:
        x, y: of the middle between the soles [m].
        yaw: mean heading of the soles [rad].
    """

    x: float
    y: float
    yaw: float

    def within(self, other: "Place") -> "Place":
        """Return the place as seen from another one, in its axes."""
        dx, dy = self.x - other.x, self.y - other.y
        cos, sin = math.cos(other.yaw), math.sin(other.yaw)
        turn = math.remainder(self.yaw - other.yaw, 2.0 * math.pi)
        return Place(cos * dx + sin * dy, cos * dy - sin * dx, turn)

    def beyond(self, other: "Place") -> "Place":
        """Return a place that is given in the axes of another one, in those of the other one."""
        cos, sin = math.cos(other.yaw), math.sin(other.yaw)
        return Place(
            other.x + cos * self.x - sin * self.y,
            other.y + sin * self.x + cos * self.y,
            math.remainder(self.yaw + other.yaw, 2.0 * math.pi),
        )

    @property
    def distance(self) -> float:
        """Distance from the origin [m]."""
        return math.hypot(self.x, self.y)


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
    """

    def __init__(self, goal: Place, foot: Foot, pace: Pace, place: Place) -> None:
        self.goal = goal
        self.last_foot = SIDES[foot]
        self.part = Part.WALK
        self.error = goal.within(place)
        self._forward = SHARE * pace.max_speed_forward
        self._backward = BACKWARD * pace.max_speed_forward
        self._sideways = SHARE * pace.max_speed_sideways
        self._turning = SHARE * pace.max_yaw_rate
        self._faces = self._is_sooner_facing(self.error)
        self._tries = 0
        self._close_s: float | None = None

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
        self._lead(error, velocity)
        if error.distance > CLOSE_M or abs(error.yaw) > CLOSE_RAD:
            self._close_s = None
        elif self._close_s is None:
            self._close_s = now_s
        elif now_s - self._close_s >= CALM_S:
            self.part = Part.SETTLE
            velocity.fill(0.0)

    def _lead(self, error: Place, velocity: Floats) -> None:
        """Write the velocity to the goal, along the straight line."""
        if error.distance < NEAR_M:
            self._faces = False
        x, y, yaw = GAIN * error.x, GAIN * error.y, error.yaw
        share = max(1.0, x / self._forward, -x / self._backward, abs(y) / self._sideways)
        if self._faces:
            yaw = math.atan2(error.y, error.x)
        turn = GAIN * yaw
        velocity[0], velocity[1] = x / share, y / share
        velocity[2] = min(self._turning, max(-self._turning, turn))

    def _is_sooner_facing(self, error: Place) -> bool:
        """Return whether it arrives sooner if it turns to its way, walks, and turns again."""
        bearing = math.atan2(error.y, error.x)
        last = math.remainder(error.yaw - bearing, 2.0 * math.pi)
        facing_s = (abs(bearing) + abs(last)) / self._turning + error.distance / self._forward
        along = self._forward if error.x > 0.0 else self._backward
        straight_s = max(
            abs(error.x) / along, abs(error.y) / self._sideways, abs(error.yaw) / self._turning
        )
        return error.distance > NEAR_M and facing_s < straight_s
