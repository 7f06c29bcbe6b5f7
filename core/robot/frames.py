"""Frames that ride on the robot's joints: where they are, and how the joints move them.

Pinocchio tells the same frame by frame, each in calls that make objects; here one call gathers
it for several, out of Pinocchio's own memory. The sums are bracketed as there, so that both
agree to the last bit.
"""

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pinocchio as pin

from core.compiled import compiled
from core.errors import CoreError
from devices.interface import Bools, Floats

Vector: TypeAlias = tuple[float, float, float]
Places: TypeAlias = npt.NDArray[np.int64]

BASE = 1  # its place among Pinocchio's joints


@compiled
def cross(a: Floats, b: Floats) -> Vector:
    """Return a x b."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@compiled
def turned(axes: Floats, x: float, y: float, z: float) -> Vector:
    """Return a vector that is given along axes (3, 3), an axis a row."""
    return (
        axes[0, 0] * x + axes[1, 0] * y + axes[2, 0] * z,
        axes[0, 1] * x + axes[1, 1] * y + axes[2, 1] * z,
        axes[0, 2] * x + (axes[1, 2] * y + axes[2, 2] * z),
    )


@compiled
def write_accelerations(
    tree: Places, axes: Floats, steps: Floats, twists: Floats, v: Floats, accelerations: Floats
) -> None:
    """Write the accelerations of joints while q̈ is zero, each in its own axes.

    Args:
        tree: joints from the base outward, each with its parent and its column (m, 3).
        axes: twist of each for a unit of its velocity (m, 6).
        steps: axes and origin of every joint in its parent (n, 4, 3).
        twists: of every joint, linear then angular (n, 6).
        v: generalised velocity (n_v).
        accelerations: where they go; the base's is zero (n, 6).
    """
    for k in range(tree.shape[0]):
        joint, parent, speed = tree[k, 0], tree[k, 1], v[tree[k, 2]]
        step, linear, angular = steps[joint], twists[joint, :3], twists[joint, 3:]
        lever = cross(step[3], accelerations[parent, 3:])
        along = cross(linear, axes[k, 3:])
        aside = cross(angular, axes[k, :3])
        about = cross(angular, axes[k, 3:])
        for i in range(3):
            before, turn = 0.0, 0.0
            for c in range(3):
                before += step[i, c] * (accelerations[parent, c] - lever[c])
                turn += step[i, c] * accelerations[parent, 3 + c]
            accelerations[joint, i] = (along[i] + aside[i]) * speed + before
            accelerations[joint, 3 + i] = about[i] * speed + turn


@compiled
def write_frames(
    tree: Places,
    axes: Floats,
    joints: Places,
    mounts: Floats,
    moves: Bools,
    steps: Floats,
    places: Floats,
    twists: Floats,
    columns: Floats,
    v: Floats,
    accelerations: Floats,
    positions: Floats,
    rotations: Floats,
    jacobians: Floats,
    drifts: Floats,
) -> None:
    """Write what `Frames` tells, and the joints' accelerations on the way.

    Args:
        tree: as `write_accelerations` needs it, and so the others that are not told of here.
        axes: likewise.
        joints: on which each frame rides (k).
        mounts: axes and origin of each frame in its joint (k, 4, 3).
        moves: which columns move each frame (k, n_v).
        steps: likewise.
        places: axes and origin of every joint in the world (n, 4, 3).
        twists: likewise.
        columns: what every joint does to a point in the world's origin (6, n_v).
        v: likewise.
        accelerations: likewise.
        positions: of the frames (k, 3) [m].
        rotations: their axes in the world (k, 3, 3).
        jacobians: linear then angular (k, 6, n_v).
        drifts: linear (classical) then angular acceleration (k, 6).
    """
    write_accelerations(tree, axes, steps, twists, v, accelerations)
    for k in range(joints.size):
        joint, mount = joints[k], mounts[k]
        place, twist, acceleration = places[joint], twists[joint], accelerations[joint]
        origin = turned(place, mount[3, 0], mount[3, 1], mount[3, 2])
        swing = cross(twist[3:], mount[3])
        speed = turned(place, twist[0] + swing[0], twist[1] + swing[1], twist[2] + swing[2])
        spin = turned(place, twist[3], twist[4], twist[5])
        whirl = (
            spin[1] * speed[2] - spin[2] * speed[1],
            spin[2] * speed[0] - spin[0] * speed[2],
            spin[0] * speed[1] - spin[1] * speed[0],
        )
        a, swing = acceleration, cross(acceleration[3:], mount[3])
        linear = turned(place, a[0] + swing[0], a[1] + swing[1], a[2] + swing[2])
        angular = turned(place, a[3], a[4], a[5])
        for i in range(3):
            axis = turned(place, mount[i, 0], mount[i, 1], mount[i, 2])
            positions[k, i] = place[3, i] + origin[i]
            for c in range(3):
                rotations[k, c, i] = axis[c]
            drifts[k, i], drifts[k, 3 + i] = linear[i] + whirl[i], angular[i]
        for j in range(v.size):
            if moves[k, j]:
                lever = cross(positions[k], columns[3:, j])
                for i in range(3):
                    jacobians[k, i, j] = columns[i, j] - lever[i]
                    jacobians[k, 3 + i, j] = columns[3 + i, j]


class Frames:
    """Frames on joints of one degree of freedom; `update` tells them after Pinocchio's pass.

    Args:
        model: Pinocchio's, with a free base.
        data: of that model; whoever makes this keeps it, for all is read in its memory.
        names: of the frames.

    Attributes:
        positions: in the world (k, 3) [m].
        rotations: their axes in the world (k, 3, 3).
        jacobians: linear then angular, along world axes (k, 6, n_v).
        drifts: linear (classical) then angular acceleration at zero q̈, likewise (k, 6).
    """

    def __init__(self, model: pin.Model, data: pin.Data, names: Sequence[str]) -> None:
        frames = [model.frames[model.getFrameId(name)] for name in names]
        joints = [frame.parentJoint for frame in frames]
        self._joints: Places = np.array(joints)
        self._mounts: Floats = np.array([_rows(frame.placement) for frame in frames])
        supports = [[j for j in model.supports[joint] if j > BASE] for joint in joints]
        chain = sorted({joint for support in supports for joint in support})
        rows = [(joint, model.parents[joint], model.joints[joint].idx_v) for joint in chain]
        self._tree: Places = np.array(rows)
        twists = [model.joints[joint].createData().S for joint in chain]
        self._axes: Floats = np.array(twists).reshape(len(chain), 6)
        self._moves: Bools = np.zeros((len(names), model.nv), dtype=np.bool_)
        self._moves[:, :6] = True
        for moves, support in zip(self._moves, supports, strict=True):
            moves[[model.joints[joint].idx_v for joint in support]] = True
        count = model.njoints
        self._steps = as_one(_halves(data.liMi, "rotation", "translation"), (count, 4, 3))
        self._places = as_one(_halves(data.oMi, "rotation", "translation"), (count, 4, 3))
        self._twists = as_one(_halves(data.v, "linear", "angular"), (count, 6))
        self._columns: Floats = data.J
        self._accelerations: Floats = np.zeros((count, 6))
        self.positions: Floats = np.zeros((len(names), 3))
        self.rotations: Floats = np.zeros((len(names), 3, 3))
        self.jacobians: Floats = np.zeros((len(names), 6, model.nv))
        self.drifts: Floats = np.zeros((len(names), 6))

    def update(self, v: Floats) -> None:
        """Tell the frames at the state of Pinocchio's last `crba` and `nonLinearEffects`.

        Args:
            v: generalised velocity of that state (n_v).
        """
        write_frames(
            self._tree,
            self._axes,
            self._joints,
            self._mounts,
            self._moves,
            self._steps,
            self._places,
            self._twists,
            self._columns,
            v,
            self._accelerations,
            self.positions,
            self.rotations,
            self.jacobians,
            self.drifts,
        )


def as_one(parts: Sequence[Floats], shape: tuple[int, ...]) -> Floats:
    """Return one view of arrays that lie one behind the other in memory.

    Raises:
        CoreError: they do not.
    """
    begin = [part.__array_interface__["data"][0] for part in parts]
    end = [place + part.nbytes for place, part in zip(begin, parts, strict=True)]
    if begin[1:] != end[:-1] or end[-1] - begin[0] != 8 * int(np.prod(shape)):
        reason = "install the version that packaging/lock names"
        raise CoreError(
            f"this Pinocchio keeps its joints otherwise than the core expects; {reason}"
        )
    strides = tuple(8 * int(np.prod(shape[i + 1 :])) for i in range(len(shape)))
    return np.lib.stride_tricks.as_strided(parts[0], shape, strides)


def _halves(elements: Any, first: str, second: str) -> list[Floats]:
    """Return views of both halves of every element of a vector of Pinocchio's."""
    return [getattr(elements[i], name) for i in range(len(elements)) for name in (first, second)]


def _rows(placement: pin.SE3) -> Floats:
    """Return the axes of a placement, an axis a row, and its origin (4, 3)."""
    return np.vstack((placement.rotation.T, placement.translation))
