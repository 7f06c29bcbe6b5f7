"""The pressure of a plan: knots near the middle of the soles that bring the CoM to rest (a QP).

Variables are the distance r of each knot from its place among the soles and the shift δ of each
footstep; a knot and its place move with their footsteps: p = p̄ + S δ + r. The paper (equation 17)
bounds neither; here a knot keeps to its soles and a footstep to its range.
"""

import math
from typing import Any

import daqp
import msgspec
import numpy as np

from core.compiled import compiled
from devices.interface import Floats

SLACK_WEIGHT = 1e6  # of the end's error where no pressure reaches the end
PASSES = 2  # of the closed form, the second of which removes the rounding error of the first
INSIDE = 1e-9  # tolerance of a bound [m]
EQUALITY, SOFT = 5, 0


class Knots(msgspec.Struct, frozen=True, eq=False):
    """Where the knots of a plan may lie; n knots, k footsteps.

    Attributes:
        places: middle of the soles among which each knot lies (n, 2) [m].
        axes: rows along which each knot's bounds count, by its distance from the place (n, 2, 2).
        bounds: largest distance in these rows (n, 2).
        held: 1 if a knot must be at its place, else 0 (n).
        follows: share of each footstep's shift in a knot's place (n, k).
        end_follows: the same in the end (k).
        yaws: heading of each footstep (k) [rad].
        weights: of each footstep's shift beside that of a knot (k).
        lowest, highest: shift of each footstep in its axes (k, 2) [m].
    """

    places: Floats
    axes: Floats
    bounds: Floats
    held: Floats
    follows: Floats
    end_follows: Floats
    yaws: Floats
    weights: Floats
    lowest: Floats
    highest: Floats


class Pressures(msgspec.Struct, frozen=True, eq=False):
    """The solution.

    Attributes:
        knots: p₁ … p_N (n, 2) [m].
        shifts: δ of the footsteps (k, 2) [m].
        bounded: a bound was reached.
        slack: largest error of the end that remains; 0: it is reached.
    """

    knots: Floats
    shifts: Floats
    bounded: bool
    slack: float


@compiled
def reduce_end(
    effect: Floats,
    start: Floats,
    first: Floats,
    end: Floats,
    places: Floats,
    held: Floats,
    follows: Floats,
    end_follows: Floats,
    weights: Floats,
    rows: Floats,
    rest: Floats,
) -> None:
    """Write the two equalities of the end: rows u = rest with u = (r, √weights δ).

    They are taken along the modes that grow and decay, and normalised.

    Args:
        effect: of the pressures on the end (2, 2 + n + 1).
        start: rows x and y, position and velocity (2, 2).
        first: pressure at the begin (2) [m].
        end: where the CoM comes to rest, without shifts (2) [m].
        places: see `Knots`, as the next three.
        held: a knot that must be at its place.
        follows: share of footsteps in the knots' places.
        end_follows: the same in the end.
        weights: see `Knots`.
        rows: output (2, n + k).
        rest: output (2, axes).
    """
    n, k = places.shape[0], end_follows.size
    size = n + k
    for row in range(2):
        for i in range(n):
            rows[row, i] = effect[row, 3 + i]
        for j in range(k):
            total = -end_follows[j] if row == 0 else 0.0
            for i in range(n):
                total += rows[row, i] * follows[i, j]
            rows[row, n + j] = total / math.sqrt(weights[j])
        for axis in range(2):
            value = end[axis] if row == 0 else 0.0
            value -= effect[row, 0] * start[axis, 0] + effect[row, 1] * start[axis, 1]
            value -= effect[row, 2] * first[axis]
            for i in range(n):
                value -= rows[row, i] * places[i, axis]
            rest[row, axis] = value
        for i in range(n):
            if held[i] > 0.0:
                rows[row, i] = 0.0
    rate = math.sqrt(effect[1, 0] / effect[0, 1]) if effect[1, 0] > 1e-6 else 1.0
    for column in range(size):
        a, b = rows[0, column], rows[1, column] / rate
        rows[0, column], rows[1, column] = a + b, a - b
    for axis in range(2):
        a, b = rest[0, axis], rest[1, axis] / rate
        rest[0, axis], rest[1, axis] = a + b, a - b
    for row in range(2):
        norm = 0.0
        for column in range(size):
            norm += rows[row, column] ** 2
        norm = 1.0 / math.sqrt(norm) if norm > 0.0 else 1.0
        for column in range(size):
            rows[row, column] *= norm
        for axis in range(2):
            rest[row, axis] *= norm


