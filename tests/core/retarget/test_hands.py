"""Wrists and fingers of one robot follow those of another."""

from dataclasses import replace

import numpy as np
import pytest

from core.retarget.adapt import SETTINGS, adapt
from core.retarget.hands import Hand, finger_paths, wrist_path
from core.robot.profile_file import load_profile
from devices.interface import Floats
from shows.body_limb import COORDINATES
from shows.folders import GESTURES
from shows.joints import JointTable
from shows.motion import Motion, load_motion
from tests.core.retarget.puppet import limbs_of

FIRST, SECOND = "kid_cosmo", "small_biped"


def hand_of(robot: str, side: str = "right") -> Hand:
    return next(hand for hand in limbs_of(robot).hands if hand.human == side)


def posed(name: str) -> Motion:
    """Return a motion in which the first robot's right hand holds a pose of its profile."""
    source, wave = hand_of(FIRST), load_motion(GESTURES / "wave.json", limbs_of(FIRST).joints)
    positions = np.tile(source.poses[name], (4, 1))
    return replace(wave, joint_names=source.joints, positions=positions, markers=())


@pytest.mark.parametrize("pose", ["open", "relaxed", "fist", "point", "thumbs_up", "victory"])
def test_fingers_take_the_pose_of_the_same_name(pose: str) -> None:
    hand = hand_of(SECOND)
    paths = finger_paths(posed(pose), hand_of(FIRST), hand)
    assert tuple(paths) == hand.joints  # the little finger follows too
    found = np.array([path[0] for path in paths.values()])
    np.testing.assert_allclose(found, hand.poses[pose], atol=0.12)


def test_rest_is_rest_whatever_the_ranges() -> None:
    source, hand = hand_of(FIRST), hand_of(SECOND)
    wide = replace(hand, upper=2.0 * hand.upper, rest=hand.rest + 0.3)
    still = replace(posed("open"), positions=np.tile(source.rest, (4, 1)))
    for path, rest in zip(finger_paths(still, source, wide).values(), wide.rest, strict=True):
        np.testing.assert_allclose(path, rest)


def test_a_finger_without_a_counterpart_or_a_common_pose_does_not_move() -> None:
    hand = replace(hand_of(SECOND), poses={})
    paths = finger_paths(posed("fist"), hand_of(FIRST), hand)
    assert set(hand.joints) - set(paths) == {hand.joints[hand.roles.index("little")]}


@pytest.mark.parametrize("turn", [-0.6, 0.0, 0.8])
def test_a_wrist_turns_as_far_as_the_other_one(turn: float) -> None:
    """At the same angle of both wrists, at rest of both arms."""
    source, own = hand_of(FIRST).wrist, hand_of(SECOND).wrist
    assert source is not None and own is not None
    before = np.tile(source.rest, (5, 1))
    before[:, -1] += np.linspace(0.0, turn, 5)
    path = np.tile(own.rest[:-1], (5, 1))
    found: Floats = wrist_path(source, before, own, path, 0.005)
    np.testing.assert_allclose(np.abs(found - own.rest[-1]), np.abs(before[:, -1]), atol=0.12)


def test_the_thumb_carries_a_gesture_where_there_is_one() -> None:
    limbs = limbs_of(SECOND)
    table: JointTable = limbs.joints
    motion = load_motion(GESTURES / "thumbs_up.json", limbs_of(FIRST).joints)
    found = adapt(motion, limbs_of(FIRST), limbs, SETTINGS)
    assert set(found.lost) <= set(COORDINATES) and found.slowed == 1.0
    hands = {limb.name for limb in load_profile(SECOND).limbs if limb.kind == "hand"}
    moved = set(found.motion.joint_names)
    assert moved >= {name for hand in hands for name in table.joints_of[hand]}
    middle = found.motion.positions[len(found.motion.positions) // 2]
    at = dict(zip(found.motion.joint_names, middle, strict=True))
    assert at["right_thumb"] < 0.2 < 1.2 < min(at["right_index"], at["right_little"])
