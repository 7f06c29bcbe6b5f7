"""State estimators that run beside the active one, and their references."""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pinocchio as pin

from core.lab.experiment import Figures
from core.plants.biped.plant import biped_of
from core.plants.biped.sense.estimator import StateEstimator
from core.plants.biped.sense.invariant_filter import CONTACTS, DIM, POSITION, ROTATION, VELOCITY
from core.tick.performer import Performer
from devices.interface import Floats, Sample

COVERAGE_PERIOD_S = 0.01
SIGMAS = (3.0, 1.0)
MOVED_YAW = 1.0  # [rad]
MOVED_ORIGIN = (3.0, -2.0, 0.5)  # [m]


def rms(values: Floats) -> float:
    """Return the root of the mean square."""
    return float(np.sqrt(np.mean(values**2))) if values.size else math.nan


def heading_velocity(velocity: Floats, yaw: Floats) -> Floats:
    """Return velocities (k, 3) in the frame that has the yaws (k) [rad]."""
    cos, sin = np.cos(yaw), np.sin(yaw)
    x, y = velocity[:, 0], velocity[:, 1]
    return np.column_stack((cos * x + sin * y, cos * y - sin * x, velocity[:, 2]))


def skew(vector: Floats) -> Floats:
    """Return the matrix of the cross product with a vector (3, 3)."""
    x, y, z = vector.tolist()
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def adjoint(rotation: Floats, origin: Floats) -> Floats:
    """Return the effect of a change of world on the filter's right-invariant error (21, 21)."""
    found = np.eye(DIM)
    for block in (ROTATION, VELOCITY, POSITION, CONTACTS, CONTACTS + 3):
        found[block : block + 3, block : block + 3] = rotation
    for block in (POSITION, CONTACTS, CONTACTS + 3):
        found[block : block + 3, ROTATION : ROTATION + 3] = skew(origin) @ rotation
    return found


@dataclass
class Shadow:
    """An estimator that begins wrong, at a time, and is fed with the samples of the run.

    Attributes:
        body: has the true state.
        start_s: when it begins [s].
        tilt: rotation vector of its wrong tilt, in the world (3) [rad].
        speed: how wrong its velocity is (3) [m/s].
        world: rotation and origin of another world it lives in.
        estimator: the estimator, None before it begins.
        rows: t, velocity in the heading frame (3), roll, pitch; then the same of the truth.
    """

    body: Any
    start_s: float
    tilt: Floats
    speed: Floats
    world: tuple[Floats, Floats] | None = None
    estimator: StateEstimator | None = None
    rows: list[Floats] = field(default_factory=list)

    def follow(self, performer: Performer, sample: Sample) -> None:
        """Take in a sample that the one in charge has not seen yet."""
        if sample.stamp_s < self.start_s:
            return
        if self.estimator is None:
            self.estimator = self._begin(performer, sample)
        state, truth = self.estimator.update(sample), self.body.truth()
        pairs = (state.velocity_base_in_world, state.rpy), (truth.base_velocity, truth.base_rpy)
        parts = [np.array([sample.stamp_s])]
        for velocity, rpy in pairs:
            parts += [heading_velocity(velocity[None], rpy[2:])[0], rpy[:2]]
        self.rows.append(np.concatenate(parts))

    def _begin(self, performer: Performer, sample: Sample) -> StateEstimator:
        """Return an estimator that takes over from the one in charge, wrongly."""
        profile, right = performer.profile, biped_of(performer.plant).estimator.filter
        found = StateEstimator(profile, biped_of(performer.plant).model)
        found.rest(sample)  # so that it knows the time
        rotation, velocity = pin.exp3(self.tilt) @ right.rotation, right.velocity + self.speed
        position = right.position.copy()
        found.filter.reset(rotation, velocity, position)
        if self.world is not None:
            turn, origin = self.world
            mapped = adjoint(turn, origin)
            covariance = mapped @ found.filter.covariance @ mapped.T
            found.filter.reset(turn @ rotation, turn @ velocity, turn @ position + origin)
            found.filter.covariance[:] = covariance
        return found

    def errors(self, from_s: float) -> tuple[Floats, Floats]:
        """Return the errors of velocity (k, 3) [m/s], roll and pitch (k, 2) [°] from a time on."""
        table = np.array(self.rows)
        table = table[table[:, 0] >= from_s]
        difference = table[:, 1:6] - table[:, 6:11]
        return difference[:, :3], np.rad2deg(difference[:, 3:])


