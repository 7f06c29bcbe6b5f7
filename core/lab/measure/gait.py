"""A gait in a record: touchdowns, whole cycles, and their mean velocities.

A foot is down from the tick on which its vertical ground force exceeds 50 N until it falls
below 10 N. A gait cycle lasts from one touchdown of the left foot to the next: two steps. The
mean velocity of a cycle is the way of the true centre of mass in it by its duration, in the
heading frame of the torso's mean yaw in that cycle. A step lasts from one touchdown of either foot
to the next of either foot, and its mean velocity is found likewise.
"""

import math
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from core.lab.rehearsal import Rows
from core.plants.biped.walk.pendulum import natural_frequency
from devices.interface import Bools, Floats

Ints: TypeAlias = npt.NDArray[np.int64]

DOWN_FORCE = 50.0  # [N]
UP_FORCE = 10.0  # [N]
SHORTEST_CYCLE_S = 0.3  # a bounce is no step


@dataclass(frozen=True, slots=True)
class Cycles:
    """Whole gait cycles.

    Attributes:
        start_s: of each cycle (n) [s].
        duration_s: of each (n) [s].
        velocity: mean velocity forward and to the left (n, 2) [m/s].
        yaw_rate: mean turning rate (n) [rad/s].
    """

    start_s: Floats
    duration_s: Floats
    velocity: Floats
    yaw_rate: Floats

    def mean(self) -> Floats:
        """Return the mean forward, sideways and turning velocity over all cycles (3)."""
        if not self.duration_s.size:
            return np.full(3, np.nan)
        rates = np.column_stack((self.velocity, self.yaw_rate))
        found: Floats = np.average(rates, axis=0, weights=self.duration_s)
        return found

    def within(self, start_s: float, end_s: float) -> "Cycles":
        """Return the cycles that lie wholly between two times [s]."""
        chosen = (self.start_s >= start_s) & (self.start_s + self.duration_s <= end_s)
        return Cycles(
            self.start_s[chosen],
            self.duration_s[chosen],
            self.velocity[chosen],
            self.yaw_rate[chosen],
        )


def down(force: Floats) -> Bools:
    """Return whether a foot is down, from its vertical force (k) [N]."""
    told = np.where(force > DOWN_FORCE, 1, np.where(force < UP_FORCE, 0, -1))
    last = np.maximum.accumulate(np.where(told >= 0, np.arange(force.size), 0))
    found: Bools = told[last] == 1
    return found


def touchdowns(force: Floats) -> Ints:
    """Return the ticks at which a foot comes down, from its vertical force (k) [N]."""
    return np.flatnonzero(np.diff(down(force).astype(np.int8)) > 0) + 1


def vertical_force(rows: Rows, side: int) -> Floats:
    """Return the true vertical force of the ground on the left (0) or right (1) foot (k) [N]."""
    force: Floats = rows["contact_force_true"][:, side, :, 2].sum(axis=1)
    return force


def cycles(rows: Rows) -> Cycles:
    """Return the whole gait cycles of a record."""
    return _from_touchdowns(rows, touchdowns(vertical_force(rows, 0)), SHORTEST_CYCLE_S)


def steps(rows: Rows) -> Cycles:
    """Return the whole steps of a record, in the place of cycles."""
    both = [touchdowns(vertical_force(rows, side)) for side in (0, 1)]
    return _from_touchdowns(rows, np.sort(np.concatenate(both)), 0.5 * SHORTEST_CYCLE_S)


def _from_touchdowns(rows: Rows, starts: Ints, shortest_s: float) -> Cycles:
    t = rows["t"]
    starts = starts[np.diff(t[starts], prepend=-np.inf) > shortest_s]
    if starts.size < 2:
        empty = np.zeros(0)
        return Cycles(empty, empty, np.zeros((0, 2)), empty)
    yaw = np.unwrap(rows["rpy_true"][:, 2].astype(float))
    return _between(t, rows["com_true"].astype(float), yaw, starts)


def _between(t: Floats, com: Floats, yaw: Floats, starts: Ints) -> Cycles:
    duration = np.diff(t[starts])
    way = np.diff(com[starts, :2], axis=0)
    sums = np.add.reduceat(yaw, starts)[:-1] / np.diff(starts)
    cos, sin = np.cos(sums), np.sin(sums)
    forward = (cos * way[:, 0] + sin * way[:, 1]) / duration
    left = (cos * way[:, 1] - sin * way[:, 0]) / duration
    return Cycles(
        t[starts[:-1]], duration, np.column_stack((forward, left)), np.diff(yaw[starts]) / duration
    )


def forward_velocity(rows: Rows) -> Floats:
    """Return the true forward velocity of the centre of mass, tick by tick (k) [m/s]."""
    yaw = rows["rpy_true"][:, 2].astype(float)
    velocity = rows["com_velocity_true"].astype(float)
    found: Floats = np.cos(yaw) * velocity[:, 0] + np.sin(yaw) * velocity[:, 1]
    return found


def ripple(speed: float, step_s: float, height: float) -> float:
    """Return the mean deviation from its mean that a pendulum's speed has within a step [m/s].

    A periodic step of the linear inverted pendulum has the speed u(t) proportional to
    cosh(omega t), t from -T/2 to T/2: no controller of footsteps can have less.
    """
    half = 0.5 * natural_frequency(height) * step_s
    phase = np.linspace(-half, half, 4001)
    shape = np.cosh(phase) * half / math.sinh(half)
    return abs(speed) * float(np.abs(shape - 1.0).mean())
