"""The true state at the instant before a step."""

import math
from typing import Any

import numpy as np

from devices.compiled import compiled
from devices.interface import Bools, Floats, Truth
from devices.sim.truth import blank_truth
from devices.sim.world import Indices, World

TOUCH = 1.0  # normal force from which a contact counts as touching [N]
IMU_NUMBERS = 6  # of the IMU, with which MuJoCo's sensors begin if the robot has one


@compiled
def keep_state(
    qpos: Floats, qvel: Floats, addresses: Indices, floating: bool, joints: Floats, base: Floats
) -> None:
    """Keep the state before a step.

    Args:
        qpos: positions, those of a floating base first, then in the model's order (nq).
        qvel: velocities, likewise (nv).
        addresses: index of each joint in qpos and in qvel (2, n).
        floating: whether the base moves freely.
        joints: positions and velocities of the joints, overwritten (2, n).
        base: position, quaternion, linear velocity in the world, and angular velocity in its own
            frame of a floating base, overwritten (13).
    """
    for i in range(joints.shape[1]):
        joints[0, i] = qpos[addresses[0, i]]
        joints[1, i] = qvel[addresses[1, i]]
    if floating:
        base[:7] = qpos[:7]
        base[7:] = qvel[:6]


@compiled
def normal_forces(forces: Floats, watched: Floats, normal: Floats, out: Floats) -> float:
    """Write the ground's normal force on each contact (k) [N]; return the sum of `watched`.

    Args:
        forces: of the robot on the ground, contact by contact (k, 3) [N].
        watched: values that are not finite, or very large, when the simulation has diverged.
        normal: of the floor (3).
        out: normal forces, overwritten (k) [N].
    """
    for i in range(len(out)):
        x, y, z = forces[i, 0], forces[i, 1], forces[i, 2]
        out[i] = -(x * normal[0] + y * normal[1] + z * normal[2])
    total = 0.0
    for value in watched:
        total += value
    return total


@compiled
def write_truth(
    joints: Floats,
    applied: Floats,
    base: Floats,
    com: Floats,
    com_velocity: Floats,
    forces: Floats,
    normal: Floats,
    external: Floats,
    truth: Floats,
    contacts: Bools,
) -> None:
    """Write the true state: all numbers in the order of `Truth`, and the contacts (k)."""
    n = joints.shape[1]
    truth[:n] = joints[0]
    truth[n : 2 * n] = joints[1]
    truth[2 * n : 3 * n] = applied
    rest = truth[3 * n :]
    w, x, y, z = base[3], base[4], base[5], base[6]
    rest[6] = math.atan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y))
    rest[7] = math.asin(min(max(2.0 * (w * y - z * x), -1.0), 1.0))
    rest[8] = math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))
    count = len(contacts)
    for i in range(3):
        rest[i] = base[i]
        rest[3 + i] = base[7 + i]
        rest[9 + i] = base[10 + i]
        rest[12 + i] = com[i]
        rest[15 + i] = com_velocity[i]
        rest[18 + 3 * count + i] = external[i]
    for point in range(count):
        force = 0.0
        for i in range(3):
            rest[18 + 3 * point + i] = -forces[point, i]
            force -= forces[point, i] * normal[i]
        contacts[point] = force > TOUCH


class Snapshot:
    """Keeps the state before a step; the step itself computes the forces of that instant.

    Attributes:
        q: joint positions (n) [rad].
        dq: joint velocities (n) [rad/s].
        imu: angular velocity [rad/s] and specific force [m/s²] at the IMU, zeros without one (6).
        normal_forces: of the ground on each contact (k) [N].
        numbers: the newest truth as a row, in the order of `Truth`.
    """

    def __init__(self, world: World, data: Any, has_imu: bool) -> None:
        """Find the state's arrays in the simulation.

        Args:
            world: the compiled room.
            data: MuJoCo's data, already computed for the initial state.
            has_imu: whether MuJoCo's sensors begin with an IMU.
        """
        n, k = len(world.q_address), len(world.contact_geoms)
        self._qpos: Floats = data.qpos
        self._qvel: Floats = data.qvel
        first = IMU_NUMBERS if has_imu else 0
        sensed: Floats = data.sensordata
        self.imu: Floats = sensed[:IMU_NUMBERS] if has_imu else np.zeros(IMU_NUMBERS)
        self._watched = self.imu if has_imu else self._qvel
        self._com_velocity = sensed[first : first + 3]
        self._forces = sensed[first + 3 :].reshape(k, 3)
        self._com: Floats = data.subtree_com[world.base]
        self._normal = world.normal
        self._floating = world.floating
        self._addresses = np.array([world.q_address, world.v_address])
        self._joints = np.zeros((2, n))
        self._base = np.zeros(13)
        self._base[:3], self._base[3:7] = data.xpos[world.base], data.xquat[world.base]
        self.q: Floats = self._joints[0]
        self.dq: Floats = self._joints[1]
        self.normal_forces = np.zeros(k)
        self._truth, self.numbers = blank_truth(n, k)

    def keep_state(self) -> None:
        """Keep the present state, before a step."""
        keep_state(
            self._qpos, self._qvel, self._addresses, self._floating, self._joints, self._base
        )

    def read_forces(self) -> float:
        """Take the ground's forces from a step; return a sum that diverges with the simulation."""
        return normal_forces(self._forces, self._watched, self._normal, self.normal_forces)

    def truth(self, applied: Floats, external: Floats) -> Truth:
        """Return the true state at the instant, in arrays that the next call overwrites.

        Args:
            applied: joint torques (n) [N·m].
            external: force of every push (3) [N].
        """
        write_truth(
            self._joints,
            applied,
            self._base,
            self._com,
            self._com_velocity,
            self._forces,
            self._normal,
            external,
            self.numbers,
            self._truth.contacts,
        )
        return self._truth