@compiled
def least_norm(rows: Floats, rest: Floats, weights: Floats, out: Floats) -> None:
    """Write the shortest u that satisfies the equalities, as r and δ (n + k, 2).

    Args:
        rows: left sides, of `reduce_end`.
        rest: right sides.
        weights: of the shifts, see `Knots`.
        out: output.
    """
    size = rows.shape[1]
    knots = size - weights.size
    a = b = d = 0.0
    for i in range(size):
        a += rows[0, i] * rows[0, i]
        b += rows[0, i] * rows[1, i]
        d += rows[1, i] * rows[1, i]
    determinant = a * d - b * b
    for axis in range(2):
        for i in range(size):
            out[i, axis] = 0.0
        for _ in range(PASSES):
            first, second = rest[0, axis], rest[1, axis]
            for i in range(size):
                first -= rows[0, i] * out[i, axis]
                second -= rows[1, i] * out[i, axis]
            x = (d * first - b * second) / determinant
            y = (a * second - b * first) / determinant
            for i in range(size):
                out[i, axis] += rows[0, i] * x + rows[1, i] * y
        for i in range(knots, size):
            out[i, axis] /= math.sqrt(weights[i - knots])


@compiled
def inside(
    solution: Floats,
    axes: Floats,
    bounds: Floats,
    held: Floats,
    yaws: Floats,
    lowest: Floats,
    highest: Floats,
) -> bool:
    """Return whether knots and shifts keep to their bounds; see `Knots`."""
    n = bounds.shape[0]
    for i in range(n):
        x, y = solution[i, 0], solution[i, 1]
        if held[i] > 0.0:
            continue
        for row in range(2):
            if abs(axes[i, row, 0] * x + axes[i, row, 1] * y) > bounds[i, row] + INSIDE:
                return False
    for j in range(yaws.size):
        c, s = math.cos(yaws[j]), math.sin(yaws[j])
        x, y = solution[n + j, 0], solution[n + j, 1]
        along, across = c * x + s * y, c * y - s * x
        if not (lowest[j, 0] - INSIDE <= along <= highest[j, 0] + INSIDE):
            return False
        if not (lowest[j, 1] - INSIDE <= across <= highest[j, 1] + INSIDE):
            return False
    return True


@compiled
def spread(places: Floats, follows: Floats, solution: Floats, out: Floats) -> None:
    """Write the pressures at the knots: p̄ + S δ + r (n, 2), see `Knots`."""
    n, k = follows.shape
    for i in range(n):
        for axis in range(2):
            shift = 0.0
            for j in range(k):
                shift += follows[i, j] * solution[n + j, axis]
            out[i, axis] = places[i, axis] + shift + solution[i, axis]


def solve(effect: Floats, start: Floats, first: Floats, end: Floats, knots: Knots) -> Pressures:
    """Return the pressure that brings the CoM to rest at the end.

    The closed form is the solution where no bound is reached; else DAQP solves the QP of both
    axes. If no pressure within the bounds reaches the end, its error is least, and told.

    Args:
        effect: of the pressures on the end (2, 2 + n + 1), see `lay_terms`.
        start: rows x and y, position and velocity (2, 2).
        first: pressure at the begin (2) [m].
        end: where the CoM comes to rest, without shifts (2) [m].
        knots: where the knots may lie.
    """
    n, k = knots.places.shape[0], knots.yaws.size
    rows, rest = np.empty((2, n + k)), np.empty((2, 2))
    reduce_end(
        effect,
        start,
        first,
        end,
        knots.places,
        knots.held,
        knots.follows,
        knots.end_follows,
        knots.weights,
        rows,
        rest,
    )
    solution = np.empty((n + k, 2))
    least_norm(rows, rest, knots.weights, solution)
    bounds = (knots.axes, knots.bounds, knots.held, knots.yaws, knots.lowest, knots.highest)
    slack, bounded = 0.0, not inside(solution, *bounds)
    if bounded:
        solution, slack = _solve_bounded(rows, rest, knots)
    points = np.empty((n, 2))
    spread(knots.places, knots.follows, solution, points)
    return Pressures(points, solution[n:], bounded, slack)


