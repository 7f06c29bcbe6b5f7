"""The points of a robot by which a pose is dragged: hands, elbows, and the gaze."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from app.console.poses.reach import Chain, limits_of
from app.picture.robot_tree import Floats, RobotTree
from core.link.hello import Hello
from shows.joints import JointTable
from shows.limbs import Limb

LEAST_M = 0.02  # a middle joint that is nearer to an end of its limb has no handle
MIDDLE_M = 0.15  # slack of a middle joint
NEAREST_M = 0.2  # of a gaze target from the head
FORWARD = (1.0, 0.0, 0.0)  # of the base


@dataclass(frozen=True, eq=False)
class LimbHandle:
    """A point of a limb, and the joints that lead it.

    Attributes:
        name: unique.
        title: label that an operator reads.
        limb: name of the limb whose joints lead it.
        body: index of the body that carries it.
        point: in the body's frame (3) [m]; of the gaze the direction that it looks in, of length 1.
        joints: names of the joints that lead it.
        slack_m: from its target, at which it counts as out of reach; a middle joint seldom reaches
            the mouse, because it moves on a sphere [m].
        gazes: it is the gaze, whose target is a point of the room.
    """

    name: str
    title: str
    limb: str
    body: int
    point: Floats
    joints: tuple[str, ...]
    slack_m: float = 0.01
    gazes: bool = False

    def chain(
        self, tree: RobotTree, joints: JointTable, angles: Mapping[str, float], far_m: float = 1.0
    ) -> Chain:
        """Return the joints that lead the point, for `reach`.

        Args:
            tree: the robot.
            joints: its joints and limits.
            angles: present angles, by name [rad].
            far_m: distance of a gaze target from the head [m].
        """
        limits = limits_of(self.joints, joints.names, joints.lower, joints.upper)
        others = {name: angle for name, angle in angles.items() if name not in limits}
        point = far_m * self.point if self.gazes else self.point
        return Chain(tree, self.body, point, limits, others)

    def place(self, poses: Floats) -> Floats:
        """Return where the point, or the eye of the gaze, is among poses of bodies (n, 4, 4)."""
        pose = poses[self.body]
        place: Floats = pose[:3, 3] if self.gazes else pose[:3, :3] @ self.point + pose[:3, 3]
        return place

    def direction(self, poses: Floats) -> Floats:
        """Return the direction in which the gaze looks (3), of length 1."""
        direction: Floats = poses[self.body][:3, :3] @ self.point
        return direction


def limb_handles(hello: Hello, tree: RobotTree) -> tuple[LimbHandle, ...]:
    """Return the handles of a robot: of each arm its hand and its middle joint, and the gaze."""
    owners = dict(zip(hello.joint_names, hello.joint_limbs, strict=False))
    known = {limb.name: limb for limb in hello.limbs}
    moved = [known[name] for name in hello.group_names if name in known]
    found: list[LimbHandle] = []
    for limb in moved:
        if limb.kind == "arm":
            hand = next((o for o in moved if o.kind == "hand" and o.side == limb.side), None)
            found += _of_arm(limb, hand, owners, tree)
    if hello.gaze is not None:
        found += _of_gaze(hello, owners, tree)
    return tuple(found)


def _of_arm(
    arm: Limb, hand: Limb | None, owners: Mapping[str, str], tree: RobotTree
) -> list[LimbHandle]:
    """Return the handles of an arm: its hand, and the joint in the middle of its length."""
    bodies = [i for i, body in enumerate(tree.bodies) if owners.get(body.joint) == arm.name]
    if not bodies:
        return []
    body, point = _grip(tree, bodies[-1], hand, owners)
    names = [tree.bodies[i].joint for i in bodies]
    joints = tuple(dict.fromkeys(names))  # a joint that another follows moves several bodies
    title = (arm if hand is None else hand).name.replace("_", " ")
    found = [LimbHandle(title, title, arm.name, body, point, joints)]
    poses = tree.forward_kinematics({})
    places = [*(poses[i, :3, 3] for i in bodies), poses[body, :3, :3] @ point + poses[body, :3, 3]]
    steps = [float(np.linalg.norm(b - a)) for a, b in zip(places, places[1:], strict=False)]
    ways = np.concatenate([np.zeros(1), np.cumsum(steps)])
    middle = int(np.argmin(np.abs(ways[:-1] - 0.5 * ways[-1])))
    if ways[middle] > LEAST_M and ways[-1] - ways[middle] > LEAST_M:
        name = names[middle].replace("_", " ")
        before = tuple(dict.fromkeys(names[:middle]))
        found.append(
            LimbHandle(name, name, arm.name, bodies[middle], np.zeros(3), before, MIDDLE_M)
        )
    return found


def _grip(
    tree: RobotTree, last: int, hand: Limb | None, owners: Mapping[str, str]
) -> tuple[int, Floats]:
    """Return the body that carries the fingers, and the middle of their roots in its frame."""
    if hand is None:
        return last, np.zeros(3)
    bodies = [i for i, body in enumerate(tree.bodies) if owners.get(body.joint) == hand.name]
    roots = [i for i in bodies if tree.bodies[i].parent not in bodies]
    if not roots:
        return last, np.zeros(3)
    body = roots[0] if len(roots) == 1 else tree.bodies[roots[0]].parent
    fingers = [i for i in bodies if tree.bodies[i].parent == body]
    if not fingers:
        return body, np.zeros(3)
    return body, np.mean([tree.bodies[i].frame[:3, 3] for i in fingers], axis=0)


def _of_gaze(hello: Hello, owners: Mapping[str, str], tree: RobotTree) -> list[LimbHandle]:
    """Return the handle of the gaze: at joint position zero it looks ahead of the base."""
    assert hello.gaze is not None, "the robot has a gaze"
    joints = {hello.gaze.yaw, hello.gaze.pitch}
    bodies = [i for i, body in enumerate(tree.bodies) if body.joint in joints]
    if not bodies:
        return []
    body = bodies[-1]
    forward = tree.forward_kinematics({})[body][:3, :3].T @ np.array(FORWARD)
    names = tuple(tree.bodies[i].joint for i in bodies)
    limb = owners[hello.gaze.yaw]
    return [LimbHandle("gaze", "gaze", limb, body, forward, names, gazes=True)]
