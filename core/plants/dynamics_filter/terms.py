"""The series of the dynamics filter: terms of constant λ, and their transition (kernels).

Equations 5 to 16 of the paper give the motion of a term in closed form. λ² is the mean vertical
acceleration, gravity included, by the mean height over the term: the paper's √(g / z) neglects
the vertical acceleration, which leaves 20 % of the stance of a run unexplained. A flight is the
term without λ.
"""

import math

import numpy as np

from core.compiled import compiled
from core.constants import GRAVITY
from core.plants.dynamics_filter.vertical import height_at
from devices.interface import Floats

SMALL = 1e-10  # of λ² T²; below it the term is a motion without force
DURATION, SQUARE, BEGIN, SHARE, NEXT_SHARE, PHASE, X, VX, Y, VY, STEP = range(11)
"""Columns of the table of terms: duration [s], λ² [1/s²], begin [s], shares of the phase at its
ends, index of the phase, the horizontal state at its begin [m], [m/s], and its transition (8)."""
COLUMNS = STEP + 8


@compiled
def transition(square: float, t: float, out: Floats) -> None:
    """Write Φ, Γ₀ and Γ₁ of a term, side by side (2, 4).

    The state is position and velocity; the pressure moves linearly from p₀ to p₁:
    s(T) = Φ s(0) + Γ₀ p₀ + Γ₁ p₁.

    Args:
        square: λ² [1/s²].
        t: duration [s].
        out: columns Φ, Γ₀, Γ₁.
    """
    if square * t * t < SMALL:
        out[0, 0], out[0, 1], out[1, 0], out[1, 1] = 1.0, t, 0.0, 1.0
        out[0, 2] = out[0, 3] = out[1, 2] = out[1, 3] = 0.0
        return
    rate = math.sqrt(square)
    c, s = math.cosh(rate * t), math.sinh(rate * t)
    out[0, 0], out[0, 1], out[1, 0], out[1, 1] = c, s / rate, rate * s, c
    out[0, 2], out[1, 2] = -c + s / (rate * t), -rate * s - (1.0 - c) / t
    out[0, 3], out[1, 3] = 1.0 - s / (rate * t), (1.0 - c) / t


@compiled
def lay_terms(
    durations: Floats,
    flights: Floats,
    heights: Floats,
    table: Floats,
    effect: Floats,
    term_s: float,
    rate: float,
) -> int:
    """Write the table of terms without states, and the effect of the pressure on the end.

    s_N = Φ s₀ + G p with the pressures p₀ … p_N at the begin and at the ends of the phases.

    Args:
        durations: of the phases (n) [s].
        flights: 1 for a flight, else 0 (n).
        heights: polynomial of each phase (n, 6).
        table: output (m, COLUMNS).
        effect: output, Φ and G side by side (2, 2 + n + 1).
        term_s: longest term [s].
        rate: λ of every stance [1/s]; 0: by the vertical motion.

    Returns:
        The number of terms; -1 if the table is too short.
    """
    effect[:] = 0.0
    effect[0, 0] = effect[1, 1] = 1.0
    step = np.empty((2, 4))
    count, begin_s = 0, 0.0
    for i in range(durations.size):
        parts = 1 if flights[i] > 0.0 else max(1, math.ceil(durations[i] / term_s - 1e-6))
        t = durations[i] / parts
        polynomial = heights[i]
        z, v, _ = height_at(polynomial, 0.0)
        for k in range(parts):
            if count == table.shape[0]:
                return -1
            half, _, _ = height_at(polynomial, (k + 0.5) * t)
            end, end_v, _ = height_at(polynomial, (k + 1.0) * t)
            square = 0.0
            if flights[i] == 0.0:
                mean_height = (z + 4.0 * half + end) / 6.0
                square = max(0.0, ((end_v - v) / t + GRAVITY) / mean_height)
                if rate > 0.0:
                    square = rate * rate
            row = table[count]
            share, following = k / parts, (k + 1.0) / parts
            row[DURATION], row[SQUARE], row[BEGIN] = t, square, begin_s + k * t
            row[SHARE], row[NEXT_SHARE], row[PHASE] = share, following, i
            transition(square, t, step)
            for j in range(4):
                row[STEP + j], row[STEP + 4 + j] = step[0, j], step[1, j]
            for j in range(2 + i + 2):
                a, b = effect[0, j], effect[1, j]
                effect[0, j] = step[0, 0] * a + step[0, 1] * b
                effect[1, j] = step[1, 0] * a + step[1, 1] * b
            for r in range(2):
                first = step[r, 2] * (1.0 - share) + step[r, 3] * (1.0 - following)
                second = step[r, 2] * share + step[r, 3] * following
                effect[r, 2 + i] += first
                effect[r, 2 + i + 1] += second
            z, v = end, end_v
            count += 1
        begin_s += durations[i]
    return count


