"""Identities of the constrained dynamics, at random states of robots with and without couplings."""

from dataclasses import replace

import numpy as np
import pytest

from core.lab.oracle.constrained import (
    condition_5f,
    equation_4,
    forward_dynamics,
    internal,
    internal_force,
    joint_torque,
    motor_torque,
    motor_velocity,
    torque_rows,
)
from core.lab.oracle.tree import BASE_SIZE, Tree, TreeState
from devices.interface import Floats
from tests.core.lab.oracle.robots import near_standing, robot

SEEDS = range(5)
NAMES = ("draco3", "kid_cosmo")
HINGES = slice(BASE_SIZE, None)


def states(name: str) -> list[TreeState]:
    profile, _, tree = robot(name)
    return [tree.at(near_standing(profile, seed)) for seed in SEEDS]


def loads(tree: TreeState, seed: int = 0) -> tuple[Floats, Floats]:
    """Return random torques of the motors and forces of the ground."""
    rng = np.random.default_rng(seed)
    return 20.0 * rng.normal(size=len(tree.transmission)), 50.0 * rng.normal(size=12)


def on_one_hinge(tree: Tree, state: TreeState, distal: bool) -> TreeState:
    """Return a state whose motors turn one hinge each, as the paper's S_a selects."""
    hinges = {one.primary: one.follower for one in tree.couplings} if distal else {}
    selection = np.zeros_like(state.transmission)
    for row, joint in zip(selection, tree.joint_names, strict=True):
        row[tree.column(hinges.get(joint, joint))] = 1.0
    return replace(state, transmission=selection)


@pytest.mark.parametrize("name", NAMES)
def test_the_null_space_is_a_projection_that_leaves_the_base_alone(name: str) -> None:
    for tree in states(name):
        null_space = internal(tree).null_space
        scale = np.abs(null_space).max()
        assert np.abs(null_space @ null_space - null_space).max() <= 1e-12 * scale
        product = tree.internal_jacobian @ null_space
        assert np.abs(product).max(initial=0.0) <= 1e-12 * scale
        base = np.eye(BASE_SIZE, len(null_space))
        np.testing.assert_array_equal(base @ null_space.T, base)
    removed = len(null_space) - np.linalg.matrix_rank(null_space)
    assert removed == len(tree.internal_jacobian) == (2 if name == "draco3" else 0)


@pytest.mark.parametrize("name", NAMES)
def test_forward_dynamics_obeys_equation_4_and_its_force(name: str) -> None:
    for seed, tree in enumerate(states(name)):
        motors, forces = loads(tree, seed)
        acceleration, force = forward_dynamics(tree, motors, forces)
        np.testing.assert_allclose(force, internal_force(tree, motors, forces), atol=1e-9)
        scale = np.abs(tree.mass_matrix @ acceleration).max()
        left = equation_4(tree, acceleration, motors, forces)
        assert np.abs(left).max() <= 1e-11 * scale
        assert np.abs(tree.internal_jacobian @ acceleration).max(initial=0.0) < 1e-8


def test_the_third_term_of_equation_4_is_the_corrected_one() -> None:
    tree = replace(states("draco3")[0], internal_drift=np.array([3.0, -2.0]))
    motors, forces = loads(tree)
    acceleration, force = forward_dynamics(tree, motors, forces)
    jacobian, drift = tree.internal_jacobian, tree.internal_drift
    np.testing.assert_allclose(jacobian @ acceleration, -drift, atol=1e-8)
    np.testing.assert_allclose(force, internal_force(tree, motors, forces), atol=1e-8)
    left = equation_4(tree, acceleration, motors, forces)
    assert np.abs(left).max() <= 1e-11 * np.abs(tree.mass_matrix @ acceleration).max()
    printed = np.linalg.pinv(jacobian @ tree.mass_matrix @ jacobian.T)
    wrong = jacobian.T @ (printed @ drift - internal(tree).inertia @ drift)
    assert np.abs(left + wrong).max() > 0.1


