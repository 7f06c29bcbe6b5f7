"""The two solvers that can solve the quadratic program of a tick."""

from dataclasses import dataclass
from typing import Protocol

import daqp
import numpy as np
import proxsuite

from core.plants.biped.settings import QpSettings
from core.plants.biped.whole_body.presolve import Presolve
from core.plants.biped.whole_body.problem import INFINITE, QuadraticProgram, all_finite, finite
from devices.interface import Floats


@dataclass(slots=True)
class QpResult:
    """The result of a solver: the solution is valid only if `solved`."""

    x: Floats
    solved: bool
    iterations: int


class QpSolver(Protocol):
    """A solver that keeps its workspace between ticks."""

    def solve(self, problem: QuadraticProgram) -> QpResult:
        """Solve the problem; never raises on an infeasible one."""


class DaqpSolver:
    """DAQP, a dual active-set solver; it is given the problem reduced."""

    def __init__(self, problem: QuadraticProgram) -> None:
        self._presolve = Presolve(problem)

    def solve(self, problem: QuadraticProgram) -> QpResult:
        """Solve the problem from a cold start."""
        reduced = self._presolve.reduce(problem)
        if reduced is None:
            return QpResult(np.zeros(problem.gradient.size), False, 0)
        z, _, flag, info = daqp.solve(*reduced)
        x = self._presolve.expand(z) if flag > 0 else None
        if x is None:
            return QpResult(np.zeros(problem.gradient.size), False, int(info["iterations"]))
        return QpResult(x, True, int(info["iterations"]))


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
        if not finite(p.gradient, p.hessian, p.rows, p.lower, p.upper):
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
        solved = results.info.status == self._solved and all_finite(x)
        return QpResult(x, solved, int(results.info.iter))


def make_solvers(problem: QuadraticProgram, settings: QpSettings) -> tuple[QpSolver, QpSolver]:
    """Return the solver that the profile names, and the other one to fall back on."""
    daqp_solver, prox_solver = DaqpSolver(problem), ProxQpSolver(problem, settings)
    if settings.solver == "proxqp":
        return prox_solver, daqp_solver
    return daqp_solver, prox_solver
