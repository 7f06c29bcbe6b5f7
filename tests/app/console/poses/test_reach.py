"""Inverse kinematics: inside the limits, on the target where that is possible, without jumps."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.console.files.robot import joint_table
from app.console.poses.limb_handles import LimbHandle, limb_handles
from app.console.poses.reach import Chain, reach, reached
from app.picture.robot_tree import Floats
from core.link.hello import Hello
from core.robot.joint_table import joint_table as table_of
from core.robot.profile_file import load_profile
from shows.joints import JointTable
from tests.app.console.figures import tree
from tests.draws import EXAMPLES

ROBOTS = ("kid_cosmo", "two_arms")


def hello(robot: str) -> Hello:
    """Return what a core says of a robot's joints."""
    profile = load_profile(robot)
    joints = table_of(profile)
    return Hello(
        robot=robot, body="sim", support="", pace="real", seed=0, simulated=True,
        joint_names=joints.names, group_names=tuple(joints.joints_of),
        lower=tuple(joints.lower.tolist()), upper=tuple(joints.upper.tolist()),
        stall_torque=(1.0,) * len(joints.names), mode_names=(), motion_state_names=(),
        limbs=joints.limbs, joint_limbs=joints.joint_limbs, joint_roles=joints.roles,
        gaze=joints.gaze, velocity_limit=tuple(joints.velocity_limit.tolist()),
    )  # fmt: skip


def table(robot: str) -> JointTable:
    found = joint_table(hello(robot))
    assert found is not None
    return found


HANDLES: dict[str, tuple[LimbHandle, ...]] = {r: limb_handles(hello(r), tree(r)) for r in ROBOTS}
CHAINS: dict[tuple[str, str], Chain] = {
    (robot, handle.name): handle.chain(tree(robot), table(robot), {})
    for robot, handles in HANDLES.items()
    for handle in handles
}
shares = st.lists(st.floats(0.0, 1.0), min_size=7, max_size=7).map(np.array)
places = st.tuples(*[st.floats(-3.0, 3.0)] * 3).map(np.array)
some_chain = st.sampled_from(sorted(CHAINS)).map(lambda key: CHAINS[key])


def angles(chain: Chain, drawn: Floats) -> Floats:
    found: Floats = chain.lower + drawn[: len(chain.lower)] * (chain.upper - chain.lower)
    return found


def test_handles_come_from_limbs_hands_and_gaze() -> None:
    titles = {robot: [handle.title for handle in HANDLES[robot]] for robot in ROBOTS}
    assert titles == {
        "kid_cosmo": ["left hand", "left elbow", "right hand", "right elbow", "gaze"],
        "two_arms": ["left gripper", "left elbow", "right gripper", "right elbow"],
    }
    for robot, handles in HANDLES.items():
        owners = dict(zip(hello(robot).joint_names, hello(robot).joint_limbs, strict=True))
        assert all({owners[j] for j in h.joints} == {h.limb} for h in handles)


@pytest.mark.parametrize("key", sorted(CHAINS))
def test_a_chain_has_the_point_of_the_tree_and_its_derivative(key: tuple[str, str]) -> None:
    robot, name = key
    chain = CHAINS[key]
    handle = next(handle for handle in HANDLES[robot] if handle.name == name)
    q = angles(chain, np.full(7, 0.37))
    poses = tree(robot).forward_kinematics(dict(zip(chain.joints, q.tolist(), strict=True)))
    point = poses[handle.body, :3, :3] @ handle.point + poses[handle.body, :3, 3]
    place, jacobian = chain.place(q)
    assert place == pytest.approx(point)
    step = 1e-6
    for i in range(len(q)):
        moved = q.copy()
        moved[i] += step
        assert (chain.place(moved)[0] - place) / step == pytest.approx(jacobian[:, i], abs=1e-5)
    assert chain._places(q[None])[0] == pytest.approx(point)


def test_a_joint_that_another_follows_moves_a_point_by_both() -> None:
    leg = ("hip_yaw", "hip_roll", "hip_pitch", "knee", "ankle_pitch", "ankle_roll")
    names = tuple(f"left_{role}" for role in leg)
    body = next(i for i, body in enumerate(tree("draco3").bodies) if body.joint == names[-1])
    point = np.array([0.03, 0.0, -0.08])
    chain = Chain(tree("draco3"), body, point, dict.fromkeys(names, (-1.0, 1.0)), {})
    assert chain.joints == names
    q = np.array([0.1, -0.2, -0.5, 0.6, -0.3, 0.1])
    place, jacobian = chain.place(q)
    pose = tree("draco3").forward_kinematics(dict(zip(names, q.tolist(), strict=True)))[body]
    assert place == pytest.approx(pose[:3, :3] @ point + pose[:3, 3])
    assert chain._places(q[None])[0] == pytest.approx(place)
    for i, step in enumerate(1e-6 * np.eye(len(q))):
        change = (chain.place(q + step)[0] - place) / 1e-6
        assert change == pytest.approx(jacobian[:, i], abs=1e-5)


@settings(max_examples=EXAMPLES, deadline=None)
@given(some_chain, shares, places)
def test_the_limits_hold_for_every_target(chain: Chain, drawn: Floats, target: Floats) -> None:
    q = reach(chain, angles(chain, drawn), target)
    assert (q >= chain.lower).all() and (q <= chain.upper).all()


@settings(max_examples=EXAMPLES, deadline=None)
@given(some_chain, shares, shares)
def test_a_point_that_is_dragged_where_the_limb_can_go_arrives(
    chain: Chain, drawn: Floats, goal: Floats
) -> None:
    first, last = angles(chain, drawn), angles(chain, goal)
    q = first
    for share in np.linspace(0.0, 1.0, 40):
        target = chain.place(first + share * (last - first))[0]
        q = reach(chain, q, target)
    assert reached(chain, q, target) < 0.005


@pytest.mark.parametrize("key", sorted(key for key in CHAINS if key[1] != "gaze"))
def test_a_target_out_of_reach_ends_nearest_without_a_jump(key: tuple[str, str]) -> None:
    chain = CHAINS[key]
    q = angles(chain, np.full(7, 0.5))
    start = chain.place(q)[0]
    rim = 1.2 * float(np.linalg.norm(chain._points, axis=1).max())
    for turn in np.linspace(0.0, 2.0, 200):  # around the robot, far from it
        target = rim * np.array([np.cos(turn), np.sin(turn), 0.3])
        if turn == 0.0:
            for share in np.linspace(0.0, 1.0, 60):
                q = reach(chain, q, start + share * (target - start))
        after = reach(chain, q, target)
        assert np.abs(after - q).max() < 0.5  # near an axis, a small motion is a large angle
        assert np.linalg.norm(chain.place(after)[0] - chain.place(q)[0]) < 0.08
        q = after
    nearest = float(np.linalg.norm(chain._points - target, axis=1).min())
    assert reached(chain, q, target) < nearest + 0.03


def test_a_straight_limb_bends() -> None:
    chain = CHAINS["kid_cosmo", "left hand"]
    straight = np.zeros(3)
    tip, shoulder = chain.place(straight)[0], np.array([0.0, 0.205, 0.36])
    target = tip + 0.12 * (shoulder - tip) / np.linalg.norm(shoulder - tip)
    assert reached(chain, reach(chain, straight, target), target) < 0.005
