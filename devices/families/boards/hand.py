"""Driver of the joints of a hand, which its board controls."""

import math
from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta

from devices.families.boards.clock import BoardClock
from devices.families.boards.line import BoardLine
from devices.families.boards.wire.hand import (
    MOST_MOTORS,
    HandCommand,
    HandFault,
    HandMode,
    HandStatus,
    MotorFault,
    MotorTarget,
)
from devices.families.boards.wire.identity import Board
from devices.families.boards.wire.layout import Source
from devices.interface import Floats, Trouble
from devices.wire.errors import WireError
from devices.wire.frame import Frame

_FARTHEST_RAD = 3.2767  # largest velocity limit of a command
_OLD_US = 0xFFFF  # age of a sample of this age or older
_ON_ITS_WAY_S = 0.001  # period of repeating a command until the board follows it
_SUPPLIED_S = 0.2  # delay from the motors' supply to that of the board's motors
_CATCH_UP = 2.0  # velocity by which a reference that lags may exceed the command [rad/s]

AWAY = "was silent and stays limp"
_SUPPLY_LOW = "its supply is too low for the motors; check its supply line"
_FAULTS = {
    HandFault.SUPPLY_HIGH: "its supply is too high for the motors; check its supply line",
    HandFault.BOARD_HOT: "is too hot and has switched its motors off; let it cool",
    HandFault.COMMAND_REFUSED: "refuses its commands; install the right firmware",
}
# A board with one of these faults has its motors off; the end of the fault must not switch them on.
_OFF = int(
    HandFault.SUPPLY_LOW | HandFault.SUPPLY_HIGH | HandFault.BOARD_HOT | HandFault.COMMAND_LOST
)
_ENCODER = int(MotorFault.ENCODER)
_MOTOR_FAULTS = {
    MotorFault.ENCODER: "its encoder is silent; check its plug",
    MotorFault.OVER_CURRENT: "drew too much current and is off; check the joint for an obstacle",
    MotorFault.HOT: "is hot and limits its current; let it cool",
    MotorFault.DRIVER: "its driver reports a fault and is off; change the board",
}

Angle = Annotated[float, Meta(ge=-_FARTHEST_RAD, le=_FARTHEST_RAD)]


class Motor(msgspec.Struct, frozen=True, forbid_unknown_fields=True, array_like=True):
    """One motor of a hand.

    Attributes:
        joint: joint that the motor moves.
        sign: 1, or -1 if the joint turns against the motor.
        zero_rad: reading of the motor at which the joint's position is 0 [rad].
        torque_constant: torque of the joint by the motor's current [N·m/A].
        velocity_limit: largest velocity of the joint [rad/s].
        current_limit: largest current of the motor [A].
    """

    joint: str
    sign: Annotated[int, Meta(ge=-1, le=1)]
    zero_rad: Angle
    torque_constant: Annotated[float, Meta(gt=0.0, le=10.0)]
    velocity_limit: Annotated[float, Meta(gt=0.0, le=20.0)]
    current_limit: Annotated[float, Meta(gt=0.0, le=5.0)]


Motors = Annotated[tuple[Motor, ...], Meta(min_length=1, max_length=MOST_MOTORS)]


class HandSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A board that moves a hand or a gripper.

    Attributes:
        device: the technician's name of the board.
        line: line that the board is connected to.
        source: number of the board.
        columns: names of the columns of the rows.
        rows: its motors in the order of the profile, one row each.
        period_s: period of the commands to a hand [s].
        watchdog_ms: silence after which a board switches its motors off [ms].
        silent_s: silence after which a board counts as missing [s].
    """

    device: str
    line: str
    source: Source
    columns: tuple[str, ...]
    rows: Motors
    period_s: Annotated[float, Meta(ge=0.001, le=0.05)] = 0.01
    watchdog_ms: Annotated[int, Meta(ge=10, le=100)] = 100
    silent_s: Annotated[float, Meta(gt=0.0, le=1.0)] = 0.1

    def __post_init__(self) -> None:
        """Refuse combinations of values that are inconsistent."""
        if self.columns != Motor.__struct_fields__:
            raise ValueError(f"the columns of hands are {', '.join(Motor.__struct_fields__)}")
        joints = [motor.joint for motor in self.rows]
        for motor in self.rows:
            if motor.sign == 0:
                raise ValueError(f"the sign of {motor.joint} is 1 or -1, not 0")
            if joints.count(motor.joint) > 1:
                raise ValueError(f"joint {motor.joint!r} has two motors; keep one")
        if 2e3 * self.period_s > self.watchdog_ms:
            raise ValueError("hands.watchdog_ms must be at least twice hands.period_s")


class HandBoard:
    """The motors of one hand.

    The board controls position within limits of velocity and current. Each command holds the
    position of the joint at the time of the next command, and the board interpolates. So the hand
    follows the core, although the core updates its command ten times as often; a joint that lags
    catches up slowly. The joints' gains are not sent to the board, except that a joint without
    stiffness gets no current, and a hand in which no joint has stiffness is damped or off. A hand
    that was silent or switched its motors off, or whose board or line restarted, stays damped until
    the core has damped or stopped the robot: no hand resumes motion without a command.

    Attributes:
        q: joint positions (n) [rad].
        dq: joint velocities (n) [rad/s].
        tau: joint torques from the motors' currents (n) [N·m].
        winding_c: winding temperatures (n) [°C].
        stamp_s: time of each joint's reading (n) [s].
        taken: number of statuses processed.
        limp: the hand is damped until the core has damped or stopped the robot.
        powered: the motors' supply is known to be on; if it is off, a hand without supply is no
            fault.
    """

    board = Board.HAND
    grave = False

    def __init__(self, settings: HandSettings, turn: float = 0.0) -> None:
        """Initialise a hand whose board was not heard yet.

        Args:
            settings: settings of the hand.
            turn: fraction of the period after which its commands are sent; it differs between
                hands,
                so that no tick sends several commands.
        """
        self.device = settings.device
        self.source = settings.source
        self.silent_s = settings.silent_s
        self.motors = settings.rows
        count = len(self.motors)
        self.q: Floats = np.zeros(count)
        self.dq: Floats = np.zeros(count)
        self.tau: Floats = np.zeros(count)
        self.winding_c: Floats = np.full(count, 25.0)
        self._still: Floats = np.zeros(count)
        self.stamp_s: Floats = np.full(count, -math.inf)
        self.taken = 0
        self.limp = True
        self.powered = True
        self._settings = settings
        self._clock = BoardClock()
        self._heard_s = -math.inf
        self._supplied_s = -math.inf  # time since which the supply has no fault
        self._status: HandStatus | None = None
        self._sent_mode = HandMode.OFF
        self._due_s = -math.inf
        self._offset_s = turn * settings.period_s

    def take(self, frame: Frame, arrival_s: float) -> None:
        """Process a status of the board.

        Raises:
            WireError: the frame is no status, or has another number of motors.
        """
        if frame.kind != HandStatus.KIND:
            raise WireError(f"kind {frame.kind:#04x} is not a hand board's")
        status = HandStatus.of(frame.payload)
        if len(status.motors) != len(self.motors):
            raise WireError(f"{len(status.motors)} motors, and {len(self.motors)} are expected")
        self._status = status
        self.taken += 1
        stamp_s = self._clock.stamp_s(frame.t_us, 1e-6 * status.sample_age_us, arrival_s)
        self._heard_s = arrival_s
        if not self.powered or HandFault.SUPPLY_LOW not in status.faults:
            self._supplied_s = arrival_s
        if int(status.faults) & _OFF:
            self.limp = True
        known = status.sample_age_us < _OLD_US
        for i, (motor, state) in enumerate(zip(self.motors, status.motors, strict=True)):
            self.winding_c[i] = state.winding_c
            self.tau[i] = motor.sign * motor.torque_constant * state.current_a
            if known and not int(state.faults) & _ENCODER:
                self.q[i] = motor.sign * (state.position_rad - motor.zero_rad)
                self.dq[i] = motor.sign * state.velocity_rad_s
                self.stamp_s[i] = stamp_s

    def forget(self) -> None:
        """Reset the state that the board and the driver share."""
        self.limp = True
        self._clock.forget()

    def due(self, now_s: float) -> bool:
        """Return whether a command is due."""
        return now_s >= self._due_s

    def hold(
        self, line: BoardLine, q: Floats, dq: Floats, kp: Floats, kd: Floats, now_s: float
    ) -> None:
        """Let the joints follow positions.

        Args:
            line: line of the board.
            q: desired positions now (n) [rad].
            dq: velocities of these positions (n) [rad/s].
            kp: desired stiffness; a joint with none gets no current (n) [N·m/rad].
            kd: desired damping (n) [N·m·s/rad].
            now_s: the time [s].
        """
        if not now_s - self._heard_s <= self.silent_s:
            self.limp = True
        if not (kp > 0.0).any():
            mode = HandMode.DAMP if (kd > 0.0).any() else HandMode.OFF
        else:
            mode = HandMode.DAMP if self.limp else HandMode.HOLD
        self._send(line, mode, q, dq, kp, now_s)

    def damp(self, line: BoardLine, now_s: float) -> None:
        """Let every joint only resist motion."""
        self.limp = False
        self._send(line, HandMode.DAMP, self.q, self._still, self._still, now_s)

    def stop(self, line: BoardLine, now_s: float) -> None:
        """Switch the current of every motor off."""
        self.limp = False
        self._send(line, HandMode.OFF, self.q, self._still, self._still, now_s)

    def troubles(self, now_s: float) -> tuple[Trouble, ...]:
        """Return the faults of the board and its motors."""
        status = self._status
        if status is None:
            return ()
        texts = [text for fault, text in _FAULTS.items() if fault in status.faults]
        if now_s - self._supplied_s > _SUPPLIED_S:
            texts.append(_SUPPLY_LOW)
        if HandFault.COMMAND_LOST in status.faults:
            texts.append("receives nothing from the computer and is off; check its cable")
        for motor, state in zip(self.motors, status.motors, strict=True):
            for fault, text in _MOTOR_FAULTS.items():
                if fault in state.faults:
                    texts.append(f"the motor of {motor.joint}: {text}")
        if self.limp and not texts:
            texts.append(f"{AWAY}; SETTLE, then STAND UP again")
        return tuple(Trouble(self.device, text) for text in texts)

    def _send(
        self, line: BoardLine, mode: HandMode, q: Floats, dq: Floats, kp: Floats, now_s: float
    ) -> None:
        """Send a command if it is due, or at once if it demands less motion than the last one."""
        if not self.due(now_s) and mode >= self._sent_mode:
            return
        if self._due_s == -math.inf:
            self._due_s = now_s + self._offset_s
        self._due_s += self._settings.period_s
        if self._due_s <= now_s:
            self._due_s = now_s + self._settings.period_s
        self._sent_mode = mode
        ahead_s = self._settings.period_s + _ON_ITS_WAY_S
        ahead = [ahead_s] * len(self.motors)
        targets = tuple(map(_target, self.motors, q.tolist(), dq.tolist(), kp.tolist(), ahead))
        line.send(self.source, HandCommand(mode, self._settings.watchdog_ms, targets), now_s)


def _target(motor: Motor, q: float, dq: float, kp: float, ahead_s: float) -> MotorTarget:
    # The core never sends a non-finite number; it must not become a target in any case.
    pushes = kp > 0.0 and math.isfinite(q) and math.isfinite(dq)
    speed = max(-motor.velocity_limit, min(motor.velocity_limit, dq)) if pushes else 0.0
    position = motor.zero_rad + motor.sign * (q + speed * ahead_s)
    if not abs(position) <= _FARTHEST_RAD:
        position = math.copysign(_FARTHEST_RAD, position)
    limit = min(motor.velocity_limit, abs(speed) + _CATCH_UP)
    return MotorTarget(position, limit, motor.current_limit if pushes else 0.0)
