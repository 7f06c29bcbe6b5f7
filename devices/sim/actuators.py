"""Joint actuators: the control laws, the torque-speed line, friction and consumption."""

import math

import numpy as np

from devices.compiled import compiled
from devices.errors import DeviceError
from devices.interface import Floats, JointCommand
from devices.sim.power import Power
from devices.sim.settings import SimSettings

POWER_S = 0.02  # between two updates of temperatures and supply [s]
CREEP = 0.05  # speed at which dry friction has reached three quarters of its value [rad/s]

# Rows of the parameters; the last three are those of a servo's own position loop.
STALL, REACH, SLOPE, COULOMB, VISCOUS, BY_CREEP, SERVO, SERVO_KP, SERVO_KD = range(9)
ASKED, MOTOR, APPLIED, HEAT, WORK = range(5)  # rows of the state


@compiled
def apply_limits(dq: Floats, parameters: Floats, state: Floats) -> None:
    """Limit the torques asked to the torque-speed line, subtract friction, sum up the use."""
    stall, reach, slope = parameters[STALL], parameters[REACH], parameters[SLOPE]
    coulomb, viscous, by_creep = parameters[COULOMB], parameters[VISCOUS], parameters[BY_CREEP]
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
def apply_command(
    q_asked: Floats,
    dq_asked: Floats,
    tau: Floats,
    kp: Floats,
    kd: Floats,
    q: Floats,
    dq: Floats,
    parameters: Floats,
    state: Floats,
) -> int:
    """Apply a command; return the first joint whose command is not finite, or -1.

    A servo ignores the torque and uses its own gains; a stiffness or damping of zero in the
    command switches off that part of its loop.
    """
    asked = state[ASKED]
    for i in range(len(q)):
        asked[i] = (q_asked[i] - q[i]) * kp[i] + (dq_asked[i] - dq[i]) * kd[i] + tau[i]
        if not math.isfinite(asked[i]):
            return i
        if parameters[SERVO, i] > 0.0:
            stiffness = parameters[SERVO_KP, i] if kp[i] > 0.0 else 0.0
            damping = parameters[SERVO_KD, i] if kd[i] > 0.0 else 0.0
            asked[i] = (q_asked[i] - q[i]) * stiffness + (dq_asked[i] - dq[i]) * damping
    apply_limits(dq, parameters, state)
    return -1


class Actuators:
    """Turns commands into joint torques.

    Attributes:
        motor: torque behind the gear, before friction (n) [N·m].
        applied: torque on the joint (n) [N·m].
        power: temperatures and supply.
        damping: of each joint whose windings are shorted (n) [N·m·s/rad].
    """

    def __init__(self, settings: SimSettings, armature: Floats) -> None:
        """Start cold and limp.

        Args:
            settings: the actuators' parameters.
            armature: reflected rotor inertia of each joint (n) [kg·m²].
        """
        n = len(settings.joint_names)
        self.power = Power(settings)
        self._names = settings.joint_names
        self._dt = settings.timestep_s
        self._nominal = settings.nominal_voltage
        self._parameters = np.zeros((9, n))
        self._parameters[STALL] = settings.stall_torque
        self._parameters[SLOPE] = self._parameters[STALL] / np.array(settings.no_load_speed)
        if not settings.stiction:  # else the world's joints have it
            self._parameters[COULOMB] = settings.friction_coulomb
        self._parameters[VISCOUS] = settings.friction_viscous
        if settings.servos:
            self._parameters[SERVO] = settings.servos
            self._parameters[SERVO_KP] = settings.servo_kp
            self._parameters[SERVO_KD] = settings.servo_kd
        # Dry friction that stopped a bare rotor within less than a few steps would ring.
        stable = 4.0 * self._dt * self._parameters[COULOMB] / np.maximum(armature, 1e-5)
        self._parameters[BY_CREEP] = 1.0 / np.maximum(CREEP, stable)
        self.damping = np.array(settings.damping) if settings.damping else self._parameters[SLOPE]
        self._state = np.zeros((5, n))
        self._asked = self._state[ASKED]
        self.motor: Floats = self._state[MOTOR]
        self.applied: Floats = self._state[APPLIED]
        self._power_steps = max(round(POWER_S / self._dt), 1)
        self._steps = 0
        self._set_voltage()
        # The first call compiles, which takes seconds: do it before the robot moves.
        still = np.zeros(n)
        apply_command(
            still, still, still, still, still, still, still, self._parameters, self._state
        )
        apply_limits(still, self._parameters, self._state)

    def _set_voltage(self) -> None:
        np.multiply(
            self._parameters[STALL], self.power.voltage / self._nominal, out=self._parameters[REACH]
        )

    def motors(self, q: Floats, dq: Floats) -> None:
        """Overwrite the joints' positions and velocities by those of their motors: the same."""

    def drive(self, command: JointCommand, q: Floats, dq: Floats) -> Floats:
        """Apply a command for one step and return the joint torques (n) [N·m].

        Args:
            command: of every joint.
            q: true positions (n) [rad].
            dq: true velocities (n) [rad/s].

        Raises:
            DeviceError: the command holds a number that is not finite.
        """
        culprit = apply_command(
            command.q,
            command.dq,
            command.tau,
            command.kp,
            command.kd,
            q,
            dq,
            self._parameters,
            self._state,
        )
        if culprit >= 0:
            name = self._names[culprit]
            raise DeviceError("simulator", f"the command for {name} is not a finite number")
        return self._sum_up()

    def damp(self, dq: Floats) -> Floats:
        """Short every winding for one step and return the joint torques (n) [N·m]."""
        np.multiply(self.damping, dq, self._asked)
        np.negative(self._asked, self._asked)
        apply_limits(dq, self._parameters, self._state)
        return self._sum_up()

    def release(self, dq: Floats) -> Floats:
        """Open every winding for one step and return the friction (n) [N·m]."""
        self._asked.fill(0.0)
        apply_limits(dq, self._parameters, self._state)
        return self._sum_up()

    def _sum_up(self) -> Floats:
        self._steps += 1
        if self._steps == self._power_steps:
            self._account()
        return self.applied

    def _account(self) -> None:
        power, dt = self.power, self._dt
        heat = self._state[HEAT] * power.loss_by_torque2 * dt
        power.update(heat, float(self._state[WORK].sum()) * dt, self._steps * dt)
        self._state[HEAT:].fill(0.0)
        self._steps = 0
        self._set_voltage()
