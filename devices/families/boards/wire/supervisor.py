"""Command and status of the power supervisor: motor contactor, supply, hardware stop timer.

The wired stop chain opens the contactor by itself; what is here asks and reports.
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
    """What the computer asks for."""

    OPEN = 0  # take the motors' supply away
    HOLD = 1  # stay as it is: the heartbeat
    CLOSE = 2  # only obeyed in state OPEN, with every channel closed
    RESET = 3  # leave LATCHED for OPEN, if the code is that of this latch and its cause is gone
    STOP = 4  # start the stop timer: nothing but its end, or opening, ends that


class PowerState(IntEnum):
    """What the contactor does."""

    OPEN = 0
    PRECHARGE = 1
    CLOSED = 2
    STOPPING = 3  # still closed, and the stop timer runs
    LATCHED = 4  # open until a reset


class PowerCause(IntEnum):
    """Why the contactor opened last."""

    STARTED = 0  # the supervisor itself
    ASKED = 1
    SILENCE = 2
    STOP_CHAIN = 3
    WIRELESS_STOP = 4
    STOP_TIMER = 5
    FAULT = 6


class PowerInput(IntFlag):
    """What the supervisor sees; a stop channel is 1 when it is closed."""

    CHANNEL_A = 1
    CHANNEL_B = 2
    WIRELESS = 4
    CONTACTOR = 8  # its mirror contact says closed
    COIL = 16  # the coil is driven
    CHARGER = 32


class PowerFault(IntFlag):
    """What is wrong."""

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
    """What the supervisor shall do; silence opens the contactor and latches.

    Attributes:
        request: what is asked for.
        watchdog_ms: silence after which the contactor opens [ms].
        latch_code: the status's, which changes with every latch: no old reset counts.
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
        """Refuse what a supervisor must not obey."""
        check_range("watchdog [ms]", self.watchdog_ms, LEAST_WATCHDOG_MS, MOST_WATCHDOG_MS)

    def encode(self) -> bytes:
        """Return the payload.

        Raises:
            WireError: a value does not fit.
        """
        return self.LAYOUT.pack(self.request, 0, self.watchdog_ms, self.latch_code)

    @classmethod
    def of(cls, payload: bytes) -> Self:
        """Return the message that a payload is.

        Raises:
            WireError: it is none.
        """
        check_size(payload, cls.LAYOUT.size)
        request, zero, watchdog_ms, latch_code = cls.LAYOUT.unpack(payload)
        if zero:
            raise WireError(f"a reserved byte of a power command is {zero}")
        return cls(choice(PowerRequest, request), watchdog_ms, latch_code)


class PowerStatus(msgspec.Struct, frozen=True):
    """What the supervisor does and sees.

    Attributes:
        state: of the contactor.
        cause: why it opened last.
        inputs: what is closed.
        faults: what is wrong.
        latch_code: what a reset has to name.
        watchdog_ms: in force, 0 before the first command [ms].
        command_age_ms: since the last good command, IDLE_MS for none [ms].
        stop_set_ms: what the stop timer is set to in hardware [ms].
        stop_left_ms: what is left of it, IDLE_MS while it does not run [ms].
        battery_v: before the contactor, in steps of 1 mV [V].
        motor_v: behind it [V].
        logic_v: the supervisor's own supply [V].
        current_a: through the contactor, in steps of 1 mA [A].
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
        """Refuse what no supervisor has."""
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
        """Return the message that a payload is.

        Raises:
            WireError: it is none.
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
