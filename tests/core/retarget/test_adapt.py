"""A gesture of one robot becomes one of another, or is refused with the reason."""

from dataclasses import replace

import numpy as np
import pytest

from core.retarget.adapt import LARGEST_ERROR_DEG, SETTINGS, Adapted, adapt
from core.robot.profile import REST
from core.robot.profile_file import load_profile
from shows.body_limb import COORDINATES
from shows.errors import ShowError
from shows.folders import GESTURES, ROBOTS
from shows.motion import Motion, check_motion, load_motion
from tests.core.retarget.puppet import limbs_of

FIRST, SECOND = "kid_cosmo", "draco3"


def gesture(name: str) -> Motion:
    return load_motion(GESTURES / f"{name}.json", limbs_of(FIRST).joints)


def adapted(motion: Motion, robot: str = SECOND) -> Adapted:
    return adapt(motion, limbs_of(FIRST), limbs_of(robot), SETTINGS)


def held(joint: str, angle: float, seconds: float = 4.0) -> Motion:
    """Return a motion in which one joint goes from its place in `wave` to an angle and back."""
    wave = gesture("wave")
    count = round(seconds * wave.rate_hz) + 1
    column = wave.joint_names.index(joint)
    positions = np.tile(wave.positions[0], (count, 1))
    share = np.sin(np.pi * np.linspace(0.0, 1.0, count)) ** 2
    positions[:, column] += share * (angle - positions[0, column])
    return replace(wave, positions=positions, markers=(), thumbnail_s=0.0)


@pytest.mark.parametrize(
    ("motion", "robot", "reason"),
    [
        ("shake_head", SECOND, "no counterpart of head_yaw, which carries the meaning"),
        ("thumbs_up", SECOND, "no counterpart of right_thumb, which carries the meaning"),
        ("wave", "two_arms", "no counterpart of left_shoulder_roll, which moves its arm"),
    ],
)
def test_a_gesture_that_needs_a_part_is_refused(motion: str, robot: str, reason: str) -> None:
    with pytest.raises(ShowError, match=reason):
        adapted(gesture(motion), robot)


def test_a_direction_that_an_arm_cannot_reach_is_refused() -> None:
    with pytest.raises(ShowError, match=r"misses the direction of the left arm, upper arm by \d+°"):
        adapted(held("left_shoulder_pitch", np.radians(85.0)))


def test_fingers_alone_are_no_gesture_of_a_robot_without_hands() -> None:
    wave = gesture("wave")
    columns = [i for i, name in enumerate(wave.joint_names) if name.endswith(("thumb", "index"))]
    names = tuple(wave.joint_names[i] for i in columns)
    fingers = replace(wave, joint_names=names, positions=wave.positions[:, columns])
    with pytest.raises(ShowError, match="moves no limb that DRACO 3 has"):
        adapted(fingers)


@pytest.mark.parametrize("name", ["wave", "cheer", "nod"])
def test_a_gesture_keeps_its_directions_and_begins_and_ends_at_rest(name: str) -> None:
    found = adapted(gesture(name))
    error_deg, _, _ = found.largest_error()
    print(f"{name}: {error_deg:.1f} deg")
    assert error_deg < (LARGEST_ERROR_DEG if name == "cheer" else 3.0)
    table, profile = limbs_of(SECOND).joints, load_profile(SECOND)
    check_motion(found.motion, table)
    rest = dict(zip(profile.joint_names, profile.posture(REST), strict=True))
    rest |= dict.fromkeys(COORDINATES, 0.0)
    expected = [rest[joint] for joint in found.motion.joint_names]
    for row in (0, -1):
        np.testing.assert_allclose(found.motion.positions[row], expected, atol=1e-6)
    kept = load_motion(ROBOTS / SECOND / "gestures" / f"{name}.json", table)
    np.testing.assert_allclose(kept.positions, found.motion.positions, atol=1e-3)
    assert "head_yaw" in found.lost


def test_the_body_moves_as_far_as_its_range_is_of_the_other_ones() -> None:
    bow, first, second = gesture("bow"), limbs_of(FIRST), limbs_of(SECOND)
    upper = second.joints.upper.copy()
    upper[second.joints.index["body_pitch"]] *= 0.5
    lesser = replace(second, joints=replace(second.joints, upper=upper))
    for limbs, share in ((second, 1.0), (lesser, 0.5)):
        found = adapt(bow, first, limbs, SETTINGS)
        assert not set(found.lost) & set(COORDINATES)
        for name, most in (("body_pitch", share), ("body_yaw", 1.0)):
            wanted, path = (
                motion.positions[:, motion.joint_names.index(name)]
                for motion in (bow, found.motion)
            )
            np.testing.assert_allclose(path, most * wanted, atol=1e-9)


def test_the_own_rest_of_a_robot_is_where_the_other_one_rests() -> None:
    still = held("left_elbow", gesture("wave").positions[0][4])
    found = adapted(still)
    assert np.ptp(found.motion.positions, axis=0).max() < 0.02