def wrong_starts(body: Any, start_s: float, tilt: float, speed: float) -> list[Shadow]:
    """Return shadows that lean and move wrongly toward each of four sides."""
    found = []
    for x, y in ((1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)):
        way = np.array([x, y, 0.0])
        found.append(Shadow(body, start_s, tilt * np.array([-y, x, 0.0]), speed * way))
    return found


@dataclass
class Alike:
    """Two wrong shadows in two worlds, whose errors shall be the same.

    Attributes:
        pair: the shadows.
        difference: largest difference so far, of any element of rotation, velocity, position.
    """

    pair: tuple[Shadow, Shadow]
    difference: float = 0.0

    def compare(self) -> None:
        """Look at both as they are now."""
        one, other = (shadow.estimator for shadow in self.pair)
        world = self.pair[1].world
        if one is None or other is None or world is None:
            return
        turn, origin = world
        a, b = one.filter, other.filter
        found = (
            np.abs(turn @ a.rotation - b.rotation).max(),
            np.abs(turn @ a.velocity - b.velocity).max(),
            np.abs(turn @ a.position + origin - b.position).max(),
        )
        self.difference = max(self.difference, *map(float, found))


def moved_alike(body: Any, start_s: float, tilt: float, speed: float) -> Alike:
    """Return a pair of wrong shadows, one of which lives in a turned and shifted world."""
    wrong = (np.array([0.0, tilt, 0.0]), np.array([speed, 0.0, 0.0]))
    world = (pin.rpy.rpyToMatrix(0.0, 0.0, MOVED_YAW), np.array(MOVED_ORIGIN))
    return Alike((Shadow(body, start_s, *wrong), Shadow(body, start_s, *wrong, world)))


@dataclass
class Witness:
    """Counts how often the errors of the active estimator lie within its covariance.

    Attributes:
        body: has the true state.
        start_s: from when on it counts [s].
    """

    body: Any
    start_s: float
    _truth: tuple[Floats, Floats, Floats] | None = None
    _inside: list[Floats] = field(default_factory=list)
    _tick: int = 0

    def __call__(self, performer: Performer) -> None:
        """Look at the last tick, whose truth was noted before it."""
        self._tick += 1
        if performer.plant.state.stamp_s >= self.start_s and self._truth is not None:
            self._inside.append(self._look(performer, *self._truth))
            self._truth = None
        elif self._tick % max(1, round(COVERAGE_PERIOD_S / performer.profile.tick_s)) == 0:
            self.body.read()
            truth = self.body.truth()
            arrays = truth.base_rpy, truth.base_velocity, truth.base_spin
            self._truth = (arrays[0].copy(), arrays[1].copy(), arrays[2].copy())

    def _look(self, performer: Performer, rpy: Floats, velocity: Floats, spin: Floats) -> Floats:
        """Return which of roll, pitch and the velocities lie within their 3σ, and 1σ (2, 5)."""
        believed = biped_of(performer.plant).estimator.filter
        rotation = pin.rpy.rpyToMatrix(rpy)
        imu = velocity + rotation @ np.cross(spin, biped_of(performer.plant).model.imu_in_base)
        error = believed.rotation @ rotation.T
        off = np.concatenate((pin.log3(error)[:2], believed.velocity - error @ imu))
        variance = np.diag(believed.covariance)
        sigma = np.sqrt(np.concatenate((variance[:2], variance[VELOCITY : VELOCITY + 3])))
        inside: Floats = np.array([np.abs(off) <= share * sigma for share in SIGMAS], dtype=float)
        return inside

    def coverage(self) -> Figures:
        """Return the shares: the least of the axes within 3σ, the mean of the axes within 1σ."""
        wide, narrow = np.array(self._inside or [np.full((2, 5), np.nan)]).mean(axis=0)
        return {
            "coverage_tilt": float(wide[:2].min()),
            "coverage_velocity": float(wide[2:].min()),
            "narrow_tilt": float(narrow[:2].mean()),
            "narrow_velocity": float(narrow[2:].mean()),
        }
