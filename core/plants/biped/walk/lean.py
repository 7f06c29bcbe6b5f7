"""A slow lean of the torso that shares a load evenly among the joints of the hips."""

import math

import numpy as np

from core.compiled import compiled
from core.plants.biped.model import RobotModel
from core.plants.biped.settings import Lean
from core.records import Indices
from core.robot.profile import Profile
from devices.interface import Floats


@compiled
def follow_load(
    tau: Floats,
    hips: Indices,
    sums: Floats,
    step: float,
    roll: float,
    pitch: float,
    target: Floats,
) -> tuple[float, float]:
    """Add magnitudes of torques to their sums; return the lean after a step toward its target.

    Args:
        tau: joint torques (n) [N·m].
        hips: indices of the joints whose torques count (k).
        sums: of the magnitudes, in place (k) [N·m].
        step: largest change in this tick [rad].
        roll: of the lean [rad].
        pitch: of the lean [rad].
        target: desired roll and pitch (2) [rad].
    """
    for i in range(hips.size):
        sums[i] += abs(tau[hips[i]])
    roll += min(step, max(-step, target[0] - roll))
    pitch += min(step, max(-step, target[1] - pitch))
    return roll, pitch


class LeanTrim:
    """Leans the torso away from a load that one hip, or one joint of each hip, feels more.

    A stance hip carries the torso's moment by two joints at right angles, with little to spare.
    A load in one hand works on one hip only; leaning away from it gives the other hip its share,
    as people do. A mass before or behind the hips works through the yaw moment of the stance leg
    on one joint of each pair. The measured torques' magnitudes are averaged over gait cycles.

    Args:
        settings: name the pair of joints by their roles.
        profile: has the roles of the joints.
        model: has the joints of the legs.

    Attributes:
        roll: to be added to the torso's roll [rad].
        pitch: to be added to its pitch [rad].
    """

    def __init__(self, settings: Lean, profile: Profile, model: RobotModel) -> None:
        self.roll = 0.0
        self.pitch = 0.0
        self._settings = settings
        rows = profile.joints.rows
        self._hips = np.array(
            [
                next(joint for joint in leg if rows[joint].role == role)
                for leg in model.leg_joints.tolist()
                for role in settings.joints
            ]
        )
        self._step = settings.speed * profile.tick_s
        self._target: Floats = np.zeros(2)
        self._sum = np.zeros(4)
        self._ticks = 0
        self._touchdowns = 0

    def reset(self) -> None:
        """Discard the sums of the present steps, and keep the learned lean."""
        self._sum[:] = 0.0
        self._ticks = 0
        self._touchdowns = 0

    def watch(self, tau: Floats) -> None:
        """Add the joint torques of one tick (n) [N·m] and follow the target slowly."""
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
        s = self._settings
        roll -= s.roll_share / s.torque_per_roll * (left_1 + left_2 - right_1 - right_2)
        pitch -= s.pitch_share / s.torque_per_pitch * (left_1 + right_1 - left_2 - right_2)
        self._target[0] = min(s.largest_roll, max(-s.largest_roll, roll))
        self._target[1] = min(s.largest_pitch, max(-s.largest_pitch, pitch))
        self._sum[:] = 0.0
        self._ticks = 0
        self._touchdowns = 1


class NoLean:
    """The torso of a robot that does not lean stays upright; see `LeanTrim`."""

    roll = pitch = 0.0

    def reset(self) -> None:
        """Do nothing."""

    def watch(self, tau: Floats) -> None:
        """Do nothing."""

    def touch_down(self) -> None:
        """Do nothing."""


def make_lean(profile: Profile, model: RobotModel) -> LeanTrim | NoLean:
    """Return the lean of a robot, if its profile has one."""
    settings = profile.as_biped.lean
    return NoLean() if settings is None else LeanTrim(settings, profile, model)
