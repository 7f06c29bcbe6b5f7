"""The plan of a piece: both its pressures, by a QP that weighs the performer and bounds the robot.

The paper weighs the pressures and the end's error. Here the pressures also keep to the feet, and
the end's mode that grows, ξ_T, keeps to the region that the next support can hold; without that
bound a motion diverges that the robot cannot do.
"""

import math
from dataclasses import dataclass

import daqp
import numpy as np

from core.retouch.piece import effect
from core.retouch.region import Region
from devices.interface import Floats

WEIGHT = 1e3  # of the end's squared errors, in metres, beside those of the pressures
SLACK_WEIGHT = 1e4  # of the squared distance of ξ_T from its region
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
    """

    first: Region
    last: Region
    end: Region


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
        hessian, gradient = self._costs(start, wish, duration_s)
        rows, upper = np.zeros((0, 5)), np.array([FREE])
        if bounds is not None:
            rows, limits = self._rows(start, bounds, duration_s)
            upper = np.concatenate((upper, limits))
        lower = np.full(len(upper), -FREE)
        lower[S] = 0.0
        found, _, flag, _ = daqp.solve(
            hessian, gradient, rows, upper, lower, np.zeros(len(upper), dtype=np.int32)
        )
        if flag < SOLVED or not np.isfinite(found).all():
            return None
        motion = np.stack((start[0], start[1], found[P0], found[PT]))
        return Piece(motion, duration_s, float(found[S]))

    def _costs(self, start: Floats, wish: Wish, duration_s: float) -> tuple[Floats, Floats]:
        """Return the hessian (5, 5) and gradient (5) of the costs."""
        found, omega = effect(self.omega, self.alpha, duration_s), self.omega
        of_first = np.array([-found.k, found.j])  # on ξ and η
        of_last = np.array([1.0 - found.grows + found.k, 1.0 - found.decays - found.j])
        free = self._free_modes(start, found.grows, found.decays)
        # x_T and ẋ_T / ω are half the sum and half the difference of the modes.
        halves = np.array([[0.5, 0.5], [0.5, -0.5]])
        effects = halves @ np.stack((of_first, of_last), axis=1)
        hessian, gradient = np.zeros((5, 5)), np.zeros(5)
        hessian[S, S] = SLACK_WEIGHT
        block = WEIGHT * effects.T @ effects + np.eye(2)
        for axis in range(2):
            missing = halves @ free[:, axis]
            missing -= (wish.position[axis], wish.velocity[axis] / omega)
            own = np.array([1 + axis, 3 + axis])
            hessian[np.ix_(own, own)] = block
            gradient[own] = WEIGHT * effects.T @ missing
            gradient[own] -= (wish.first[axis], wish.last[axis])
        return hessian, gradient

    def _rows(self, start: Floats, bounds: Bounds, duration_s: float) -> tuple[Floats, Floats]:
        """Return the rows (m, 5) of the bounds and their upper limits (m)."""
        found = effect(self.omega, self.alpha, duration_s)
        first, last, end = bounds.first, bounds.last, bounds.end
        sizes = (len(first.bounds), len(last.bounds), len(end.bounds))
        rows = np.zeros((sum(sizes), 5))
        a, b = sizes[0], sizes[0] + sizes[1]
        rows[:a, P0] = first.normals
        rows[a:b, PT] = last.normals
        rows[b:, P0] = -found.k * end.normals
        rows[b:, PT] = (1.0 - found.grows + found.k) * end.normals
        rows[b:, S] = -1.0
        free = self._free_modes(start, found.grows, found.decays)[0]
        return rows, np.concatenate((first.bounds, last.bounds, end.bounds - end.normals @ free))

    def _free_modes(self, start: Floats, grows: float, decays: float) -> Floats:
        """Return ξ and η at the end without pressures (2, 2)."""
        rate = start[1] / self.omega
        return np.stack((grows * (start[0] + rate), decays * (start[0] - rate)))


def natural_frequency(height: float, gravity: float = 9.81) -> float:
    """Return the natural frequency of a pendulum of a height [rad/s]."""
    return math.sqrt(gravity / height)
