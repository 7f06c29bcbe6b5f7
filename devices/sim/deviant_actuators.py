"""Actuators that differ from the model's: torque, loss and play of gears, zeros, late commands."""

import math

import numpy as np

from devices.compiled import compiled
from devices.interface import Floats, JointCommand
from devices.sim.actuators import BY_CREEP, SERVO, SERVO_KD, Actuators
from devices.sim.delay import Delay
from devices.sim.deviation import Deviation
from devices.sim.settings import SimSettings

FACTOR, LOSS, HALF_PLAY, ARMATURE = range(4)  # rows of the gears' parameters
PLACE, SPEED = range(2)  # rows of their state: the motor ahead of its joint, and its own speed


@compiled
def transmit(
    dq: Floats,
    motor: Floats,
    applied: Floats,
    damping: Floats,
    by_creep: Floats,
    step_s: float,
    gears: Floats,
    state: Floats,
) -> None:
    """Replace the torques on the joints by those that the plant's gears transmit.

    A motor within its play turns freely, as its rotor's inertia lets it; at the end of the play
    its joint takes the momentum from it in one step. The damping of the motor's loop counts
    implicitly, because a bare rotor would ring.

    Args:
        dq: joint velocities (n) [rad/s].
        motor: torques that the currents stand for (n) [N·m].
        applied: those less friction, overwritten (n) [N·m].
        damping: of each motor's loop (n) [N·m·s/rad].
        by_creep: inverse of the speed at which friction has grown (n) [s/rad].
        step_s: of the physics [s].
        gears: parameters (4, n).
        state: place [rad] and speed [rad/s] of each motor in its play, overwritten (2, n).
    """
    for i in range(len(dq)):
        friction = motor[i] - applied[i]
        driving = gears[FACTOR, i] * motor[i]
        half = gears[HALF_PLAY, i]
        speed = state[SPEED, i] if half > 0.0 else dq[i]
        lost = gears[LOSS, i] * abs(driving) * math.tanh(speed * by_creep[i])
        torque = driving - lost - friction
        if half == 0.0:
            applied[i] = torque
            continue
        place = state[PLACE, i]
        if (place >= half and torque > 0.0) or (place <= -half and torque < 0.0):
            applied[i] = torque
            state[SPEED, i] = dq[i]
            continue
        applied[i] = 0.0
        rate = damping[i] * step_s / gears[ARMATURE, i]
        speed += step_s * torque / gears[ARMATURE, i] / (1.0 + rate)
        place += step_s * (speed - dq[i])
        if abs(place) >= half:
            place = math.copysign(half, place)
            applied[i] = gears[ARMATURE, i] * (speed - dq[i]) / step_s
            speed = dq[i]
        state[PLACE, i], state[SPEED, i] = place, speed


class DeviantActuators(Actuators):
    """Actuators of a plant. Their loops see the motors, which are not quite where the joints are.

    Attributes:
        shift: measured angle less true angle of each joint at the last step (n) [rad].
        slip: speed of each motor less that of its joint at the last step (n) [rad/s].
    """

    def __init__(self, settings: SimSettings, armature: Floats) -> None:
        """Start cold and limp, with every motor in the middle of its play.

        Args:
            settings: the actuators' parameters and their deviation.
            armature: reflected rotor inertia of each joint (n) [kg·m²].
        """
        super().__init__(settings, armature)
        n, found = len(armature), settings.deviation
        self._zero = _column(found.zero_rad, n, 0.0)
        self._gears = np.array(
            [
                _column(found.torque_factors, n, 1.0),
                _column(found.gear_losses, n, 0.0),
                0.5 * _column(found.play_rad, n, 0.0),
                np.maximum(armature, 1e-5),
            ]
        )
        self._places = np.zeros((2, n))
        self._late = Delay(_whole(found, settings), settings.timestep_s, 5 * n)
        self._command = JointCommand.zeros(n)
        self._row = np.zeros((5, n))
        self.shift: Floats = self._zero.copy()
        self.slip: Floats = np.zeros(n)
        # The first call compiles, which takes seconds: do it before the robot moves.
        self._transmit(np.zeros(n), np.zeros(n))

    def motors(self, q: Floats, dq: Floats) -> None:
        """Overwrite the joints' positions and velocities by those of their motors, zeros aside."""
        q += self._places[PLACE]
        playing = self._gears[HALF_PLAY] > 0.0
        dq[playing] = self._places[SPEED, playing]

    def drive(self, command: JointCommand, q: Floats, dq: Floats) -> Floats:
        """Apply the command of some time ago for one step; return the joint torques (n) [N·m].

        Raises:
            DeviceError: the command holds a number that is not finite.
        """
        late, row = self._command, self._row
        row[0], row[1], row[2], row[3], row[4] = (
            command.q,
            command.dq,
            command.tau,
            command.kp,
            command.kd,
        )
        late.q, late.dq, late.tau, late.kp, late.kd = self._late.put(row.ravel()).reshape(row.shape)
        seen_q, seen_dq = self._see(q, dq)
        super().drive(late, seen_q, seen_dq)
        own = self._parameters[SERVO] > 0.0
        return self._transmit(dq, np.where(own, self._parameters[SERVO_KD], late.kd))

    def damp(self, dq: Floats) -> Floats:
        """Short every winding for one step, at once; return the joint torques (n) [N·m]."""
        self._late.clear()
        super().damp(self._see(np.zeros(len(dq)), dq)[1])
        return self._transmit(dq, self.damping)

    def release(self, dq: Floats) -> Floats:
        """Open every winding for one step, at once; return the friction (n) [N·m]."""
        self._late.clear()
        super().release(self._see(np.zeros(len(dq)), dq)[1])
        return self._transmit(dq, np.zeros(len(dq)))

    def _see(self, q: Floats, dq: Floats) -> tuple[Floats, Floats]:
        """Return positions and velocities as the motors' encoders measure them (n), (n)."""
        seen_q, seen_dq = q + self._zero, dq.copy()
        self.motors(seen_q, seen_dq)
        np.subtract(seen_q, q, out=self.shift)
        np.subtract(seen_dq, dq, out=self.slip)
        return seen_q, seen_dq

    def _transmit(self, dq: Floats, damping: Floats) -> Floats:
        transmit(
            dq,
            self.motor,
            self.applied,
            damping,
            self._parameters[BY_CREEP],
            self._dt,
            self._gears,
            self._places,
        )
        return self.applied


def _column(values: tuple[float, ...], count: int, usual: float) -> Floats:
    """Return the values of all joints, the usual one where none are given (n)."""
    return np.array(values) if values else np.full(count, usual)


def _whole(found: Deviation, settings: SimSettings) -> float:
    """Return the commands' delay in whole steps, so that no command is a mixture of two [s]."""
    return round(found.command_delay_s / settings.timestep_s) * settings.timestep_s
