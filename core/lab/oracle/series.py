"""The dynamics filter's series in the paper's own form: dense equations, and their integral.

Equations 5 to 16 give the motion of term i in closed form,

    x_i(t) = p_i(t) + A_i cosh λ_i t + B_i sinh λ_i t,

with p_i linear in time; without a force it is a straight line. Places and velocities of
neighbouring terms are equal, the first is the state now and the last is at rest over the feet.
That is a linear system in all A, B and ZMPs at once, with as many equations as the paper writes,
while `core.plants.dynamics_filter.terms` eliminates term by term.
"""

import math
from dataclasses import dataclass

import numpy as np

from core.plants.dynamics_filter.plan import Plan
from core.plants.dynamics_filter.terms import (
    DURATION,
    NEXT_SHARE,
    PHASE,
    SHARE,
    SMALL,
    SQUARE,
    VX,
    VY,
    X,
    Y,
)
from devices.interface import Floats

STATE = ((X, VX), (Y, VY))  # columns of each axis in the table of terms


@dataclass(frozen=True, slots=True, eq=False)
class Series:
    """The terms of a plan.

    Attributes:
        durations: of the terms (m) [s].
        rates: λ of the terms (m) [1/s]; 0: no force.
        phases: index of the phase of each term (m).
        shares: share of the phase at the begin and at the end of each term (m, 2).
        pressures: p₀ … p_N (n + 1, 2) [m].
    """

    durations: Floats
    rates: Floats
    phases: Floats
    shares: Floats
    pressures: Floats

    @classmethod
    def of(cls, plan: Plan) -> "Series":
        """Return the series of a plan."""
        table = plan.table[: plan.count]
        weak = table[:, SQUARE] * table[:, DURATION] ** 2 < SMALL
        rates = np.sqrt(np.where(weak, 0.0, table[:, SQUARE]))
        shares = table[:, [SHARE, NEXT_SHARE]]
        return cls(table[:, DURATION], rates, table[:, PHASE].astype(int), shares, plan.pressures)

    def zmp(self, term: int) -> Floats:
        """Return the ZMP at the begin and at the end of a term (2, 2) [m]."""
        first, last = self.pressures[self.phases[term]], self.pressures[self.phases[term] + 1]
        share = self.shares[term][:, None]
        points: Floats = (1.0 - share) * first + share * last
        return points


def dense(series: Series, start: Floats, end: Floats) -> tuple[Floats, Floats]:
    """Return the equations of one axis: rows (A₁, B₁, …, A_m, B_m, p₁, …, p_N) = right sides.

    Args:
        series: its own pressures count only for p₀.
        start: position and velocity now (2), and p₀: (3).
        end: position and velocity at the end (2).
    """
    m, n = series.durations.size, len(series.pressures) - 1
    size = 2 * m + n
    rows, sides = np.zeros((2 * m + 2, size)), np.zeros(2 * m + 2)
    p0 = start[2]
    for i in range(m):
        value, slope, pressure, drift = _ends(series, i)
        # The state at the begin of the term: that of the start, or of the end of the one before.
        for row, (own, zmp) in enumerate(((value[0], pressure[0]), (slope[0], drift))):
            at = 2 * i + row
            rows[at, 2 * i : 2 * i + 2] += own
            _add(rows, sides, at, zmp, series.phases[i], m, p0)
            if i == 0:
                sides[at] += start[row]
        if i + 1 < m:
            for row, (own, zmp) in enumerate(((value[1], pressure[1]), (slope[1], drift))):
                at = 2 * (i + 1) + row
                rows[at, 2 * i : 2 * i + 2] -= own
                _add(rows, sides, at, -zmp, series.phases[i], m, p0)
        else:
            for row, (own, zmp) in enumerate(((value[1], pressure[1]), (slope[1], drift))):
                at = 2 * m + row
                rows[at, 2 * i : 2 * i + 2] += own
                _add(rows, sides, at, zmp, series.phases[i], m, p0)
                sides[at] += end[row]
    return rows, sides


def _ends(series: Series, i: int) -> tuple[Floats, Floats, Floats, Floats]:
    """Return how A and B of a term count in its place and velocity at both ends, and how its ZMPs.

    Returns:
        Factors of (A, B) in the place at begin and end (2, 2), in the velocity (2, 2), factors of
        the phase's two pressures in the place at begin and end (2, 2), and in the velocity (2).
    """
    t, rate = float(series.durations[i]), float(series.rates[i])
    if rate == 0.0:
        straight = np.array(((1.0, 0.0), (1.0, t)))
        return straight, np.array(((0.0, 1.0), (0.0, 1.0))), np.zeros((2, 2)), np.zeros(2)
    c, s = math.cosh(rate * t), math.sinh(rate * t)
    share = series.shares[i]
    pressure = np.stack((1.0 - share, share), axis=1)
    drift = np.array((-1.0, 1.0)) * (share[1] - share[0]) / t
    value = np.array(((1.0, 0.0), (c, s)))
    return value, rate * np.array(((0.0, 1.0), (s, c))), pressure, drift


def _add(
    rows: Floats, sides: Floats, at: int, factors: Floats, phase: int, terms: int, p0: float
) -> None:
    """Add a phase's two pressures to a row; that before the first phase is known."""
    if phase == 0:
        sides[at] -= factors[0] * p0
    else:
        rows[at, 2 * terms + phase - 1] += factors[0]
    rows[at, 2 * terms + phase] += factors[1]


