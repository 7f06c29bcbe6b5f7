"""Presolve of the quadratic program: eliminates equalities and fixed variables.

The equalities of a tick's QP determine the acceleration of the base, and a foot in the air has no
forces; a general solver does not use this. The equalities give x = T y + t. With the Cholesky
factor U'U of the cost of y and its gradient g, the substitution z = U y + U'^-1 g turns the
problem into a least-distance problem: minimise z'z subject to rows. On one foot it has 24
variables instead of 36. A dual active-set solver does the same transformation in twice the time.
"""

import math
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from core.compiled import bind, compiled
from core.plants.biped.whole_body.problem import INFINITE, QuadraticProgram, all_finite, finite
from core.records import Record, record_of
from devices.interface import Floats

NO_BOUND = 0.1 * INFINITE
SINGULAR = 1e-12  # smallest pivot, relative to the largest coefficient
TOLERANCE = 1e-6  # by which a constant row may violate its bounds
LANE = 4  # numbers in a vector register; lengths are multiples of it

Places: TypeAlias = npt.NDArray[np.int64]


class LeastDistance(NamedTuple):
    """The reduced problem of r variables and q rows, in the order of DAQP's arguments.

    Attributes:
        hessian: the identity (r, r).
        gradient: zero (r).
        rows: (q, r).
        upper: bounds of the rows (q).
        lower: likewise.
        sense: DAQP's marks of the rows: all inequalities, none known to be active (q).
    """

    hessian: Floats
    gradient: Floats
    rows: Floats
    upper: Floats
    lower: Floats
    sense: npt.NDArray[np.int32]


@compiled
def keep(lower: Floats, upper: Floats, bounded: int, equalities: int, kept: Places) -> int:
    """Write the places of the variables that stay, and return how many they are.

    A bounded variable that can only be zero goes, and those that the equations give.
    """
    count = 0
    for i in range(kept.size):
        fixed = i < bounded and lower[i] == 0.0 and upper[i] == 0.0
        if not (fixed or bounded <= i < bounded + equalities):
            kept[count] = i
            count += 1
    return count


@compiled
def solve_equations(
    rows: Floats, values: Floats, bounded: int, kept: Places, count: int, given: Floats
) -> bool:
    """Write T and, as its column after the last, t (equalities, count + 1); False if singular.

    Gauss and Jordan, with the largest pivot of each column.
    """
    size = values.size
    width = _padded(count + 1)
    square = np.empty((size, size))
    largest = 0.0
    for i in range(size):
        row = rows.shape[0] - size + i
        for j in range(size):
            square[i, j] = rows[row, bounded + j]
            largest = max(largest, abs(square[i, j]))
        for j in range(count):
            given[i, j] = -rows[row, kept[j]]
        given[i, count] = values[i]
        given[i, count + 1 : width] = 0.0
    for k in range(size):
        best = k
        for i in range(k + 1, size):
            if abs(square[i, k]) > abs(square[best, k]):
                best = i
        if not abs(square[best, k]) > SINGULAR * largest:
            return False
        for j in range(size):
            square[k, j], square[best, j] = square[best, j], square[k, j]
        for j in range(width):
            given[k, j], given[best, j] = given[best, j], given[k, j]
        inverse = 1.0 / square[k, k]
        for j in range(size):
            square[k, j] *= inverse
        for j in range(width):
            given[k, j] *= inverse
        for i in range(size):
            if i != k:
                factor = square[i, k]
                for j in range(size):
                    square[i, j] -= factor * square[k, j]
                for j in range(width):
                    given[i, j] -= factor * given[k, j]
    return True


@compiled
def _padded(count: int) -> int:
    """Return a length that is not shorter and fills the processor's lanes."""
    return (count + LANE - 1) // LANE * LANE


@compiled
def subtract(line: Floats, factor: Floats, column: int, matrix: Floats, width: int) -> None:
    """Subtract the rows before `column` from a line, times the factor's column there.

    Four rows at a time, so that the line is read and written a quarter as often.
    """
    j = 0
    while j + 4 <= column:
        a, b = factor[j, column], factor[j + 1, column]
        c, d = factor[j + 2, column], factor[j + 3, column]
        for i in range(width):
            pair = a * matrix[j, i] + b * matrix[j + 1, i]
            line[i] -= pair + c * matrix[j + 2, i] + d * matrix[j + 3, i]
        j += 4
    while j < column:
        a = factor[j, column]
        for i in range(width):
            line[i] -= a * matrix[j, i]
        j += 1


