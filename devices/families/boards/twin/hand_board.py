"""Twin of the board of a wrist and the fingers of a hand, with motors and position loop."""

import math

import numpy as np

from devices.compiled import compiled
from devices.families.boards.twin.board import Board, age_ms
from devices.families.boards.twin.seats import HandSeat
from devices.families.boards.wire.hand import (
    NEVER_MS,
    HandCommand,
    HandFault,
    HandMode,
    HandStatus,
    MotorFault,
    MotorState,
)
from devices.families.boards.wire.identity import Board as BoardKind
from devices.families.boards.wire.identity import Start
from devices.interface import Floats, Sample
from devices.sim.world import Indices
from devices.twin.timing import TICK_US, is_due
from devices.wire.errors import WireError
from devices.wire.frame import Frame, elapsed_us

PERIOD_US = 10_000
HOT_C = 90.0
_LOW_V = 9.0
_BOARD_C = 34.0
REFERENCE, TARGET, SPEED, MOST = range(4)  # rows of the goals
STIFFNESS, LOSS, SHORTED, SIGN, ZERO = range(5)  # rows of the parameters


@compiled
def grip(
    mode: int,
    goals: Floats,
    parameters: Floats,
    joints: Indices,
    q: Floats,
    dq: Floats,
    tau: Floats,
    dt: float,
) -> None:
    """Write the torques of a hand's motors and advance their references.

    Args:
        mode: a HandMode.
        goals: reference and target of the motor [rad], speed of the reference [rad/s] and torque
            limit [N·m] (4, k).
        parameters: parameters of position loop, shorted motor and mounting (5, k).
        joints: indices of the motors' joints (k).
        q: true positions of all joints (n) [rad].
        dq: true velocities (n) [rad/s].
        tau: torques (n); only the hand's are written [N·m].
        dt: length of the tick [s].
    """
    for i in range(len(joints)):
        j = joints[i]
        tau[j] = 0.0
        if mode == 1:
            tau[j] = -parameters[SHORTED, i] * dq[j]
        elif mode == 2:
            most = goals[SPEED, i] * dt
            step = min(max(goals[TARGET, i] - goals[REFERENCE, i], -most), most)
            sign = parameters[SIGN, i]
            behind = goals[REFERENCE, i] - (sign * q[j] + parameters[ZERO, i])
            slower = step / dt - sign * dq[j]
            asked = sign * (parameters[STIFFNESS, i] * behind + parameters[LOSS, i] * slower)
            tau[j] = max(min(asked, goals[MOST, i]), -goals[MOST, i])
            goals[REFERENCE, i] += step


