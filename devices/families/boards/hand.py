"""The joints of a hand, as its board drives them."""

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

_FARTHEST_RAD = 3.2767  # that a command can name
_OLD_US = 0xFFFF  # a sample of this age or older
_ON_ITS_WAY_S = 0.001  # a command, until the board has it
_SUPPLIED_S = 0.2  # so long after the motors' supply came must a board have it
_CATCH_UP = 2.0  # faster than commanded may a reference be that is behind [rad/s]

AWAY = "was away and stays limp"
_SUPPLY_LOW = "its supply is too low for the motors; check its supply line"
_FAULTS = {
    HandFault.SUPPLY_HIGH: "its supply is too high for the motors; check its supply line",
    HandFault.BOARD_HOT: "is too hot and has switched its motors off; let it cool",
    HandFault.COMMAND_REFUSED: "refuses its commands; put the right firmware on it",
}
# With these the board has its motors off; what ends them shall not switch the motors on.
_OFF = int(
    HandFault.SUPPLY_LOW | HandFault.SUPPLY_HIGH | HandFault.BOARD_HOT | HandFault.COMMAND_LOST
)
_ENCODER = int(MotorFault.ENCODER)
_MOTOR_FAULTS = {
    MotorFault.ENCODER: "its encoder is silent; check its plug",
    MotorFault.OVER_CURRENT: "drew too much current and is off; look for what blocks it",
    MotorFault.HOT: "is hot and gives less; let it cool",
    MotorFault.DRIVER: "its driver reports a fault and is off; change the board",
}

Angle = Annotated[float, Meta(ge=-_FARTHEST_RAD, le=_FARTHEST_RAD)]


class Motor(msgspec.Struct, frozen=True, forbid_unknown_fields=True, array_like=True):
    """One motor of a hand.

    Attributes:
        joint: it moves.
        sign: 1, or -1 if the joint turns against the motor.
        zero_rad: what the motor reads where the joint is at zero [rad].
        torque_constant: torque of the joint by the motor's current [N·m/A].
        velocity_limit: how fast it may go at most [rad/s].
        current_limit: how hard it may push [A].
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
        device: the board, as the technician calls it.
        line: that it is connected to.
        source: its number.
        columns: of the rows.
        rows: its motors in the order of the profile, one row each.
        period_s: between two commands to a hand [s].
        watchdog_ms: silence after which a board switches its motors off [ms].
        silent_s: a board that is silent for so long is missing [s].
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
        """Refuse what single values cannot tell."""
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

    They go to positions within limits of speed and current: each command names where the joint
    is to be when the next one comes, and the board leads it there evenly. So a hand is where
    the core wants it, though the core decides ten times as often; a joint that is behind
    catches up gently. The joints' own gains do not reach the board, except that a joint without
    stiffness gets no current, and a hand in which none has any is damped or off. A hand that
    was silent or switched its motors off, or whose board or line began anew, stays damped until
    the core has damped or stopped the robot: nothing comes alive by itself.

    Attributes:
        q: joint positions (n) [rad].
        dq: joint velocities (n) [rad/s].
        tau: joint torques that the currents give (n) [N·m].
        winding_c: winding temperatures (n) [°C].
        stamp_s: when each joint was read (n) [s].
        taken: how many statuses were taken in.
        limp: the hand is damped until the core has damped or stopped the robot.
        powered: the motors are known to have their supply; without it a hand that has none is
            no trouble.
    """

    board = Board.HAND
    grave = False

    def __init__(self, settings: HandSettings, turn: float = 0.0) -> None:
        """Wait for a board.

        Args:
            settings: of the hand.
            turn: its share of the period after which its commands are sent: the hands take turns,
                so that no tick has to speak to several.
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
        self._supplied_s = -math.inf  # when nothing was wrong with the supply last
        self._status: HandStatus | None = None
        self._sent_mode = HandMode.OFF
        self._due_s = -math.inf
        self._offset_s = turn * settings.period_s

    def take(self, frame: Frame, arrival_s: float) -> None:
        """Take in a status of the board.

        Raises:
            WireError: it is none, or of another number of motors.
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
        """Hold what was agreed with the board for void."""
        self.limp = True
        self._clock.forget()

    def due(self, now_s: float) -> bool:
        """Tell whether it is time for a command."""
        return now_s >= self._due_s

    def hold(
        self, line: BoardLine, q: Floats, dq: Floats, kp: Floats, kd: Floats, now_s: float
    ) -> None:
        """Let the joints follow positions.

        Args:
            line: the board hangs on.
            q: where to be now (n) [rad].
            dq: how fast these positions go (n) [rad/s].
            kp: stiffness that is wished for; a joint with none gets no current (n) [N·m/rad].
            kd: damping that is wished for (n) [N·m·s/rad].
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
        """Let every joint resist motion and nothing else."""
        self.limp = False
        self._send(line, HandMode.DAMP, self.q, self._still, self._still, now_s)

    def stop(self, line: BoardLine, now_s: float) -> None:
        """Take the current from every motor."""
        self.limp = False
        self._send(line, HandMode.OFF, self.q, self._still, self._still, now_s)

    def troubles(self, now_s: float) -> tuple[Trouble, ...]:
        """Return what is wrong with the board and its motors."""
        status = self._status
        if status is None:
            return ()
        texts = [text for fault, text in _FAULTS.items() if fault in status.faults]
        if now_s - self._supplied_s > _SUPPLIED_S:
            texts.append(_SUPPLY_LOW)
        if HandFault.COMMAND_LOST in status.faults:
            texts.append("does not hear the computer and is off; check its cable")
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
        """Send a command if it is time for one, or at once if it asks for less than the last."""
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
    # A number that is none, which the core never sends, must not become a target.
    pushes = kp > 0.0 and math.isfinite(q) and math.isfinite(dq)
    speed = max(-motor.velocity_limit, min(motor.velocity_limit, dq)) if pushes else 0.0
    position = motor.zero_rad + motor.sign * (q + speed * ahead_s)
    if not abs(position) <= _FARTHEST_RAD:
        position = math.copysign(_FARTHEST_RAD, position)
    limit = min(motor.velocity_limit, abs(speed) + _CATCH_UP)
    return MotorTarget(position, limit, motor.current_limit if pushes else 0.0)
