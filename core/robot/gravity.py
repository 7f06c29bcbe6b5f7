"""The torques that hold a robot's joints against gravity."""

from collections.abc import Mapping

import numpy as np
import pinocchio as pin

from core.constants import GRAVITY
from core.robot.frames import BASE
from core.robot.grips import Grips
from core.robot.joint_table import joint_table
from core.robot.model import load_pinocchio
from core.robot.profile import Profile
from devices.interface import Floats

POSTURES = 400  # random ones, of which the largest torque is taken
LEAST_SHARE = 0.05  # of the stall torque, for a joint that gravity hardly turns


class Gravity:
    """Gravity's torques on the joints at a posture and a tilt of the base.

    They are +g(q) in the law u = g(q) - K dq; the POSER paper prints another sign in equation 12.

    Attributes:
        torque: of each joint in the profile's order, overwritten by `update` (n) [N·m]; joints of
            hands have none, as their model is locked.
        links: names of the robot's links.
    """

    def __init__(self, profile: Profile) -> None:
        model = load_pinocchio(profile)
        self._grips = Grips(model, profile.grips)
        self._limbs = tuple(grip.limb for grip in profile.grips)
        self._model, self._data = model, model.createData()
        bodies = (frame for frame in model.frames if frame.type == pin.FrameType.BODY)
        self.links = frozenset(str(frame.name) for frame in bodies)
        self._q = pin.neutral(model)
        names = profile.joint_names
        hinges = [number for number in range(1, model.njoints) if model.joints[number].nq == 1]
        self._places = np.array([names.index(model.names[number]) for number in hinges])
        self._q_at = np.array([model.joints[number].idx_q for number in hinges])
        self._v_at = np.array([model.joints[number].idx_v for number in hinges])
        self._down = np.array((0.0, 0.0, -GRAVITY))
        self._floats = model.joints[BASE].nq == 7
        self.torque: Floats = np.zeros(len(names))
        self._stall = profile.actuator_column("stall_torque")
        table = joint_table(profile)
        count = table.joint_count
        self._lower, self._upper = table.lower[:count], table.upper[:count]

    def carry(self, loads_kg: Mapping[str, float]) -> None:
        """Let limbs with a grip hold masses from the next update on [kg]; the others are empty."""
        self._grips.carry([loads_kg.get(limb, 0.0) for limb in self._limbs])

    def update(self, q: Floats, rotation_base_in_world: Floats) -> Floats:
        """Return the torques at a posture (n) [N·m]; the next update overwrites them.

        Args:
            q: joint positions in the profile's order (n) [rad].
            rotation_base_in_world: attitude of the base (3, 3).
        """
        self._q[self._q_at] = q[self._places]
        if self._floats:  # the model's base stays upright, and gravity turns instead
            self._model.gravity.linear = rotation_base_in_world.T @ self._down
        torque = pin.computeGeneralizedGravity(self._model, self._data, self._q)
        self.torque[self._places] = torque[self._v_at]
        return self.torque

    def largest(self) -> Floats:
        """Return the largest torque in any posture of an upright, empty-handed robot (n) [N·m].

        It is at least a small share of the stall torque.
        """
        random = np.random.default_rng(0)
        largest = LEAST_SHARE * self._stall
        for _ in range(POSTURES):
            q = random.uniform(self._lower, self._upper)
            np.maximum(largest, np.abs(self.update(q, np.eye(3))), out=largest)
        return largest
