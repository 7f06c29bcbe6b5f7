"""A robot's motion goes to BVH and comes back with the same angles, whatever its hinges are."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shows.bvh import Bvh, BvhJoint, Channel, decode_bvh, encode_bvh
from shows.bvh_human import bvh_of
from shows.bvh_robot import RobotJoint, bvh_of_motion, is_of_robot, motion_of_bvh
from shows.bvh_tree import Tree
from shows.errors import ShowError
from shows.joints import JointTable
from shows.limbs import Limb
from shows.motion import Motion
from tests.shows.test_bvh import REFERENCE

NAMES = ("leg", "wide", "oblique", "finger")
AXES = {
    "leg": (0.0, 1.0, 0.0),
    "wide": (0.0, -1.0, 0.0),
    "oblique": (0.6, 0.0, -0.8),
    "finger": (0.0, 0.0, 1.0),
}
PARENTS = {"leg": 0, "wide": 0, "oblique": 2, "finger": 3}
TABLE = JointTable(
    robot="toy",
    names=NAMES,
    limbs=(Limb(name="leg", title="Leg", kind="leg"), Limb(name="arm", title="Arm", kind="arm")),
    joint_limbs=("leg", "arm", "arm", "arm"),
    roles=NAMES,
    lower=np.array([-1.0, -3.6, -2.5, 0.0]),
    upper=np.array([1.0, 1.5, 2.5, 0.08]),
    velocity_limit=np.full(4, 20.0),
)


def skeleton() -> tuple[RobotJoint, ...]:
    found = [RobotJoint("toy", -1, np.array([0.0, 0.0, 0.7]), np.zeros(3), False, np.zeros(3))]
    for index, name in enumerate(NAMES, 1):
        place = np.array([0.01 * index, 0.1 * index, 0.5])
        axis = np.array(AXES[name])
        tip = place + [0.0, 0.0, -0.1]
        found.append(RobotJoint(name, PARENTS[name], place, axis, name == "finger", tip))
    return tuple(found)


def motion(*columns: np.ndarray, names: tuple[str, ...] = NAMES[1:]) -> Motion:
    return Motion("swing", names, 50.0, np.stack(columns, axis=1))


def again(moved: Motion) -> Motion:
    text = encode_bvh(bvh_of_motion(moved, skeleton()))
    return motion_of_bvh(decode_bvh(text, "x.bvh"), "x.bvh", moved.name, skeleton(), TABLE)


@given(st.integers(0, 10_000))
def test_every_angle_comes_back(seed: int) -> None:
    rng = np.random.default_rng(seed)
    columns = []
    for name in NAMES[1:]:
        index = TABLE.index[name]
        low, high = TABLE.lower[index], TABLE.upper[index]
        start, end = rng.uniform(low, high, 2)
        columns.append(np.linspace(start, end, 60))
    moved = motion(*columns)
    back = again(moved)
    assert back.joint_names == moved.joint_names
    assert (back.rate_hz, back.name, back.source) == (50.0, "swing", "imported")
    np.testing.assert_allclose(back.positions, moved.positions, atol=1e-6)


def test_joints_that_stay_at_zero_are_left_out() -> None:
    back = again(motion(np.linspace(-3.5, 0.0, 5), names=("wide",)))
    assert back.joint_names == ("wide",)
    with pytest.raises(ShowError, match="is at zero"):
        again(motion(np.linspace(0.1, 0.5, 5), names=("leg",)))


def test_the_tips_stand_where_the_robot_has_them() -> None:
    moved = motion(np.array([0.4, 0.4]), np.array([1.1, 1.1]), np.array([0.05, 0.05]))
    bvh = bvh_of_motion(moved, skeleton())
    places, _ = Tree(bvh).pose(bvh.frames, (3, 4))
    joints = skeleton()

    def turned(axis: np.ndarray, angle: float, vector: np.ndarray) -> np.ndarray:
        across = np.cross(axis, vector)
        along = axis * (axis @ vector)
        rotated: np.ndarray = vector * np.cos(angle) + across * np.sin(angle)
        rotated = rotated + along * (1.0 - np.cos(angle))
        return rotated

    wide, oblique, finger = joints[2], joints[3], joints[4]
    slide = finger.place - oblique.place + 0.05 * finger.axis
    step = turned(oblique.axis, 1.1, slide)
    expected = wide.place + turned(wide.axis, 0.4, oblique.place - wide.place + step)
    in_file = 100.0 * expected[[1, 2, 0]]  # centimetres, y upward, it looks along z
    np.testing.assert_allclose(places[0, 1], in_file, atol=1e-6)


def test_a_file_of_somebody_else_is_told_apart() -> None:
    moved = motion(np.zeros(3), np.ones(3), np.zeros(3))
    assert is_of_robot(bvh_of_motion(moved, skeleton()), skeleton())
    assert not is_of_robot(bvh_of(REFERENCE), skeleton())


def test_a_joint_that_leaves_its_hinge_is_refused_with_its_frame() -> None:
    bvh = bvh_of_motion(motion(np.zeros(4), np.ones(4), np.zeros(4)), skeleton())
    frames = bvh.frames.copy()
    node = next(joint for joint in bvh.joints if joint.name == "wide")
    across = node.channels.index(Channel("rotation", 1))
    frames[2, node.first + across] = 30.0
    with pytest.raises(ShowError, match=r"wide turns 30\.0° away") as refused:
        motion_of_bvh(Bvh(bvh.joints, 0.02, frames), "x.bvh", "x", skeleton(), TABLE)
    assert refused.value.place == "frame 3"


def test_another_order_of_rotations_gives_the_same_angles() -> None:
    moved = motion(np.linspace(-2.0, 1.0, 9), np.linspace(-1.0, 1.0, 9), np.full(9, 0.02))
    bvh = bvh_of_motion(moved, skeleton())
    place = next(i for i, joint in enumerate(bvh.joints) if joint.name == "wide")
    old = bvh.joints[place]
    other = tuple(Channel("rotation", axis) for axis in (0, 1, 2))
    frames = bvh.frames.copy()
    for column, channel in enumerate(other, old.first):
        source = old.first + old.channels.index(channel)
        frames[:, column] = bvh.frames[:, source]
    joints = list(bvh.joints)
    joints[place] = replace(old, channels=other)
    assert isinstance(joints[place], BvhJoint)
    changed = Bvh(tuple(joints), bvh.frame_s, frames)
    back = motion_of_bvh(changed, "x.bvh", "swing", skeleton(), TABLE)
    np.testing.assert_allclose(back.positions, moved.positions, atol=1e-6)


def test_a_joint_that_follows_turns_in_proportion_and_is_not_read_back() -> None:
    end = np.array([0.0, 0.5, 0.3])
    follower = RobotJoint(
        "wide_follower_1", 2, end, np.array(AXES["wide"]), False, end, primary="wide", ratio=0.5
    )
    moved = motion(np.linspace(0.0, 1.0, 5), names=("wide",))
    bvh = bvh_of_motion(moved, (*skeleton(), follower))
    first = {joint.name: joint.first for joint in bvh.joints}
    names = ("wide", "wide_follower_1")
    primary, copy = (bvh.frames[:, first[name] : first[name] + 3] for name in names)
    np.testing.assert_allclose(copy, 0.5 * primary, atol=1e-9)
    back = motion_of_bvh(bvh, "x.bvh", "swing", (*skeleton(), follower), TABLE)
    assert back.joint_names == ("wide",)