def coefficients(series: Series, plan: Plan, axis: int) -> Floats:
    """Return A and B of every term by the states of a plan's table (2 m)."""
    out = np.empty(2 * series.durations.size)
    place, speed = STATE[axis]
    for i in range(series.durations.size):
        x, v = float(plan.table[i, place]), float(plan.table[i, speed])
        rate, zmp = float(series.rates[i]), series.zmp(i)[:, axis]
        if rate == 0.0:
            out[2 * i : 2 * i + 2] = x, v
        else:
            drift = (zmp[1] - zmp[0]) / float(series.durations[i])
            out[2 * i : 2 * i + 2] = x - zmp[0], (v - drift) / rate
    return out


def residual(plan: Plan, end: Floats) -> float:
    """Return the largest error of a plan in the dense equations, by the size of their terms.

    The last two, of the end, are left out: a rounding error at the start grows a hundred thousand
    times until there, as every motion does, and `integrate` shows its size.

    Args:
        plan: a plan without slack.
        end: place at which the CoM comes to rest (2) [m].
    """
    series, worst = Series.of(plan), 0.0
    for axis, (place, speed) in enumerate(STATE):
        start = np.array((plan.table[0, place], plan.table[0, speed], plan.pressures[0, axis]))
        rows, sides = dense(series, start, np.array((end[axis], 0.0)))
        x = np.concatenate((coefficients(series, plan, axis), plan.pressures[1:, axis]))
        scale = np.maximum(1.0, np.abs(rows) @ np.abs(x) + np.abs(sides))
        worst = max(worst, float((np.abs(rows @ x - sides) / scale)[:-2].max()))
    return worst


def integrate(plan: Plan, steps: int = 16) -> Floats:
    """Return place and velocity at the end of a plan by Runge-Kutta 4 of ẍ = λ² (x − p) (2, 2).

    In extended precision: from its start the motion grows by cosh of a few λ T.

    Args:
        plan: to be integrated from its start.
        steps: of a term.
    """
    series, table = Series.of(plan), plan.table
    wide = np.longdouble
    x = np.array([table[0, place] for place, _ in STATE], dtype=wide)
    v = np.array([table[0, speed] for _, speed in STATE], dtype=wide)
    pressures = plan.pressures.astype(wide)
    for i in range(series.durations.size):
        square, t = wide(table[i, SQUARE]), wide(table[i, DURATION])
        if series.rates[i] == 0.0:
            x = x + t * v
            continue
        first, last = pressures[series.phases[i]], pressures[series.phases[i] + 1]
        share = series.shares[i].astype(wide)
        begin, way = first + share[0] * (last - first), (share[1] - share[0]) * (last - first)
        h = t / steps
        for k in range(steps):
            p0 = begin + way * (wide(k) / steps)
            pm = begin + way * ((wide(k) + wide(0.5)) / steps)
            p1 = begin + way * ((wide(k) + 1) / steps)
            a1 = square * (x - p0)
            a2 = square * (x + h / 2 * v - pm)
            a3 = square * (x + h / 2 * v + h * h / 4 * a1 - pm)
            a4 = square * (x + h * v + h * h / 2 * a2 - p1)
            x = x + h * v + h * h / 6 * (a1 + a2 + a3)
            v = v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
    found: Floats = np.stack((x, v), axis=1).astype(np.float64)
    return found


def least(plan: Plan, end: Floats) -> tuple[Floats, Floats]:
    """Return the ZMPs and shifts of footsteps by the KKT system of the dense equations, unbounded.

    The objective is that of the plan: Σ |p − p̄ − S δ|² + Σ w |δ|². A plan that has reached no
    bound has this solution.

    Args:
        plan: whose series, presets, weights and start are taken.
        end: where the CoM comes to rest, without shifts (2) [m].
    """
    series, knots = Series.of(plan), plan.knots
    m, n, k = series.durations.size, len(plan.pressures) - 1, knots.yaws.size
    points, shifts = np.empty((n, 2)), np.empty((k, 2))
    free = 2 * m
    size = free + n + k
    pick = np.zeros((n, size))  # p − S δ
    pick[:, free : free + n] = np.eye(n)
    pick[:, free + n :] = -knots.follows
    move = np.zeros((k, size))
    move[:, free + n :] = np.eye(k)
    hessian = pick.T @ pick + move.T @ (knots.weights[:, None] * move)
    held = np.flatnonzero(knots.held > 0.0)
    for axis, (place, speed) in enumerate(STATE):
        start = np.array((plan.table[0, place], plan.table[0, speed], plan.pressures[0, axis]))
        rows, sides = dense(series, start, np.array((end[axis], 0.0)))
        rows = np.hstack((rows, np.zeros((rows.shape[0], k))))
        rows[2 * m, free + n :] = -knots.end_follows
        rows = np.vstack((rows, pick[held]))
        sides = np.concatenate((sides, knots.places[held, axis]))
        count = rows.shape[0]
        kkt = np.block([[hessian, rows.T], [rows, np.zeros((count, count))]])
        gradient = pick.T @ knots.places[:, axis]
        found = np.linalg.solve(kkt, np.concatenate((gradient, sides)))
        points[:, axis] = found[free : free + n]
        shifts[:, axis] = found[free + n : size]
    return points, shifts
