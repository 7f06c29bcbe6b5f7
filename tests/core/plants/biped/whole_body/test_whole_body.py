"""The whole-body QP on the ticks of a real walk: solved exactly, within every bound."""

from collections.abc import Iterator

import numpy as np
import pytest
from msgspec.structs import replace

from core.plants.biped.model import RobotModel
from core.plants.biped.walk.reference import LegReference, Phase
from core.plants.biped.whole_body.problem import QuadraticProgram
from core.plants.biped.whole_body.qp import make_solvers
from core.plants.biped.whole_body.whole_body import WholeBody
from core.robot.state import State
from devices.interface import Floats
from tests.core.rig import STAND_BEND, Walk, bent, profile, short_walk

WEIGHT = 25.0 * 9.81


@pytest.fixture(scope="module")
def walk() -> Walk:
    return short_walk()


def objective(problem: QuadraticProgram, x: Floats) -> float:
    return float(0.5 * x @ problem.hessian @ x + problem.gradient @ x)


def rows_of(problem: QuadraticProgram) -> Floats:
    """Return bounds of variables, inequalities and equalities as rows alike (k, n)."""
    bounded = problem.upper.size - problem.rows.shape[0]
    return np.vstack([np.eye(bounded, problem.gradient.size), problem.rows])


def stationarity(problem: QuadraticProgram, x: Floats) -> float:
    """Return how far the gradient is from what the active bounds can push back with.

    Multipliers by nonnegative least squares, dropping those of the wrong sign.
    """
    rows, gradient = rows_of(problem), problem.hessian @ x + problem.gradient
    values = rows @ x
    low, high = values < problem.lower + 1e-7, values > problem.upper - 1e-7
    both = low & high  # equalities push either way
    normals = np.vstack([rows[high & ~both], -rows[low & ~both], rows[both]]).T
    free = np.zeros(normals.shape[1], dtype=np.bool_)
    free[normals.shape[1] - int(both.sum()) :] = True
    active = np.ones(normals.shape[1], dtype=np.bool_)
    while True:
        multipliers = np.linalg.lstsq(normals[:, active], -gradient, rcond=1e-13)[0]
        wrong = (multipliers < -1e-9) & ~free[active]
        if not wrong.any():
            return float(np.abs(gradient + normals[:, active] @ multipliers).max())
        places = np.flatnonzero(active)
        active[places[np.argmin(np.where(free[active], 0.0, multipliers))]] = False


def each(walk: Walk) -> Iterator[tuple[QuadraticProgram, Floats]]:
    return iter(zip(walk.problems, walk.solutions, strict=True))


def test_enough_ticks_were_logged_in_both_kinds_of_support(walk: Walk) -> None:
    assert len(walk.problems) >= 200
    assert {-1, 0, 1} == set(walk.swing_sides)
    assert walk.unsolved == 0


def test_the_conditions_of_optimality_hold(walk: Walk) -> None:
    worst = max(stationarity(problem, x) for problem, x in each(walk))
    assert worst < 1e-5


def test_every_bound_is_kept(walk: Walk) -> None:
    for problem, x in each(walk):
        values = rows_of(problem) @ x
        assert (values >= problem.lower - 1e-6).all()
        assert (values <= problem.upper + 1e-6).all()


def test_the_floating_bases_equations_hold(walk: Walk) -> None:
    for problem, x in each(walk):
        rest = problem.rows[-problem.equalities :] @ x - problem.upper[-problem.equalities :]
        assert problem.equalities == 6
        assert np.abs(rest).max() < 1e-4


def test_both_solvers_find_the_same_objective(walk: Walk) -> None:
    for name in ("proxqp", "daqp"):
        # finer than in the loop, so that the comparison sees the problem and not the tolerance
        solver = make_solvers(
            walk.problems[0], replace(profile().as_biped.qp, solver=name, eps_abs=1e-8)
        )[0]
        for problem, x in each(walk):
            result = solver.solve(problem)
            assert result.solved, name
            expected = objective(problem, x)
            assert objective(problem, result.x) == pytest.approx(expected, rel=1e-5), name


def test_forces_stay_in_their_cones_and_push(walk: Walk) -> None:
    limits = profile().as_biped.constraints
    for forces, swing in zip(walk.forces, walk.swing_sides, strict=True):
        sideways = np.hypot(forces[:, 0], forces[:, 1])
        assert (sideways <= limits.friction * forces[:, 2] + 1e-3).all()
        assert (forces[:, 2] <= limits.force_max + 1e-3).all()
        for point in range(4):
            if point // 2 != swing:
                assert forces[point, 2] > 0.0


def test_a_swing_foot_carries_nothing(walk: Walk) -> None:
    swings = 0
    for forces, swing in zip(walk.forces, walk.swing_sides, strict=True):
        if swing >= 0:
            swings += 1
            np.testing.assert_allclose(forces[2 * swing : 2 * swing + 2], 0.0, atol=1e-6)
    assert swings > 50


def test_the_ground_carries_the_robot(walk: Walk) -> None:
    carried = np.array([forces[:, 2].sum() for forces in walk.forces])
    assert carried.mean() == pytest.approx(WEIGHT, rel=0.03)


def test_torques_stay_within_what_the_actuators_give_at_their_speed(walk: Walk) -> None:
    stall = (
        profile().actuator_column("stall_torque")[:18]
        * profile().as_biped.constraints.torque_fraction
    )
    no_load = profile().no_load_speed()[:18]
    for torque, speed in zip(walk.torques, walk.speeds, strict=True):
        assert (torque <= stall * np.clip(1.0 - speed / no_load, 0.0, 1.0) + 1e-3).all()
        assert (torque >= -stall * np.clip(1.0 + speed / no_load, 0.0, 1.0) - 1e-3).all()


