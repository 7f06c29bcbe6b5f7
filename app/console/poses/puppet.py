"""The robot that is posed: where its handles are, and the angles that lead them elsewhere."""

import math
from collections.abc import Collection, Mapping

import numpy as np

from app.console.poses.limb_handles import NEAREST_M, LimbHandle, limb_handles
from app.console.poses.reach import Chain, reach, reached
from app.console.stage.handles import Handle
from app.picture.robot_tree import Floats, RobotTree
from core.link.hello import Hello
from shows.joints import JointTable

USUAL_FAR_M = 1.2  # of a gaze target that nobody has set
OFF_RAD = math.radians(1.0)  # by which the gaze may miss its target


class Puppet:
    """Owns the kinematics of one robot; all places are in the frame of its base."""

    def __init__(self, hello: Hello, tree: RobotTree, joints: JointTable) -> None:
        self._tree, self._joints = tree, joints
        self._handles = {handle.name: handle for handle in limb_handles(hello, tree)}
        self._chain: tuple[str, Chain] | None = None
        self._missed = ""
        self._target: Floats | None = None  # of the gaze
        self._aimed: tuple[float, ...] = ()  # angles of the gaze when its target was set
        self._far_m = USUAL_FAR_M

    def handles(self, angles: Mapping[str, float], limbs: Collection[str]) -> tuple[Handle, ...]:
        """Return the handles of some limbs in a pose.

        Args:
            angles: of every joint that a pose can move [rad].
            limbs: names of the limbs that belong to the pose.
        """
        poses = self._tree.forward_kinematics(angles)
        found = []
        for name, handle in self._handles.items():
            if handle.limb not in limbs:
                continue
            place = handle.place(poses)
            if handle.gazes:
                target, off_rad = self._gaze(handle, poses, angles)
                found.append(Handle(name, handle.title, target, off_rad <= OFF_RAD, place))
            else:
                found.append(Handle(name, handle.title, place, name != self._missed))
        return tuple(found)

    def lead(self, name: str, target: Floats, angles: Mapping[str, float]) -> dict[str, float]:
        """Return the angles that lead a handle to a place, or as near as it goes [rad].

        Args:
            name: of the handle.
            target: the place (3) [m].
            angles: the present angles [rad].
        """
        handle = self._handles.get(name)
        if handle is None or not np.isfinite(target).all():
            return {}
        if handle.gazes:
            return self.aim(target, angles)
        if self._chain is None or self._chain[0] != name:
            self._chain = name, handle.chain(self._tree, self._joints, angles)
        chain = self._chain[1]
        q = reach(chain, np.array([angles[joint] for joint in chain.joints]), target)
        self._missed = name if reached(chain, q, target) > handle.slack_m else ""
        return dict(zip(chain.joints, q.tolist(), strict=True))

    def let_go(self) -> None:
        """Take that no handle is led any more, or that a joint was turned otherwise."""
        self._chain = None
        self._missed = ""

    def aim(self, target: Floats, angles: Mapping[str, float]) -> dict[str, float]:
        """Return the angles at which the head looks at a place, or nearest to it [rad]."""
        handle = self._gazing
        if handle is None:
            return {}
        eye = handle.place(self._tree.forward_kinematics(angles))
        far_m = float(np.linalg.norm(target - eye))
        if far_m < NEAREST_M:  # too near to be looked at
            away = (
                target - eye
                if far_m > 1e-6
                else handle.direction(self._tree.forward_kinematics(angles))
            )
            target = eye + NEAREST_M * away / np.linalg.norm(away)
            far_m = NEAREST_M
        chain = handle.chain(self._tree, self._joints, angles, far_m)
        q = reach(chain, np.array([angles[joint] for joint in chain.joints]), target)
        found = dict(zip(chain.joints, q.tolist(), strict=True))
        self._target, self._far_m = target, far_m
        self._aimed = tuple(found[joint] for joint in handle.joints)
        return found

    def gaze(self, angles: Mapping[str, float]) -> tuple[Floats, float] | None:
        """Return the gaze target (3) [m] and the angle by which the gaze misses it [rad].

        None for a robot without a gaze.
        """
        handle = self._gazing
        if handle is None:
            return None
        return self._gaze(handle, self._tree.forward_kinematics(angles), angles)

    @property
    def _gazing(self) -> LimbHandle | None:
        return next((handle for handle in self._handles.values() if handle.gazes), None)

    def _gaze(
        self, handle: LimbHandle, poses: Floats, angles: Mapping[str, float]
    ) -> tuple[Floats, float]:
        """Return the target and the miss; a head that was turned otherwise has another target."""
        eye, direction = handle.place(poses), handle.direction(poses)
        present = tuple(angles[joint] for joint in handle.joints)
        if self._target is None or not np.allclose(present, self._aimed, atol=1e-6):
            self._target, self._aimed = eye + self._far_m * direction, present
            return self._target, 0.0
        way = self._target - eye
        cosine = float(way @ direction) / max(float(np.linalg.norm(way)), 1e-9)
        return self._target, math.acos(min(1.0, max(-1.0, cosine)))
