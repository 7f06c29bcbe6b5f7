"""The model's velocities and drifts are the derivatives of its positions and velocities."""

from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np
import pinocchio as pin
import pytest

from core.plants.biped.model import RobotModel
from core.robot.model import joint_limits
from core.robot.state import State
from devices.interface import Floats
from tests.core.rig import profile, random_posture

SEEDS = range(3)
STEP = 1e-6


@dataclass
class Snapshot:
    """The model's figures at one instant, copied."""

    com: Floats
    com_velocity: Floats
    momentum: Floats
    soles: Floats
    rotations: Floats
    twists: Floats


@pytest.fixture(scope="module")
def model() -> RobotModel:
    return RobotModel(profile())


def random_state(seed: int) -> State:
    rng = np.random.default_rng(seed)
    state = State.upright(28)
    state.q[:] = random_posture(rng)
    state.dq[:] = rng.normal(0.0, 1.0, 28)
    state.rotation_base_to_world[:] = pin.exp3(rng.normal(0.0, 0.6, 3))
    state.position_base_in_world[:] = rng.normal(0.0, 1.0, 3)
    state.velocity_base_in_world[:] = rng.normal(0.0, 0.5, 3)
    state.angular_velocity_base_in_base[:] = rng.normal(0.0, 1.0, 3)
    return state


def moved(state: State, time_s: float) -> State:
    """Return a state later, with the same generalised velocity [in the base frame, joints]."""
    later = State.upright(28)
    later.q[:] = state.q + time_s * state.dq
    later.dq[:] = state.dq
    turn = np.asarray(state.angular_velocity_base_in_base)
    before = state.rotation_base_to_world
    local = before.T @ state.velocity_base_in_world
    step = pin.exp6(np.concatenate([local, turn]) * time_s)
    later.rotation_base_to_world[:] = before @ step.rotation
    later.position_base_in_world[:] = state.position_base_in_world + before @ step.translation
    later.velocity_base_in_world[:] = later.rotation_base_to_world @ local
    later.angular_velocity_base_in_base[:] = turn
    return later


def look(model: RobotModel, state: State) -> Snapshot:
    model.update(state)
    return Snapshot(
        np.array(model.com),
        np.array(model.com_velocity),
        np.array(model.momentum),
        model.soles.copy(),
        model.sole_rotations.copy(),
        model.sole_velocities.copy(),
    )


def test_the_driven_joints_come_first_in_the_profiles_order(model: RobotModel) -> None:
    names = tuple(model.pin_model.names)[2:]
    assert names == profile().joint_names[:18]
    assert (model.joint_count, model.pin_model.nv) == (18, 24)
    assert model.leg_joints.tolist() == [[8, 9, 10, 11, 12], [13, 14, 15, 16, 17]]
    assert model.upper_joints.tolist() == list(range(8))
    lower, upper = joint_limits(profile())
    np.testing.assert_array_equal(model.lower, lower[:18])
    np.testing.assert_array_equal(model.upper, upper[:18])


def test_the_hands_ride_with_their_mass(model: RobotModel) -> None:
    assert model.mass == pytest.approx(25.0, abs=1e-9)
    model.update(State.upright(28))
    assert model.mass_matrix[0, 0] == pytest.approx(25.0, abs=1e-9)


def test_a_load_is_a_point_mass_at_the_grip(model: RobotModel) -> None:
    state = random_state(0)
    before = look(model, state)
    model.carry((0.0, 0.5))
    after = look(model, state)
    assert model.mass == pytest.approx(25.5)
    grip, hand = (
        pin.updateFramePlacement(model.pin_model, model.data, frame).translation
        for frame in map(model.pin_model.getFrameId, ("grip of right_hand", "right_hand"))
    )
    np.testing.assert_allclose(after.com, (25.0 * before.com + 0.5 * grip) / 25.5, atol=1e-9)
    assert np.linalg.norm(grip - hand) == pytest.approx(0.08)
    still = State.upright(28)
    still.q[:] = state.q
    model.carry((0.0, 0.0))
    model.update(still)
    bare, (_, per_kg) = model.bias[6:14].copy(), model.upper_torque(np.zeros(8))
    model.carry((0.0, 0.5))
    model.update(still)
    np.testing.assert_allclose(model.bias[6:14] - bare, 0.5 * per_kg[1], atol=1e-9)
    model.carry((0.0, 0.0))
    assert model.mass == pytest.approx(25.0)
    np.testing.assert_array_equal(look(model, state).com, before.com)