def _solve_bounded(rows: Floats, rest: Floats, knots: Knots) -> tuple[Floats, float]:
    """Return the QP's solution as r and δ (n + k, 2), and the largest error of the end."""
    room = (knots.bounds, knots.held, knots.lowest, knots.highest)
    inverse = _inverse_axes(knots.axes, knots.yaws)
    hessian, equalities = bounded_objective(rows, inverse, knots.weights)
    lowest, highest = limits(rest, *room)
    size = highest.size - 4
    sense = np.zeros(size + 4, dtype=np.int32)
    sense[size:] = EQUALITY
    problem = (hessian, np.zeros(size), equalities, highest, lowest, sense)
    x, _, flag, _ = daqp.solve(*problem)
    slack = 0.0
    if flag <= 0:
        x, slack = _solve_softened(problem)
    solution = np.empty((size // 2, 2))
    turn_back(inverse, np.asarray(x), solution)
    return solution, slack


def _inverse_axes(axes: Floats, yaws: Floats) -> Floats:
    """Return the inverse of the axes of the bounds, knots before footsteps (n + k, 2, 2)."""
    c, s = np.cos(yaws), np.sin(yaws)
    steps = np.stack((np.stack((c, -s), -1), np.stack((s, c), -1)), -2)
    return np.concatenate((np.linalg.inv(axes), steps))


@compiled
def bounded_objective(rows: Floats, inverse: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Return Hessian and equalities of both axes, in the axes of the bounds.

    Args:
        rows: of `reduce_end` (2, n + k).
        inverse: of these axes (n + k, 2, 2).
        weights: of the shifts (k).

    Returns:
        The Hessian (2 (n + k), 2 (n + k)), and the rows of x before those of y (4, 2 (n + k)).
    """
    places = inverse.shape[0]
    knots = places - weights.size
    hessian, equalities = np.zeros((2 * places, 2 * places)), np.empty((4, 2 * places))
    for i in range(places):
        weight = weights[i - knots] if i >= knots else 1.0
        scale = math.sqrt(weight)
        own = inverse[i]
        for b in range(2):
            for c in range(2):
                total = weight * own[0, b] * own[0, c] + weight * own[1, b] * own[1, c]
                hessian[2 * i + b, 2 * i + c] = total
            for axis in range(2):
                for row in range(2):
                    equalities[2 * axis + row, 2 * i + b] = rows[row, i] * scale * own[axis, b]
    return hessian, equalities


@compiled
def limits(
    rest: Floats, bounds: Floats, held: Floats, lowest: Floats, highest: Floats
) -> tuple[Floats, Floats]:
    """Return lowest and highest values: of the knots, of the shifts and of the equalities."""
    n, k = bounds.shape[0], lowest.shape[0]
    size = 2 * (n + k)
    low, high = np.empty(size + 4), np.empty(size + 4)
    for row in range(2):
        for i in range(n):
            room = 0.0 if held[i] > 0.0 else bounds[i, row]
            low[2 * i + row], high[2 * i + row] = -room, room
        for j in range(k):
            low[2 * (n + j) + row], high[2 * (n + j) + row] = lowest[j, row], highest[j, row]
        for axis in range(2):
            low[size + 2 * axis + row] = high[size + 2 * axis + row] = rest[row, axis]
    return low, high


@compiled
def turn_back(inverse: Floats, values: Floats, out: Floats) -> None:
    """Write values in the axes of the bounds (2 m or more) as places in the world (m, 2)."""
    for i in range(out.shape[0]):
        a, b = values[2 * i], values[2 * i + 1]
        for axis in range(2):
            out[i, axis] = inverse[i, axis, 0] * a + inverse[i, axis, 1] * b


def _solve_softened(problem: tuple[Any, ...]) -> tuple[Floats, float]:
    """Return the solution with the least error of the end, and this error."""
    hessian, gradient, equalities, highest, lowest, sense = problem
    size = gradient.size
    wide = np.zeros((size + 4, size + 4))
    wide[:size, :size] = hessian
    wide[range(size, size + 4), range(size, size + 4)] = SLACK_WEIGHT
    rows = np.hstack((equalities, np.eye(4)))
    free = np.full(4, 1e3)
    x, _, flag, _ = daqp.solve(
        wide,
        np.zeros(size + 4),
        rows,
        np.concatenate((highest[:size], free, highest[size:])),
        np.concatenate((lowest[:size], -free, lowest[size:])),
        np.concatenate((sense[:size], np.zeros(4, dtype=np.int32), sense[size:])),
    )
    solution = np.asarray(x)
    return solution, float(np.abs(solution[size:]).max()) if flag > 0 else math.inf
