"""The quadratic program of one tick, and the two solvers that can solve it.

Minimise 1/2 x'Hx + g'x subject to Ax = b, lower <= Cx <= upper and bounds on x.
"""

from dataclasses import dataclass
from typing import Protocol, Self

import daqp
import numpy as np
import proxsuite

from core.robot.profile import QpSettings
from devices.interface import Floats

INFINITE = 1e30


@dataclass(slots=True)
class QuadraticProgram:
    """Arrays of a problem whose size never changes; written in place at every tick."""

    hessian: Floats
    gradient: Floats
    equality: Floats
    equality_value: Floats
    inequality: Floats
    lower: Floats
    upper: Floats
    variable_lower: Floats
    variable_upper: Floats

    @classmethod
    def zeros(cls, variables: int, equalities: int, inequalities: int) -> Self:
        """Return a problem of zeros with unbounded variables."""
        return cls(
            np.zeros((variables, variables)),
            np.zeros(variables),
            np.zeros((equalities, variables)),
            np.zeros(equalities),
            np.zeros((inequalities, variables)),
            np.full(inequalities, -INFINITE),
            np.full(inequalities, INFINITE),
            np.full(variables, -INFINITE),
            np.full(variables, INFINITE),
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


class DaqpSolver:
    """DAQP, a dual active-set solver; the variable bounds come first in its constraints."""

    def __init__(self, problem: QuadraticProgram, settings: QpSettings) -> None:
        n = problem.gradient.size
        equalities, inequalities = problem.equality_value.size, problem.lower.size
        self._split = (n, n + inequalities)
        self._rows = np.zeros((inequalities + equalities, n))
        self._upper = np.zeros(n + inequalities + equalities)
        self._lower = np.zeros_like(self._upper)
        self._sense = np.zeros(self._upper.size, dtype=np.int32)
        self._sense[n + inequalities :] = 5  # an equality that is always in the active set
        self._settings = settings

    def solve(self, problem: QuadraticProgram) -> QpResult:
        """Solve the problem from a cold start."""
        n, end = self._split
        self._rows[: end - n] = problem.inequality
        self._rows[end - n :] = problem.equality
        self._upper[:n], self._lower[:n] = problem.variable_upper, problem.variable_lower
        self._upper[n:end], self._lower[n:end] = problem.upper, problem.lower
        self._upper[end:] = self._lower[end:] = problem.equality_value
        x, _, flag, info = daqp.solve(
            problem.hessian, problem.gradient, self._rows, self._upper, self._lower, self._sense
        )
        solved = flag > 0 and bool(np.isfinite(x).all())
        return QpResult(x, solved, int(info["iterations"]))


class ProxQpSolver:
    """ProxQP, the paper's solver, started cold from the previous result.

    Its warm start reports false infeasibility when contacts change, hence
    COLD_START_WITH_PREVIOUS_RESULT.
    """

    def __init__(self, problem: QuadraticProgram, settings: QpSettings) -> None:
        dense = proxsuite.proxqp.dense
        n = problem.gradient.size
        self._qp = dense.QP(n, problem.equality_value.size, problem.lower.size, True)
        options = self._qp.settings
        options.eps_abs = settings.eps_abs
        options.eps_rel = 0.0
        options.max_iter = settings.max_iterations
        options.initial_guess = proxsuite.proxqp.InitialGuess.COLD_START_WITH_PREVIOUS_RESULT
        self._solved = proxsuite.proxqp.QPSolverOutput.PROXQP_SOLVED
        self._ready = False

    def solve(self, problem: QuadraticProgram) -> QpResult:
        """Solve the problem from the previous result."""
        p = problem
        arrays = (
            p.hessian,
            p.gradient,
            p.equality,
            p.equality_value,
            p.inequality,
            p.lower,
            p.upper,
            p.variable_lower,
            p.variable_upper,
        )
        if self._ready:
            self._qp.update(*arrays, False)
        else:
            self._qp.init(*arrays)
            self._ready = True
        self._qp.solve()
        results = self._qp.results
        solved = results.info.status == self._solved and bool(np.isfinite(results.x).all())
        return QpResult(results.x, solved, int(results.info.iter))


def make_solver(problem: QuadraticProgram, settings: QpSettings) -> QpSolver:
    """Return the solver that the profile names."""
    kinds = {"daqp": DaqpSolver, "proxqp": ProxQpSolver}
    return kinds[settings.solver](problem, settings)
