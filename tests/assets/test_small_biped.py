"""Hopkin has the figures of its README, and its servos the torque and speed of the research."""

from collections import Counter

import numpy as np
import pytest

from core.robot.joint_table import joint_table
from core.robot.profile import REST
from core.robot.profile_file import load_profile
from shows.folders import GESTURES
from tests.assets.looks import looks_of

LOOKS = looks_of("small_biped")
MODEL, PROFILE = LOOKS.model, load_profile("small_biped")
SUPPLY_V = PROFILE.supply.nominal_v
KINDS = {"head": 4, "torso": 2, "arm": 10, "leg": 12, "hand": 10}


def _com(posture: str | None) -> np.ndarray:
    """Return the CoM from the middle between the soles (3) [m], upright in a posture."""
    angles = (
        {}
        if posture is None
        else dict(zip(PROFILE.joint_names, PROFILE.posture(posture), strict=True))
    )
    data = LOOKS.posed(**angles)
    soles = [data.site(contact.frame) for contact in PROFILE.contacts]
    for sole in soles:
        assert sole.xmat.reshape(3, 3)[2] == pytest.approx([0.0, 0.0, 1.0], abs=1e-9)
    middle = sum(sole.xpos for sole in soles) / len(soles)
    com: np.ndarray = data.subtree_com[1] - middle
    return com


def test_mass_joints_and_lengths() -> None:
    assert MODEL.body("pelvis_link").subtreemass[0] == pytest.approx(7.0, abs=1e-9)
    assert MODEL.body("left_hip_link").subtreemass[0] == pytest.approx(1.12, abs=1e-9)
    kind = {limb.name: limb.kind for limb in PROFILE.limbs}
    assert Counter(kind[joint.limb] for joint in PROFILE.joints.rows) == KINDS
    data = LOOKS.posed()
    hip, knee, ankle = (data.body(f"left_{n}").xpos for n in ("thigh", "shank", "foot"))
    assert (hip[2], knee[2], ankle[2]) == pytest.approx((0.255, 0.145, 0.035))
    assert hip[1] == pytest.approx(0.04)


def test_the_com_is_above_the_middle_of_the_soles_at_rest() -> None:
    assert _com(None)[2] == pytest.approx(0.316, abs=5e-4)
    assert _com(REST) == pytest.approx([0.0, 0.0, 0.285], abs=1e-3)


def test_the_servos_of_a_leg() -> None:
    strong = {"hip_roll", "hip_pitch", "knee", "ankle_pitch"}
    legs = [row for row in PROFILE.joints.rows if row.limb.endswith("_leg")]
    for row in legs:
        servo = PROFILE.actuators[row.actuator]
        expected = (12.0, 14.0) if row.role in strong else (6.0, 8.0)
        assert servo.stall_torque == expected[0]
        assert servo.no_load_speed(SUPPLY_V) == pytest.approx(expected[1], rel=1e-3)
        assert (row.kp, row.kd, servo.control) == (200.0, 3.3, "position")


def test_equal_angles_of_both_sides_are_a_mirrored_pose() -> None:
    table, rng = joint_table(PROFILE), np.random.default_rng(5)
    angles = {}
    for joint, other in table.mirror.items():
        if joint.startswith("left_"):
            i = table.index[joint]
            angles[joint] = angles[other] = rng.uniform(table.lower[i], table.upper[i])
    for side in ("left", "right"):
        for row in PROFILE.joints.rows:
            if row.limb == f"{side}_leg":
                angles[row.name] = 0.2 * (1 + len(row.role) % 3)
    data = LOOKS.posed(**angles)
    for name in ("left_hand", "left_foot", "left_little_link"):
        left, right = data.body(name).xpos, data.body(name.replace("left", "right")).xpos
        assert left == pytest.approx(right * [1.0, -1.0, 1.0], abs=1e-9)


def test_it_has_every_gesture_of_the_library() -> None:
    own = LOOKS.folder / "gestures"
    assert sorted(path.name for path in own.glob("*.json")) == sorted(
        path.name for path in GESTURES.glob("*.json")
    )
