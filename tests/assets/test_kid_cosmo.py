"""Kid Cosmo's model is the paper's tables, and two libraries read the same robot from it."""

import math
import tomllib
from typing import Any

import mujoco
import numpy as np
import pinocchio as pin
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


def test_every_inertia_is_one_that_a_body_can_have() -> None:
    """No principal moment exceeds the sum of the other two."""
    moments = np.sort(MODEL.body_inertia[1:], axis=1)
    assert (moments[:, 0] > 0).all()
    assert (moments[:, 2] <= moments[:, 0] + moments[:, 1]).all()


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


class TwoLibraries:
    """The same state in MuJoCo and in Pinocchio.

    A free joint's linear velocity is in the world frame in MuJoCo and in the body's own frame in
    Pinocchio; the angular one is in the body's frame in both. With v_mujoco = T v_pinocchio,
    M_pinocchio = T' M_mujoco T, and the bias takes up the derivative of T.
    """

    def __init__(self) -> None:
        self.pinocchio = pin.buildModelFromMJCF(str(ROBOT / "robot.xml"))
        self.data = self.pinocchio.createData()
        self.mujoco_data = mujoco.MjData(MODEL)
        names = [MODEL.joint(i).name for i in range(1, MODEL.njnt)]
        joints = [self.pinocchio.joints[self.pinocchio.getJointId(name)] for name in names]
        self.q_index = np.array([joint.idx_q for joint in joints])
        self.v_index = np.array([joint.idx_v for joint in joints])

    def random_state(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Set MuJoCo to a random state and return it as Pinocchio's (q, v)."""
        data = self.mujoco_data
        quaternion_wxyz = rng.normal(size=4)
        quaternion_wxyz /= np.linalg.norm(quaternion_wxyz)
        low, high = MODEL.jnt_range[1:].T
        data.qpos[:] = np.concatenate([rng.normal(size=3), quaternion_wxyz, rng.uniform(low, high)])
        data.qvel[:] = rng.normal(scale=3.0, size=MODEL.nv)
        mujoco.mj_forward(MODEL, data)
        rotation = data.body("torso").xmat.reshape(3, 3)
        q, v = np.zeros(self.pinocchio.nq), np.zeros(self.pinocchio.nv)
        q[:3], q[3:6], q[6] = data.qpos[:3], data.qpos[4:7], data.qpos[3]
        q[self.q_index] = data.qpos[7:]
        v[:3], v[3:6] = rotation.T @ data.qvel[:3], data.qvel[3:6]
        v[self.v_index] = data.qvel[6:]
        return q, v

    def from_mujoco(self, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return MuJoCo's mass matrix and bias in Pinocchio's coordinates and order."""
        data = self.mujoco_data
        mass = np.zeros((MODEL.nv, MODEL.nv))
        mujoco.mj_fullM(MODEL, data, mass)
        transform = np.eye(MODEL.nv)
        rotation = data.body("torso").xmat.reshape(3, 3)
        transform[:3, :3] = rotation
        drift = np.zeros(MODEL.nv)
        drift[:3] = rotation @ np.cross(v[3:6], v[:3])
        bias = transform.T @ (data.qfrc_bias + mass @ drift)
        order = np.concatenate([np.arange(6), self.v_index])
        mass_out, bias_out = np.empty_like(mass), np.empty_like(bias)
        mass_out[np.ix_(order, order)] = transform.T @ mass @ transform
        bias_out[order] = bias
        return mass_out, bias_out


@pytest.fixture(scope="module")
def two() -> TwoLibraries:
    return TwoLibraries()


def test_mujoco_and_pinocchio_agree_on_mass_matrix_and_bias(two: TwoLibraries) -> None:
    rng = np.random.default_rng(7)
    for _ in range(50):
        q, v = two.random_state(rng)
        mass, bias = two.from_mujoco(v)
        upper = np.triu(pin.crba(two.pinocchio, two.data, q))
        ours = upper + np.triu(upper, 1).T
        np.testing.assert_allclose(ours, mass, rtol=0.0, atol=1e-8)
        np.testing.assert_allclose(
            pin.nonLinearEffects(two.pinocchio, two.data, q, v), bias, rtol=0.0, atol=1e-8
        )


def test_the_armature_is_in_both(two: TwoLibraries) -> None:
    """The comparison above would miss an armature that both leave out."""
    np.testing.assert_array_equal(two.pinocchio.armature[two.v_index], MODEL.dof_armature[6:])
    assert (MODEL.dof_armature[6:] > 0.0).all()
    assert MODEL.joint("left_knee").armature[0] == pytest.approx(9.0 * 0.007)


def test_pinocchio_reads_the_same_limits(two: TwoLibraries) -> None:
    low, high = MODEL.jnt_range[1:].T
    np.testing.assert_allclose(two.pinocchio.lowerPositionLimit[two.q_index], low, atol=1e-12)
    np.testing.assert_allclose(two.pinocchio.upperPositionLimit[two.q_index], high, atol=1e-12)
