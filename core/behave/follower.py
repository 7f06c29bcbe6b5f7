"""A second-order follower with limited speed and acceleration, for sticks and live partners."""

import math
from collections.abc import Callable

import numpy as np

from core.compiled import bind, compiled
from devices.interface import Floats

MAX_STEP_S = 0.01
SHORTEST_STEP_S = 1e-9  # what rounding leaves is no step
MAX_CATCH_UP_S = 0.2


@compiled
def follow_targets(
    limits: Floats,
    block: Floats,
    target: Floats,
    rate: Floats,
    duration_s: float,
    ahead_s: float,
) -> None:
    """Advance a state toward targets that move.

    Args:
        limits: natural frequency [rad/s], largest speed and largest acceleration (3, n).
        block: position, velocity, acceleration (3, n), advanced in place.
        target: positions to follow (n).
        rate: their rates (n).
        duration_s: [s]; beyond MAX_CATCH_UP_S it is a gap and is skipped.
        ahead_s: age of the targets, for which their rates lead them on [s].
    """
    left_s = min(duration_s, MAX_CATCH_UP_S)
    for i in range(target.size):
        w, fastest, strongest = limits[0, i], limits[1, i], limits[2, i]
        q, dq, ddq = block[0, i], block[1, i], block[2, i]
        goal = target[i] + ahead_s * rate[i]
        rest_s = left_s
        while rest_s > SHORTEST_STEP_S:
            step_s = rest_s if rest_s < MAX_STEP_S else MAX_STEP_S
            rest_s -= step_s
            ddq = w * (w * (goal - q) + 2.0 * (rate[i] - dq))
            ddq = min(max(ddq, -strongest), strongest)
            faster = min(max(dq + ddq * step_s, -fastest), fastest)
            # The mean velocity makes positions exact for the step's constant acceleration.
            q += 0.5 * (dq + faster) * step_s
            ddq = (faster - dq) / step_s
            dq = faster
        block[0, i], block[1, i], block[2, i] = q, dq, ddq


class Follower:
    """Follows targets as critically damped springs, with constant acceleration in each step.

    The acceleration is w² error + 2 w (rate of the target - velocity).

    Args:
        limits: natural frequency w [rad/s], largest speed [rad/s] and largest acceleration
            [rad/s²] of each position (3, n).

    Attributes:
        block: position, velocity, acceleration (3, n) [rad], [rad/s], [rad/s²].
        target: positions to follow (n), which its owner overwrites [rad].
        rate: their rates, likewise (n) [rad/s].
    """

    def __init__(self, limits: Floats) -> None:
        self._limits = limits
        self.block = np.zeros_like(limits)
        self.target = np.zeros(limits.shape[1])
        self.rate = np.zeros(limits.shape[1])
        arrays = (limits, self.block, self.target, self.rate)
        self._advance: Callable[[float, float], None] = bind(follow_targets, *arrays)

    def follow(self, duration_s: float, ahead_s: float = 0.0) -> None:
        """Advance the block.

        Args:
            duration_s: [s].
            ahead_s: age of the targets, for which their rates lead them on [s].
        """
        self._advance(duration_s, ahead_s)

    def rest(self) -> None:
        """Be at the targets, at rest."""
        self.block.fill(0.0)
        self.block[0] = self.target
        self.rate.fill(0.0)

    def twin(self) -> "Follower":
        """Return an equal follower with arrays of its own."""
        twin = Follower(self._limits)
        for name in ("block", "target", "rate"):
            getattr(twin, name)[:] = getattr(self, name)
        return twin


def calm_speed(stiffness_rad_s: Floats, acceleration: Floats) -> Floats:
    """Return the speeds from which a follower comes to rest without passing its target.

    A follower of frequency w at speed v begins to brake (2 w v - a) / w² before its target, and
    needs v² / 2a to stop with its largest acceleration a.
    """
    return (2.0 + math.sqrt(2.0)) * acceleration / stiffness_rad_s


def limits_of(count: int, stiffness_rad_s: float, speed: float, acceleration: float) -> Floats:
    """Return equal limits of a number of positions (3, n)."""
    return np.tile([[stiffness_rad_s], [speed], [acceleration]], (1, count))
