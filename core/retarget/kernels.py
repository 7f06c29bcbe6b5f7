"""Machine code of retargeting: features of a chain, and least squares within its limits."""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.compiled import compiled
from devices.interface import Floats

MOST_STEPS = 12
"""Steps for a sample that follows another one."""
SETTLING_STEPS = 30
"""Steps for a sample that is solved anew."""
_WORTH = 0.01  # least gain in half the cost for which the path jumps


class Problem(NamedTuple):
    """A chain and its features, see `Chain` and `Features`; limits with their margin."""

    rotations: Floats
    offsets: Floats
    axes: Floats
    lower: Floats
    upper: Floats
    links: npt.NDArray[np.int64]
    vectors: Floats
    are_points: npt.NDArray[np.bool_]
    weights: Floats


class Work(NamedTuple):
    """Arrays of the solver: frames of the joints, and the linear system at two postures."""

    turns: Floats
    origins: Floats
    columns: Floats
    hessian: Floats
    hessian_tried: Floats
    factor: Floats
    gradient: Floats
    gradient_tried: Floats
    right: Floats
    step: Floats
    tried: Floats
    free: npt.NDArray[np.bool_]


def make_work(n: int) -> Work:
    """Return the solver's arrays for a chain of n joints."""
    square = (n, n)
    return Work(
        turns=np.zeros((n, 3, 3)),
        origins=np.zeros((n, 3)),
        columns=np.zeros((n, 3)),
        hessian=np.zeros(square),
        hessian_tried=np.zeros(square),
        factor=np.zeros(square),
        gradient=np.zeros(n),
        gradient_tried=np.zeros(n),
        right=np.zeros(n),
        step=np.zeros(n),
        tried=np.zeros(n),
        free=np.zeros(n, dtype=np.bool_),
    )


@compiled
def write_features(problem: Problem, work: Work, path: Floats, result: Floats) -> None:
    """Write the features in the base (k, m, 3) along a path (k, n)."""
    turns, origins = work.turns, work.origins
    for t in range(path.shape[0]):
        _place(problem, path[t], turns, origins)
        for f in range(problem.links.size):
            link = problem.links[f]
            for r in range(3):
                value = origins[link, r] if problem.are_points[f] else 0.0
                for k in range(3):
                    value += turns[link, r, k] * problem.vectors[f, k]
                result[t, f, r] = value


@compiled
def settle(
    problem: Problem, work: Work, targets: Floats, seeds: Floats, solved: Floats, costs: Floats
) -> None:
    """Write the solutions of samples (k, m, 3) from seeds (s, n): (k, s, n), and costs (k, s)."""
    for t in range(targets.shape[0]):
        for s in range(seeds.shape[0]):
            q = solved[t, s]
            q[:] = seeds[s]
            costs[t, s] = 2.0 * _improve(
                problem, work, targets[t], seeds[s], 0.0, SETTLING_STEPS, q
            )


