"""A robot's motion as a BVH file of the robot's own skeleton, and back.

At zero angles every joint of the file has the file's axes. A joint has three rotations, of which
a hinge along one of these axes uses one; another hinge needs all three.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from shows.bvh import Axis, Bvh, BvhJoint, Channel
from shows.bvh_tree import elementary_angles, turns_of
from shows.errors import ShowError
from shows.joints import Floats, JointTable
from shows.motion import Motion

UNIT: Final = "centimetre"
UP: Final = "y"
ORDER: Final[tuple[Axis, Axis, Axis]] = (2, 0, 1)
UNITS_BY_M: Final = 100.0
STRAY_RAD: Final = np.radians(1.0)
"""Largest rotation of a joint besides its hinge's."""
_ROWS: Final = [1, 2, 0]  # which of the world's axes are the file's: y upward, facing along z
_ALONG: Final = 1.0 - 1e-9  # cosine from which a hinge lies along an axis of the file
_POSITIONS: Final = (Channel("position", 0), Channel("position", 1), Channel("position", 2))
_ROTATIONS: Final = tuple(Channel("rotation", axis) for axis in ORDER)


@dataclass(frozen=True, eq=False)
class RobotJoint:
    """One joint of a robot's skeleton at zero angles, in the axes of the robot: x forward, z up.

    Attributes:
        name: of the joint; the first is the base, with the robot's name.
        parent: index of the joint before it; -1 for the base.
        place: where it is (3) [m].
        axis: its direction (3), of length 1; without meaning for the base.
        slides: it moves along the axis instead of about it.
        tip: the end of what it carries (3) [m].
        primary: name of the joint that it follows; empty if it is independent.
        ratio: its position by that of the joint that it follows.
    """

    name: str
    parent: int
    place: Floats
    axis: Floats
    slides: bool
    tip: Floats
    primary: str = ""
    ratio: float = 1.0


def bvh_of_motion(motion: Motion, skeleton: Sequence[RobotJoint]) -> Bvh:
    """Return a motion as a BVH file in centimetres, y upward; the robot looks along z.

    Joints that the motion does not move stay at zero.

    Args:
        motion: the motion.
        skeleton: the robot's joints, each after its parent.
    """
    column = {name: i for i, name in enumerate(motion.joint_names)}
    count = len(motion.positions)
    joints: list[BvhJoint] = []
    frames: list[Floats] = []
    first = 0
    for joint in skeleton:
        base = joint.parent < 0
        start = np.zeros(3) if base else skeleton[joint.parent].place
        offset = (joint.place - start)[_ROWS] * UNITS_BY_M
        mover = joint.primary or joint.name
        moved = np.zeros(count)
        if mover in column:
            moved = motion.positions[:, column[mover]] * joint.ratio
        places = np.tile(offset, (count, 1))
        if joint.slides:
            places = places + moved[:, None] * joint.axis[_ROWS] * UNITS_BY_M
            moved = np.zeros(count)
        channels = (*_POSITIONS, *_ROTATIONS) if base or joint.slides else _ROTATIONS
        if base or joint.slides:
            frames.append(places)
        frames.append(np.zeros((count, 3)) if base else _angles(joint.axis[_ROWS], moved))
        x, y, z = offset.tolist()
        joints.append(BvhJoint(joint.name, joint.parent, (x, y, z), channels, first))
        first += len(channels)
    parents = {joint.parent for joint in skeleton}
    for index, joint in enumerate(skeleton):
        if index not in parents:
            x, y, z = ((joint.tip - joint.place)[_ROWS] * UNITS_BY_M).tolist()
            joints.append(BvhJoint(f"{joint.name} end", index, (x, y, z)))
    return Bvh(tuple(joints), 1.0 / motion.rate_hz, np.hstack(frames))


def is_of_robot(bvh: Bvh, skeleton: Sequence[RobotJoint]) -> bool:
    """Return whether a file has the skeleton of a robot: the names of all its joints."""
    names = {joint.name for joint in bvh.joints if joint.channels}
    return {joint.name for joint in skeleton[1:]} <= names