@compiled
def fill_states(table: Floats, count: int, pressures: Floats, start: Floats) -> None:
    """Write the state at the begin of every term.

    Args:
        table: of `lay_terms`, in place.
        count: terms; the row after them is the end.
        pressures: p₀ … p_N (n + 1, 2) [m].
        start: rows x and y, position and velocity (2, 2).
    """
    x, vx, y, vy = start[0, 0], start[0, 1], start[1, 0], start[1, 1]
    for k in range(count + 1):
        row = table[k]
        row[X], row[VX], row[Y], row[VY] = x, vx, y, vy
        if k == count:
            break
        i, share, following = int(row[PHASE]), row[SHARE], row[NEXT_SHARE]
        px, py = pressures[i, 0], pressures[i, 1]
        wx, wy = pressures[i + 1, 0] - px, pressures[i + 1, 1] - py
        ax, bx = px + share * wx, px + following * wx
        ay, by = py + share * wy, py + following * wy
        of_x, of_v, of_p, of_q = row[STEP], row[STEP + 1], row[STEP + 2], row[STEP + 3]
        to_x, to_v, to_p, to_q = row[STEP + 4], row[STEP + 5], row[STEP + 6], row[STEP + 7]
        x, vx = (
            of_x * x + of_v * vx + of_p * ax + of_q * bx,
            to_x * x + to_v * vx + to_p * ax + to_q * bx,
        )
        y, vy = (
            of_x * y + of_v * vy + of_p * ay + of_q * by,
            to_x * y + to_v * vy + to_p * ay + to_q * by,
        )


@compiled
def state_at(
    table: Floats,
    count: int,
    pressures: Floats,
    heights: Floats,
    first: int,
    t: float,
    motion: Floats,
    pressure: Floats,
) -> int:
    """Write the CoM's motion and the pressure at a time, and return the index of the term.

    Args:
        table: terms with their states.
        count: of the terms.
        pressures: p₀ … p_N (n + 1, 2) [m].
        heights: polynomial of each phase (n, 6).
        first: index of a term that begins before.
        t: time since the begin of the plan [s].
        motion: output: position, velocity and acceleration of the CoM (3, 3).
        pressure: output (2) [m].
    """
    k = first
    while k + 1 < count and t >= table[k + 1, BEGIN]:
        k += 1
    row = table[k]
    tau = min(max(0.0, t - row[BEGIN]), row[DURATION])
    i = int(row[PHASE])
    share = row[SHARE] + (row[NEXT_SHARE] - row[SHARE]) * tau / row[DURATION]
    step = np.empty((2, 4))
    square = row[SQUARE]
    if tau * tau * square < SMALL:
        step[:] = 0.0
        step[0, 0], step[0, 1], step[1, 1] = 1.0, tau, 1.0
    else:
        transition(square, tau, step)
    for axis in range(2):
        start, way = pressures[i, axis], pressures[i + 1, axis] - pressures[i, axis]
        p, p_now = start + row[SHARE] * way, start + share * way
        x, v = row[X + 2 * axis], row[VX + 2 * axis]
        motion[0, axis] = step[0, 0] * x + step[0, 1] * v + step[0, 2] * p + step[0, 3] * p_now
        motion[1, axis] = step[1, 0] * x + step[1, 1] * v + step[1, 2] * p + step[1, 3] * p_now
        motion[2, axis] = square * (motion[0, axis] - p_now)
        pressure[axis] = p_now
    begin = row[BEGIN] - row[SHARE] / max(1e-12, row[NEXT_SHARE] - row[SHARE]) * row[DURATION]
    z, vz, az = height_at(heights[i], row[BEGIN] + tau - begin)
    motion[0, 2], motion[1, 2], motion[2, 2] = z, vz, az
    return k