@compiled
def follow_targets(
    problem: Problem,
    work: Work,
    targets: Floats,
    start: Floats,
    damping: float,
    way: Floats,
    every: int,
    path: Floats,
) -> None:
    """Write the path (k, n) that solves each sample from the one before.

    Args:
        problem: chain and features.
        work: arrays of the solver.
        targets: of the features (k, m, 3).
        start: the posture before the first sample (n).
        damping: weight of a step between samples.
        way: postures to which the path jumps if they are better (k // every, n).
        every: samples between them.
        path: the result (k, n).
    """
    q, before, tried = start.copy(), start.copy(), start.copy()
    for t in range(targets.shape[0]):
        least = math.inf
        before[:] = q
        for jump in range(2 if t % every == 0 else 1):
            if jump == 1:
                before[:] = way[t // every]
            tried[:] = before
            cost = _improve(problem, work, targets[t], before, damping, MOST_STEPS, tried)
            if jump == 0 or cost < least - _WORTH:
                least = cost
                q[:] = tried
        path[t] = q


@compiled
def _improve(
    problem: Problem,
    work: Work,
    target: Floats,
    before: Floats,
    damping: float,
    steps: int,
    q: Floats,
) -> float:
    """Improve a posture by damped Gauss-Newton steps within the limits; return half the cost."""
    n, tried, lift, cost = q.size, work.tried, 1e-6, math.inf
    tried[:] = q
    for number in range(steps + 1):
        new = _normal_equations(problem, work, target, before, damping, tried)
        if new <= cost:
            cost, lift = new, max(0.1 * lift, 1e-9)
            q[:] = tried
            work.hessian[:, :] = work.hessian_tried
            work.gradient[:] = work.gradient_tried
        else:
            lift = max(10.0 * lift, 1e-4)
        if number == steps:
            break
        for i in range(n):
            low = q[i] <= problem.lower[i] and work.gradient[i] > 0.0
            high = q[i] >= problem.upper[i] and work.gradient[i] < 0.0
            work.free[i] = not (low or high)
            work.right[i] = -work.gradient[i]
            for j in range(n):
                work.factor[i, j] = work.hessian[i, j]
            work.factor[i, i] += lift
        _solve(work.factor, work.right, work.free, work.step)
        largest = 0.0
        for i in range(n):
            tried[i] = min(max(q[i] + work.step[i], problem.lower[i]), problem.upper[i])
            largest = max(largest, abs(tried[i] - q[i]))
        if largest < 1e-7:
            break
    return cost


@compiled
def _place(problem: Problem, q: Floats, turns: Floats, origins: Floats) -> None:
    """Write the joints' frames in the base: axes (n, 3, 3) and origins (n, 3)."""
    for i in range(q.size):
        rotation, offset = problem.rotations[i], problem.offsets[i]
        x, y, z = problem.axes[i, 0], problem.axes[i, 1], problem.axes[i, 2]
        c, s = math.cos(q[i]), math.sin(q[i])
        d = 1.0 - c
        for r in range(3):
            a, b, e = rotation[r, 0], rotation[r, 1], rotation[r, 2]
            origins[i, r] = offset[r]
            if i > 0:
                a, b, e = 0.0, 0.0, 0.0
                origins[i, r] = origins[i - 1, r]
                for k in range(3):
                    turn = turns[i - 1, r, k]
                    origins[i, r] += turn * offset[k]
                    a += turn * rotation[k, 0]
                    b += turn * rotation[k, 1]
                    e += turn * rotation[k, 2]
            turns[i, r, 0] = a * (c + x * x * d) + b * (x * y * d + z * s) + e * (x * z * d - y * s)
            turns[i, r, 1] = a * (x * y * d - z * s) + b * (c + y * y * d) + e * (y * z * d + x * s)
            turns[i, r, 2] = a * (x * z * d + y * s) + b * (y * z * d - x * s) + e * (c + z * z * d)


@compiled
def _normal_equations(
    problem: Problem,
    work: Work,
    target: Floats,
    before: Floats,
    damping: float,
    q: Floats,
) -> float:
    """Write JᵀWJ (n, n) and JᵀWr (n) at q, as those tried; return half the cost."""
    hessian, gradient = work.hessian_tried, work.gradient_tried
    n, turns, origins, columns = q.size, work.turns, work.origins, work.columns
    _place(problem, q, turns, origins)
    cost = 0.0
    for i in range(n):
        step = q[i] - before[i]
        gradient[i] = damping * step
        cost += 0.5 * damping * step * step
        for j in range(n):
            hessian[i, j] = damping if i == j else 0.0
    for f in range(problem.links.size):
        link, weight, point = problem.links[f], problem.weights[f], problem.are_points[f]
        x, y, z = 0.0, 0.0, 0.0
        for k in range(3):
            x += turns[link, 0, k] * problem.vectors[f, k]
            y += turns[link, 1, k] * problem.vectors[f, k]
            z += turns[link, 2, k] * problem.vectors[f, k]
        if point:
            x, y, z = x + origins[link, 0], y + origins[link, 1], z + origins[link, 2]
        ex, ey, ez = x - target[f, 0], y - target[f, 1], z - target[f, 2]
        cost += 0.5 * weight * (ex * ex + ey * ey + ez * ez)
        for i in range(link + 1):
            ax, ay, az = 0.0, 0.0, 0.0
            for k in range(3):
                ax += turns[i, 0, k] * problem.axes[i, k]
                ay += turns[i, 1, k] * problem.axes[i, k]
                az += turns[i, 2, k] * problem.axes[i, k]
            px, py, pz = x, y, z
            if point:
                px, py, pz = x - origins[i, 0], y - origins[i, 1], z - origins[i, 2]
            columns[i, 0] = ay * pz - az * py
            columns[i, 1] = az * px - ax * pz
            columns[i, 2] = ax * py - ay * px
            gradient[i] += weight * (columns[i, 0] * ex + columns[i, 1] * ey + columns[i, 2] * ez)
            for j in range(i + 1):
                value = 0.0
                for k in range(3):
                    value += columns[i, k] * columns[j, k]
                hessian[i, j] += weight * value
                if i != j:
                    hessian[j, i] += weight * value
    return cost


@compiled
def _solve(matrix: Floats, right: Floats, free: npt.NDArray[np.bool_], result: Floats) -> None:
    """Write the solution of a positive definite system in its free unknowns; the others are 0.

    The matrix is overwritten by its Cholesky factor.
    """
    n = right.size
    for i in range(n):
        for j in range(i + 1):
            if free[i] and free[j]:
                value = matrix[i, j]
                for k in range(j):
                    if free[k]:
                        value -= matrix[i, k] * matrix[j, k]
                if i == j:
                    matrix[i, i] = math.sqrt(max(value, 1e-15))
                else:
                    matrix[i, j] = value / matrix[j, j]
    for i in range(n):
        value = right[i] if free[i] else 0.0
        for k in range(i):
            if free[i] and free[k]:
                value -= matrix[i, k] * result[k]
        result[i] = value / matrix[i, i] if free[i] else 0.0
    for i in range(n - 1, -1, -1):
        value = result[i]
        for k in range(i + 1, n):
            if free[i] and free[k]:
                value -= matrix[k, i] * result[k]
        result[i] = value / matrix[i, i] if free[i] else 0.0
