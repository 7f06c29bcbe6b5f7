"""The two arms have the published dimensions, mirror each other and follow a motion."""

import math

import mujoco
import numpy as np
import pytest

from core.__main__ import simulated_body
from core.behave.reference import UpperReference
from core.plants.fixed.plant import FixedPlant
from core.plants.interface import Wanted
from core.robot.profile import Profile
from core.robot.profile_file import load_profile
from core.run.launch import LaunchConfig
from devices.interface import Floats, JointCommand, Support
from devices.sim.body import SimulatedBody
from tests.tracked import REPOSITORY

ROBOT = REPOSITORY / "assets" / "robots" / "two_arms"
MODEL = mujoco.MjModel.from_xml_path(str(ROBOT / "robot.xml"))
SIDES = ("left", "right")

# Franka Emika Panda, data sheet and FCI documentation: limits [deg], links' masses [kg] (Gaz et
# al., 2019), and where the joints' centres lie with all angles zero, from the pedestal (x, z) [m].
LIMITS = {
    "base_yaw": (-166, 166),
    "shoulder_pitch": (-101, 101),
    "upper_arm_roll": (-166, 166),
    "elbow": (-176, -4),
    "forearm_roll": (-166, 166),
    "wrist_pitch": (-1, 215),
    "hand_roll": (-166, 166),
}
MASSES = {
    "shoulder_housing": 4.97,
    "upper_arm": 0.65,
    "elbow_housing": 3.23,
    "forearm": 3.59,
    "wrist_housing": 1.23,
    "wrist": 1.67,
    "flange": 0.74,
}
CENTRES = {
    "shoulder_housing": (0.0, 0.333),
    "elbow_housing": (0.0, 0.333 + 0.316),
    "forearm": (0.0825, 0.333 + 0.316),
    "wrist_housing": (0.0, 0.333 + 0.316 + 0.384),
    "flange": (0.088, 0.333 + 0.316 + 0.384),
    "palm": (0.088, 0.333 + 0.316 + 0.384 - 0.107),
}
NO_STATES = np.zeros(4, dtype=np.int8)
TRACKING_DEG = 0.35  # largest error of a joint that follows a sine of 0.25 rad at 0.5 Hz


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize(("joint", "limits"), LIMITS.items())
def test_limits_are_those_of_the_data_sheet(
    side: str, joint: str, limits: tuple[float, float]
) -> None:
    found = np.degrees(MODEL.joint(f"{side}_{joint}").range)
    np.testing.assert_allclose(found, limits, atol=1e-9)


@pytest.mark.parametrize("side", SIDES)
def test_dimensions_and_masses_are_the_published_ones(side: str) -> None:
    data = mujoco.MjData(MODEL)
    mujoco.mj_forward(MODEL, data)
    foot = data.body(f"{side}_pedestal").xpos
    for body, (x, z) in CENTRES.items():
        np.testing.assert_allclose(data.body(f"{side}_{body}").xpos - foot, [x, 0, z], atol=1e-12)
    for body, mass in MASSES.items():
        assert MODEL.body(f"{side}_{body}").mass[0] == pytest.approx(mass)


def test_equal_angles_make_a_mirrored_pose() -> None:
    rng = np.random.default_rng(3)
    data = mujoco.MjData(MODEL)
    joints = [MODEL.joint(i).name for i in range(MODEL.njnt)]
    bodies = [MODEL.body(i).name for i in range(MODEL.nbody)]
    for _ in range(20):
        for name in joints:
            if name.startswith("left_"):
                angle = rng.uniform(*MODEL.joint(name).range)
                data.joint(name).qpos = data.joint(name.replace("left", "right")).qpos = angle
        mujoco.mj_forward(MODEL, data)
        for name in bodies:
            if name.startswith("left_"):
                other = data.body(name.replace("left", "right"))
                np.testing.assert_allclose(other.xpos * [1, -1, 1], data.body(name).xpos)
                np.testing.assert_allclose(other.xipos * [1, -1, 1], data.body(name).xipos)


def test_closed_fingers_meet() -> None:
    data = mujoco.MjData(MODEL)
    tips = [
        MODEL.body(f"left_{finger}_finger_link").geomadr[0] + 3 for finger in ("inner", "outer")
    ]

    def gap(degrees: float) -> float:
        for finger in ("inner", "outer"):
            data.joint(f"left_{finger}_finger").qpos = math.radians(degrees)
        mujoco.mj_forward(MODEL, data)
        between = float(np.linalg.norm(data.geom_xpos[tips[0]] - data.geom_xpos[tips[1]]))
        return between - 2.0 * float(MODEL.geom_size[tips[0], 0])

    assert gap(22.0) < 0.002
    assert gap(0.0) > 0.04
    assert gap(-35.0) > 0.15


@pytest.fixture(scope="module")
def profile() -> Profile:
    return load_profile("two_arms")


def _body(profile: Profile) -> SimulatedBody:
    config = LaunchConfig(endpoint="tcp/127.0.0.1:7447", robot=profile.name, pace="max")
    return simulated_body(config, profile)


def _follow(profile: Profile, amplitude: Floats, duration_s: float) -> Floats:
    """Return the joints' largest errors after two seconds of a sine of 0.5 Hz (n) [rad]."""
    body, plant = _body(profile), FixedPlant(profile, Support.MOUNTED)
    plant.start(0.0)
    rest, omega = profile.posture("rest"), math.pi
    worst = np.zeros(len(rest))
    for tick in range(round(duration_s / profile.tick_s)):
        now_s = tick * profile.tick_s
        swing, phase = amplitude * min(now_s / 2.0, 1.0), omega * now_s
        q, dq = rest + swing * math.sin(phase), swing * omega * math.cos(phase)
        ddq = -swing * omega**2 * math.sin(phase)
        reference = UpperReference(q, dq, ddq, np.zeros((3, 0)), NO_STATES)
        command = plant.command(now_s, Wanted(reference))
        assert command is not None
        body.write(command)
        sample = body.read()
        if now_s > 2.0:
            wanted = rest + swing * math.sin(omega * sample.stamp_s)
            worst = np.maximum(worst, np.abs(sample.q - wanted))
    return worst


def test_the_rest_posture_is_held_at_200_hz(profile: Profile) -> None:
    assert profile.tick_s == 0.005
    assert np.degrees(_follow(profile, np.zeros(18), 4.0)).max() < 0.05


def test_a_sine_is_followed_at_200_hz(profile: Profile) -> None:
    amplitude = np.where(profile.column("kp") > 100.0, 0.25, 0.1)
    worst = np.degrees(_follow(profile, amplitude, 6.0))
    assert worst.max() < TRACKING_DEG, dict(zip(profile.joint_names, worst.round(3), strict=True))


def test_damped_servos_let_the_arms_sink_slowly(profile: Profile) -> None:
    body = _body(profile)
    for _ in range(200):
        body.damp()
    truth = body.truth()
    moved = np.abs(truth.q - profile.posture("rest"))
    assert 0.01 < moved.max() < 1.5
    assert np.abs(truth.dq).max() < 1.5
    command = JointCommand.zeros(18)
    command.kd[:] = profile.column("kd")
    body.write(command)
    assert np.isfinite(body.read().q).all()