@pytest.mark.parametrize("name", NAMES)
def test_constrained_dynamics_returns_the_acceleration_of_the_torques(name: str) -> None:
    for seed, tree in enumerate(states(name)):
        rng = np.random.default_rng(seed)
        motors, forces = loads(tree, seed)
        acceleration, _ = forward_dynamics(tree, motors, forces)
        rows, offset = torque_rows(tree)
        torque = rows @ np.concatenate((forces, acceleration)) + offset
        np.testing.assert_allclose(torque, joint_torque(tree, motors), atol=1e-8)
        again, _ = forward_dynamics(tree, motor_torque(tree, torque), forces)
        np.testing.assert_allclose(again, acceleration, atol=1e-8 * np.abs(acceleration).max())
        # Rows 7 and on of the eliminated dynamics are the same torques, as production has them.
        ddq = tree.expansion @ rng.normal(size=tree.expansion.shape[1])
        plain = tree.mass_matrix @ ddq + tree.bias - tree.contact_jacobian.T @ forces
        values = rows @ np.concatenate((forces, ddq)) + offset
        np.testing.assert_allclose(values, (tree.expansion.T @ plain)[HINGES], atol=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_power_of_joints_and_motors_is_the_same(name: str) -> None:
    profile, _, oracle = robot(name)
    for seed in SEEDS:
        state = near_standing(profile, seed)
        tree = oracle.at(state)
        motors, _ = loads(tree, seed)
        joints = joint_torque(tree, motors) * state.dq[: motors.size]
        power = motors @ motor_velocity(tree)
        assert abs(joints.sum() - power) <= 1e-12 * np.abs(joints).sum()
        np.testing.assert_allclose(motor_torque(tree, joint_torque(tree, motors)), motors)


def test_a_motor_of_both_hinges_needs_half_the_torque_and_another_internal_force() -> None:
    _, _, oracle = robot("draco3")
    tree = states("draco3")[0]
    distal = on_one_hinge(oracle, tree, distal=True)
    motors, forces = loads(tree)
    torque = joint_torque(tree, motors)
    direct = motor_torque(distal, torque)
    knees = [oracle.joint_names.index(one.primary) for one in oracle.couplings]
    np.testing.assert_allclose(motors[knees], 0.5 * direct[knees])
    acceleration, force = forward_dynamics(tree, motors, forces)
    same, other = forward_dynamics(distal, direct, forces)
    np.testing.assert_allclose(same, acceleration, atol=1e-8 * np.abs(acceleration).max())
    np.testing.assert_allclose(np.abs(other - force), 0.5 * np.abs(direct[knees]), rtol=1e-8)


@pytest.mark.parametrize("distal", [False, True])
def test_the_condition_of_equation_5f_needs_the_right_weight(distal: bool) -> None:
    _, _, oracle = robot("draco3")
    for seed, whole in enumerate(states("draco3")):
        tree = on_one_hinge(oracle, whole, distal)
        inverse = np.asarray(np.linalg.inv(tree.mass_matrix[6:, 6:]), dtype=np.float64)
        wrong: tuple[Floats, Floats] = (np.eye(len(inverse)), inverse)
        assert condition_5f(tree) <= 1e-12
        assert condition_5f(tree, wrong[0]) > 0.01
        assert condition_5f(tree, wrong[1]) > 0.1
        # Yet the torques agree, while the constraints of equations 5b and 5c hold.
        motors, forces = loads(tree, seed)
        y = np.concatenate((forces, forward_dynamics(tree, motors, forces)[0]))
        rows, offset = torque_rows(tree)
        for weight in wrong:
            others, other_offset = torque_rows(tree, weight)
            np.testing.assert_allclose(others @ y + other_offset, rows @ y + offset, atol=1e-9)
            assert np.abs(others - rows).max() > 1e-3


def test_the_condition_holds_without_couplings_for_any_weight() -> None:
    tree = states("kid_cosmo")[0]
    assert condition_5f(tree) <= 1e-12
    assert condition_5f(tree, np.eye(tree.velocity.size - BASE_SIZE)) <= 1e-12
