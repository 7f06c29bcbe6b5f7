"""What shows may know of the robot's joints."""

import numpy as np

from core.robot.joint_table import VELOCITY_SHARE, joint_table
from core.robot.model import joint_limits
from core.robot.profile_file import load_profile


def test_legs_belong_to_no_limb_group() -> None:
    table = joint_table(load_profile("kid_cosmo"))
    assert list(table.groups) == ["head", "left_arm", "right_arm", "left_hand", "right_hand"]
    members = [name for names in table.groups.values() for name in names]
    legs = {n for n in table.names if "hip" in n or "knee" in n or "ankle" in n}
    assert len(legs) == 10
    assert set(members) == set(table.names) - legs
    assert len(members) == len(set(members)) == 18
    assert table.groups["left_hand"][0] == "left_wrist"


def test_limits_and_speeds_are_the_robots() -> None:
    profile = load_profile("kid_cosmo")
    table = joint_table(profile)
    lower, upper = joint_limits(profile)
    np.testing.assert_array_equal(table.lower, lower)
    np.testing.assert_array_equal(table.upper, upper)
    np.testing.assert_allclose(table.velocity_limit, VELOCITY_SHARE * profile.no_load_speed())
    knee = table.names.index("left_knee")
    np.testing.assert_allclose(np.rad2deg([lower[knee], upper[knee]]), [-90.0, 0.0], atol=1e-9)


def test_every_posture_lies_within_the_limits() -> None:
    profile = load_profile("kid_cosmo")
    lower, upper = joint_limits(profile)
    for name in ("rest", "crouch", "seat"):
        posture = profile.posture(name)
        assert (posture >= lower).all() and (posture <= upper).all(), name
