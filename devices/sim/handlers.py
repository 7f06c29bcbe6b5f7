"""The people who hold a robot until it stands by itself."""

import math

import numpy as np

from devices.interface import Floats, JointCommand
from devices.sim.settings import SimSettings

STIFFNESS = 20000.0  # [N/m]
DAMPING = 1400.0  # [N·s/m]
TURN_STIFFNESS = 1500.0  # [N·m/rad]
TURN_DAMPING = 80.0  # [N·m·s/rad]


class People:
    """Hold the torso where it is, let go when the legs take over, catch no fall.

    Attributes:
        grip: how firmly they hold, 0 to 1.
    """

    def __init__(
        self, settings: SimSettings, legs: Floats, qpos: Floats, normal: Floats
    ) -> None:
        """Hold the initial pose, where there are people at all."""
        self._settings = settings.handlers
        self._dt = settings.timestep_s
        self._legs = np.flatnonzero(legs)
        self._normal = normal.copy()
        self._height = float(normal @ qpos[:3])
        self._position = np.array(qpos[:3])
        self._heading = 0.0
        self._holding = settings.handlers.present
        self.grip = 1.0 if self._holding else 0.0
        self._fading_s = 0.0
        self._force = np.zeros(6)

    def see(self, command: JointCommand) -> None:
        """Let go once the legs carry: they are given stiffness or torque."""
        if self._holding and (
            float(command.kp[self._legs].sum()) > 0.0
            or float(np.abs(command.tau[self._legs]).sum()) > 0.0
        ):
            self._holding = False
            self._fading_s = 0.0

    def watch(self, qpos: Floats, qvel: Floats, tilt: float) -> None:
        """Take hold of a robot that was settled and lost its stiffness.

        Args:
            qpos: position and orientation of the torso, then the joints (nq).
            qvel: its velocities (nv).
            tilt: how far it leans [rad].
        """
        limits = self._settings
        if self._holding or not limits.present:
            return
        speed = math.sqrt(float(qvel[:3] @ qvel[:3]))
        turn = math.sqrt(float(qvel[3:6] @ qvel[3:6]))
        height = float(self._normal @ qpos[:3])
        if (
            tilt < limits.tilt
            and speed < limits.speed
            and turn < 2.0 * limits.speed
            and height < self._height + limits.rise_m
        ):
            self._holding = True
            self.grip = 1.0
            self._position[:] = qpos[:3]
            w, x, y, z = qpos[3:7].tolist()
            self._heading = math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))

    def wrench(self, qpos: Floats, qvel: Floats, rotation: Floats, com: Floats) -> Floats:
        """Return force and torque about the torso's centre of mass, in the world (6).

        Args:
            qpos: position and orientation of the torso, then the joints (nq).
            qvel: velocity in the world and angular velocity in the torso's frame (nv).
            rotation: of the torso in the world (3, 3).
            com: the torso's centre of mass (3) [m].
        """
        if not self._holding:
            self._fading_s += self._dt
            left = max(1.0 - self._fading_s / self._settings.fade_s, 0.0)
            self.grip = left * left * (3.0 - 2.0 * left)
            # Hands give way to a robot that moves by itself: they follow in a quarter second.
            self._position += (qpos[:3] - self._position) * min(self._dt / 0.25, 1.0)
        force = STIFFNESS * (self._position - qpos[:3]) - DAMPING * qvel[:3]
        cos, sin = math.cos(self._heading), math.sin(self._heading)
        x_axis, y_axis, z_axis = rotation.T
        error = 0.5 * (
            np.cross(x_axis, (cos, sin, 0.0))
            + np.cross(y_axis, (-sin, cos, 0.0))
            + np.cross(z_axis, (0.0, 0.0, 1.0))
        )
        torque = TURN_STIFFNESS * error - TURN_DAMPING * (rotation @ qvel[3:6])
        self._force[:3] = force
        self._force[3:] = torque + np.cross(qpos[:3] - com, force)
        self._force *= self.grip
        return self._force
