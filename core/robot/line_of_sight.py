"""The angles of the head at which a robot looks at a point, and the point at which it looks."""

import math

import numpy as np
import pinocchio as pin

from core.robot.frames import BASE
from core.robot.model import load_pinocchio
from core.robot.profile import Profile
from devices.interface import Floats

SIDE = 0.17  # sine of the angle from the axis of a pitch that carries the yaw, where it fades


class LineOfSight:
    """Turns a point in the world into yaw and pitch of the gaze, by the joints below the head.

    One joint carries the other, in either order. The eye is at the outer one of a head that looks
    ahead.

    Args:
        profile: profile of a robot that has a gaze.
    """

    def __init__(self, profile: Profile) -> None:
        assert profile.gaze is not None, "the robot has a gaze"
        model = load_pinocchio(profile)
        self._model, self._data = model, model.createData()
        self._q = pin.neutral(model)
        names = profile.joint_names
        yaw, pitch = (model.getJointId(n) for n in (profile.gaze.yaw, profile.gaze.pitch))
        self._turns = names.index(profile.gaze.yaw), names.index(profile.gaze.pitch)
        self._inner, self._outer = sorted((yaw, pitch))
        self._yaw_first = yaw == self._inner
        hinges = [
            number
            for number in range(1, model.njoints)
            if model.joints[number].nq == 1 and number not in (yaw, pitch)
        ]
        self._places = np.array([names.index(model.names[number]) for number in hinges])
        self._q_at = np.array([model.joints[number].idx_q for number in hinges])
        self._floats = model.joints[BASE].nq == 7
        pin.forwardKinematics(model, self._data, self._q)
        self._ahead: Floats = self._data.oMi[self._inner].rotation.T.copy()

    def angles(
        self, q: Floats, rotation_base_to_world: Floats, base_in_world: Floats, point: Floats
    ) -> tuple[float, float]:
        """Return yaw to the left and pitch downward [rad].

        Args:
            q: joint positions in the profile's order (n) [rad].
            rotation_base_to_world: attitude of the base (3, 3).
            base_in_world: position of the base (3) [m].
            point: to look at, world frame (3) [m].
        """
        eye = self._eye_in_base(q)
        in_base = rotation_base_to_world.T @ (point - base_in_world) if self._floats else point
        x, y, z = (self._data.oMi[self._inner].rotation @ self._ahead).T @ (in_base - eye)
        if self._yaw_first:
            return math.atan2(y, x), math.atan2(-z, math.hypot(x, y))
        # A pitch that carries the yaw tilts the plane in which the head turns. Beside its axis it
        # hardly moves the gaze any more, and only tilts the head.
        near = SIDE * math.hypot(x, y, z)
        share = min(abs(x) / near, 1.0) if near > 0.0 else 0.0
        pitch = share * math.atan2(-z, max(abs(x), near))
        return math.atan2(y, math.copysign(math.hypot(x, z), x)), pitch

    def eye(self, q: Floats, rotation_base_to_world: Floats, base_in_world: Floats) -> Floats:
        """Return the position of the eye, world frame (3) [m]; the arguments are as of `angles`."""
        eye = self._eye_in_base(q)
        return rotation_base_to_world @ eye + base_in_world if self._floats else eye

    def direction(self, q: Floats, rotation_base_to_world: Floats) -> Floats:
        """Return the direction in which the robot looks, world frame, of length 1 (3).

        The arguments are as of `angles`; q has the angles of the head.
        """
        self._eye_in_base(q)
        yaw, pitch = (float(q[place]) for place in self._turns)
        cy, sy, cp, sp = math.cos(yaw), math.sin(yaw), math.cos(pitch), math.sin(pitch)
        looks = (cp * cy, cp * sy, -sp) if self._yaw_first else (cp * cy, sy, -sp * cy)
        in_base = self._data.oMi[self._inner].rotation @ self._ahead @ np.array(looks)
        direction: Floats = rotation_base_to_world @ in_base if self._floats else in_base
        return direction

    def _eye_in_base(self, q: Floats) -> Floats:
        """Place the joints below the head; return the position of the eye (3) [m]."""
        self._q[self._q_at] = q[self._places]
        pin.forwardKinematics(self._model, self._data, self._q)
        eye: Floats = self._data.oMi[self._outer].translation
        return eye