@compiled
def factorise(
    hessian: Floats,
    gradient: Floats,
    bounded: int,
    kept: Places,
    count: int,
    given: Floats,
    half: Floats,
    line: Floats,
    factor: Floats,
    inverse: Floats,
) -> bool:
    """Write U and, as its column after the last, U'^-1 g (count, count + 1); False if indefinite.

    `inverse` takes the inverses of U's diagonal; the part below it is undefined. `half` is
    scratch: H between eliminated and kept variables, and half of H of the eliminated ones times T.
    """
    size = given.shape[0]
    width = _padded(count + 1)
    for i in range(size):
        for j in range(count):
            half[i, j] = hessian[bounded + i, kept[j]]
        half[i, count] = gradient[bounded + i]
        half[i, count + 1 : width] = 0.0
        for k in range(size):
            a = 0.5 * hessian[bounded + i, bounded + k]
            for j in range(width):
                half[i, j] += a * given[k, j]
    for k in range(count):
        place = kept[k]
        for j in range(count):
            line[j] = hessian[place, kept[j]]
        line[count] = gradient[place]
        line[count + 1 : width] = 0.0
        for i in range(size):
            a, b = half[i, k], given[i, k]
            for j in range(width):
                line[j] += a * given[i, j] + b * half[i, j]
        subtract(line, factor, k, factor, width)
        if not line[k] > 0.0:
            return False
        inverse[k] = 1.0 / math.sqrt(line[k])
        for j in range(width):
            factor[k, j] = line[j] * inverse[k]
    return True


@compiled
def write_rows(
    problem_rows: Floats,
    problem_lower: Floats,
    problem_upper: Floats,
    bounded: int,
    kept: Places,
    count: int,
    given: Floats,
    rows: Floats,
    lower: Floats,
    upper: Floats,
) -> int:
    """Write bounds and inequalities as rows over the kept variables, and return their number.

    Bounds that bind nothing go, and rows that nothing moves; -1 if such a row is broken.
    """
    size = given.shape[0]
    width = _padded(count + 1)
    found = 0
    for k in range(count):
        i = kept[k]
        if i < bounded and (problem_lower[i] > -NO_BOUND or problem_upper[i] < NO_BOUND):
            for j in range(width):
                rows[found, j] = 0.0
            rows[found, k] = 1.0
            lower[found], upper[found] = problem_lower[i], problem_upper[i]
            found += 1
    for row in range(problem_rows.shape[0] - size):
        low, high = problem_lower[bounded + row], problem_upper[bounded + row]
        moved = 0
        for k in range(count):
            rows[found, k] = problem_rows[row, kept[k]]
            moved += rows[found, k] != 0.0
        rows[found, count] = 0.0
        for i in range(size):
            a = problem_rows[row, bounded + i]
            if a != 0.0:
                moved += 1
                for j in range(width):
                    rows[found, j] += a * given[i, j]
        if moved:
            lower[found], upper[found] = low - rows[found, count], high - rows[found, count]
            found += 1
        elif low > TOLERANCE or high < -TOLERANCE:
            return -1
    return found


@compiled
def transform(
    wide: Floats,
    found: int,
    count: int,
    factor: Floats,
    inverse: Floats,
    line: Floats,
    tall: Floats,
    rows: Floats,
    lower: Floats,
    upper: Floats,
) -> None:
    """Write the rows over z, one after the other, and shift their bounds by the start of z.

    `tall` is scratch: the rows as columns, on which one step of the substitution is a line.
    """
    length = _padded(found)
    for k in range(count):
        for i in range(found):
            line[i] = wide[i, k]
        line[found:length] = 0.0
        subtract(line, factor, k, tall, length)
        for i in range(length):
            tall[k, i] = line[i] * inverse[k]
        begin = factor[k, count]
        for i in range(found):
            rows[i * count + k] = tall[k, i]
            lower[i] += begin * tall[k, i]
            upper[i] += begin * tall[k, i]


