"""The comparison: figures of every design over the same poses of its robot."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pinocchio as pin

from core.lab.inertia.designs import Design, Move, designs_of
from core.lab.inertia.isotropy import centroidal_inertia, change_by_axis, distance, isotropy
from core.lab.inertia.poses import GRID, Grid, Poses, StudyError, solve_poses
from core.robot.profile import Profile
from devices.interface import Floats


@dataclass(frozen=True, slots=True)
class Row:
    """The figures of one design.

    Attributes:
        design: the robot and its masses.
        poses: of the robot.
        mass_kg: of all that moves.
        cii: centroidal inertia isotropy by end point and instant (x, y, t); NaN if unreachable.
        distances: from the reference's inertia, in the same form.
        by_axis: largest change of the moments about x, y, z, as a share (3).
    """

    design: Design
    poses: Poses
    mass_kg: float
    cii: Floats
    distances: Floats
    by_axis: Floats

    @property
    def reached(self) -> int:
        """Number of poses that are reached."""
        return int(np.count_nonzero(~np.isnan(self.cii)))

    @property
    def range(self) -> float:
        """Largest minus smallest CII."""
        return float(np.nanmax(self.cii) - np.nanmin(self.cii))

    @property
    def largest(self) -> float:
        """Largest magnitude of the CII."""
        return float(np.nanmax(np.abs(self.cii)))

    @property
    def rms(self) -> float:
        """Root mean square of the CII."""
        return float(np.sqrt(np.nanmean(self.cii**2)))

    @property
    def distance_max(self) -> float:
        """Largest distance."""
        return float(np.nanmax(self.distances))

    @property
    def distance_mean(self) -> float:
        """Mean distance."""
        return float(np.nanmean(self.distances))


def compare(
    profile: Profile,
    grid: Grid = GRID,
    moves: Sequence[Move] = (),
    told: Callable[[int], None] = lambda done: None,
) -> list[Row]:
    """Return a row for each design of a robot: as it is, its variants, and with moved masses.

    Args:
        profile: of the robot.
        grid: how many poses.
        moves: masses that are moved together, for a design of their own.
        told: called with the number of poses that are solved.

    Raises:
        StudyError: the robot has no settings of the comparison, a move is impossible, or no pose
            is reached.
        ProfileError: the model cannot be read, or the profile does not fit it.
    """
    designs = designs_of(profile, moves)
    poses = solve_poses(profile, grid, told)
    if len(poses.unreachable) == grid.poses:
        first = poses.unreachable[0]
        raise StudyError(f"{profile.title} reaches none of {grid.poses} poses; the first, {first}")
    return [_row(design, poses) for design in designs]


def reduction(row: Row, other: Row) -> float:
    """Return by which share the range of the CII of a row is below that of another."""
    return 1.0 - row.range / other.range if other.range else 0.0


def _row(design: Design, poses: Poses) -> Row:
    data = design.model.createData()
    reference = centroidal_inertia(design.model, data, poses.reference)
    reached = ~np.isnan(poses.q[..., 0])
    inertias = np.array([centroidal_inertia(design.model, data, q) for q in poses.q[reached]])
    cii, distances = np.full(reached.shape, np.nan), np.full(reached.shape, np.nan)
    cii[reached] = isotropy(inertias, reference)
    distances[reached] = distance(inertias, reference)
    by_axis = np.abs(change_by_axis(inertias, reference)).max(axis=0)
    mass = float(pin.computeTotalMass(design.model))
    return Row(design, poses, mass, cii, distances, by_axis)
