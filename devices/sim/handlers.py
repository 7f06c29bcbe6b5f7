"""The people who hold a legged robot until it stands by itself."""

import math

import numpy as np

from devices.interface import Bools, Floats, JointCommand, Support
from devices.sim.settings import SimSettings


class People:
    """Hold the base in place, let go when the legs take over, catch no fall.

    Attributes:
        grip: firmness of their hold, 0 to 1.
    """

    def __init__(
        self, settings: SimSettings, legs: Bools, base_position: Floats, normal: Floats
    ) -> None:
        """Hold the initial pose, if the robot has legs and people who hold it.

        Args:
            settings: of the simulation.
            legs: whether each joint is a leg's (n).
            base_position: of the base at the start (3) [m].
            normal: of the floor, in the world (3).
        """
        standing = settings.support in (Support.FLOOR, Support.GANTRY)
        handlers = settings.body.handlers
        self._handlers = handlers if standing and legs.any() else None
        self._dt = settings.timestep_s
        self._legs = np.flatnonzero(legs)
        self._normal = normal
        rise_m = 0.0 if self._handlers is None else self._handlers.rise_m
        self._highest = float(normal @ base_position) + rise_m
        self._start: list[float] = base_position.tolist()
        self.put_back()

    def put_back(self) -> None:
        """Hold the initial pose again."""
        self._position = list(self._start)
        self._heading = 0.0
        self._holding = self._handlers is not None
        self.grip = 1.0 if self._holding else 0.0
        self._fading_s = 0.0

    def see(self, command: JointCommand) -> None:
        """Let go once a command gives the legs stiffness or torque."""
        if self._holding and (
            float(command.kp[self._legs].max()) > 0.0
            or float(np.abs(command.tau[self._legs]).max()) > 0.0
        ):
            self._holding = False
            self._fading_s = 0.0

    def watch(self, qpos: Floats, qvel: Floats) -> None:
        """Take hold of a robot whose legs just lost their stiffness, if it had settled.

        Args:
            qpos: position and orientation of the base, then the joints (nq).
            qvel: velocity in the world and angular velocity in the base's frame (nv).
        """
        limits = self._handlers
        if self._holding or limits is None:
            return
        w, x, y, z = qpos[3:7].tolist()
        if (
            1.0 - 2.0 * (x * x + y * y) > math.cos(limits.tilt)
            and float(qvel[:3] @ qvel[:3]) < limits.speed**2
            and float(qvel[3:6] @ qvel[3:6]) < (2.0 * limits.speed) ** 2
            and (self.grip > 0.3 or float(self._normal @ qpos[:3]) < self._highest)
        ):
            self._holding = True
            self.grip = 1.0
            self._position = qpos[:3].tolist()
            self._heading = math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))

    def hold(self, qpos: Floats, qvel: Floats, com: Floats, wrench: Floats) -> None:
        """Add their force and torque in this step to the base's wrench.

        Args:
            qpos: position and orientation of the base, then the joints (nq).
            qvel: velocity in the world and angular velocity in the base's frame (nv).
            com: the base's centre of mass (3) [m].
            wrench: force and torque at that point, in the world (6) [N, N·m].
        """
        px, py, pz, w, x, y, z = qpos[:7].tolist()
        vx, vy, vz, p, q, r = qvel[:6].tolist()
        cx, cy, cz = com.tolist()
        place = self._position
        hands = self._handlers
        if hands is None:
            return
        if not self._holding:
            self._fading_s += self._dt
            left = max(1.0 - self._fading_s / hands.fade_s, 0.0)
            self.grip = left * left * (3.0 - 2.0 * left)
            # Hands follow a robot that moves by itself within a quarter of a second.
            part = min(self._dt / 0.25, 1.0)
            place[0] += (px - place[0]) * part
            place[1] += (py - place[1]) * part
            place[2] += (pz - place[2]) * part
        grip = self.grip
        fx = grip * (hands.stiffness * (place[0] - px) - hands.damping * vx)
        fy = grip * (hands.stiffness * (place[1] - py) - hands.damping * vy)
        fz = grip * (hands.stiffness * (place[2] - pz) - hands.damping * vz)
        # Rotation that remains to upright with the heading held: twice the vector part of
        # (cos h/2, 0, 0, sin h/2) times the conjugate of the base's quaternion.
        c, s = math.cos(0.5 * self._heading), math.sin(0.5 * self._heading)
        twice = 2.0 if c * w + s * z >= 0.0 else -2.0
        ex, ey, ez = twice * (s * y - c * x), twice * (-c * y - s * x), twice * (s * w - c * z)
        # Angular velocity from the base's frame to the world: v + 2 w (u x v) + 2 u x (u x v)
        ax, ay, az = y * r - z * q, z * p - x * r, x * q - y * p
        wx = p + 2.0 * (w * ax + y * az - z * ay)
        wy = q + 2.0 * (w * ay + z * ax - x * az)
        wz = r + 2.0 * (w * az + x * ay - y * ax)
        lx, ly, lz = px - cx, py - cy, pz - cz
        wrench[:] += (
            fx,
            fy,
            fz,
            grip * (hands.turn_stiffness * ex - hands.turn_damping * wx) + ly * fz - lz * fy,
            grip * (hands.turn_stiffness * ey - hands.turn_damping * wy) + lz * fx - lx * fz,
            grip * (hands.turn_stiffness * ez - hands.turn_damping * wz) + lx * fy - ly * fx,
        )
