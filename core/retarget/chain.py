"""One limb of a robot as a chain of joints, and the points on it that follow a person."""

from dataclasses import dataclass

import numpy as np
import pinocchio as pin

from core.errors import ProfileError
from core.robot.profile import Profile
from devices.interface import Floats

_FILE = "profile.toml"


@dataclass(frozen=True, eq=False)
class Chain:
    """The joints of a limb from its root on, all other joints at rest.

    Frames are right-handed; the base has x forward, y left, z up.

    Attributes:
        joints: names (n).
        rotations: axes of each joint's frame at zero in the frame of the joint before (n, 3, 3);
            the first in the base.
        offsets: origin of each joint's frame there (n, 3) [m].
        axes: each joint's axis in its own frame (n, 3).
        lower: smallest positions (n) [rad].
        upper: largest positions (n) [rad].
        rest: positions in the robot's rest posture (n) [rad].
    """

    joints: tuple[str, ...]
    rotations: Floats
    offsets: Floats
    axes: Floats
    lower: Floats
    upper: Floats
    rest: Floats

    def placements(self, q: Floats) -> tuple[Floats, Floats]:
        """Return rotations (n, 3, 3) and origins (n, 3) [m] of the joints' frames in the base.

        Args:
            q: positions of the joints (n) [rad].
        """
        rotations, origins = np.empty((len(q), 3, 3)), np.empty((len(q), 3))
        turn, place = np.eye(3), np.zeros(3)
        for i, angle in enumerate(q):
            place = place + turn @ self.offsets[i]
            turn = turn @ self.rotations[i] @ pin.exp3(self.axes[i] * angle)
            rotations[i], origins[i] = turn, place
        return rotations, origins

    def part(self, count: int) -> "Chain":
        """Return the chain of the first joints."""
        return Chain(
            self.joints[:count],
            self.rotations[:count],
            self.offsets[:count],
            self.axes[:count],
            self.lower[:count],
            self.upper[:count],
            self.rest[:count],
        )


class RobotChains:
    """Chains and points of a robot's limbs, from its model and its profile.

    Raises:
        ProfileError: the model does not fit the profile.
    """

    def __init__(self, profile: Profile, model: pin.Model) -> None:
        self.profile, self.model = profile, model
        self._data = model.createData()
        q = pin.neutral(model)
        for name, angle in zip(profile.joint_names, profile.posture("rest"), strict=True):
            q[model.joints[model.getJointId(name)].idx_q] = angle
        self._q = q
        pin.computeJointJacobians(model, self._data, q)
        pin.updateFramePlacements(model, self._data)

    def chain(self, joints: tuple[str, ...]) -> Chain:
        """Return the chain of joints that lie one above the other, from the lowest.

        Raises:
            ProfileError: a joint is no hinge, or the joints are not on one path of the model.
        """
        model, data = self.model, self._data
        ids = [model.getJointId(name) for name in joints]
        rotations, offsets, axes = [], [], []
        before = pin.SE3.Identity()
        for name, number, previous in zip(joints, ids, [0, *ids], strict=False):
            if previous and previous not in model.supports[number]:
                reason = f"is not on the same branch of {self.profile.model} as its limb"
                raise ProfileError(_FILE, f"joints.rows, {name}", f"{reason}; correct its limb")
            column = pin.getJointJacobian(model, data, number, pin.LOCAL)
            column = column[:, model.joints[number].idx_v]
            if np.abs(column[:3]).max() > 1e-9:
                raise ProfileError(_FILE, f"joints.rows, {name}", "is no hinge; leave its limb out")
            axis = column[3:].copy()
            angle = self._q[model.joints[number].idx_q]
            relative = before.actInv(data.oMi[number])
            rotations.append(relative.rotation @ pin.exp3(-axis * angle))
            offsets.append(relative.translation.copy())
            axes.append(axis)
            before = data.oMi[number]
        index = [model.joints[number].idx_q for number in ids]
        return Chain(
            joints,
            np.array(rotations),
            np.array(offsets),
            np.array(axes),
            model.lowerPositionLimit[index].copy(),
            model.upperPositionLimit[index].copy(),
            self._q[index].copy(),
        )

    def local_point(self, frame: str, joint: str) -> Floats:
        """Return where the origin of a frame lies in a joint's frame, at rest (3) [m].

        Raises:
            ProfileError: the model has no such frame.
        """
        point: Floats = self._joint(joint).actInv(self._frame(frame).translation)
        return point

    def local_axes(self, joint: str) -> Floats:
        """Return the base's axes in a joint's frame, at rest; one in each column (3, 3)."""
        axes: Floats = self._joint(joint).rotation.T.copy()
        return axes

    def _joint(self, name: str) -> pin.SE3:
        return self._data.oMi[self.model.getJointId(name)]

    def _frame(self, name: str) -> pin.SE3:
        if not self.model.existFrame(name):
            reason = f"{self.profile.model} has no joint, body or site {name!r}"
            raise ProfileError(_FILE, "retarget", f"{reason}; spell it as it is there")
        return self._data.oMf[self.model.getFrameId(name)]
