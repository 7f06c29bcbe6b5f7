"""The plan of a piece: both its pressures, by a QP that weighs the performer and bounds the robot.

The paper weighs the pressures and the end's error. Here the pressures also keep to the feet, and
the end's mode that grows, ξ_T, keeps to the region that the next support can hold; without that
bound a motion diverges that the robot cannot do.
"""

import math
from dataclasses import dataclass, field

import daqp
import numpy as np

from core.compiled import compiled
from core.constants import GRAVITY
from core.retouch.piece import effects
from core.retouch.region import Region
from devices.interface import Floats

WEIGHT = 1e3  # of the end's squared errors, in metres, beside those of the pressures
SLACK_WEIGHT = (
    1e8  # of the squared distance of ξ_T from its region: it gives way only where it must
)
FREE = 1e30
S, P0, PT = 0, slice(1, 3), slice(3, 5)  # variables
SOLVED = 1  # least exit flag of a solution


@dataclass(frozen=True, slots=True, eq=False)
class Wish:
    """The end of a piece as the performer has it.

    Attributes:
        position: of the CoM (2) [m].
        velocity: of the CoM (2) [m/s].
        first: ZMP at the piece's start, within the region of the pressure then (2) [m].
        last: ZMP at its end, within the region then (2) [m].
    """

    position: Floats
    velocity: Floats
    first: Floats
    last: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Bounds:
    """The bounds of a piece.

    Attributes:
        first: of p₀: the feet before and now.
        last: of p_T: the feet now.
        end: of ξ_T: the feet that hold the robot next.
        half_planes: normals (m, 2) and bounds (m) [m] of all three.
    """

    first: Region
    last: Region
    end: Region
    half_planes: tuple[Floats, Floats] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Collect the half-planes."""
        regions = (self.first, self.last, self.end)
        normals = np.concatenate([region.normals for region in regions])
        limits = np.concatenate([region.bounds for region in regions])
        object.__setattr__(self, "half_planes", (normals, limits))

    @property
    def sizes(self) -> tuple[int, int, int]:
        """Numbers of half-planes of p₀, p_T and ξ_T."""
        return len(self.first.bounds), len(self.last.bounds), len(self.end.bounds)


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """A planned piece of the CoM's motion.

    Attributes:
        motion: rows x₀, ẋ₀, p₀, p_T as `core.retouch.piece.sample` reads them (4, 2).
        duration_s: [s].
        outside: distance of ξ_T from its region, where no pressure reaches it [m].
    """

    motion: Floats
    duration_s: float
    outside: float


class Planner:
    """Plans pieces for one robot.

    Args:
        omega: natural frequency of its pendulum [rad/s].
        alpha: rate of the pressure by the natural frequency.
    """

    def __init__(self, omega: float, alpha: float) -> None:
        self.omega, self.alpha = omega, alpha

    def plan(
        self, start: Floats, wish: Wish, bounds: Bounds | None, duration_s: float
    ) -> Piece | None:
        """Return the piece from a state; None if the solver finds none.

        Args:
            start: position [m] and velocity [m/s] of the CoM (2, 2).
            wish: its end.
            bounds: None: none, and no slack.
            duration_s: of the piece [s].
        """
        found = effects(self.omega, self.alpha, duration_s)
        ends = np.stack((wish.position, wish.velocity, wish.first, wish.last))
        hessian, gradient = np.zeros((5, 5)), np.zeros(5)
        _write_costs(found, self.omega, start, ends, hessian, gradient)
        if bounds is None:
            rows, upper = np.zeros((0, 5)), np.array([FREE])
        else:
            sizes = bounds.sizes
            rows, upper = np.zeros((sum(sizes), 5)), np.empty(1 + sum(sizes))
            _write_rows(found, self.omega, start, *bounds.half_planes, *sizes, rows, upper)
        lower = np.full(len(upper), -FREE)
        lower[S] = 0.0
        solution, _, flag, _ = daqp.solve(
            hessian, gradient, rows, upper, lower, np.zeros(len(upper), dtype=np.int32)
        )
        if flag < SOLVED or not np.isfinite(solution).all():
            return None
        motion = np.stack((start[0], start[1], solution[P0], solution[PT]))
        return Piece(motion, duration_s, float(solution[S]))


@compiled
def _write_costs(
    found: tuple[float, float, float, float, float],
    omega: float,
    start: Floats,
    ends: Floats,
    hessian: Floats,
    gradient: Floats,
) -> None:
    """Write the hessian (5, 5) and gradient (5) of the costs.

    Args:
        found: see `effects`.
        omega: natural frequency [rad/s].
        start: position and velocity of the CoM (2, 2).
        ends: rows of the wish (4, 2).
        hessian: output.
        gradient: output.
    """
    grows, decays, k, j, _ = found
    # x_T and ẋ_T / ω are half the sum and half the difference of the modes.
    x_first, v_first = 0.5 * (j - k), -0.5 * (k + j)
    xi_last, eta_last = 1.0 - grows + k, 1.0 - decays - j
    x_last, v_last = 0.5 * (xi_last + eta_last), 0.5 * (xi_last - eta_last)
    hessian[0, 0] = SLACK_WEIGHT
    for axis in range(2):
        rate = start[1, axis] / omega
        xi, eta = grows * (start[0, axis] + rate), decays * (start[0, axis] - rate)
        x_missing = 0.5 * (xi + eta) - ends[0, axis]
        v_missing = 0.5 * (xi - eta) - ends[1, axis] / omega
        first, last = 1 + axis, 3 + axis
        hessian[first, first] = WEIGHT * (x_first * x_first + v_first * v_first) + 1.0
        hessian[last, last] = WEIGHT * (x_last * x_last + v_last * v_last) + 1.0
        cross = WEIGHT * (x_first * x_last + v_first * v_last)
        hessian[first, last] = hessian[last, first] = cross
        gradient[first] = WEIGHT * (x_first * x_missing + v_first * v_missing) - ends[2, axis]
        gradient[last] = WEIGHT * (x_last * x_missing + v_last * v_missing) - ends[3, axis]


@compiled
def _write_rows(
    found: tuple[float, float, float, float, float],
    omega: float,
    start: Floats,
    normals: Floats,
    limits: Floats,
    of_first: int,
    of_last: int,
    of_end: int,
    rows: Floats,
    upper: Floats,
) -> None:
    """Write the rows (m, 5) of the bounds and their upper limits, behind that of s (1 + m).

    Args:
        found: see `effects`.
        omega: natural frequency [rad/s].
        start: position and velocity of the CoM (2, 2).
        normals: of all half-planes (m, 2).
        limits: of all half-planes (m) [m].
        of_first: number of those of p₀.
        of_last: number of those of p_T.
        of_end: number of those of ξ_T.
        rows: output.
        upper: output.
    """
    grows, _, k, _, _ = found
    upper[0] = FREE
    for i in range(of_first + of_last + of_end):
        x, y = normals[i, 0], normals[i, 1]
        upper[1 + i] = limits[i]
        if i < of_first:
            rows[i, 1], rows[i, 2] = x, y
        elif i < of_first + of_last:
            rows[i, 3], rows[i, 4] = x, y
        else:
            last = 1.0 - grows + k
            rows[i, 1], rows[i, 2], rows[i, 3], rows[i, 4] = -k * x, -k * y, last * x, last * y
            rows[i, 0] = -1.0
            free = x * (start[0, 0] + start[1, 0] / omega)
            free += y * (start[0, 1] + start[1, 1] / omega)
            upper[1 + i] -= grows * free


def natural_frequency(height: float, gravity: float = GRAVITY) -> float:
    """Return the natural frequency of a pendulum of a height [rad/s]."""
    return math.sqrt(gravity / height)
