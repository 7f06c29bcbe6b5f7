"""Joint actuators: one control law, a torque–speed line, friction and what they draw."""

import math

import numpy as np

from devices.compiled import compiled
from devices.errors import DeviceError
from devices.interface import Floats, JointCommand
from devices.sim.power import Power
from devices.sim.settings import SimSettings

POWER_TICKS = 20
CREEP = 0.05  # speed at which dry friction has reached three quarters of its value [rad/s]

STALL, REACH, SLOPE, COULOMB, VISCOUS, BY_CREEP = range(6)  # rows of the figures
ASKED, MOTOR, APPLIED, HEAT, WORK = range(5)  # rows of the state


@compiled
def limit(dq: Floats, figures: Floats, state: Floats) -> None:
    """Turn the torques asked into the motors' and the applied ones, and book what they use."""
    stall, reach, slope = figures[STALL], figures[REACH], figures[SLOPE]
    coulomb, viscous, by_creep = figures[COULOMB], figures[VISCOUS], figures[BY_CREEP]
    asked, motor, applied = state[ASKED], state[MOTOR], state[APPLIED]
    heat, work = state[HEAT], state[WORK]
    for i in range(len(dq)):
        speed = dq[i]
        lost = slope[i] * speed
        upper = min(max(reach[i] - lost, 0.0), stall[i])
        lower = max(min(-reach[i] - lost, 0.0), -stall[i])
        torque = max(min(asked[i], upper), lower)
        motor[i] = torque
        friction = coulomb[i] * math.tanh(speed * by_creep[i])
        applied[i] = torque - friction - viscous[i] * speed
        heat[i] += torque * torque
        work[i] += torque * speed


@compiled
def follow(
    q_asked: Floats,
    dq_asked: Floats,
    tau: Floats,
    kp: Floats,
    kd: Floats,
    q: Floats,
    dq: Floats,
    figures: Floats,
    state: Floats,
) -> int:
    """Apply a command; return the first joint whose command is not finite, or -1."""
    asked = state[ASKED]
    for i in range(len(q)):
        asked[i] = (q_asked[i] - q[i]) * kp[i] + (dq_asked[i] - dq[i]) * kd[i] + tau[i]
        if not math.isfinite(asked[i]):
            return i
    limit(dq, figures, state)
    return -1


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
        self._figures = np.zeros((6, n))
        self._figures[STALL] = settings.stall_torque
        self._figures[SLOPE] = self._figures[STALL] / np.array(settings.no_load_speed)
        self._figures[COULOMB] = settings.friction_coulomb
        self._figures[VISCOUS] = settings.friction_viscous
        # Dry friction may not stop a bare rotor within less than a few ticks, or it rings.
        stable = 4.0 * self._dt * self._figures[COULOMB] / np.maximum(armature, 1e-5)
        self._figures[BY_CREEP] = 1.0 / np.maximum(CREEP, stable)
        self._damping = np.array(settings.damping) if settings.damping else self._figures[SLOPE]
        self._state = np.zeros((5, n))
        self._asked = self._state[ASKED]
        self.motor: Floats = self._state[MOTOR]
        self.applied: Floats = self._state[APPLIED]
        self._ticks = 0
        self._set_voltage()
        # A first call compiles, which takes seconds: not when the robot is already moving.
        still = np.zeros(n)
        follow(still, still, still, still, still, still, still, self._figures, self._state)
        limit(still, self._figures, self._state)

    def _set_voltage(self) -> None:
        np.multiply(
            self._figures[STALL], self.power.voltage / self._nominal, out=self._figures[REACH]
        )

    def drive(self, command: JointCommand, q: Floats, dq: Floats) -> Floats:
        """Apply a command for one tick and return the joint torques (n) [N·m].

        Args:
            command: what the joints shall do.
            q: true positions (n) [rad].
            dq: true velocities (n) [rad/s].

        Raises:
            DeviceError: the command holds a number that is not finite.
        """
        culprit = follow(
            command.q,
            command.dq,
            command.tau,
            command.kp,
            command.kd,
            q,
            dq,
            self._figures,
            self._state,
        )
        if culprit >= 0:
            name = self._names[culprit]
            raise DeviceError("simulator", f"the command for {name} is not a finite number")
        return self._book()

    def damp(self, dq: Floats) -> Floats:
        """Short every winding for one tick and return the joint torques (n) [N·m]."""
        np.multiply(self._damping, dq, self._asked)
        np.negative(self._asked, self._asked)
        limit(dq, self._figures, self._state)
        return self._book()

    def release(self, dq: Floats) -> Floats:
        """Open every winding for one tick: only friction is left (n) [N·m]."""
        self._asked.fill(0.0)
        limit(dq, self._figures, self._state)
        return self._book()

    def _book(self) -> Floats:
        self._ticks += 1
        if self._ticks == POWER_TICKS:
            self._account()
        return self.applied

    def _account(self) -> None:
        power, dt = self.power, self._dt
        heat = self._state[HEAT] * power.loss_by_torque2 * dt
        power.update(heat, float(self._state[WORK].sum()) * dt, self._ticks * dt)
        self._state[HEAT:].fill(0.0)
        self._ticks = 0
        self._set_voltage()
