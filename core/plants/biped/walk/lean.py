"""A slow lean of the torso that shares the load among the hip joints alike."""

import math

import numpy as np
import numpy.typing as npt

from core.compiled import compiled
from devices.interface import Floats

PER_ROLL = 80.0  # what a roll of the torso moves from the left to the right hip [N·m/rad]
PER_PITCH = 19.0  # what a pitch moves from the second to the first hip joints [N·m/rad]
ROLL_SHARE = 0.4  # of the difference that is taken away in a gait cycle
PITCH_SHARE = 0.05
LARGEST_ROLL = 0.06  # [rad]
LARGEST_PITCH = 0.03  # [rad]
SPEED = 0.03  # of the lean [rad/s]


@compiled
def follow_load(
    tau: Floats,
    places: npt.NDArray[np.int64],
    sums: Floats,
    step: float,
    roll: float,
    pitch: float,
    target: Floats,
) -> tuple[float, float]:
    """Add some torques' magnitudes to their sums; return the lean, led toward its target.

    Args:
        tau: joint torques (n) [N·m].
        places: of those that count (k).
        sums: of their magnitudes, in place (k) [N·m].
        step: largest change in this tick [rad].
        roll: of the lean [rad].
        pitch: of the lean [rad].
        target: roll and pitch to come (2) [rad].
    """
    for i in range(places.size):
        sums[i] += abs(tau[places[i]])
    roll += min(step, max(-step, target[0] - roll))
    pitch += min(step, max(-step, target[1] - pitch))
    return roll, pitch


class LeanTrim:
    """Leans the torso away from a load that one hip, or one joint of each hip, feels more.

    A stance hip carries the torso's moment by two joints at right angles, with little to spare.
    A load in one hand works on one hip only; leaning away from it gives the other hip its share,
    as people do. A mass before or behind the hips works through the yaw moment of the stance leg
    on one joint of each pair. Judged over whole gait cycles by the measured torques' magnitudes.

    Args:
        first_leg_joint: place of left hip 1; hip 2 follows, the right leg `leg_joints` later.
        leg_joints: of one leg.
        tick_s: period of the calls [s].

    Attributes:
        roll: to be added to the torso's roll [rad].
        pitch: to be added to its pitch [rad].
    """

    def __init__(self, first_leg_joint: int, leg_joints: int, tick_s: float) -> None:
        self.roll = 0.0
        self.pitch = 0.0
        left, right = first_leg_joint, first_leg_joint + leg_joints
        self._hips = np.array([left, left + 1, right, right + 1])
        self._step = SPEED * tick_s
        self._target: Floats = np.zeros(2)
        self._sum = np.zeros(4)
        self._ticks = 0
        self._touchdowns = 0

    def reset(self) -> None:
        """Forget the steps, not what was learned from them."""
        self._sum[:] = 0.0
        self._ticks = 0
        self._touchdowns = 0

    def watch(self, tau: Floats) -> None:
        """Note the joint torques of one tick (n) [N·m] and follow the target slowly."""
        self.roll, self.pitch = follow_load(
            tau, self._hips, self._sum, self._step, self.roll, self.pitch, self._target
        )
        self._ticks += 1

    def touch_down(self) -> None:
        """Learn from a gait cycle that ends now."""
        self._touchdowns += 1
        if self._touchdowns < 3:
            if self._touchdowns == 1:
                self._sum[:] = 0.0
                self._ticks = 0
            return
        left_1, left_2, right_1, right_2 = (self._sum / max(1, self._ticks)).tolist()
        if not math.isfinite(left_1 + left_2 + right_1 + right_2):
            self.reset()
            return
        roll, pitch = self._target.tolist()
        roll -= ROLL_SHARE / PER_ROLL * (left_1 + left_2 - right_1 - right_2)
        pitch -= PITCH_SHARE / PER_PITCH * (left_1 + right_1 - left_2 - right_2)
        self._target[0] = min(LARGEST_ROLL, max(-LARGEST_ROLL, roll))
        self._target[1] = min(LARGEST_PITCH, max(-LARGEST_PITCH, pitch))
        self._sum[:] = 0.0
        self._ticks = 0
        self._touchdowns = 1
