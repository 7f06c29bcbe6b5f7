"""Kid Cosmo's model has the values of the paper's tables."""

import math
import tomllib
from typing import Any

import mujoco
import numpy as np
import pytest

from tests.tracked import REPOSITORY

ROBOT = REPOSITORY / "assets" / "robots" / "kid_cosmo"
MODEL = mujoco.MjModel.from_xml_path(str(ROBOT / "robot.xml"))
SIDES = ("left", "right")

# Kid Cosmo paper, Table II, limits in degrees.
HEAD_LIMITS = {"head_pitch": (-30, 30), "head_yaw": (-90, 90)}
LIMB_LIMITS = {
    "shoulder_pitch": (-190, 90),
    "shoulder_roll": (-85, 35),
    "elbow": (-25, 115),
    "wrist": (-180, 180),
    "hip_1": (-40, 20),
    "hip_2": (-45, 40),
    "hip_pitch": (-130, 55),
    "knee": (-90, 0),
    "ankle": (-25, 40),
}
FINGERS = ("thumb", "index", "middle", "ring")
LINK_MASSES = {
    "neck": 4.0,
    "left_shoulder_link": 1.5,
    "right_shoulder_link": 1.5,
    "left_hip_1_link": 2.5,
    "right_hip_1_link": 2.5,
}


def _posed(**angles_deg: float) -> Any:
    data = mujoco.MjData(MODEL)
    data.qpos[2] = 0.62
    for joint, angle in angles_deg.items():
        data.joint(joint).qpos[0] = math.radians(angle)
    mujoco.mj_forward(MODEL, data)
    return data


@pytest.mark.parametrize(("root", "mass"), LINK_MASSES.items())
def test_each_limb_has_the_mass_of_table_ii(root: str, mass: float) -> None:
    assert MODEL.body(root).subtreemass[0] == pytest.approx(mass, abs=1e-9)


def test_the_torso_has_13_kg_and_the_robot_25() -> None:
    assert MODEL.body("torso").mass[0] == pytest.approx(13.0, abs=1e-9)
    assert MODEL.body("torso").subtreemass[0] == pytest.approx(25.0, abs=1e-9)


def test_it_has_28_joints_and_no_others_than_the_named() -> None:
    expected = set(HEAD_LIMITS) | {
        f"{side}_{joint}" for side in SIDES for joint in (*LIMB_LIMITS, *FINGERS)
    }
    hinges = {MODEL.joint(i).name for i in range(1, MODEL.njnt)}
    assert hinges == expected
    assert MODEL.nv - 6 == len(expected) == 28


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize(("joint", "limits"), LIMB_LIMITS.items())
def test_limb_limits_are_those_of_table_ii(
    side: str, joint: str, limits: tuple[float, float]
) -> None:
    found = MODEL.joint(f"{side}_{joint}")
    assert found.limited[0]
    np.testing.assert_allclose(np.degrees(found.range), limits, atol=1e-9)


@pytest.mark.parametrize(("joint", "limits"), HEAD_LIMITS.items())
def test_head_limits_are_those_of_table_ii(joint: str, limits: tuple[float, float]) -> None:
    np.testing.assert_allclose(np.degrees(MODEL.joint(joint).range), limits, atol=1e-9)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize(("joint", "angle_deg"), [("hip_1", 45.0), ("hip_2", 135.0)])
def test_hip_axes_lie_at_45_and_135_degrees_to_x(side: str, joint: str, angle_deg: float) -> None:
    x, y, z = MODEL.joint(f"{side}_{joint}").axis
    assert y == 0.0
    assert math.degrees(math.atan2(z, x)) % 180.0 == pytest.approx(angle_deg, abs=1e-9)


def test_equal_angles_make_a_mirrored_pose() -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        angles: dict[str, float] = {}
        for joint in (*LIMB_LIMITS, *FINGERS):
            low, high = np.degrees(MODEL.joint(f"left_{joint}").range)
            angles |= dict.fromkeys([f"left_{joint}", f"right_{joint}"], rng.uniform(low, high))
        data = _posed(**angles)
        left = [i for i in range(MODEL.nbody) if MODEL.body(i).name.startswith("left_")]
        for i in left:
            twin = data.body(MODEL.body(i).name.replace("left_", "right_", 1))
            np.testing.assert_allclose(twin.xpos * [1, -1, 1], data.xpos[i], atol=1e-12)


@pytest.mark.parametrize(
    ("joint", "angle_deg", "body", "direction"),
    [
        ("left_shoulder_pitch", -90.0, "left_hand", (1, 0, 0)),
        ("left_shoulder_roll", -60.0, "left_hand", (0, 1, 0)),
        ("right_shoulder_roll", -60.0, "right_hand", (0, -1, 0)),
        ("left_elbow", 90.0, "left_hand", (1, 0, 0)),
        ("left_hip_pitch", -60.0, "left_foot", (1, 0, 0)),
        ("left_knee", -60.0, "left_foot", (-1, 0, 0)),
    ],
)
def test_a_joint_moves_the_way_its_sign_is_documented(
    joint: str, angle_deg: float, body: str, direction: tuple[int, int, int]
) -> None:
    travel = _posed(**{joint: angle_deg}).body(body).xpos - _posed().body(body).xpos
    assert travel @ direction > 0.1


def test_positive_head_pitch_looks_down_and_yaw_to_its_left() -> None:
    gaze = _posed(head_pitch=20.0, head_yaw=30.0).body("head").xmat.reshape(3, 3)[:, 0]
    assert gaze[2] < -0.2
    assert gaze[1] > 0.4


def test_actuators_are_those_of_table_iii() -> None:
    """Stall torque [N m], torque constant [N m/A], speed constant [rpm/V]; knee behind 3:1."""
    table = tomllib.loads((ROBOT / "profile.toml").read_text(encoding="utf-8"))["actuators"]
    keys = ("stall_torque", "torque_constant", "speed_constant_rpm_per_v")
    found = {name: tuple(row[key] for key in keys) for name, row in table.items()}
    assert found["kbmb"] == (8.0, 1.16, 9.0)
    assert found["panda_plus"] == (26.5, 1.3, 7.1)
    assert found["micro"] == (0.32, 0.43, 9.2)
    gear, efficiency = 3.0, 0.9
    geared = (26.5 * gear * efficiency, 1.3 * gear * efficiency, 7.1 / gear)
    assert found["panda_plus_3_1"] == pytest.approx(geared, rel=1e-3)


def test_the_knee_has_the_armature_of_its_gear() -> None:
    assert MODEL.joint("left_knee").armature[0] == pytest.approx(9.0 * 0.007)