def motion_of_bvh(
    bvh: Bvh, label: str, name: str, skeleton: Sequence[RobotJoint], table: JointTable
) -> Motion:
    """Return the motion of a file of the robot's skeleton.

    The joints of the legs, and those that are at zero in every frame, are left out.

    Args:
        bvh: the file.
        label: the file's name in errors.
        name: the motion's name.
        skeleton: the robot's joints.
        table: names and limits of the robot's joints.

    Raises:
        ShowError: a joint turns about another axis than its hinge's, or nothing moves.
    """
    found = {joint.name: joint for joint in bvh.joints if joint.channels}
    names: list[str] = []
    columns: list[Floats] = []
    for joint in skeleton[1:]:
        if joint.name in table.limb_of:
            path = _path(bvh, found[joint.name], joint, table, label)
            if np.any(path):
                names.append(joint.name)
                columns.append(path)
    if not names:
        reason = "every joint that a gesture can move is at zero"
        raise ShowError(label, "MOTION", reason, "export a motion of arms, head or hands")
    rate_hz = 1.0 / bvh.frame_s
    whole = round(rate_hz)
    if abs(rate_hz - whole) < 1e-4 * rate_hz:
        rate_hz = float(whole)
    return Motion(name, tuple(names), rate_hz, np.stack(columns, axis=1), source="imported")


def _angles(axis: Floats, angle: Floats) -> Floats:
    """Return the file's angles in ORDER of rotations about an axis (k, 3) [deg].

    Args:
        axis: in the file's axes (3), of length 1.
        angle: about it (k) [rad].
    """
    along = int(np.abs(axis).argmax())
    if abs(axis[along]) > _ALONG:
        angles = np.zeros((len(angle), 3))
        angles[:, ORDER.index(_axis(along))] = np.degrees(angle) * np.sign(axis[along])
        return angles
    x, y, z = axis
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    sine, cosine = np.sin(angle)[:, None, None], np.cos(angle)[:, None, None]
    turns = np.eye(3) + sine * cross + (1.0 - cosine) * cross @ cross
    found: Floats = np.degrees(np.unwrap(np.radians(elementary_angles(turns, ORDER)), axis=0))
    return found


def _axis(index: int) -> Axis:
    return 0 if index == 0 else 1 if index == 1 else 2


def _path(bvh: Bvh, node: BvhJoint, joint: RobotJoint, table: JointTable, label: str) -> Floats:
    """Return a joint's positions (k) [rad, m]."""
    axis = joint.axis[_ROWS]
    if joint.slides:
        places = np.tile(np.array(node.offset), (len(bvh.frames), 1))
        for column, channel in enumerate(node.channels, node.first):
            if channel.kind == "position":
                places[:, channel.axis] = bvh.frames[:, column]
        slid: Floats = (places - np.array(node.offset)) @ axis / UNITS_BY_M
        return slid
    turns = turns_of(bvh, node)
    skew = np.stack(
        (
            turns[:, 2, 1] - turns[:, 1, 2],
            turns[:, 0, 2] - turns[:, 2, 0],
            turns[:, 1, 0] - turns[:, 0, 1],
        ),
        axis=1,
    )
    # Of a rotation by θ about the axis: sin θ, and cos θ by what it does across the axis.
    sine = 0.5 * skew @ axis
    cosine = 0.5 * (np.trace(turns, axis1=1, axis2=2) - 1.0)
    kept = np.einsum("kij,j->ki", turns, axis) @ axis  # 1 where the axis stays
    stray = np.arccos(np.clip(kept, -1.0, 1.0))
    if stray.max() > STRAY_RAD:
        frame = int(stray.argmax())
        reason = f"{joint.name} turns {np.degrees(stray[frame]):.1f}° away from its hinge"
        raise ShowError(label, f"frame {frame + 1}", reason, "turn it about its hinge only")
    path: Floats = np.unwrap(np.arctan2(sine, cosine))
    index = table.index[joint.name]
    middle = 0.5 * float(table.lower[index] + table.upper[index])
    mean = 0.5 * float(path.min() + path.max())
    path = path + 2.0 * np.pi * np.round((middle - mean) / (2.0 * np.pi))
    return np.where(np.abs(path) < 1e-9, 0.0, path)
