"""Line feet: a force at heel and toe, in world axes."""

import math
from typing import Any

import numpy as np

from core.compiled import bind, compiled
from core.plants.biped.model import RobotModel
from core.plants.biped.whole_body.contacts import Contacts, middle_of, points_of
from core.records import Record
from core.robot.profile import Profile
from devices.interface import Floats

PYRAMID = ((0, 1.0), (0, -1.0), (1, 1.0), (1, -1.0))  # axis and sign of each row


@compiled
def write_points(feet: Record, points: Record) -> None:
    """Write Jacobians, velocities and drifts of the contact points; see `Contacts`."""
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


class PointContacts(Contacts):
    """The forces at the points of both feet."""

    def __init__(self, profile: Profile, model: RobotModel) -> None:
        offsets = np.array([points_of(contact) for contact in profile.contacts])
        count = offsets.shape[1]
        slope = profile.as_biped.constraints.friction / math.sqrt(2.0)  # the pyramid in the cone
        cone, levers = np.zeros((4 * count, 3 * count)), np.zeros((2, 3 * count))
        for point in range(count):
            for row, (axis, sign) in enumerate(PYRAMID, 4 * point):
                cone[row, 3 * point + axis] = sign
                cone[row, 3 * point + 2] = -slope
        away = offsets[0] - middle_of(profile.contacts[0])
        levers[:, 2::3] = np.sign(away[:, :2].T)
        super().__init__(
            model,
            offsets=offsets,
            normals=np.arange(2, 3 * count, 3),
            regularisation=np.ones(3 * count),
            levers=levers,
            cone=cone,
        )
        self._write = bind(write_points, model.feet, self.record)

    def update(self) -> None:
        """Compute the points at the state of the model's last update."""
        self._write()

    def attach(self, x: Floats) -> Floats:
        """Return the forces, with which the solution begins."""
        return x[: 2 * self.width].reshape(-1, 3)

    def read(self) -> None:
        """Do nothing: the forces are a part of the solution."""
