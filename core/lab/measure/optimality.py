"""Whether a quadratic program's solution is one: the conditions of Karush, Kuhn and Tucker."""

from dataclasses import dataclass

import daqp
import numpy as np

from core.plants.biped.whole_body.problem import QuadraticProgram
from devices.interface import Bools, Floats

ACTIVE = 1e-6  # a row closer to its bound counts as active


@dataclass(frozen=True, slots=True)
class Optimality:
    """How far a solution is from optimal.

    Attributes:
        residual: largest violation of stationarity, feasibility, sign or complementarity.
        excess: of its cost over the oracle's, relative to the oracle's cost.
        inequality: largest violation of an inequality row or bound, in the row's unit.
        equality: largest violation of an equality row.
        active: which inequality rows are at a bound (rows).
    """

    residual: float
    excess: float
    inequality: float
    equality: float
    active: Bools


def cost(problem: QuadraticProgram, x: Floats) -> float:
    """Return 1/2 x'Hx + g'x."""
    return float(0.5 * x @ problem.hessian @ x + problem.gradient @ x)


def oracle(problem: QuadraticProgram) -> tuple[Floats, Floats]:
    """Return DAQP's solution and multipliers, positive where an upper bound holds.

    Raises:
        ValueError: DAQP finds none.
    """
    sense = np.zeros(problem.upper.size, dtype=np.int32)
    sense[problem.upper.size - problem.equalities :] = 5
    p = problem
    x, _, flag, info = daqp.solve(p.hessian, p.gradient, p.rows, p.upper, p.lower, sense)
    if flag <= 0:
        raise ValueError(f"the oracle does not solve the problem (exit flag {flag})")
    return x, np.asarray(info["lam"])


def check(problem: QuadraticProgram, x: Floats) -> Optimality:
    """Return how far x is from optimal, the oracle's multipliers bearing witness."""
    best, multipliers = oracle(problem)
    bounded = problem.upper.size - problem.rows.shape[0]
    values = np.concatenate((x[:bounded], problem.rows @ x))
    slope = problem.hessian @ x + problem.gradient + problem.rows.T @ multipliers[bounded:]
    slope[:bounded] += multipliers[:bounded]
    over, under = values - problem.upper, problem.lower - values
    split = problem.upper.size - problem.equalities
    violation = np.maximum(0.0, np.maximum(over, under))
    # A positive multiplier holds its row at the upper bound, a negative one at the lower.
    pushing_up = np.where(multipliers > 0.0, np.abs(multipliers * over), 0.0)
    pushing_down = np.where(multipliers < 0.0, np.abs(multipliers * under), 0.0)
    slack = np.maximum(pushing_up, pushing_down)[:split]
    residual = max(float(np.abs(slope).max()), float(violation.max()), float(slack.max()))
    excess = (cost(problem, x) - cost(problem, best)) / max(1.0, abs(cost(problem, best)))
    near = np.minimum(-over, -under) < ACTIVE
    return Optimality(
        residual,
        abs(excess),
        float(violation[:split].max()),
        float(violation[split:].max()),
        near[bounded:split],
    )
