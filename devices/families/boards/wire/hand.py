"""Command and status of the board that drives a wrist and the fingers of a hand."""

from enum import IntEnum, IntFlag
from typing import ClassVar, Self

import msgspec

from devices.families.boards.wire.layout import (
    Kind,
    Layout,
    check_count,
    check_range,
    choice,
    flags,
)
from devices.wire.errors import WireError

MOST_MOTORS = 8
LEAST_WATCHDOG_MS = 10
MOST_WATCHDOG_MS = 100
NEVER_MS = 0xFFFF  # a command of this age or older, or none since the start


class HandMode(IntEnum):
    """Mode of all motors of a hand; less motion has the smaller number."""

    OFF = 0  # no current
    DAMP = 1  # windings shorted
    HOLD = 2  # go to the position and stay, within the limits


class HandFault(IntFlag):
    """Faults of the board."""

    SUPPLY_LOW = 1
    SUPPLY_HIGH = 2
    BOARD_HOT = 4
    COMMAND_LOST = 8  # silence for longer than the watchdog: the motors are off
    COMMAND_REFUSED = 16  # the last command was invalid


class MotorFault(IntFlag):
    """Faults of one motor."""

    ENCODER = 1
    STALLED = 2
    OVER_CURRENT = 4
    HOT = 8
    DRIVER = 16


class MotorTarget(msgspec.Struct, frozen=True):
    """Target of one motor.

    Attributes:
        position_rad: position at the time of the next command, in steps of 0.1 mrad [rad].
        velocity_limit_rad_s: largest velocity, in steps of 1 mrad/s [rad/s].
        current_limit_a: largest current, in steps of 1 mA [A].
    """

    position_rad: float
    velocity_limit_rad_s: float
    current_limit_a: float


class HandCommand(msgspec.Struct, frozen=True):
    """Command of a hand, valid as long as commands keep arriving.

    Attributes:
        mode: mode of all its motors.
        watchdog_ms: silence after which the board switches its motors off [ms].
        motors: one target each, in the order of the robot's profile.
    """

    KIND: ClassVar = Kind.HAND_COMMAND
    LAYOUT: ClassVar = Layout(("mode", "u8", ""), ("count", "u8", ""), ("watchdog", "u16", "ms"))
    EACH: ClassVar = Layout(
        ("position", "i16", "0.1 mrad"),
        ("velocity_limit", "u16", "mrad/s"),
        ("current_limit", "u16", "mA"),
    )

    mode: HandMode
    watchdog_ms: int
    motors: tuple[MotorTarget, ...]

    def __post_init__(self) -> None:
        """Refuse values that a board must not obey."""
        check_count("motors", len(self.motors), MOST_MOTORS)
        check_range("watchdog [ms]", self.watchdog_ms, LEAST_WATCHDOG_MS, MOST_WATCHDOG_MS)

    def encode(self) -> bytes:
        """Return the payload.

        Raises:
            WireError: a value does not fit.
        """
        head = self.LAYOUT.pack(self.mode, len(self.motors), self.watchdog_ms)
        return head + b"".join(
            self.EACH.pack(
                1e4 * m.position_rad, 1e3 * m.velocity_limit_rad_s, 1e3 * m.current_limit_a
            )
            for m in self.motors
        )

    @classmethod
    def of(cls, payload: bytes) -> Self:
        """Decode a payload.

        Raises:
            WireError: the payload is no such message.
        """
        mode, count, watchdog_ms = cls.LAYOUT.unpack(payload)
        each = cls.EACH.unpack_each(payload, cls.LAYOUT.size, count)
        motors = tuple(MotorTarget(q / 1e4, dq / 1e3, limit / 1e3) for q, dq, limit in each)
        return cls(choice(HandMode, mode), watchdog_ms, motors)


class MotorState(msgspec.Struct, frozen=True):
    """State of one motor.

    Attributes:
        position_rad: position [rad].
        velocity_rad_s: velocity [rad/s].
        current_a: current [A].
        winding_c: winding temperature [°C].
        faults: faults of the motor.
    """

    position_rad: float
    velocity_rad_s: float
    current_a: float
    winding_c: float
    faults: MotorFault = MotorFault(0)


class HandStatus(msgspec.Struct, frozen=True):
    """State of a hand.

    Attributes:
        mode: actual mode of the motors, not the commanded one.
        faults: faults of the board.
        watchdog_ms: watchdog in force, 0 before the first command [ms].
        command_age_ms: age of the last valid command, at most NEVER_MS [ms].
        sample_age_us: age of the positions when they were sent [µs].
        supply_v: supply of the motors, in steps of 1 mV [V].
        board_c: temperature of the board, in steps of 0.1 °C [°C].
        motors: states in the order of the robot's profile.
    """

    KIND: ClassVar = Kind.HAND_STATUS
    LAYOUT: ClassVar = Layout(
        ("mode", "u8", ""),
        ("count", "u8", ""),
        ("faults", "u16", ""),
        ("watchdog", "u16", "ms"),
        ("command_age", "u16", "ms"),
        ("sample_age", "u16", "µs"),
        ("supply", "u16", "mV"),
        ("board", "i16", "0.1 °C"),
    )
    EACH: ClassVar = Layout(
        ("position", "i16", "0.1 mrad"),
        ("velocity", "i16", "mrad/s"),
        ("current", "i16", "mA"),
        ("winding", "i16", "0.1 °C"),
        ("motor_faults", "u8", ""),
        ("zero", "u8", ""),
    )

    mode: HandMode
    faults: HandFault
    watchdog_ms: int
    command_age_ms: int
    sample_age_us: int
    supply_v: float
    board_c: float
    motors: tuple[MotorState, ...]

    def __post_init__(self) -> None:
        """Refuse values that no board has."""
        check_count("motors", len(self.motors), MOST_MOTORS)
        check_range("watchdog [ms]", self.watchdog_ms, 0, MOST_WATCHDOG_MS)

    def encode(self) -> bytes:
        """Return the payload.

        Raises:
            WireError: a value does not fit.
        """
        head = self.LAYOUT.pack(
            self.mode,
            len(self.motors),
            self.faults,
            self.watchdog_ms,
            self.command_age_ms,
            self.sample_age_us,
            1e3 * self.supply_v,
            10.0 * self.board_c,
        )
        return head + b"".join(
            self.EACH.pack(
                1e4 * m.position_rad,
                1e3 * m.velocity_rad_s,
                1e3 * m.current_a,
                10.0 * m.winding_c,
                m.faults,
                0,
            )
            for m in self.motors
        )

    @classmethod
    def of(cls, payload: bytes) -> Self:
        """Decode a payload.

        Raises:
            WireError: the payload is no such message.
        """
        mode, count, faults, watchdog, age, sample_age, supply, board = cls.LAYOUT.unpack(payload)
        motors: list[MotorState] = []
        for q, dq, current, winding, broken, zero in cls.EACH.unpack_each(
            payload, cls.LAYOUT.size, count
        ):
            if zero:
                raise WireError(f"a reserved byte of motor {len(motors)} is {zero}")
            motors.append(
                MotorState(
                    q / 1e4, dq / 1e3, current / 1e3, winding / 10, flags(MotorFault, broken)
                )
            )
        return cls(
            choice(HandMode, mode),
            flags(HandFault, faults),
            watchdog,
            age,
            sample_age,
            supply / 1e3,
            board / 10,
            tuple(motors),
        )
