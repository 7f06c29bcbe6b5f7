"""From a stick's way to what it asks for: dead zone, expo and limits, as pure functions.

The console's hands and the operator's handset feel alike, for both use these.
"""

import math
from dataclasses import dataclass

from core.link.commands import Walk
from core.link.hello import Hello
from shows.document import WalkBounds

FULL = 0.95  # of the way: worn sticks reach no further


@dataclass(frozen=True, slots=True)
class HeadRange:
    """How far the head turns [rad].

    Attributes:
        right: smallest yaw, to its right.
        left: largest yaw, to its left.
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
    """Return how far the head of this robot turns; None if it has no such joints."""
    names = hello.joint_names
    if "head_yaw" not in names or "head_pitch" not in names:
        return None
    yaw, pitch = names.index("head_yaw"), names.index("head_pitch")
    return HeadRange(hello.lower[yaw], hello.upper[yaw], hello.lower[pitch], hello.upper[pitch])


def shape_axis(value: float, dead_zone: float, expo: float) -> float:
    """Return what one axis asks for, -1 to 1.

    Args:
        value: its way, -1 to 1.
        dead_zone: share of the way that does nothing, 0 to 0.5.
        expo: 0 is straight, 1 is cubic: fine near the middle.
    """
    way = abs(value)
    if not way > dead_zone:
        return 0.0
    used = min((way - dead_zone) / (FULL - dead_zone), 1.0)
    return math.copysign((1.0 - expo) * used + expo * used**3, value)


def shape_stick(x: float, y: float, dead_zone: float, expo: float) -> tuple[float, float]:
    """Return what a stick asks for, within the unit circle and in the direction of its way.

    Args:
        x: its way to the right, -1 to 1.
        y: its way along the other axis, -1 to 1.
        dead_zone: radius that does nothing, 0 to 0.5.
        expo: 0 is straight, 1 is cubic: fine near the middle.
    """
    way = math.hypot(x, y)
    asked = shape_axis(way, dead_zone, expo)
    if asked == 0.0:
        return 0.0, 0.0
    return x / way * asked, y / way * asked


def head_direction(right: float, down: float, reach: HeadRange) -> tuple[float, float]:
    """Return yaw and pitch [rad] of a deflection; its ends are the joints' limits.

    Args:
        right: -1 to 1, 1 looks as far to its right as the head turns.
        down: -1 to 1, 1 looks as far down as the head turns.
        reach: the joints' limits.
    """
    yaw = _between(-right, reach.right, reach.left)
    pitch = _between(down, reach.up, reach.down)
    yaw, pitch = reach.clip(yaw, pitch)
    return yaw + 0.0, pitch + 0.0  # no negative zero


def head_deflection(yaw: float, pitch: float, reach: HeadRange) -> tuple[float, float]:
    """Return the deflection, right and down, whose direction this is: -1 to 1 within limits."""
    return -_share(yaw, reach.right, reach.left), _share(pitch, reach.up, reach.down)


def walk_velocity(
    forward: float, left: float, turn: float, bounds: WalkBounds, share: float
) -> Walk:
    """Return the velocity of a deflection.

    Args:
        forward: -1 to 1.
        left: -1 to 1, a step to its left is positive.
        turn: -1 to 1, a turn to its left is positive.
        bounds: the fastest that the show may ask for.
        share: of that, 0 to 1.
    """
    vx = _between(forward, -bounds.backward, bounds.forward)
    vy = _between(left, -bounds.sideways, bounds.sideways)
    yaw_rate = _between(turn, -bounds.turning, bounds.turning)
    return Walk(vx * share + 0.0, vy * share + 0.0, yaw_rate * share + 0.0)


def walk_deflection(
    vx: float, sideways: float, side_bound: float, bounds: WalkBounds, share: float
) -> tuple[float, float]:
    """Return where on the pad a velocity lies, to the right and forward, -1 to 1.

    Args:
        vx: forward [m/s].
        sideways: to its left [m/s], or turning left [rad/s].
        side_bound: the largest of these.
        bounds: the fastest that the show may ask for.
        share: of that, what the pad's edge stands for, 0 to 1.
    """
    right = -_share(sideways, -side_bound * share, side_bound * share)
    forward = _share(vx, -bounds.backward * share, bounds.forward * share)
    return min(max(right, -1.0), 1.0), min(max(forward, -1.0), 1.0)


def _between(value: float, lowest: float, highest: float) -> float:
    """Return a deflection as a share of the way to either end; zero stays zero."""
    value = min(max(value, -1.0), 1.0)
    return value * highest if value >= 0.0 else -value * lowest


def _share(value: float, lowest: float, highest: float) -> float:
    """Return the inverse of `_between`; 0 where there is no way to go."""
    end = highest if value >= 0.0 else -lowest
    return value / end if end > 1e-9 else 0.0
