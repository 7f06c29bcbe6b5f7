"""The points at which the feet touch the ground."""

from typing import Any

import numpy as np

from core.compiled import bind, compiled
from core.plants.biped.model import RobotModel
from core.records import Record, record_of
from core.robot.profile import Contact, Profile
from devices.interface import Floats


@compiled
def write_points(feet: Record, points: Record) -> None:
    """Write Jacobians, velocities and drifts of the contact points; see `ContactPoints`."""
    frames: Any = feet[0]
    out: Any = points[0]
    offsets, nv = out.offsets, out.jacobians.shape[2]
    for side in range(2):
        rotation, jacobian = frames.rotations[side], frames.jacobians[side]
        twist, drift = frames.velocities[side], frames.drifts[side]
        wx, wy, wz = twist[3], twist[4], twist[5]
        for k in range(offsets.shape[1]):
            x, y, z = offsets[side, k, 0], offsets[side, k, 1], offsets[side, k, 2]
            ax = x * rotation[0, 0] + y * rotation[0, 1] + z * rotation[0, 2]
            ay = x * rotation[1, 0] + y * rotation[1, 1] + z * rotation[1, 2]
            az = x * rotation[2, 0] + y * rotation[2, 1] + z * rotation[2, 2]
            row = 3 * k
            for j in range(nv):
                jx, jy, jz = jacobian[3, j], jacobian[4, j], jacobian[5, j]
                out.jacobians[side, row, j] = jacobian[0, j] + jy * az - jz * ay
                out.jacobians[side, row + 1, j] = jacobian[1, j] + jz * ax - jx * az
                out.jacobians[side, row + 2, j] = jacobian[2, j] + jx * ay - jy * ax
            vx, vy, vz = wy * az - wz * ay, wz * ax - wx * az, wx * ay - wy * ax
            out.velocities[side, row] = twist[0] + vx
            out.velocities[side, row + 1] = twist[1] + vy
            out.velocities[side, row + 2] = twist[2] + vz
            cx = drift[0] + drift[4] * az - drift[5] * ay + wy * vz - wz * vy
            cy = drift[1] + drift[5] * ax - drift[3] * az + wz * vx - wx * vz
            cz = drift[2] + drift[3] * ay - drift[4] * ax + wx * vy - wy * vx
            out.drifts[side, row] = cx
            out.drifts[side, row + 1] = cy
            out.drifts[side, row + 2] = cz


def points_of(contact: Contact) -> Floats:
    """Return the contact points in the frame of the sole, heel first (p, 3) [m].

    A line has two points, heel and toe; a sole has four corners, on each end the left one first.
    """
    widths = (0.0,) if contact.kind == "line" else (contact.half_width, -contact.half_width)
    return np.array([(x, y, 0.0) for x in (contact.heel, contact.toe) for y in widths])


class ContactPoints:
    """The contact points of both feet; `update` computes them once a tick.

    Attributes:
        count: points of a foot (p).
        record: of the following fields, for a kernel.
        offsets: of the points in the frame of their sole (2, p, 3) [m].
        jacobians: of the points' positions, in world axes (2, 3 p, n_v).
        velocities: of the points (2, 3 p) [m/s].
        drifts: accelerations of the points at zero q̈ (2, 3 p) [m/s²].
    """

    def __init__(self, profile: Profile, model: RobotModel) -> None:
        offsets = np.array([points_of(contact) for contact in profile.contacts])
        self.count = offsets.shape[1]
        rows, nv = 3 * self.count, model.joint_count + 6
        self.record = record_of(
            offsets=offsets,
            jacobians=np.zeros((2, rows, nv)),
            velocities=np.zeros((2, rows)),
            drifts=np.zeros((2, rows)),
        )
        self.offsets: Floats = self.record["offsets"][0]
        self.jacobians: Floats = self.record["jacobians"][0]
        self.velocities: Floats = self.record["velocities"][0]
        self.drifts: Floats = self.record["drifts"][0]
        self._write = bind(write_points, model.feet, self.record)

    def update(self) -> None:
        """Compute the points at the state of the model's last update."""
        self._write()
