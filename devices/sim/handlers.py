"""The people who hold a robot until it stands by itself."""

import math

import numpy as np

from devices.interface import Bools, Floats, JointCommand, Support
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

    def __init__(self, settings: SimSettings, legs: Bools, qpos: Floats, normal: Floats) -> None:
        """Hold the initial pose, where there are people at all.

        Args:
            settings: of the simulation.
            legs: which joints are the legs' (n).
            qpos: the whole position at the start (nq).
            normal: of the floor, in the world (3).
        """
        self._limits = settings.handlers
        self._present = settings.handlers.present and settings.support is not Support.SEATED
        self._dt = settings.timestep_s
        self._legs = np.flatnonzero(legs)
        self._normal = normal
        self._highest = float(normal @ qpos[:3]) + settings.handlers.rise_m
        self._place: list[float] = qpos[:3].tolist()
        self._heading = 0.0
        self._holding = self._present
        self.grip = 1.0 if self._present else 0.0
        self._fading_s = 0.0

    def see(self, command: JointCommand) -> None:
        """Let go once the legs carry: they are given stiffness or torque."""
        if self._holding and (
            float(command.kp[self._legs].max()) > 0.0
            or float(np.abs(command.tau[self._legs]).max()) > 0.0
        ):
            self._holding = False
            self._fading_s = 0.0

    def watch(self, qpos: Floats, qvel: Floats) -> None:
        """Take hold of a robot whose legs just lost their stiffness, if it was settled.

        Args:
            qpos: position and orientation of the torso, then the joints (nq).
            qvel: velocity in the world and angular velocity in the torso's frame (nv).
        """
        if self._holding or not self._present:
            return
        limits = self._limits
        w, x, y, z = qpos[3:7].tolist()
        if (
            1.0 - 2.0 * (x * x + y * y) > math.cos(limits.tilt)
            and float(qvel[:3] @ qvel[:3]) < limits.speed**2
            and float(qvel[3:6] @ qvel[3:6]) < (2.0 * limits.speed) ** 2
            and (self.grip > 0.3 or float(self._normal @ qpos[:3]) < self._highest)
        ):
            self._holding = True
            self.grip = 1.0
            self._place = qpos[:3].tolist()
            self._heading = math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))

    def hold(self, qpos: Floats, qvel: Floats, com: Floats, wrench: Floats) -> None:
        """Add what they do in this tick to the torso's wrench.

        Args:
            qpos: position and orientation of the torso, then the joints (nq).
            qvel: velocity in the world and angular velocity in the torso's frame (nv).
            com: the torso's centre of mass (3) [m].
            wrench: force and torque at that point, in the world (6) [N, N·m].
        """
        px, py, pz, w, x, y, z = qpos[:7].tolist()
        vx, vy, vz, p, q, r = qvel[:6].tolist()
        cx, cy, cz = com.tolist()
        place = self._place
        if not self._holding:
            self._fading_s += self._dt
            left = max(1.0 - self._fading_s / self._limits.fade_s, 0.0)
            self.grip = left * left * (3.0 - 2.0 * left)
            # Hands follow a robot that moves by itself within a quarter of a second.
            part = min(self._dt / 0.25, 1.0)
            place[0] += (px - place[0]) * part
            place[1] += (py - place[1]) * part
            place[2] += (pz - place[2]) * part
        grip = self.grip
        fx = grip * (STIFFNESS * (place[0] - px) - DAMPING * vx)
        fy = grip * (STIFFNESS * (place[1] - py) - DAMPING * vy)
        fz = grip * (STIFFNESS * (place[2] - pz) - DAMPING * vz)
        # Rotation that remains to upright with the heading held: twice the vector part of
        # (cos h/2, 0, 0, sin h/2) times the conjugate of the torso's quaternion.
        c, s = math.cos(0.5 * self._heading), math.sin(0.5 * self._heading)
        twice = 2.0 if c * w + s * z >= 0.0 else -2.0
        ex, ey, ez = twice * (s * y - c * x), twice * (-c * y - s * x), twice * (s * w - c * z)
        # Angular velocity from the torso's frame to the world: v + 2 w (u x v) + 2 u x (u x v)
        ax, ay, az = y * r - z * q, z * p - x * r, x * q - y * p
        wx = p + 2.0 * (w * ax + y * az - z * ay)
        wy = q + 2.0 * (w * ay + z * ax - x * az)
        wz = r + 2.0 * (w * az + x * ay - y * ax)
        lx, ly, lz = px - cx, py - cy, pz - cz
        wrench[:] += (
            fx,
            fy,
            fz,
            grip * (TURN_STIFFNESS * ex - TURN_DAMPING * wx) + ly * fz - lz * fy,
            grip * (TURN_STIFFNESS * ey - TURN_DAMPING * wy) + lz * fx - lx * fz,
            grip * (TURN_STIFFNESS * ez - TURN_DAMPING * wz) + lx * fy - ly * fx,
        )
