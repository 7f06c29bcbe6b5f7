"""Command and status of the power supervisor: motor contactor, supply, hardware stop timer.

The wired stop chain alone opens the contactor; these messages request and report.
"""

from enum import IntEnum, IntFlag
from typing import ClassVar, Self

import msgspec

from devices.families.boards.wire.layout import Kind, Layout, check_range, check_size, choice, flags
from devices.wire.errors import WireError

LEAST_WATCHDOG_MS = 20
MOST_WATCHDOG_MS = 200
IDLE_MS = 0xFFFF  # the stop timer does not run; no command since the start


class PowerRequest(IntEnum):
    """Request of the computer."""

    OPEN = 0  # open the contactor
    HOLD = 1  # no change: the heartbeat
    CLOSE = 2  # only obeyed in state OPEN, with every channel closed
    RESET = 3  # from LATCHED to OPEN, if the code is that of this latch and its cause has ended
    STOP = 4  # start the stop timer; only its end, or opening, stops it


class PowerState(IntEnum):
    """State of the contactor."""

    OPEN = 0
    PRECHARGE = 1
    CLOSED = 2
    STOPPING = 3  # still closed, and the stop timer runs
    LATCHED = 4  # open until a reset


class PowerCause(IntEnum):
    """Cause of the contactor's last opening."""

    STARTED = 0  # the supervisor itself
    ASKED = 1
    SILENCE = 2
    STOP_CHAIN = 3
    WIRELESS_STOP = 4
    STOP_TIMER = 5
    FAULT = 6


class PowerInput(IntFlag):
    """Inputs of the supervisor; a stop channel is 1 when it is closed."""

    CHANNEL_A = 1
    CHANNEL_B = 2
    WIRELESS = 4
    CONTACTOR = 8  # the mirror contact reads closed
    COIL = 16  # the coil is driven
    CHARGER = 32


class PowerFault(IntFlag):
    """Faults of the supervisor."""

    WELDED = 1  # closed without a driven coil
    NOT_CLOSING = 2
    CHANNELS_DISAGREE = 4
    PRECHARGE = 8
    OVER_CURRENT = 16
    SUPPLY_LOW = 32
    SUPPLY_HIGH = 64
    HOT = 128
    SELF_TEST = 256


class PowerCommand(msgspec.Struct, frozen=True):
    """A command to the supervisor; silence opens the contactor and latches.

    Attributes:
        request: the request.
        watchdog_ms: silence after which the contactor opens [ms].
        latch_code: code in the status, which changes with every latch: no old reset counts.
    """

    KIND: ClassVar = Kind.POWER_COMMAND
    LAYOUT: ClassVar = Layout(
        ("request", "u8", ""),
        ("zero", "u8", ""),
        ("watchdog", "u16", "ms"),
        ("latch_code", "u16", ""),
    )

    request: PowerRequest
    watchdog_ms: int
    latch_code: int

    def __post_init__(self) -> None:
        """Refuse values that a supervisor must not obey."""
        check_range("watchdog [ms]", self.watchdog_ms, LEAST_WATCHDOG_MS, MOST_WATCHDOG_MS)

    def encode(self) -> bytes:
        """Return the payload.

        Raises:
            WireError: a value does not fit.
        """
        return self.LAYOUT.pack(self.request, 0, self.watchdog_ms, self.latch_code)

    @classmethod
    def of(cls, payload: bytes) -> Self:
        """Decode a payload.

        Raises:
            WireError: the payload is no such message.
        """
        check_size(payload, cls.LAYOUT.size)
        request, zero, watchdog_ms, latch_code = cls.LAYOUT.unpack(payload)
        if zero:
            raise WireError(f"a reserved byte of a power command is {zero}")
        return cls(choice(PowerRequest, request), watchdog_ms, latch_code)


class PowerStatus(msgspec.Struct, frozen=True):
    """State of the supervisor.

    Attributes:
        state: state of the contactor.
        cause: cause of its last opening.
        inputs: closed contacts.
        faults: present faults.
        latch_code: code that a reset must name.
        watchdog_ms: watchdog in force, 0 before the first command [ms].
        command_age_ms: age of the last valid command, IDLE_MS for none [ms].
        stop_set_ms: setting of the stop timer in hardware [ms].
        stop_left_ms: remaining time of the stop timer, IDLE_MS while it does not run [ms].
        battery_v: voltage before the contactor, in steps of 1 mV [V].
        motor_v: voltage behind the contactor [V].
        logic_v: the supervisor's own supply [V].
        current_a: current through the contactor, in steps of 1 mA [A].
        board_c: temperature of the board, in steps of 0.1 °C [°C].
    """

    KIND: ClassVar = Kind.POWER_STATUS
    LAYOUT: ClassVar = Layout(
        ("state", "u8", ""),
        ("cause", "u8", ""),
        ("inputs", "u8", ""),
        ("zero", "u8", ""),
        ("faults", "u16", ""),
        ("latch_code", "u16", ""),
        ("watchdog", "u16", "ms"),
        ("command_age", "u16", "ms"),
        ("stop_set", "u16", "ms"),
        ("stop_left", "u16", "ms"),
        ("battery", "u16", "mV"),
        ("motor", "u16", "mV"),
        ("logic", "u16", "mV"),
        ("current", "i32", "mA"),
        ("board", "i16", "0.1 °C"),
    )

    state: PowerState
    cause: PowerCause
    inputs: PowerInput
    faults: PowerFault
    latch_code: int
    watchdog_ms: int
    command_age_ms: int
    stop_set_ms: int
    stop_left_ms: int
    battery_v: float
    motor_v: float
    logic_v: float
    current_a: float
    board_c: float

    def __post_init__(self) -> None:
        """Refuse values that no supervisor has."""
        check_range("watchdog [ms]", self.watchdog_ms, 0, MOST_WATCHDOG_MS)

    def encode(self) -> bytes:
        """Return the payload.

        Raises:
            WireError: a value does not fit.
        """
        return self.LAYOUT.pack(
            self.state,
            self.cause,
            self.inputs,
            0,
            self.faults,
            self.latch_code,
            self.watchdog_ms,
            self.command_age_ms,
            self.stop_set_ms,
            self.stop_left_ms,
            1e3 * self.battery_v,
            1e3 * self.motor_v,
            1e3 * self.logic_v,
            1e3 * self.current_a,
            10.0 * self.board_c,
        )

    @classmethod
    def of(cls, payload: bytes) -> Self:
        """Decode a payload.

        Raises:
            WireError: the payload is no such message.
        """
        check_size(payload, cls.LAYOUT.size)
        state, cause, inputs, zero, faults, code, *times, battery, motor, logic, amps, board = (
            cls.LAYOUT.unpack(payload)
        )
        if zero:
            raise WireError(f"a reserved byte of a power status is {zero}")
        watchdog_ms, age_ms, stop_set_ms, stop_left_ms = times
        return cls(
            choice(PowerState, state),
            choice(PowerCause, cause),
            flags(PowerInput, inputs),
            flags(PowerFault, faults),
            code,
            watchdog_ms,
            age_ms,
            stop_set_ms,
            stop_left_ms,
            battery / 1e3,
            motor / 1e3,
            logic / 1e3,
            amps / 1e3,
            board / 10,
        )
