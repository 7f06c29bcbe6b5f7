"""Both solvers solve the same problems, and say so when they cannot."""

import numpy as np
import pytest
from msgspec.structs import replace

from core.plants.biped.whole_body.problem import QuadraticProgram
from core.plants.biped.whole_body.qp import DaqpSolver, ProxQpSolver, QpSolver, make_solvers
from devices.interface import Floats
from tests.core.rig import profile

SOLVERS = ["daqp", "proxqp"]


def solver(name: str, problem: QuadraticProgram) -> QpSolver:
    return make_solvers(problem, replace(profile().as_biped.qp, solver=name))[0]


def random_problem(seed: int) -> QuadraticProgram:
    """Return a strictly convex problem that zero satisfies, with some bounds active."""
    rng = np.random.default_rng(seed)
    n, bounded, inequalities, equalities = 10, 4, 6, 3
    problem = QuadraticProgram.zeros(bounded, n - bounded, inequalities, equalities)
    root = rng.normal(0.0, 1.0, (n, n))
    problem.hessian[:] = root @ root.T + 0.1 * np.eye(n)
    problem.gradient[:] = rng.normal(0.0, 3.0, n)
    problem.rows[:] = rng.normal(0.0, 1.0, (inequalities + equalities, n))
    problem.lower[:-equalities] = -rng.uniform(0.05, 0.5, bounded + inequalities)
    problem.upper[:-equalities] = rng.uniform(0.05, 0.5, bounded + inequalities)
    problem.lower[-equalities:] = problem.upper[-equalities:] = 0.0
    return problem


def objective(problem: QuadraticProgram, x: Floats) -> float:
    return float(0.5 * x @ problem.hessian @ x + problem.gradient @ x)


def violation(problem: QuadraticProgram, x: Floats) -> float:
    bounded = problem.upper.size - problem.rows.shape[0]
    values = np.concatenate([x[:bounded], problem.rows @ x])
    return float(max((problem.lower - values).max(), (values - problem.upper).max()))


def test_the_profile_names_the_solver() -> None:
    problem = random_problem(0)
    assert isinstance(solver("daqp", problem), DaqpSolver)
    assert isinstance(solver("proxqp", problem), ProxQpSolver)


@pytest.mark.parametrize("name", SOLVERS)
def test_a_problem_whose_answer_is_known(name: str) -> None:
    problem = QuadraticProgram.zeros(2, 1, 1, 1)
    problem.hessian[:] = np.eye(3)
    problem.gradient[:] = (-2.0, -2.0, 0.0)
    problem.rows[0] = (1.0, 1.0, 0.0)  # x + y <= 1
    problem.upper[2] = 1.0
    problem.rows[1] = (0.0, 0.0, 1.0)  # z = 0.25
    problem.lower[3] = problem.upper[3] = 0.25
    problem.upper[0] = 0.1  # x <= 0.1
    result = solver(name, problem).solve(problem)
    assert result.solved
    np.testing.assert_allclose(result.x, [0.1, 0.9, 0.25], atol=1e-5)


def test_without_bounds_it_is_newtons_step() -> None:
    problem = random_problem(3)
    problem.lower[:] = -1e30
    problem.upper[:] = 1e30
    problem.rows[:] = 0.0
    problem.lower[-3:] = problem.upper[-3:] = 0.0
    problem.rows[-3:, 4:7] = np.eye(3)
    others = np.r_[0:4, 7:10]
    expected = np.zeros(10)
    hessian = problem.hessian[np.ix_(others, others)]
    expected[others] = -np.linalg.solve(hessian, problem.gradient[others])
    for name in SOLVERS:
        result = solver(name, problem).solve(problem)
        assert result.solved
        np.testing.assert_allclose(result.x, expected, atol=1e-4)


def test_both_solvers_agree_on_a_hundred_problems_in_a_row() -> None:
    problem = random_problem(0)
    both = [solver(name, problem) for name in SOLVERS]
    for seed in range(100):
        problem = random_problem(seed)
        results = [one.solve(problem) for one in both]
        assert all(result.solved for result in results)
        for result in results:
            assert result.x.shape == (10,)
            assert violation(problem, result.x) < 1e-5
        values = [objective(problem, result.x) for result in results]
        assert values[0] == pytest.approx(values[1], rel=1e-4)


@pytest.mark.parametrize("name", SOLVERS)
def test_contradictions_are_reported_and_forgotten(name: str) -> None:
    one = solver(name, random_problem(0))
    good = random_problem(1)
    expected = one.solve(good)
    bad = random_problem(1)
    bad.rows[0] = 0.0
    bad.rows[0, 0] = 1.0
    bad.lower[0], bad.upper[0] = 0.2, 0.3
    bad.lower[4], bad.upper[4] = -0.3, -0.2
    assert not one.solve(bad).solved
    again = one.solve(good)
    assert again.solved
    np.testing.assert_allclose(again.x, expected.x, atol=1e-4)


@pytest.mark.parametrize("name", SOLVERS)
@pytest.mark.parametrize("part", ["hessian", "gradient", "rows", "lower", "upper"])
def test_what_is_no_number_is_never_called_solved(name: str, part: str) -> None:
    problem = random_problem(2)
    one = solver(name, problem)
    getattr(problem, part)[0] = np.nan
    assert not one.solve(problem).solved


def test_a_result_is_not_overwritten_by_the_next() -> None:
    for name in SOLVERS:
        first, second = random_problem(4), random_problem(5)
        one = solver(name, first)
        result = one.solve(first)
        kept = result.x.copy()
        one.solve(second)
        np.testing.assert_array_equal(result.x, kept)
