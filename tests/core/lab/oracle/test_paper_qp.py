"""Production's quadratic program and the paper's have the same solution."""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest

from core.lab.oracle.constrained import forward_dynamics
from core.lab.oracle.paper_qp import (
    Cost,
    Difference,
    Limits,
    OracleError,
    Task,
    compare,
    limits_of,
    paper_solution,
)
from core.lab.oracle.tree import TreeState
from core.plants.biped.walk.reference import LegReference
from core.plants.biped.whole_body.problem import QuadraticProgram
from core.plants.biped.whole_body.qp import DaqpSolver
from core.plants.biped.whole_body.whole_body import WholeBody
from core.robot.state import State
from devices.interface import Floats
from tests.core.lab.oracle.robots import near_standing, robot

SEEDS = 20


class Tick(NamedTuple):
    """A tick of production, and the tree at its state."""

    problem: QuadraticProgram
    x: Floats
    torque: Floats
    tree: TreeState
    limits: Limits


def ticks(name: str, loads: tuple[float, float], count: int = SEEDS) -> Iterator[Tick]:
    """Solve production's program at random states; yield what it owns until the next one."""
    profile, model, tree = robot(name)
    state, legs = State.upright(len(profile.joint_names)), LegReference()
    body, n, upper = WholeBody(profile, model, state, legs), model.joint_count, model.upper_joints
    legs.load_limit[:] = loads
    for seed in range(count):
        rng, drawn = np.random.default_rng(seed), near_standing(profile, seed)
        state.joints[:], state.base[:] = drawn.joints, drawn.base
        model.update(state)
        legs.height = model.height - float(model.soles[:, 2].mean())
        legs.com_acceleration[:] = 0.8 * rng.normal(size=2)
        assert body.solve(state.q[upper], 0.0 * state.q[upper], 5.0 * rng.normal(size=upper.size))
        limits = limits_of(profile, state.dq[:n], legs.load_limit)
        yield Tick(body.problem, body.result.x, body.torque, tree.at(state), limits)


@pytest.mark.parametrize(
    ("name", "loads"),
    [("draco3", (600.0, 600.0)), ("draco3", (600.0, 0.0)), ("kid_cosmo", (200.0, 200.0))],
)
def test_production_agrees_with_the_paper(name: str, loads: tuple[float, float]) -> None:
    worst, at_limit, on_cone = Difference(0.0, 0.0, 0.0), 0, 0
    for problem, x, torque, tree, limits in ticks(name, loads):
        found = compare(problem, x, torque, tree, limits)
        worst = Difference(*map(max, worst, found))
        slack = np.minimum(limits.torque_upper - torque, torque - limits.torque_lower)
        at_limit += bool(slack.min() < 1e-6)
        on_cone += bool((limits.cones @ x[:12]).min() < 1e-4)
    assert worst.torque <= 5e-6
    assert worst.forces <= 2e-5
    assert worst.acceleration <= 1e-6
    assert on_cone > SEEDS // 4  # or the constraints were not compared


def test_the_solution_is_dynamically_consistent() -> None:
    for problem, _, _, tree, limits in ticks("draco3", (600.0, 600.0), 3):
        found = paper_solution(tree, Cost.of_production(problem, tree), limits)
        acceleration, force = forward_dynamics(tree, found.motor_torque, found.forces)
        np.testing.assert_allclose(acceleration, found.acceleration, atol=1e-8)
        np.testing.assert_allclose(force, found.internal_force, atol=1e-8)
        assert (found.torque <= limits.torque_upper + 1e-8).all()
        assert (found.torque >= limits.torque_lower - 1e-8).all()


def test_the_costs_agree_where_the_couplings_hold() -> None:
    rng = np.random.default_rng(1)
    problem, _, _, tree, _ = next(ticks("draco3", (600.0, 600.0), 1))
    cost = Cost.of_production(problem, tree)
    x = rng.normal(size=problem.gradient.size)
    y = np.concatenate((x[:12], tree.expansion @ x[12:]))
    own = 0.5 * x @ problem.hessian @ x + problem.gradient @ x
    assert 0.5 * y @ cost.hessian @ y + cost.gradient @ y == pytest.approx(own, rel=1e-12)
    assert np.linalg.eigvalsh(cost.hessian).min() > 0.0


def test_elimination_agrees_for_tasks_over_the_whole_tree() -> None:
    _, model, _ = robot("draco3")
    for seed, (problem, _, _, tree, limits) in enumerate(ticks("draco3", (600.0, 600.0), 5)):
        rng, n = np.random.default_rng(seed), tree.velocity.size
        feet = Task(tree.contact_jacobian, tree.contact_drift, np.zeros(12), np.full(12, 40.0))
        posture = Task(
            np.eye(n)[6:], np.zeros(n - 6), 3.0 * rng.normal(size=n - 6), np.full(n - 6, 20.0)
        )
        base = Task(np.eye(n)[:6], np.zeros(6), rng.normal(size=6), np.full(6, 20.0))
        weight, desired = 9.81 * model.mass, np.zeros(12)
        desired[[2, 8]] = 0.5 * weight
        cost = Cost.of_tasks(
            (feet, posture, base), 1e-3, np.full(12, 1e-3), desired, np.full(12, 1e-2)
        )
        found = paper_solution(tree, cost, limits)
        fold = np.zeros((12 + n, 12 + tree.expansion.shape[1]))
        fold[:12, :12], fold[12:, 12:] = np.eye(12), tree.expansion
        problem.hessian[:] = fold.T @ cost.hessian @ fold
        problem.gradient[:] = fold.T @ cost.gradient
        result = DaqpSolver(problem).solve(problem)
        assert result.solved
        np.testing.assert_allclose(result.x[:12], found.forces, atol=1e-4)
        np.testing.assert_allclose(tree.expansion @ result.x[12:], found.acceleration, atol=1e-6)


def test_an_acceleration_bound_holds() -> None:
    problem, _, _, tree, limits = next(ticks("draco3", (600.0, 600.0), 1))
    cost = Cost.of_production(problem, tree)
    free = paper_solution(tree, cost, limits).acceleration
    joint = 6 + int(np.abs(free[6:]).argmax())
    largest = np.full(free.size, 1e30)
    largest[joint] = 0.5 * abs(free[joint])
    bounded = replace(limits, acceleration=largest)
    found = paper_solution(tree, cost, bounded).acceleration
    assert abs(found[joint]) == pytest.approx(largest[joint], abs=1e-8)


def test_a_program_without_a_solution_is_refused() -> None:
    problem, _, _, tree, limits = next(ticks("draco3", (600.0, 600.0), 1))
    cost = Cost.of_production(problem, tree)
    still = replace(limits, acceleration=np.zeros(tree.velocity.size))  # the legs cannot hold it
    weak = replace(still, torque_lower=0.01 * limits.torque_lower)
    weak = replace(weak, torque_upper=0.01 * limits.torque_upper)
    crossed = replace(limits, torque_upper=limits.torque_lower - 1.0)
    for wrong in (weak, crossed):
        with pytest.raises(OracleError, match="no solution"):
            paper_solution(tree, cost, wrong)
