"""Gravity's torques agree with the simulator's."""

import mujoco
import numpy as np
import pytest

from core.robot.gravity import Gravity
from core.robot.profile_file import load_profile
from tests.core.rig import profile

TILT = np.array([[1.0, 0.0, 0.0], [0.0, 0.8, -0.6], [0.0, 0.6, 0.8]])


@pytest.mark.parametrize("robot", ["kid_cosmo", "two_arms"])
def test_it_holds_the_joints_as_the_simulator_says(robot: str) -> None:
    found = load_profile(robot)
    gravity = Gravity(found)
    model = mujoco.MjModel.from_xml_path(str(found.model_path))
    data = mujoco.MjData(model)
    rng = np.random.default_rng(1)
    light = set(found.light_joints)
    for _ in range(5):
        q = 0.3 * rng.standard_normal(len(found.joint_names))
        q[[name in light for name in found.joint_names]] = 0.0
        for name, angle in zip(found.joint_names, q, strict=True):
            data.joint(name).qpos[0] = angle
        data.qvel[:] = 0.0
        mujoco.mj_forward(model, data)
        held = gravity.update(q, np.eye(3))
        for name, torque in zip(found.joint_names, held, strict=True):
            if name not in light:
                assert torque == pytest.approx(data.joint(name).qfrc_bias[0], abs=1e-6), name


def test_a_tilted_base_turns_gravity() -> None:
    gravity, q = Gravity(profile()), profile().posture("rest")
    upright = gravity.update(q, np.eye(3)).copy()
    tilted = gravity.update(q, TILT).copy()
    assert np.abs(tilted - upright).max() > 0.5
    assert gravity.update(q, np.eye(3)) == pytest.approx(upright)


def test_a_load_in_a_hand_is_held_too() -> None:
    gravity, q = Gravity(profile()), profile().posture("rest")
    q[profile().joint_names.index("left_elbow")] = 1.5
    empty = gravity.update(q, np.eye(3)).copy()
    gravity.carry({"left_hand": 0.5})
    change = gravity.update(q, np.eye(3)) - empty
    moved = {n for n, d in zip(profile().joint_names, change, strict=True) if abs(d) > 0.05}
    assert moved >= {"left_elbow"} and not any(name.startswith("right") for name in moved)
    gravity.carry({})
    assert gravity.update(q, np.eye(3)) == pytest.approx(empty)


def test_the_largest_torque_bounds_those_of_other_postures() -> None:
    gravity = Gravity(profile())
    largest = gravity.largest()
    lower, upper = gravity._lower, gravity._upper
    rng = np.random.default_rng(7)
    for _ in range(100):
        torque = np.abs(gravity.update(rng.uniform(lower, upper), np.eye(3)))
        assert (torque < 1.1 * largest + 1e-9).all()
