"""The quadratic program of one tick, and the two solvers that can solve it.

Minimise 1/2 x'Hx + g'x subject to bounds on x, inequalities and equalities.
"""

from dataclasses import dataclass
from typing import Protocol, Self

import daqp
import numpy as np
import proxsuite

from core.compiled import compiled
from core.robot.profile import QpSettings
from devices.interface import Floats

INFINITE = 1e30
LARGEST = 1.7976931348623157e308  # of all numbers that are finite
_ALWAYS_ACTIVE = 5  # DAQP's mark of an equality: active, and never to be dropped


@dataclass(slots=True)
class QuadraticProgram:
    """Arrays of a problem whose size never changes; written in place at every tick.

    Attributes:
        hessian: H, symmetric (n, n).
        gradient: g (n).
        rows: of the inequalities, then of the equalities (m, n).
        lower: bounds of the first b variables, of the inequalities, of the equalities (b + m);
            the other variables are free.
        upper: likewise; an equality has equal bounds.
        equalities: how many of the rows are equalities; they come last.
    """

    hessian: Floats
    gradient: Floats
    rows: Floats
    lower: Floats
    upper: Floats
    equalities: int

    @classmethod
    def zeros(cls, bounded: int, free: int, inequalities: int, equalities: int) -> Self:
        """Return a problem of zeros without bounds; its bounded variables come first."""
        rows, variables = inequalities + equalities, bounded + free
        return cls(
            np.zeros((variables, variables)),
            np.zeros(variables),
            np.zeros((rows, variables)),
            np.full(bounded + rows, -INFINITE),
            np.full(bounded + rows, INFINITE),
            equalities,
        )


@dataclass(slots=True)
class QpResult:
    """What a solver found: the solution is valid only if `solved`."""

    x: Floats
    solved: bool
    iterations: int


class QpSolver(Protocol):
    """A solver that keeps its workspace between ticks."""

    def solve(self, problem: QuadraticProgram) -> QpResult:
        """Solve the problem; never raises on an infeasible one."""


@compiled
def are_numbers(values: Floats) -> bool:
    """Tell whether all of an array (n) are finite numbers."""
    wrong = 0
    for i in range(values.size):
        wrong += not abs(values[i]) <= LARGEST
    return wrong == 0


@compiled
def finite(gradient: Floats, hessian: Floats, rows: Floats) -> bool:
    """Tell whether a problem is made of numbers: solvers may call it solved, or spin, if not."""
    wrong = 0  # a count, for its order does not matter, and it takes a fraction of a sum's time
    for i in range(hessian.shape[0]):
        for j in range(hessian.shape[1]):
            wrong += not abs(hessian[i, j]) <= LARGEST
    for i in range(rows.shape[0]):
        for j in range(rows.shape[1]):
            wrong += not abs(rows[i, j]) <= LARGEST
    return wrong == 0 and are_numbers(gradient)


class DaqpSolver:
    """DAQP, a dual active-set solver."""

    def __init__(self, problem: QuadraticProgram) -> None:
        self._sense = np.zeros(problem.upper.size, dtype=np.int32)
        self._sense[problem.upper.size - problem.equalities :] = _ALWAYS_ACTIVE

    def solve(self, problem: QuadraticProgram) -> QpResult:
        """Solve the problem from a cold start."""
        p = problem
        if not finite(p.gradient, p.hessian, p.rows):
            return QpResult(np.zeros(p.gradient.size), False, 0)
        x, _, flag, info = daqp.solve(p.hessian, p.gradient, p.rows, p.upper, p.lower, self._sense)
        solved = flag > 0 and are_numbers(x)
        return QpResult(x, solved, int(info["iterations"]))


class ProxQpSolver:
    """ProxQP, the paper's solver, started cold from the previous result.

    Its warm start reports false infeasibility when contacts change, hence
    COLD_START_WITH_PREVIOUS_RESULT.
    """

    def __init__(self, problem: QuadraticProgram, settings: QpSettings) -> None:
        dense, n = proxsuite.proxqp.dense, problem.gradient.size
        split = problem.rows.shape[0] - problem.equalities
        self._qp = dense.QP(n, problem.equalities, split, True)
        options = self._qp.settings
        options.eps_abs = settings.eps_abs
        options.eps_rel = 0.0
        options.max_iter = settings.max_iterations
        options.initial_guess = proxsuite.proxqp.InitialGuess.COLD_START_WITH_PREVIOUS_RESULT
        self._solved = proxsuite.proxqp.QPSolverOutput.PROXQP_SOLVED
        self._split = (problem.upper.size - problem.rows.shape[0], split)
        self._lower = np.full(n, -INFINITE)
        self._upper = np.full(n, INFINITE)
        self._ready = False

    def solve(self, problem: QuadraticProgram) -> QpResult:
        """Solve the problem from the previous result."""
        p, (n, split) = problem, self._split
        if not finite(p.gradient, p.hessian, p.rows):
            return QpResult(np.zeros(n), False, 0)
        self._lower[:n], self._upper[:n] = p.lower[:n], p.upper[:n]
        arrays = (
            p.hessian,
            p.gradient,
            p.rows[split:],
            p.upper[n + split :],
            p.rows[:split],
            p.lower[n : n + split],
            p.upper[n : n + split],
            self._lower,
            self._upper,
        )
        if self._ready:
            self._qp.update(*arrays, False)
        else:
            self._qp.init(*arrays)
            self._ready = True
        self._qp.solve()
        results = self._qp.results
        x = results.x.copy()
        solved = results.info.status == self._solved and are_numbers(x)
        return QpResult(x, solved, int(results.info.iter))


def make_solvers(problem: QuadraticProgram, settings: QpSettings) -> tuple[QpSolver, QpSolver]:
    """Return the solver that the profile names, and the other one to fall back on."""
    daqp_solver, prox_solver = DaqpSolver(problem), ProxQpSolver(problem, settings)
    if settings.solver == "proxqp":
        return prox_solver, daqp_solver
    return daqp_solver, prox_solver