def test_left_is_left_and_the_soles_are_level_when_all_is_zero(model: RobotModel) -> None:
    model.update(State.upright(28))
    assert model.soles[0, 1] == pytest.approx(-model.soles[1, 1])
    assert model.soles[0, 1] > 0.0
    for rotation in model.sole_rotations:
        np.testing.assert_allclose(rotation, np.eye(3), atol=1e-9)
    assert model.com[1] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_com_and_soles_are_mujocos(model: RobotModel, seed: int) -> None:
    mj: Any = mujoco.MjModel.from_xml_path(str(profile().model_path))
    data: Any = mujoco.MjData(mj)
    state = random_state(seed)
    state.q[18:] = 0.0  # locked in the control model
    state.dq[18:] = 0.0
    quaternion = pin.Quaternion(state.rotation_base_to_world).coeffs()
    data.qpos[:3] = state.position_base_in_world
    data.qpos[3:7] = np.roll(quaternion, 1)
    data.qvel[:3] = state.velocity_base_in_world
    data.qvel[3:6] = state.angular_velocity_base_in_base
    for i, name in enumerate(profile().joint_names):
        joint = mujoco.mj_name2id(mj, mujoco.mjtObj.mjOBJ_JOINT, name)
        data.qpos[mj.jnt_qposadr[joint]] = state.q[i]
        data.qvel[mj.jnt_dofadr[joint]] = state.dq[i]
    mujoco.mj_forward(mj, data)
    mujoco.mj_subtreeVel(mj, data)
    seen = look(model, state)
    torso = mj.jnt_bodyid[0]
    np.testing.assert_allclose(seen.com, data.subtree_com[torso], atol=1e-9)
    np.testing.assert_allclose(seen.com_velocity, data.subtree_linvel[torso], atol=1e-9)
    np.testing.assert_allclose(seen.momentum[3:], data.subtree_angmom[torso], atol=1e-8)
    for side, name in enumerate(("left", "right")):
        np.testing.assert_allclose(seen.soles[side], data.site(f"{name}_sole").xpos, atol=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_velocities_are_the_derivatives_of_positions(model: RobotModel, seed: int) -> None:
    state = random_state(seed)
    before, after = look(model, moved(state, -STEP)), look(model, moved(state, STEP))
    now = look(model, state)
    np.testing.assert_allclose(
        now.com_velocity, (after.com - before.com) / (2 * STEP), atol=1e-7, rtol=1e-6
    )
    for side in range(2):
        linear = (after.soles[side] - before.soles[side]) / (2 * STEP)
        turn = pin.log3(after.rotations[side] @ before.rotations[side].T) / (2 * STEP)
        np.testing.assert_allclose(now.twists[side, :3], linear, atol=1e-7, rtol=1e-6)
        np.testing.assert_allclose(now.twists[side, 3:], turn, atol=1e-7, rtol=1e-6)


@pytest.mark.parametrize("seed", SEEDS)
def test_drifts_are_the_accelerations_without_joint_acceleration(
    model: RobotModel, seed: int
) -> None:
    state = random_state(seed)
    before, after = look(model, moved(state, -STEP)), look(model, moved(state, STEP))
    model.update(state)
    twist_rate = (after.twists - before.twists) / (2 * STEP)
    np.testing.assert_allclose(model.sole_drifts, twist_rate, atol=1e-5, rtol=1e-5)
    momentum_rate = (after.momentum - before.momentum) / (2 * STEP)
    np.testing.assert_allclose(model.momentum_drift, momentum_rate, atol=1e-4, rtol=1e-5)


@pytest.mark.parametrize("seed", SEEDS)
def test_matrices_map_velocities_to_momentum_and_twists(model: RobotModel, seed: int) -> None:
    state = random_state(seed)
    model.update(state)
    rotation = state.rotation_base_to_world
    local = rotation.T @ state.velocity_base_in_world
    v = np.concatenate([local, state.angular_velocity_base_in_base, state.dq[:18]])
    np.testing.assert_allclose(model.momentum_matrix @ v, model.momentum, atol=1e-9)
    np.testing.assert_allclose(model.momentum[:3], 25.0 * model.com_velocity, atol=1e-9)
    np.testing.assert_allclose(model.sole_jacobians @ v, model.sole_velocities, atol=1e-12)
    np.testing.assert_allclose(model.mass_matrix, model.mass_matrix.T, atol=1e-12)
    assert np.linalg.eigvalsh(model.mass_matrix).min() > 0.0
    # The first three rows are the linear momentum in the base frame.
    np.testing.assert_allclose(rotation @ (model.mass_matrix[:3] @ v), model.momentum[:3])


@pytest.mark.parametrize("seed", SEEDS)
def test_the_jacobians_columns_are_what_each_joint_does(model: RobotModel, seed: int) -> None:
    state = random_state(seed)
    state.velocity_base_in_world[:] = 0.0
    state.angular_velocity_base_in_base[:] = 0.0
    model.update(state)
    jacobians = model.sole_jacobians.copy()
    for joint in range(18):
        state.dq[:] = 0.0
        state.dq[joint] = 1.0
        before, after = look(model, moved(state, -STEP)), look(model, moved(state, STEP))
        linear = (after.soles - before.soles) / (2 * STEP)
        np.testing.assert_allclose(jacobians[:, :3, 6 + joint], linear, atol=1e-8)


def test_at_rest_the_bias_is_the_weight(model: RobotModel) -> None:
    state = random_state(0)
    for velocity in (state.dq, state.velocity_base_in_world, state.angular_velocity_base_in_base):
        velocity[:] = 0.0
    model.update(state)
    weight = state.rotation_base_to_world @ model.bias[:3]
    np.testing.assert_allclose(weight, [0.0, 0.0, 25.0 * 9.81], atol=1e-9)
    # The joints' share is the gradient of the potential energy.
    for joint in (0, 3, 11, 17):
        state.dq[:] = 0.0
        state.dq[joint] = 1.0
        rise = look(model, moved(state, STEP)).com[2] - look(model, moved(state, -STEP)).com[2]
        model.update(state)
        gravity = 25.0 * 9.81 * rise / (2 * STEP)
        state.dq[:] = 0.0
        model.update(state)
        assert model.bias[6 + joint] == pytest.approx(gravity, abs=1e-5)


def test_the_imu_is_where_the_model_says(model: RobotModel) -> None:
    frame = model.pin_model.frames[model.pin_model.getFrameId("imu")]
    np.testing.assert_array_equal(model.imu_in_base, frame.placement.translation)
    np.testing.assert_allclose(frame.placement.rotation, np.eye(3), atol=1e-12)