@compiled
def write_reduced(
    hessian: Floats,
    gradient: Floats,
    problem_rows: Floats,
    problem_lower: Floats,
    problem_upper: Floats,
    workspace: Record,
    equalities: int,
) -> tuple[int, int]:
    """Write the reduced problem; return its number of rows and of variables, -1 if none.

    `workspace` has the arrays of `Presolve`; the others are those of a `QuadraticProgram`.
    """
    work: Any = workspace[0]
    kept, given, half, factor = work.kept, work.given, work.half, work.factor
    inverse, wide, tall, line = work.inverse, work.wide, work.tall, work.line
    rows, lower, upper = work.rows, work.lower, work.upper
    if not finite(gradient, hessian, problem_rows, problem_lower, problem_upper):
        return -1, 0
    bounded = problem_upper.size - problem_rows.shape[0]
    values = problem_upper[problem_upper.size - equalities :]
    count = keep(problem_lower, problem_upper, bounded, equalities, kept)
    if not solve_equations(problem_rows, values, bounded, kept, count, given):
        return -1, 0
    if not factorise(hessian, gradient, bounded, kept, count, given, half, line, factor, inverse):
        return -1, 0
    found = write_rows(
        problem_rows,
        problem_lower,
        problem_upper,
        bounded,
        kept,
        count,
        given,
        wide,
        lower,
        upper,
    )
    if found >= 0:
        transform(wide, found, count, factor, inverse, line, tall, rows, lower, upper)
    return found, count


@compiled
def write_solution(z: Floats, workspace: Record, x: Floats, bounded: int, count: int) -> bool:
    """Write the solution of the whole problem; return whether it is finite.

    Args:
        z: of the reduced problem (count or more).
        workspace: of `Presolve`.
        x: output.
        bounded: index of the first eliminated variable.
        count: of the reduced variables.
    """
    work: Any = workspace[0]
    kept, given, factor = work.kept, work.given, work.factor
    inverse, line = work.inverse, work.line
    x[:] = 0.0
    for k in range(count - 1, -1, -1):
        total = z[k] - factor[k, count]
        for i in range(k + 1, count):
            total -= factor[k, i] * line[i]
        line[k] = total * inverse[k]
        x[kept[k]] = line[k]
    for i in range(given.shape[0]):
        total = given[i, count]
        for k in range(count):
            total += given[i, k] * line[k]
        x[bounded + i] = total
    return all_finite(x)


class Presolve:
    """Reduces problems of one size, and expands their solutions; owns the arrays for both."""

    def __init__(self, problem: QuadraticProgram) -> None:
        variables, equalities = problem.gradient.size, problem.equalities
        self._bounded = problem.upper.size - problem.rows.shape[0]
        most, rows = variables - equalities, problem.upper.size - equalities
        width, length = most + LANE, rows + LANE
        self._workspace = record_of(
            kept=np.zeros(variables, dtype=np.int64),
            given=np.zeros((equalities, width)),
            half=np.zeros((equalities, width)),
            factor=np.zeros((most, width)),
            inverse=np.zeros(most),
            wide=np.zeros((rows + 1, width)),  # one more, for a row that is left out
            tall=np.zeros((most, length)),
            line=np.zeros(max(width, length)),
            rows=np.zeros(rows * most),
            lower=np.zeros(length),
            upper=np.zeros(length),
        )
        self._work = {name: self._workspace[name][0] for name in self._workspace.dtype.names or ()}
        self._views: dict[tuple[int, int], LeastDistance] = {}
        self._z, self._x = np.zeros(most), np.zeros(variables)
        self._expand = bind(write_solution, self._z, self._workspace, self._x)
        self._attach(problem)

    def _attach(self, problem: QuadraticProgram) -> None:
        """Bind the kernels to the arrays of a problem."""
        self._problem = problem
        self._write = bind(
            write_reduced,
            problem.hessian,
            problem.gradient,
            problem.rows,
            problem.lower,
            problem.upper,
            self._workspace,
        )

    def reduce(self, problem: QuadraticProgram) -> LeastDistance | None:
        """Return the reduced problem, or None; the next call overwrites it.

        None if a number is not finite, if the equalities or the cost are singular, or if
        an eliminated variable violates its bounds.
        """
        if problem is not self._problem:
            self._attach(problem)
        found, count = self._write(problem.equalities)
        if found < 0:
            return None
        view = self._views.get((found, count))
        return self._view(found, count) if view is None else view

    def _view(self, found: int, count: int) -> LeastDistance:
        """Return the arrays of so many rows and variables; they are made once."""
        work = self._work
        view = self._views[found, count] = LeastDistance(
            np.eye(count),
            np.zeros(count),
            work["rows"][: found * count].reshape(found, count),
            work["upper"][:found],
            work["lower"][:found],
            np.zeros(found, dtype=np.int32),
        )
        return view

    def expand(self, z: Floats) -> Floats | None:
        """Return the solution of the whole problem, or None if it is not finite."""
        self._z[: z.size] = z
        return self._x.copy() if self._expand(self._bounded, z.size) else None
