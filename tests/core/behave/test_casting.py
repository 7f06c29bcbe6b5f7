"""Which limbs play a clip, and which requests are refused."""

from dataclasses import replace

import numpy as np
import pytest

from core.behave.casting import PlayRequest, cast, limbs_of, pose_clip
from core.behave.clip import Clip
from core.behave.errors import BehaveError
from core.behave.joints import UpperJoints
from core.robot.joint_table import joint_table
from core.robot.profile_file import load_profile
from tests.core.behave.upper import LIMBS, columns, rest_q, upper_joints, wave

JOINTS = upper_joints()


def request(speed: float = 1.0, loop: bool = False, start_s: float = 0.0) -> PlayRequest:
    return PlayRequest(speed, loop, start_s, leave_s=1.0)


def test_a_clip_goes_to_the_limbs_that_it_moves_or_to_those_asked_for() -> None:
    clip = wave("head", "right_arm")
    assert limbs_of(clip, None, JOINTS) == (0, 2)
    assert limbs_of(clip, ("right_arm",), JOINTS) == (2,)
    with pytest.raises(BehaveError, match="left_hand"):
        limbs_of(clip, ("left_hand",), JOINTS)


def test_a_clip_of_a_larger_robot_is_refused() -> None:
    clip = Clip("kick", (30,), 50.0, wave("head").knots[:, :1].copy())
    with pytest.raises(BehaveError, match="another robot"):
        limbs_of(clip, None, JOINTS)


def test_joints_of_a_limb_that_the_clip_leaves_out_stay_at_rest() -> None:
    elbow = columns("left_arm")[2:]
    clip = wave("left_arm").covering(elbow, rest_q())
    piece = cast(clip, (1,), request(), JOINTS, rest_q(), JOINTS.velocity_limit)
    piece.begin(0.0)
    piece.evaluate(0.5)
    assert piece.block[0, :2] == pytest.approx(rest_q()[2:4], abs=1e-12)
    assert piece.block[0, 2] != rest_q()[4]


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        (request(speed=float("nan")), "speed nan"),
        (request(speed=0.0), "speed 0"),
        (request(speed=50.0), "speed 50"),
        (request(start_s=-0.1), "cannot start"),
        (request(start_s=99.0), "cannot start"),
        (request(start_s=float("nan")), "cannot start"),
    ],
)
def test_what_cannot_be_played_is_refused_with_the_reason(asked: PlayRequest, reason: str) -> None:
    with pytest.raises(BehaveError, match=reason):
        cast(wave(), (0, 1, 2, 3, 4), asked, JOINTS, rest_q(), JOINTS.velocity_limit)


def test_a_speed_above_a_joints_limit_is_refused_by_name() -> None:
    clip = wave("head")
    limit = JOINTS.velocity_limit * 0.0 + clip.peak_velocity.max() * 1.5
    slow = replace(JOINTS, velocity_limit=limit)
    assert cast(clip, (0,), request(speed=1.4), slow, rest_q(), limit).clip is clip
    with pytest.raises(BehaveError, match="head_.*rad/s.*slower"):
        cast(clip, (0,), request(speed=1.6), slow, rest_q(), limit)


def test_a_pose_beyond_a_length_of_the_body_is_refused_in_metres() -> None:
    joints = UpperJoints.from_table(joint_table(load_profile("kid_cosmo")))
    present = np.zeros(len(joints))
    for name, unit in (("body_height", "m"), ("body_roll", "rad")):
        with pytest.raises(BehaveError, match=f"9.000 {unit} is outside .* {unit};"):
            pose_clip({name: 9.0}, present, joints)


def test_the_columns_say_where_each_limb_is() -> None:
    clip = wave(*LIMBS)
    piece = cast(clip, (0, 2, 4), request(), JOINTS, rest_q(), JOINTS.velocity_limit)
    piece.begin(0.0)
    piece.evaluate(1.0)
    for limb, own in piece.columns.items():
        there = clip.covering(tuple(range(18))[JOINTS.columns[limb]], rest_q())
        assert piece.block[0, own] == pytest.approx(there.q[50], abs=1e-12)
