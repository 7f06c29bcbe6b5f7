"""Joint actuators: one control law, a torque–speed line, friction and what they draw."""

import math

import numpy as np

from devices.errors import DeviceError
from devices.interface import Floats, JointCommand
from devices.sim.power import Power
from devices.sim.settings import SimSettings

POWER_TICKS = 20
CREEP = 0.05  # speed at which dry friction has reached three quarters of its value [rad/s]


class Actuators:
    """Turns commands into joint torques.

    Attributes:
        motor: torque behind the gear, before friction (n) [N·m].
        applied: torque on the joint (n) [N·m].
        power: windings and battery.
    """

    def __init__(self, settings: SimSettings, armature: Floats) -> None:
        """Start cold and limp.

        Args:
            settings: the actuators' figures.
            armature: reflected rotor inertia of each joint (n) [kg·m²].
        """
        n = len(settings.joint_names)
        self.power = Power(settings)
        self._names = settings.joint_names
        self._dt = settings.timestep_s
        self._nominal = settings.nominal_voltage
        self._stall = np.array(settings.stall_torque)
        self._slope = self._stall / np.array(settings.no_load_speed)
        self._coulomb = np.array(settings.friction_coulomb)
        self._viscous = np.array(settings.friction_viscous)
        # Dry friction may not stop a bare rotor within less than a few ticks, or it rings.
        stable = 4.0 * self._dt * self._coulomb / np.maximum(armature, 1e-5)
        self._by_creep = 1.0 / np.maximum(CREEP, stable)
        self._damping = np.array(settings.damping) if settings.damping else self._slope.copy()
        self._ones = np.ones(n)
        self._zeros = np.zeros(n)
        self.motor = np.zeros(n)
        self.applied = np.zeros(n)
        self._asked = np.zeros(n)
        self._work = np.zeros(n)
        self._upper = np.zeros(n)
        self._lower = np.zeros(n)
        self._minus_stall = -self._stall
        self._heat = np.zeros(n)
        self._mechanical = 0.0
        self._ticks = 0
        self._set_voltage()

    def _set_voltage(self) -> None:
        self._reach = self._stall * (self.power.voltage / self._nominal)
        self._minus_reach = -self._reach

    def drive(self, command: JointCommand, q: Floats, dq: Floats) -> Floats:
        """Apply a command for one tick and return the joint torques (n) [N·m].

        Args:
            command: what the joints shall do.
            q: true positions (n) [rad].
            dq: true velocities (n) [rad/s].

        Raises:
            DeviceError: the command holds a number that is not finite.
        """
        asked, work = self._asked, self._work
        np.subtract(command.q, q, asked)
        np.multiply(asked, command.kp, asked)
        np.subtract(command.dq, dq, work)
        np.multiply(work, command.kd, work)
        np.add(asked, work, asked)
        np.add(asked, command.tau, asked)
        if not math.isfinite(asked.dot(self._ones)):
            culprit = self._names[int(np.argmin(np.isfinite(asked)))]
            raise DeviceError("simulator", f"the command for {culprit} is not a finite number")
        return self._limit(dq)

    def damp(self, dq: Floats) -> Floats:
        """Short every winding for one tick and return the joint torques (n) [N·m]."""
        np.multiply(self._damping, dq, self._asked)
        np.negative(self._asked, self._asked)
        return self._limit(dq)

    def release(self, dq: Floats) -> Floats:
        """Open every winding for one tick: only friction is left (n) [N·m]."""
        self._asked.fill(0.0)
        return self._limit(dq)

    def _limit(self, dq: Floats) -> Floats:
        # Nothing here is NaN, and fmin and fmax cost a fifth of minimum and maximum.
        work, upper, lower = self._work, self._upper, self._lower
        motor, applied = self.motor, self.applied
        np.multiply(self._slope, dq, work)
        np.subtract(self._reach, work, upper)
        np.fmax(upper, self._zeros, upper)
        np.fmin(upper, self._stall, upper)
        np.subtract(self._minus_reach, work, lower)
        np.fmin(lower, self._zeros, lower)
        np.fmax(lower, self._minus_stall, lower)
        np.fmin(self._asked, upper, motor)
        np.fmax(motor, lower, motor)
        np.multiply(dq, self._by_creep, work)
        np.tanh(work, work)
        np.multiply(work, self._coulomb, work)
        np.subtract(motor, work, applied)
        np.multiply(self._viscous, dq, work)
        np.subtract(applied, work, applied)
        np.multiply(motor, motor, work)
        np.add(self._heat, work, self._heat)
        self._mechanical += float(motor.dot(dq))
        self._ticks += 1
        if self._ticks == POWER_TICKS:
            self._account()
        return applied

    def _account(self) -> None:
        power, dt = self.power, self._dt
        heat = self._heat * power.loss_by_torque2 * dt
        power.update(heat, self._mechanical * dt, self._ticks * dt)
        self._heat.fill(0.0)
        self._mechanical = 0.0
        self._ticks = 0
        self._set_voltage()
