"""The poses of the comparison: one end of a limb swings to each point of a grid."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pinocchio as pin

from core.behave.hermite import fill_basis, new_basis
from core.errors import CoreError, ProfileError
from core.robot.model import load_whole
from core.robot.profile import Inertia, Profile
from devices.interface import Floats

ACCURACY = 1e-8  # of a pose that is reached [m], [rad]
_PRECISION = 1e-11  # at which the search ends [m], [rad]
_ITERATIONS = 50
_DAMPING = 1e-14  # of the least squares: keeps a singular pose solvable
_LARGEST_STEP = 0.5  # of a joint in one iteration [rad]
_ROUNDING = 1e-7  # beyond a joint limit [rad]


class StudyError(CoreError):
    """A comparison of centroidal inertias cannot be made as requested."""


class Grid(NamedTuple):
    """How many poses there are.

    Attributes:
        forward: end points of the swing along x.
        sideways: end points of the swing along y.
        instants: of each swing.
    """

    forward: int = 10
    sideways: int = 10
    instants: int = 30

    @property
    def poses(self) -> int:
        """Number of poses."""
        return self.forward * self.sideways * self.instants

    def __str__(self) -> str:
        """Return the grid as the command line takes it."""
        return f"{self.forward}x{self.sideways}x{self.instants}"


GRID = Grid()
"""The grid of the comparison unless another is asked for."""


@dataclass(frozen=True, slots=True)
class Unreachable:
    """A pose that the robot cannot take.

    Attributes:
        x: end point of the swing, from its start [m].
        y: the same along y [m].
        time_s: since the start of the swing.
        reason: in words.
    """

    x: float
    y: float
    time_s: float
    reason: str

    def __str__(self) -> str:
        """Return the pose in words."""
        return f"x {self.x:+.3f} m, y {self.y:+.3f} m, {self.time_s:.3f} s: {self.reason}"


@dataclass(frozen=True, slots=True)
class Poses:
    """The poses of a robot.

    Attributes:
        reference: configuration in the reference posture (n_q).
        q: configuration by forward and sideways end point and instant (x, y, t, n_q); NaN where
            the pose cannot be reached.
        x: end points along x, from the start of the swing (x) [m].
        y: end points along y (y) [m].
        time_s: instants since the start of the swing (t).
        unreachable: the poses that cannot be reached.
        worst_error: largest error of a pose that is reached [m], [rad].
    """

    reference: Floats
    q: Floats
    x: Floats
    y: Floats
    time_s: Floats
    unreachable: tuple[Unreachable, ...]
    worst_error: float


def recipe_of(profile: Profile) -> Inertia:
    """Return the settings of the comparison.

    Raises:
        StudyError: the robot has none.
    """
    if profile.inertia is None:
        reason = "its profile has no table [inertia], which names the swing; add it"
        raise StudyError(f"{profile.title} cannot be compared: {reason}")
    return profile.inertia


def solve_poses(
    profile: Profile, grid: Grid, told: Callable[[int], None] = lambda done: None
) -> Poses:
    """Return the poses of a robot.

    The swing's end keeps its attitude; its path consists of two cubics that meet at the apex with
    the mean velocity. The base, which keeps height and attitude, moves along a cubic to the middle
    between stance and end point. Only independent joints are unknowns; a limb with more of them
    than needed moves them as little as possible from instant to instant.

    Args:
        profile: of the robot.
        grid: how many poses.
        told: called with the number of poses that are solved, swing by swing.

    Raises:
        StudyError: the robot has no settings of the comparison.
        ProfileError: the model cannot be read, or the profile does not fit it.
    """
    recipe = recipe_of(profile)
    solver = _Solver(profile, recipe)
    x = np.linspace(*recipe.forward, grid.forward) * recipe.scale
    y = np.linspace(*recipe.sideways, grid.sideways) * recipe.scale
    time_s = np.linspace(0.0, recipe.swing_s, grid.instants)
    q = np.full((*grid, solver.model.nq), np.nan)
    unreachable: list[Unreachable] = []
    worst = 0.0
    for i, forward in enumerate(x):
        for j, sideways in enumerate(y):
            step = np.array([forward, sideways, 0.0])
            guess = solver.reference
            for k, moment_s in enumerate(time_s):
                found, error, reason = solver.solve(guess, step, float(moment_s) / recipe.swing_s)
                if reason:
                    where = float(forward), float(sideways), float(moment_s)
                    unreachable.append(Unreachable(*where, reason))
                    continue
                q[i, j, k] = guess = found
                worst = max(worst, error)
            told((i * grid.sideways + j + 1) * grid.instants)
    return Poses(solver.reference, q, x, y, time_s, tuple(unreachable), worst)


class _Solver:
    """Inverse kinematics of the limbs that swing and stand."""

    def __init__(self, profile: Profile, recipe: Inertia) -> None:
        self.model: pin.Model = load_whole(profile)
        self._data = self.model.createData()
        self.reference: Floats = pin.neutral(self.model)
        self._recipe = recipe
        numbers = [self.model.getJointId(name) for name in profile.joint_names]
        self._names = profile.joint_names
        self._index_q = np.array([self.model.joints[number].idx_q for number in numbers])
        self._index_v = np.array([self.model.joints[number].idx_v for number in numbers])
        self._lower = self.model.lowerPositionLimit[self._index_q]
        self._upper = self.model.upperPositionLimit[self._index_q]
        self.reference[self._index_q] = profile.posture(recipe.posture)
        self._free = self.model.joints[1].nq == 7
        if recipe.stance and not self._free:
            reason = "the base does not move, so that nothing stands; remove it"
            raise ProfileError("profile.toml", "inertia.stance", reason)
        lines = {contact.frame for contact in profile.contacts if contact.kind == "line"}
        names = [recipe.swing, *([recipe.stance] if recipe.stance else ())]
        self._frames = [self.model.getFrameId(name) for name in names]
        # A line has no attitude about itself: the roll of such a foot is free.
        rows = {True: [0, 1, 2, 4, 5], False: list(range(6))}
        self._rows = [rows[name in lines] for name in names]
        pin.framesForwardKinematics(self.model, self._data, self.reference)
        self._start = [self._data.oMf[frame].copy() for frame in self._frames]
        self._columns = [self._columns_of(frame) for frame in self._frames]

    def _columns_of(self, frame: int) -> list[int]:
        """Return the columns of the independent joints that move a frame relative to the base."""
        pin.computeJointJacobians(self.model, self._data, self.reference)
        jacobian = pin.getFrameJacobian(self.model, self._data, frame, pin.LOCAL)
        return [int(column) for column in self._index_v if np.any(jacobian[:, column])]

    def solve(self, guess: Floats, step: Floats, share: float) -> tuple[Floats, float, str]:
        """Return a configuration, its error [m], [rad], and why the pose is unreachable.

        Args:
            guess: configuration from which the search begins (n_q).
            step: end point of the swing, from its start (3) [m].
            share: of the swing's duration.
        """
        q = guess.copy()
        targets = [self._swing_at(step, share), *self._start[1:]]
        if self._free:
            q[:3] = self._base_at(step, share)
        error = math.inf
        for _ in range(_ITERATIONS):
            pin.computeJointJacobians(self.model, self._data, q)
            error = 0.0
            for frame, target, rows, columns in zip(
                self._frames, targets, self._rows, self._columns, strict=True
            ):
                here = pin.updateFramePlacement(self.model, self._data, frame)
                way = here.actInv(target)
                missing = np.concatenate((way.translation, pin.log3(way.rotation)))[rows]
                error = max(error, float(np.abs(missing).max()))
                jacobian = pin.getFrameJacobian(self.model, self._data, frame, pin.LOCAL)
                part = jacobian[np.ix_(rows, columns)]
                square = part @ part.T + _DAMPING * np.eye(len(rows))
                change = part.T @ np.linalg.solve(square, missing)
                change *= min(1.0, _LARGEST_STEP / max(float(np.abs(change).max()), 1e-300))
                if error > _PRECISION:
                    shift = int(self._free)  # the attitude of the base has one number more in q
                    q[np.array(columns) + shift] += change
            if error <= _PRECISION:
                break
        return q, error, self._fault(q, error)

    def _swing_at(self, step: Floats, share: float) -> pin.SE3:
        """Return the placement of the swing's end."""
        start = self._start[0]
        middle = start.translation + 0.5 * step
        middle[2] += self._recipe.lift * self._recipe.scale
        if share <= 0.5:
            position = _cubic(start.translation, np.zeros(3), middle, step, 0.5, share)
        else:
            end = start.translation + step
            position = _cubic(middle, step, end, np.zeros(3), 0.5, share - 0.5)
        return pin.SE3(start.rotation, position)

    def _base_at(self, step: Floats, share: float) -> Floats:
        """Return the position of the base (3) [m]."""
        here = self.reference[:3]
        if not self._recipe.stance:
            return here
        swing, stance = (place.translation for place in self._start)
        end = 0.5 * (stance + swing + step)
        end[2] = here[2]
        return _cubic(here, np.zeros(3), end, np.zeros(3), 1.0, share)

    def _fault(self, q: Floats, error: float) -> str:
        """Return why a configuration is not the pose; empty if it is."""
        if not error <= ACCURACY:
            return f"the limbs are too short or blocked (they miss it by {error:.2g} m or rad)"
        angles = q[self._index_q]
        beyond = np.maximum(self._lower - angles, angles - self._upper)
        worst = int(np.argmax(beyond))
        if beyond[worst] <= _ROUNDING:
            return ""
        limits = self._lower[worst], self._upper[worst]
        limit = min(limits, key=lambda edge: abs(edge - angles[worst]))
        angle, edge = math.degrees(angles[worst]), math.degrees(limit)
        return f"{self._names[worst]} would turn to {angle:.1f}° (limit {edge:g}°)"


def _cubic(
    start: Floats, velocity: Floats, end: Floats, end_velocity: Floats, duration: float, time: float
) -> Floats:
    """Return a point of a cubic between two points with velocities."""
    basis, flat = new_basis()
    fill_basis(flat, time / duration, duration, 1.0)
    point: Floats = basis[0] @ np.stack((start, velocity, end, end_velocity))
    return point
