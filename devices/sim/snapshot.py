"""The instant before a step: what is true of it, apart from what sensors say."""

import math
from typing import Any

import numpy as np

from devices.compiled import compiled
from devices.interface import Bools, Floats, Truth
from devices.sim.world import Indices, World

TOUCH = 1.0  # normal force from which a point of a sole counts as touching [N]
COM_VELOCITY, FORCES = 6, 9  # where these begin in MuJoCo's sensors, which begin with the IMU


@compiled
def look(qpos: Floats, qvel: Floats, addresses: Indices, joints: Floats, base: Floats) -> None:
    """Keep the state before a step.

    Args:
        qpos: position and orientation of the torso, then the joints in the model's order (nq).
        qvel: velocity in the world and angular velocity in the torso's frame, then so (nv).
        addresses: of each joint in qpos and in qvel (2, n).
        joints: positions and velocities (2, n).
        base: position, quaternion, velocity and angular velocity of the torso (13).
    """
    for i in range(joints.shape[1]):
        joints[0, i] = qpos[addresses[0, i]]
        joints[1, i] = qvel[addresses[1, i]]
    base[:7] = qpos[:7]
    base[7:] = qvel[:6]


@compiled
def normal_forces(sensed: Floats, normal: Floats, out: Floats) -> float:
    """Write the ground's normal force on each point (4); return the sum of the IMU's values.

    MuJoCo's sensors give the robot's force on the ground, and not finite numbers when it
    has diverged.
    """
    for i in range(4):
        x, y, z = sensed[FORCES + 3 * i], sensed[FORCES + 3 * i + 1], sensed[FORCES + 3 * i + 2]
        out[i] = -(x * normal[0] + y * normal[1] + z * normal[2])
    total: float = sensed[0] + sensed[1] + sensed[2] + sensed[3] + sensed[4] + sensed[5]
    return total


@compiled
def tell(
    joints: Floats,
    applied: Floats,
    base: Floats,
    com: Floats,
    sensed: Floats,
    normal: Floats,
    external: Floats,
    truth: Floats,
    contacts: Bools,
) -> None:
    """Write the true state: all numbers in the order of `Truth`, and the contacts (4)."""
    n = joints.shape[1]
    truth[:n] = joints[0]
    truth[n : 2 * n] = joints[1]
    truth[2 * n : 3 * n] = applied
    rest = truth[3 * n :]
    w, x, y, z = base[3], base[4], base[5], base[6]
    rest[6] = math.atan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y))
    rest[7] = math.asin(min(max(2.0 * (w * y - z * x), -1.0), 1.0))
    rest[8] = math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))
    for i in range(3):
        rest[i] = base[i]
        rest[3 + i] = base[7 + i]
        rest[9 + i] = base[10 + i]
        rest[12 + i] = com[i]
        rest[15 + i] = sensed[COM_VELOCITY + i]
        rest[30 + i] = external[i]
    for point in range(4):
        force = 0.0
        for i in range(3):
            rest[18 + 3 * point + i] = -sensed[FORCES + 3 * point + i]
            force -= sensed[FORCES + 3 * point + i] * normal[i]
        contacts[point] = force > TOUCH


def _blank(n: int) -> tuple[Truth, Floats]:
    """Return a truth of n joints, and the array that all its numbers are parts of."""
    numbers = np.zeros(3 * n + 33)
    rest = numbers[3 * n :]
    truth = Truth(
        q=numbers[:n],
        dq=numbers[n : 2 * n],
        tau_applied=numbers[2 * n : 3 * n],
        base_position=rest[:3],
        base_velocity=rest[3:6],
        base_rpy=rest[6:9],
        base_spin=rest[9:12],
        com=rest[12:15],
        com_velocity=rest[15:18],
        contacts=np.zeros(4, dtype=np.bool_),
        contact_force=rest[18:30].reshape(2, 2, 3),
        external_force=rest[30:],
    )
    return truth, numbers


class Snapshot:
    """Keeps the state before a step; the step itself finds out the forces of that instant.

    Attributes:
        q: joint positions (n) [rad].
        dq: joint velocities (n) [rad/s].
        imu: angular velocity [rad/s] and specific force [m/s²] at the IMU (6).
        normal_forces: of the ground on each sole point (4) [N].
    """

    def __init__(self, world: World, data: Any) -> None:
        """Find the places in the model's state, which is looked at later."""
        n = len(world.q_address)
        self._qpos: Floats = data.qpos
        self._qvel: Floats = data.qvel
        self._sensed: Floats = data.sensordata
        self._com: Floats = data.subtree_com[world.torso]
        self._normal = world.normal
        self._addresses = np.array([world.q_address, world.v_address])
        self._joints = np.zeros((2, n))
        self._base = np.zeros(13)
        self.q: Floats = self._joints[0]
        self.dq: Floats = self._joints[1]
        self.imu = self._sensed[:COM_VELOCITY]
        self.normal_forces = np.zeros(4)
        self._truth, self._numbers = _blank(n)

    def look(self) -> None:
        """Keep the state that there is now, before a step."""
        look(self._qpos, self._qvel, self._addresses, self._joints, self._base)

    def feel(self) -> float:
        """Take the ground's forces from a step; return the sum of the IMU's values."""
        return normal_forces(self._sensed, self._normal, self.normal_forces)

    def truth(self, applied: Floats, external: Floats) -> Truth:
        """Return what is true of the instant, in arrays that the next call overwrites.

        Args:
            applied: joint torques (n) [N·m].
            external: force of every push (3) [N].
        """
        tell(
            self._joints,
            applied,
            self._base,
            self._com,
            self._sensed,
            self._normal,
            external,
            self._numbers,
            self._truth.contacts,
        )
        return self._truth
