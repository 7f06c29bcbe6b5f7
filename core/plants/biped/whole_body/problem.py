"""The quadratic program of one tick.

Minimise 1/2 x'Hx + g'x subject to bounds on x, inequalities and equalities.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np

from core.compiled import compiled
from devices.interface import Floats

INFINITE = 1e30
LARGEST = 1.7976931348623157e308  # of all numbers that are finite


@dataclass(slots=True)
class QuadraticProgram:
    """Arrays of a problem whose size never changes; written in place at every tick.

    Attributes:
        hessian: H, symmetric, positive definite (n, n).
        gradient: g (n).
        rows: of the inequalities, then of the equalities (m, n).
        lower: bounds of the first b variables, of the inequalities, of the equalities (b + m);
            the other variables are free.
        upper: likewise; an equality has equal bounds.
        equalities: how many of the rows are equalities; they come last, and can be solved for
            as many of the free variables, the first ones.
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


@compiled
def clear_cost(hessian: Floats, gradient: Floats) -> None:
    """Write zeros into the cost of a problem."""
    for i in range(gradient.size):
        gradient[i] = 0.0
        for j in range(gradient.size):
            hessian[i, j] = 0.0


@compiled
def all_finite(values: Floats) -> bool:
    """Tell whether all of an array (n) are finite numbers."""
    wrong = 0
    for i in range(values.size):
        wrong += not abs(values[i]) <= LARGEST
    return wrong == 0


@compiled
def finite(gradient: Floats, hessian: Floats, rows: Floats, lower: Floats, upper: Floats) -> bool:
    """Tell whether a problem is made of numbers: solvers may call it solved, or spin, if not."""
    wrong = 0  # a count, for its order does not matter, and it takes a fraction of a sum's time
    for i in range(hessian.shape[0]):
        for j in range(hessian.shape[1]):
            wrong += not abs(hessian[i, j]) <= LARGEST
    for i in range(rows.shape[0]):
        for j in range(rows.shape[1]):
            wrong += not abs(rows[i, j]) <= LARGEST
    vectors = all_finite(gradient) and all_finite(lower) and all_finite(upper)
    return wrong == 0 and vectors
