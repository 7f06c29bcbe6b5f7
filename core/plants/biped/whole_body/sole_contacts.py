"""Soles: a wrench at the middle of each, in the axes of the sole.

Its cone is that of forces with friction pyramids at the four corners (Caron, Pham and Nakamura,
"Stability of surface contacts for humanoid robots").
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from core.compiled import bind, compiled
from core.plants.biped.model import RobotModel
from core.plants.biped.whole_body.contacts import Contacts, half_extents, middle_of, points_of
from core.records import Record
from core.robot.profile import Profile
from devices.interface import Floats


@compiled
def write_soles(feet: Record, soles: Record) -> None:
    """Write Jacobians, velocities and drifts of the soles' middles; see `Contacts`."""
    frames: Any = feet[0]
    out: Any = soles[0]
    nv = out.jacobians.shape[2]
    for side in range(2):
        rotation, jacobian = frames.rotations[side], frames.jacobians[side]
        twist, drift, offset = frames.velocities[side], frames.drifts[side], out.offsets[side, 0]
        ax = offset[0] * rotation[0, 0] + offset[1] * rotation[0, 1] + offset[2] * rotation[0, 2]
        ay = offset[0] * rotation[1, 0] + offset[1] * rotation[1, 1] + offset[2] * rotation[1, 2]
        az = offset[0] * rotation[2, 0] + offset[1] * rotation[2, 1] + offset[2] * rotation[2, 2]
        for j in range(nv):
            jx, jy, jz = jacobian[3, j], jacobian[4, j], jacobian[5, j]
            x = jacobian[0, j] + jy * az - jz * ay
            y = jacobian[1, j] + jz * ax - jx * az
            z = jacobian[2, j] + jx * ay - jy * ax
            for i in range(3):
                a, b, c = rotation[0, i], rotation[1, i], rotation[2, i]
                out.jacobians[side, i, j] = a * x + b * y + c * z
                out.jacobians[side, 3 + i, j] = a * jx + b * jy + c * jz
        wx, wy, wz = twist[3], twist[4], twist[5]
        vx, vy, vz = wy * az - wz * ay, wz * ax - wx * az, wx * ay - wy * ax
        cx = drift[0] + drift[4] * az - drift[5] * ay + wy * vz - wz * vy
        cy = drift[1] + drift[5] * ax - drift[3] * az + wz * vx - wx * vz
        cz = drift[2] + drift[3] * ay - drift[4] * ax + wx * vy - wy * vx
        vx, vy, vz = twist[0] + vx, twist[1] + vy, twist[2] + vz
        for i in range(3):
            a, b, c = rotation[0, i], rotation[1, i], rotation[2, i]
            out.velocities[side, i] = a * vx + b * vy + c * vz
            out.velocities[side, 3 + i] = a * wx + b * wy + c * wz
            out.drifts[side, i] = a * cx + b * cy + c * cz
            out.drifts[side, 3 + i] = a * drift[3] + b * drift[4] + c * drift[5]


@compiled
def read_soles(corners: Floats, feet: Record, x: Floats, forces: Floats) -> None:
    """Write the force at each corner (2 p, 3) [N], of the wrenches with which a solution begins.

    Args:
        corners: forces in the sole's axes by its wrench, corner by corner (3 p, 6).
        feet: `RobotModel.feet`.
        x: solution.
        forces: output.
    """
    count = corners.shape[0] // 3
    local = np.empty(3)
    for side in range(2):
        rotation = feet[0].rotations[side]
        for corner in range(count):
            for i in range(3):
                local[i] = 0.0
                for k in range(6):
                    local[i] += corners[3 * corner + i, k] * x[6 * side + k]
            for i in range(3):
                total = 0.0
                for k in range(3):
                    total += rotation[i, k] * local[k]
                forces[count * side + corner, i] = total


def wrench_cone(half_length: float, half_width: float, friction: float) -> Floats:
    """Return rows that are at most zero for a wrench that the corners of a sole can exert (16, 6).

    The draco3 paper names a cone wrench constraint and does not print it.

    Args:
        half_length: of the sole [m].
        half_width: of the sole [m].
        friction: largest tangential force at a corner along each axis, by its vertical force.
    """
    x, y, mu = half_length, half_width, friction
    rows = []
    for axis in (0, 1):
        for sign in (1.0, -1.0):
            tangential = np.zeros(6)
            tangential[[axis, 2]] = sign, -mu
            tilting = np.zeros(6)
            tilting[[3 + axis, 2]] = sign, -(y if axis == 0 else x)
            rows += [tangential, tilting]
    for turn in (1.0, -1.0):
        for a in (1.0, -1.0):
            for b in (1.0, -1.0):
                # turn m_z >= -mu (x + y) f_z + |y f_x - turn mu m_x| + |x f_y - turn mu m_y|
                row = [a * y, b * x, -mu * (x + y), -turn * a * mu, -turn * b * mu, -turn]
                rows.append(np.array(row))
    return np.array(rows)


def corner_forces(offsets: Floats) -> Floats:
    """Return the smallest forces at points that have a given wrench about the middle (3 p, 6).

    Args:
        offsets: of the points from the middle (p, 3) [m].
    """
    blocks = []
    for x, y, z in offsets:
        cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
        blocks.append(np.vstack((np.eye(3), cross)))
    return np.linalg.pinv(np.hstack(blocks))


class SoleContacts(Contacts):
    """The wrenches on both soles."""

    def __init__(self, profile: Profile, model: RobotModel) -> None:
        contact = profile.contacts[0]
        half_length, half_width = half_extents(contact).tolist()
        slope = profile.as_biped.constraints.friction / math.sqrt(2.0)  # the pyramid in the cone
        levers = np.zeros((2, 6))
        levers[0, 4], levers[1, 3] = 1.0 / half_length, 1.0 / half_width
        # A moment counts as the force at the sole's edge.
        weights = [1.0, 1.0, 1.0, half_width**-2, half_length**-2, half_length**-2]
        super().__init__(
            model,
            offsets=np.array([middle_of(contact)[np.newaxis] for contact in profile.contacts]),
            normals=np.array([2]),
            regularisation=np.array(weights),
            levers=levers,
            cone=wrench_cone(half_length, half_width, slope),
        )
        self._feet = model.feet
        self._corners = corner_forces(points_of(contact) - middle_of(contact))
        self._write = bind(write_soles, model.feet, self.record)
        self._read: Callable[[], None] = lambda: None

    def update(self) -> None:
        """Compute the soles at the state of the model's last update."""
        self._write()

    def attach(self, x: Floats) -> Floats:
        """Return the forces at the corners; `read` computes them."""
        forces = np.zeros((2 * len(self._corners) // 3, 3))
        self._read = bind(read_soles, self._corners, self._feet, x, forces)
        return forces

    def read(self) -> None:
        """Compute the forces at the corners."""
        self._read()
