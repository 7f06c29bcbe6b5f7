"""Dynamics and placements of a robot of which some joints move."""

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
import pinocchio as pin

from core.robot.profile import REST, Profile
from devices.interface import Floats


class UpperDynamics(Protocol):
    """Dynamics of the upper body while the legs stand still."""

    def torque(self, q: Floats, dq: Floats, ddq: Floats) -> Floats:
        """Return the joint torques (u) [N·m] at a state (u) [rad], [rad/s], [rad/s²]."""

    def com(self, q: Floats) -> Floats:
        """Return the centre of mass from the middle between the soles (3) [m]."""

    def placements(self, q: Floats) -> Mapping[str, Floats]:
        """Return the placement of each body in the model's world (4, 4)."""


class PinocchioDynamics:
    """The robot's model with the base upright and the legs in one posture.

    Args:
        model: the model of all joints.
        profile: the robot's profile.
        moved: names of the joints that move, in the order of the arrays.
    """

    def __init__(self, model: pin.Model, profile: Profile, moved: Sequence[str]) -> None:
        self._model = model
        self._data = model.createData()
        self._q = pin.neutral(model)
        self._v, self._a = np.zeros(model.nv), np.zeros(model.nv)
        for name, angle in zip(profile.joint_names, profile.posture(REST), strict=True):
            self._q[self._joint(name).idx_q] = angle
        self._q_at = [self._joint(name).idx_q for name in moved]
        self._v_at = [self._joint(name).idx_v for name in moved]
        pairs = () if profile.collisions is None else profile.collisions.pairs
        names = sorted({body for pair in pairs for body in pair})
        self._bodies = [(name, model.getFrameId(name, pin.FrameType.BODY)) for name in names]
        pin.framesForwardKinematics(model, self._data, self._q)
        soles = [self._data.oMf[model.getFrameId(c.frame)].translation for c in profile.contacts]
        self._ground = np.mean(soles, axis=0) if soles else np.zeros(3)

    def _joint(self, name: str) -> "pin.JointModel":
        return self._model.joints[self._model.getJointId(name)]

    def torque(self, q: Floats, dq: Floats, ddq: Floats) -> Floats:
        """Return the joint torques (u) [N·m]."""
        self._q[self._q_at] = q
        self._v[self._v_at] = dq
        self._a[self._v_at] = ddq
        tau: Floats = pin.rnea(self._model, self._data, self._q, self._v, self._a)[self._v_at]
        return tau

    def com(self, q: Floats) -> Floats:
        """Return the centre of mass from the middle between the soles (3) [m]."""
        self._q[self._q_at] = q
        com: Floats = pin.centerOfMass(self._model, self._data, self._q) - self._ground
        return com

    def placements(self, q: Floats) -> Mapping[str, Floats]:
        """Return the placement of each body in the model's world (4, 4)."""
        self._q[self._q_at] = q
        pin.framesForwardKinematics(self._model, self._data, self._q)
        return {name: self._data.oMf[frame].homogeneous for name, frame in self._bodies}
