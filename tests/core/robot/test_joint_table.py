"""The joint table for shows and behaviour."""

import msgspec
import numpy as np
import pytest

from core.errors import ProfileError
from core.robot.joint_table import joint_table, known_robot
from core.robot.model import joint_limits
from core.robot.profile_file import load_profile
from shows.body_limb import without_body


def test_behaviour_moves_every_limb_but_the_legs() -> None:
    table = joint_table(load_profile("kid_cosmo"))
    arms_and_hands = ["head", "left_arm", "right_arm", "left_hand", "right_hand"]
    assert list(table.joints_of) == [*arms_and_hands, "body"]
    members = [name for limb in arms_and_hands for name in table.joints_of[limb]]
    joints = table.names[: table.joint_count]
    legs = {n for n in joints if "hip" in n or "knee" in n or "ankle" in n}
    assert len(legs) == 10
    assert set(members) == set(joints) - legs
    assert len(members) == len(set(members)) == 18
    assert table.joints_of["left_hand"][0] == "left_wrist"


def test_a_hand_pose_that_the_hands_cannot_take_is_refused() -> None:
    profile = load_profile("kid_cosmo")
    pose = {"wrist": 0.0, "thumb": 2.0, "index": 0.0, "middle": 0.0, "ring": 0.0}
    for wrong, words in (({"wrist": 0.0}, "no angle for 'index'"), (pose, "left_thumb at 2 rad")):
        odd = msgspec.structs.replace(profile, hand_poses={"odd": wrong})
        with pytest.raises(ProfileError, match=f"hand_poses.odd: .*{words}"):
            joint_table(odd)


def test_a_known_robot_has_its_table_and_another_none() -> None:
    table = known_robot("kid_cosmo")
    assert table is not None
    assert table.robot == "kid_cosmo"
    assert known_robot("nobody") is None


def test_limits_and_speeds_are_the_robots() -> None:
    profile = load_profile("kid_cosmo")
    whole = joint_table(profile)
    table = without_body(whole)
    lower, upper = joint_limits(profile)
    np.testing.assert_array_equal(table.lower, lower)
    np.testing.assert_array_equal(table.upper, upper)
    np.testing.assert_allclose(
        table.velocity_limit, profile.motion.velocity_share * profile.no_load_speed()
    )
    assert whole.names[-1] == "body_forward" and whole.unit("body_forward") == "m"
    assert whole.unit("body_yaw") == "rad" and whole.flips("body_left")
    knee = table.names.index("left_knee")
    np.testing.assert_allclose(np.rad2deg([lower[knee], upper[knee]]), [-90.0, 0.0], atol=1e-9)


def test_every_posture_lies_within_the_limits() -> None:
    profile = load_profile("kid_cosmo")
    lower, upper = joint_limits(profile)
    for name in ("rest", "crouch", "seat"):
        posture = profile.posture(name)
        assert (posture >= lower).all() and (posture <= upper).all(), name
