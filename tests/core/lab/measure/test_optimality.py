"""A small quadratic program whose solution and multipliers are known."""

import numpy as np
import pytest

from core.lab.measure.optimality import check, cost, oracle
from core.plants.biped.whole_body.problem import QuadraticProgram


def problem() -> QuadraticProgram:
    """Minimise x² + y² + z² with x <= -1, x + y >= 0.5 and y + z = 4."""
    found = QuadraticProgram.zeros(bounded=1, free=2, inequalities=1, equalities=1)
    found.hessian[:] = 2.0 * np.eye(3)
    found.rows[:] = [[1.0, 1.0, 0.0], [0.0, 1.0, 1.0]]
    found.upper[0] = -1.0
    found.lower[1] = 0.5
    found.lower[2] = found.upper[2] = 4.0
    return found


BEST = np.array([-1.0, 2.0, 2.0])


def test_the_solution_is_optimal() -> None:
    best, _ = oracle(problem())
    assert best == pytest.approx(BEST, abs=1e-9)
    found = check(problem(), BEST)
    assert found.residual < 1e-9
    assert found.excess < 1e-9
    assert not found.active.any()  # x + y = 1 there: the row has room


def test_what_is_feasible_and_worse_is_not_optimal() -> None:
    found = check(problem(), np.array([-1.0, 2.5, 1.5]))
    assert found.residual > 0.5
    assert found.excess == pytest.approx(cost(problem(), np.array([0.0, 0.5, 0.5])) / 9.0)
    assert found.inequality == found.equality == 0.0


def test_what_is_not_feasible_is_not_optimal_either() -> None:
    assert check(problem(), np.array([-0.9, 2.0, 2.0])).inequality == pytest.approx(0.1)
    assert check(problem(), np.array([-1.0, 2.0, 2.3])).equality == pytest.approx(0.3)


def test_a_row_at_its_bound_is_active() -> None:
    tight = problem()
    tight.lower[1] = 1.5
    best, multipliers = oracle(tight)
    assert best == pytest.approx([-1.0, 2.5, 1.5], abs=1e-9)
    assert multipliers[1] < 0.0
    found = check(tight, best)
    assert found.active.tolist() == [True]
    assert found.residual < 1e-9


def test_a_problem_without_solution_is_refused() -> None:
    bad = problem()
    bad.upper[0], bad.lower[0] = -1.0, 1.0
    with pytest.raises(ValueError, match="exit flag"):
        oracle(bad)