# Alone, in a posture


class Standing:
    """A whole-body controller over a robot that stands, at rest, as it is asked to."""

    def __init__(self, solver: str = "daqp") -> None:
        biped = profile().as_biped
        tuned = replace(profile(), biped=replace(biped, qp=replace(biped.qp, solver=solver)))
        self.model, self.state = RobotModel(tuned), State.upright(28)
        self.state.q[:] = bent(STAND_BEND)
        self.model.update(self.state)
        self.legs = LegReference()
        self.body = WholeBody(tuned, self.model, self.state, self.legs)
        self.legs.height = float(self.model.com[2] - self.model.soles[0, 2])
        self.legs.ground_height = float(self.model.soles[0, 2])
        self.load(300.0, 300.0)

    def load(self, left: float, right: float) -> None:
        self.legs.load_limit[0], self.legs.load_limit[1] = left, right

    def solve(self) -> bool:
        still = np.zeros(8)
        return self.body.solve(self.state.q[:8].copy(), still, still)


@pytest.mark.parametrize("solver", ["daqp", "proxqp"])
def test_a_robot_at_rest_is_held_at_rest(solver: str) -> None:
    standing = Standing(solver)
    assert standing.solve()
    forces = standing.body.forces
    assert forces[:, 2].sum() == pytest.approx(WEIGHT, rel=0.01)
    # both sides alike, and the pressure is under the CoM
    np.testing.assert_allclose(forces[:2, 2], forces[2:, 2], atol=0.01)
    places = np.array([profile().contacts[0].heel, profile().contacts[0].toe] * 2)
    pressure = float(places @ forces[:, 2]) / forces[:, 2].sum()
    offset = standing.model.com[0] - standing.model.soles[:, 0].mean()
    assert pressure == pytest.approx(offset, abs=0.005)
    # Left and right leg, mirrored, do the same.
    np.testing.assert_allclose(standing.body.torque[8:13], standing.body.torque[13:18], atol=0.01)


def test_the_torques_are_those_of_inverse_dynamics() -> None:
    standing = Standing()
    assert standing.solve()
    model, x = standing.model, standing.body.result.x
    points = []
    for side in range(2):
        for reach in (profile().contacts[0].heel, profile().contacts[0].toe):
            lever = model.sole_rotations[side] @ np.array([reach, 0.0, 0.0])
            rows = model.sole_jacobians[side]
            cross = np.cross(rows[3:].T, lever).T
            points.append(rows[:3] + cross)
    push = sum(j.T @ f for j, f in zip(points, standing.body.forces, strict=True))
    # Whatever the order of the variables, the accelerations are what is not a force.
    forces = standing.body.forces.reshape(-1)
    first = np.allclose(x[: forces.size], forces)
    acceleration = x[forces.size :] if first else x[: -forces.size]
    generalised = model.mass_matrix @ acceleration + model.bias - push
    np.testing.assert_allclose(generalised[:6], 0.0, atol=1e-4)
    np.testing.assert_allclose(generalised[6:], standing.body.torque, atol=1e-6)


@pytest.mark.parametrize("side", [0, 1])
def test_a_load_limit_is_kept(side: int) -> None:
    standing = Standing()
    limits = [300.0, 300.0]
    limits[side] = 20.0
    standing.load(*limits)
    assert standing.solve()
    heel_and_toe = standing.body.forces[2 * side : 2 * side + 2, 2]
    assert (heel_and_toe <= 20.0 + 1e-6).all()


def test_a_swing_foot_follows_its_acceleration() -> None:
    standing = Standing()
    legs, model = standing.legs, standing.model
    legs.phase, legs.swing_side, legs.stance_side = Phase.STEP, 0, 1
    standing.load(0.0, 300.0)
    legs.swing[0] = model.soles[0]
    legs.swing[2] = (0.0, 0.0, 2.0)
    assert standing.solve()
    np.testing.assert_allclose(standing.body.forces[:2], 0.0, atol=1e-6)
    lifted = Standing()
    assert lifted.solve()
    # Bending the swing knee lifts the foot: that torque differs from standing's.
    assert standing.body.torque[11] != pytest.approx(lifted.body.torque[11], abs=1.0)


def test_what_cannot_be_solved_is_reported_and_the_last_torques_stay() -> None:
    standing = Standing()
    assert standing.solve()
    kept = standing.body.torque.copy()
    good = standing.state.q.copy()
    standing.state.q[0] = np.nan
    assert not standing.solve()
    assert not standing.body.result.solved
    np.testing.assert_array_equal(standing.body.torque, kept)
    standing.state.q[:] = good
    assert standing.solve()
    np.testing.assert_allclose(standing.body.torque, kept, atol=1e-3)


def test_a_speed_beyond_no_load_leaves_no_torque_in_its_direction() -> None:
    standing = Standing()
    standing.state.dq[9] = 30.0
    standing.model.update(standing.state)
    if standing.solve():
        assert standing.body.torque[9] <= 1e-6
    else:
        assert not standing.body.result.solved


def test_a_joint_of_a_leg_at_its_end_is_not_pressed_against_its_stop() -> None:
    standing = Standing()
    knee = int(standing.model.leg_joints[0, 3])
    standing.state.q[knee] = standing.model.upper[knee] + 0.01
    standing.model.update(standing.state)
    assert standing.solve()
    assert standing.body.torque[knee] < 0.0
