"""A reduced problem has the solution of the whole one, and no solution is made up."""

import daqp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.lab.measure.optimality import oracle
from core.plants.biped.whole_body.presolve import Presolve
from core.plants.biped.whole_body.problem import INFINITE, QuadraticProgram
from core.plants.biped.whole_body.qp import DaqpSolver
from devices.interface import Floats

BOUNDED, FREE, INEQUALITIES, EQUALITIES = 6, 9, 11, 3
SEEDS = st.integers(0, 2**32 - 1)


def problem_of(seed: int, fixed: int = 0, unbounded: int = 0) -> QuadraticProgram:
    """Return a problem that has a solution, of whose variables some are fixed, some unbounded."""
    rng = np.random.default_rng(seed)
    n = BOUNDED + FREE
    problem = QuadraticProgram.zeros(BOUNDED, FREE, INEQUALITIES, EQUALITIES)
    root = rng.normal(0.0, 1.0, (n, n))
    problem.hessian[:] = root @ root.T + 0.1 * np.eye(n)
    problem.gradient[:] = rng.normal(0.0, 3.0, n)
    problem.rows[:] = rng.normal(0.0, 1.0, (INEQUALITIES + EQUALITIES, n))
    problem.rows[-EQUALITIES:, BOUNDED : BOUNDED + EQUALITIES] += 3.0 * np.eye(EQUALITIES)
    inside = rng.normal(0.0, 0.3, n)
    inside[:fixed] = 0.0
    values = np.concatenate((inside[:BOUNDED], problem.rows @ inside))
    problem.lower[:] = values - rng.uniform(0.0, 0.4, values.size)
    problem.upper[:] = values + rng.uniform(0.0, 0.4, values.size)
    problem.lower[:fixed] = problem.upper[:fixed] = 0.0
    problem.lower[fixed : fixed + unbounded] = -INFINITE
    problem.upper[fixed : fixed + unbounded] = INFINITE
    problem.lower[-EQUALITIES:] = problem.upper[-EQUALITIES:] = values[-EQUALITIES:]
    return problem


def cost(problem: QuadraticProgram, x: Floats) -> float:
    return float(0.5 * x @ problem.hessian @ x + problem.gradient @ x)


@given(SEEDS, st.integers(0, 3), st.integers(0, 3))
def test_the_solution_is_that_of_the_whole_problem(seed: int, fixed: int, unbounded: int) -> None:
    problem = problem_of(seed, fixed, unbounded)
    result = DaqpSolver(problem).solve(problem)
    expected, _ = oracle(problem)
    assert result.solved
    assert cost(problem, result.x) == pytest.approx(cost(problem, expected), rel=1e-6, abs=1e-6)
    np.testing.assert_allclose(result.x, expected, atol=1e-4)
    assert (result.x[:fixed] == 0.0).all()
    rest = problem.rows[-EQUALITIES:] @ result.x - problem.upper[-EQUALITIES:]
    np.testing.assert_allclose(rest, 0.0, atol=1e-9)


def test_what_is_fixed_and_unbounded_is_taken_out() -> None:
    presolve = Presolve(problem_of(0))
    for fixed, unbounded in ((0, 0), (3, 0), (0, 2), (3, 2), (0, 0)):
        reduced = presolve.reduce(problem_of(1, fixed, unbounded))
        assert reduced is not None
        left = BOUNDED + FREE - EQUALITIES - fixed
        assert reduced.rows.shape == (INEQUALITIES + BOUNDED - fixed - unbounded, left)
        assert reduced.rows.shape[0] == reduced.lower.size == reduced.sense.size


def test_what_one_problem_leaves_behind_does_not_reach_the_next() -> None:
    solver = DaqpSolver(problem_of(0))
    alone = {seed: DaqpSolver(problem_of(0)).solve(problem_of(seed)).x for seed in range(20)}
    for turn in range(50):
        for seed, x in alone.items():
            solver.solve(problem_of(seed + 100, fixed=turn % 4, unbounded=turn % 3))
            np.testing.assert_array_equal(solver.solve(problem_of(seed)).x, x)


def test_rows_that_only_fixed_variables_move_are_taken_out_if_they_hold() -> None:
    problem = problem_of(2, fixed=3)
    problem.rows[0] = 0.0
    problem.rows[0, :3] = 1.0
    place = BOUNDED
    problem.lower[place], problem.upper[place] = -1.0, 0.0
    presolve = Presolve(problem)
    reduced = presolve.reduce(problem)
    assert reduced is not None
    assert reduced.rows.shape[0] == INEQUALITIES + BOUNDED - 3 - 1
    problem.lower[place], problem.upper[place] = 0.5, 1.0
    assert presolve.reduce(problem) is None
    problem.lower[place], problem.upper[place] = -1.0, -0.5
    assert presolve.reduce(problem) is None


def test_equations_that_do_not_give_the_first_free_variables_have_no_solution() -> None:
    problem = problem_of(3)
    problem.rows[-1] = problem.rows[-2]
    assert not DaqpSolver(problem).solve(problem).solved
    problem.rows[-EQUALITIES:, BOUNDED : BOUNDED + EQUALITIES] = 0.0
    assert not DaqpSolver(problem).solve(problem).solved


def test_a_cost_that_falls_without_end_has_no_solution() -> None:
    problem = problem_of(4)
    problem.hessian[-1, -1] = -1.0
    assert not DaqpSolver(problem).solve(problem).solved


@pytest.mark.parametrize("part", ["hessian", "gradient", "rows", "lower", "upper"])
@pytest.mark.parametrize("place", [0, BOUNDED + 1, -1])
@pytest.mark.parametrize("wrong", [np.nan, np.inf])
def test_what_is_no_number_has_no_solution(part: str, place: int, wrong: float) -> None:
    problem = problem_of(5)
    getattr(problem, part)[place] = wrong
    assert not DaqpSolver(problem).solve(problem).solved


def test_the_solver_takes_what_is_left() -> None:
    problem = problem_of(6, fixed=3)
    presolve = Presolve(problem)
    reduced = presolve.reduce(problem)
    assert reduced is not None
    z, _, flag, _ = daqp.solve(*reduced)
    assert flag == 1
    assert presolve.expand(z) is not None
    assert presolve.expand(np.full_like(z, np.nan)) is None