class HandBoard(Board):
    """Moves a hand as long as commands arrive.

    Attributes:
        mode: mode of its motors.
        supply_v: supply voltage of the motors [V].
    """

    BOARD = BoardKind.HAND

    def __init__(
        self, seat: HandSeat, joints: Indices, shorted: Floats, tick_us: int = TICK_US
    ) -> None:
        """Switch the board on, its motors off.

        Args:
            seat: mounting of the board.
            joints: indices of its motors' joints (k).
            shorted: damping of each joint whose motor is shorted (n) [N·m·s/rad].
            tick_us: tick of the twin [µs].
        """
        super().__init__(seat.source, tick_us)
        k = len(joints)
        self.mode = HandMode.OFF
        self.supply_v = 0.0
        self._joints = joints
        self._seat = seat
        self._constants = np.array([motor.torque_constant for motor in seat.motors])
        self._goals = np.zeros((4, k))
        self._parameters = np.zeros((5, k))
        self._parameters[STIFFNESS] = [motor.stiffness for motor in seat.motors]
        self._parameters[LOSS] = [motor.damping for motor in seat.motors]
        self._parameters[SHORTED] = shorted[joints]
        self._parameters[SIGN] = [motor.sign for motor in seat.motors]
        self._parameters[ZERO] = [motor.zero_rad for motor in seat.motors]
        self._readings = np.zeros((4, k))
        self._faults = HandFault(0)
        self._watchdog_ms = 0
        self._heard_us = -1
        self._asked_us = 0  # on the clock of the sender

    def received(self) -> dict[str, dict[str, float]]:
        """Return mode, target [rad] and torque limit [N·m] of each joint."""
        mode, goals = int(self.mode), self._goals.T.tolist()
        return {
            motor.joint: {"mode": mode, "target": goal[TARGET], "torque_limit": goal[MOST]}
            for motor, goal in zip(self._seat.motors, goals, strict=True)
        }

    def restart(self, start: Start, now_us: int) -> None:
        """Restart with the motors off."""
        super().restart(start, now_us)
        self.mode = HandMode.OFF
        self._faults = HandFault(0)
        self._watchdog_ms = 0
        self._heard_us = -1

    def obey(self, frame: Frame, now_us: int) -> None:
        """Execute a command.

        Raises:
            WireError: the command is invalid, or for another number of motors.
        """
        if frame.kind != HandCommand.KIND:
            raise WireError(f"kind {frame.kind:#04x} is no command of a hand")
        try:
            command = HandCommand.of(frame.payload)
            if len(command.motors) != len(self._joints):
                raise WireError(f"{len(command.motors)} motors are not {len(self._joints)}")
        except WireError:
            self._faults |= HandFault.COMMAND_REFUSED
            raise
        goals = self._goals
        # The next command is expected after the last interval: until then the reference moves
        # evenly.
        glide_ms = command.watchdog_ms
        if command.mode is HandMode.HOLD and self.mode is not HandMode.HOLD:
            goals[REFERENCE] = self._readings[0]
        elif 0 < (apart_us := elapsed_us(frame.t_us, self._asked_us)) < 1000 * glide_ms:
            glide_ms = max(1, round(1e-3 * apart_us))
        self._asked_us = frame.t_us
        self.mode = command.mode
        self._watchdog_ms = command.watchdog_ms
        self._heard_us = now_us
        self._faults &= ~(HandFault.COMMAND_LOST | HandFault.COMMAND_REFUSED)
        for i, motor in enumerate(command.motors):
            goals[TARGET, i] = motor.position_rad
            even = 1e3 * abs(motor.position_rad - goals[REFERENCE, i]) / glide_ms
            goals[SPEED, i] = min(even, motor.velocity_limit_rad_s)
            goals[MOST, i] = motor.current_limit_a * self._constants[i]

    def pull(self, q: Floats, dq: Floats, tau: Floats, now_us: int) -> None:
        """Write the torques of its motors for a tick that begins now [µs].

        Args:
            q: true positions of all joints (n) [rad].
            dq: true velocities (n) [rad/s].
            tau: torques; elements of other joints are left unchanged (n) [N·m].
            now_us: the time [µs].
        """
        silent_us = now_us - self._heard_us
        if self.mode is not HandMode.OFF and silent_us > 1000 * self._watchdog_ms:
            self.mode = HandMode.OFF
            self._faults |= HandFault.COMMAND_LOST
        low = self.supply_v < _LOW_V
        if low:
            self.mode = HandMode.OFF
            self._faults |= HandFault.SUPPLY_LOW
        elif self._faults & HandFault.SUPPLY_LOW:
            self._faults &= ~HandFault.SUPPLY_LOW
        dt = 1e-6 * self.tick_us
        grip(int(self.mode), self._goals, self._parameters, self._joints, q, dq, tau, dt)

    def feel(self, sample: Sample) -> None:
        """Update the motors' measurements."""
        joints, readings = self._joints, self._readings
        sample.q.take(joints, out=readings[0], mode="clip")
        sample.dq.take(joints, out=readings[1], mode="clip")
        sample.tau.take(joints, out=readings[2], mode="clip")
        sample.winding_c.take(joints, out=readings[3], mode="clip")
        readings[:3] *= self._parameters[SIGN]
        readings[2] /= self._constants
        readings[0] += self._parameters[ZERO]

    def report(self, now_us: int) -> bytes:
        """Return the frame that is due at a time [µs]."""
        if not is_due(now_us, PERIOD_US, self.tick_us):
            return b""
        motors = tuple(
            MotorState(
                _within(q, 3.2),
                _within(dq, 32.0),
                _within(current, 32.0),
                winding,
                MotorFault.HOT if winding > HOT_C else MotorFault(0),
            )
            for q, dq, current, winding in self._readings.T.tolist()
        )
        status = HandStatus(
            self.mode,
            self._faults,
            self._watchdog_ms,
            age_ms(self._heard_us, now_us, NEVER_MS),
            self.tick_us,
            self.supply_v,
            _BOARD_C,
            motors,
        )
        return self.frame(HandStatus.KIND, status.encode(), now_us)


def _within(value: float, most: float) -> float:
    """Limit a value to the range of its field."""
    return math.copysign(min(abs(value), most), value)
