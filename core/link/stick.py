"""From the deflection of a stick to a command: dead zone, expo and limits; pure functions.

The console's sticks and the operator's handset use the same functions and feel alike.
"""

import math
from dataclasses import dataclass

from core.link.commands import Walk
from core.link.hello import Hello
from shows.body_limb import Coordinate
from shows.document import WalkBounds
from shows.fields import MovingGait
from shows.gaits import RunRange

FULL = 0.95  # share of the travel that counts as full: worn sticks reach no further


@dataclass(frozen=True, slots=True)
class HeadRange:
    """The range of the gaze [rad].

    Attributes:
        right: smallest yaw, to the robot's right.
        left: largest yaw, to the robot's left.
        up: smallest pitch, upward.
        down: largest pitch, downward.
    """

    right: float
    left: float
    up: float
    down: float

    def clip(self, yaw: float, pitch: float) -> tuple[float, float]:
        """Return the nearest direction within the range [rad]."""
        return min(max(yaw, self.right), self.left), min(max(pitch, self.up), self.down)


def head_range(hello: Hello) -> HeadRange | None:
    """Return the range of the robot's gaze; None if no joints turn the gaze."""
    if hello.gaze is None:
        return None
    names = hello.joint_names
    yaw, pitch = names.index(hello.gaze.yaw), names.index(hello.gaze.pitch)
    return HeadRange(hello.lower[yaw], hello.upper[yaw], hello.lower[pitch], hello.upper[pitch])


def shape_axis(value: float, dead_zone: float, expo: float) -> float:
    """Return the command of one axis, -1 to 1.

    Args:
        value: its deflection, -1 to 1.
        dead_zone: deflection that has no effect, 0 to 0.5.
        expo: 0 is linear, 1 is cubic, which is finer near the middle.
    """
    deflection = abs(value)
    if not deflection > dead_zone:
        return 0.0
    used = min((deflection - dead_zone) / (FULL - dead_zone), 1.0)
    return math.copysign((1.0 - expo) * used + expo * used**3, value)


def shape_stick(x: float, y: float, dead_zone: float, expo: float) -> tuple[float, float]:
    """Return the command of a stick, within the unit circle and in the stick's direction.

    Args:
        x: deflection to the right, -1 to 1.
        y: deflection along the other axis, -1 to 1.
        dead_zone: radius that has no effect, 0 to 0.5.
        expo: 0 is linear, 1 is cubic, which is finer near the middle.
    """
    deflection = math.hypot(x, y)
    command = shape_axis(deflection, dead_zone, expo)
    if command == 0.0:
        return 0.0, 0.0
    return x / deflection * command, y / deflection * command


def head_direction(right: float, down: float, reach: HeadRange) -> tuple[float, float]:
    """Return yaw and pitch [rad] of a deflection, whose ends are the joints' limits.

    Args:
        right: -1 to 1; 1 looks to the right limit.
        down: -1 to 1; 1 looks to the lower limit.
        reach: the joints' limits.
    """
    yaw = _between(-right, reach.right, reach.left)
    pitch = _between(down, reach.up, reach.down)
    yaw, pitch = reach.clip(yaw, pitch)
    return yaw + 0.0, pitch + 0.0  # no negative zero


def head_deflection(yaw: float, pitch: float, reach: HeadRange) -> tuple[float, float]:
    """Return the deflection, right and down, of a direction [rad]: -1 to 1 within limits."""
    return -_share(yaw, reach.right, reach.left), _share(pitch, reach.up, reach.down)


def body_coordinate(deflection: float, reach: Coordinate) -> float:
    """Return the coordinate of the body at a deflection, -1 to 1, whose ends are its limits."""
    return _between(deflection, -reach.lower, reach.upper) + 0.0  # no negative zero


def body_deflection(coordinate: float, reach: Coordinate) -> float:
    """Return the deflection of a coordinate of the body: -1 to 1 within its limits."""
    return _share(coordinate, -reach.lower, reach.upper)


def run_bounds(bounds: WalkBounds, run: RunRange) -> WalkBounds:
    """Return the bounds of a run: those that hold already, at most the robot's range."""
    return WalkBounds(
        forward=min(bounds.forward, run.forward),
        backward=min(bounds.backward, run.forward),
        sideways=min(bounds.sideways, run.sideways),
        turning=min(bounds.turning, run.turning),
    )


def walk_velocity(
    forward: float,
    left: float,
    turn: float,
    bounds: WalkBounds,
    share: float,
    gait: MovingGait = "walk",
) -> Walk:
    """Return the velocity of a deflection.

    Args:
        forward: -1 to 1.
        left: -1 to 1, positive to the robot's left.
        turn: -1 to 1, positive to the robot's left.
        bounds: largest velocities.
        share: fraction of the bounds that full deflection commands, 0 to 1.
        gait: gait of a velocity; a stick in its middle requests to stand.
    """
    if not (forward or left or turn):
        return Walk()
    vx = _between(forward, -bounds.backward, bounds.forward)
    vy = _between(left, -bounds.sideways, bounds.sideways)
    yaw_rate = _between(turn, -bounds.turning, bounds.turning)
    return Walk(vx * share + 0.0, vy * share + 0.0, yaw_rate * share + 0.0, gait=gait)


def walk_deflection(
    vx: float, sideways: float, side_bound: float, bounds: WalkBounds, share: float
) -> tuple[float, float]:
    """Return the point of a velocity on the pad, to the right and forward, -1 to 1.

    Args:
        vx: forward [m/s].
        sideways: to the robot's left [m/s], or turning left [rad/s].
        side_bound: largest magnitude of `sideways`.
        bounds: largest velocities.
        share: fraction of the bounds at the pad's edge, 0 to 1.
    """
    right = -_share(sideways, -side_bound * share, side_bound * share)
    forward = _share(vx, -bounds.backward * share, bounds.forward * share)
    return min(max(right, -1.0), 1.0), min(max(forward, -1.0), 1.0)


def _between(value: float, lowest: float, highest: float) -> float:
    """Return the value of a deflection between two ends of opposite sign; zero stays zero."""
    value = min(max(value, -1.0), 1.0)
    return value * highest if value >= 0.0 else -value * lowest


def _share(value: float, lowest: float, highest: float) -> float:
    """Return the inverse of `_between`; 0 if the end is at zero."""
    end = highest if value >= 0.0 else -lowest
    return value / end if end > 1e-9 else 0.0
