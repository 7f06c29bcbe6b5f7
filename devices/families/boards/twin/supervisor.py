"""Twin of the power supervisor: contactor, stop channels, stop timer."""

import math
from dataclasses import dataclass
from random import Random

from devices.families.boards.twin.board import Board, age_ms
from devices.families.boards.twin.seats import SupervisorSeat
from devices.families.boards.wire.identity import Board as BoardKind
from devices.families.boards.wire.identity import Start
from devices.families.boards.wire.supervisor import (
    IDLE_MS,
    PowerCause,
    PowerCommand,
    PowerFault,
    PowerInput,
    PowerRequest,
    PowerState,
    PowerStatus,
)
from devices.twin.timing import TICK_US, is_due
from devices.wire.errors import WireError
from devices.wire.frame import Frame

PERIOD_US = 10_000
DISAGREE_US = 100_000
PRECHARGE_US = 500_000  # time within which the motors' supply must have risen
LOW_V, HIGH_V = 19.8, 25.6
_RISE_S, _FALL_S = 0.02, 0.05
_NEAR = 0.95
_LOGIC_V, _BOARD_C = 5.02, 31.0
_LIVE = (PowerState.CLOSED, PowerState.STOPPING)


@dataclass(slots=True)
class StopChain:
    """The E-stop channels as the supervisor reads them: each is closed unless a stop is called."""

    channel_a: bool = True
    channel_b: bool = True
    wireless: bool = True

    @property
    def closed(self) -> bool:
        """Whether no channel calls a stop."""
        return self.channel_a and self.channel_b and self.wireless


class Supervisor(Board):
    """Closes the contactor on request, and opens it in any doubt.

    Attributes:
        chain: E-stop channels.
        state: state of the contactor.
        cause: cause of its last opening.
        faults: present faults.
        forced: faults that a fault script causes.
        motor_v: the motors' supply [V].
        current_a: current through the contactor [A].
    """

    BOARD = BoardKind.SUPERVISOR

    def __init__(
        self, seat: SupervisorSeat, chain: StopChain, seed: int, tick_us: int = TICK_US
    ) -> None:
        """Switch the supervisor on, the contactor open.

        Args:
            seat: mounting of the supervisor.
            chain: E-stop channels.
            seed: seed of the latch codes.
            tick_us: tick of the twin [µs].
        """
        super().__init__(seat.source, tick_us)
        self.chain = chain
        self.forced = PowerFault(0)
        self.motor_v = 0.0
        self.current_a = 0.0
        self._random = Random(seed)
        self._stop_set_ms = seat.stop_set_ms
        self._battery_v = 0.0
        self._begin(0)

    def _begin(self, now_us: int) -> None:
        self.state = PowerState.LATCHED
        self.cause = PowerCause.STARTED
        self.faults = PowerFault(0)
        self._code = self._random.randrange(0x10000)
        self._watchdog_ms = 0
        self._heard_us = -1
        self._since_us = now_us
        self._differ_us = -1
        self._told = (self.state, self.cause)

    @property
    def live(self) -> bool:
        """Whether the motors have their supply."""
        return self.state in _LIVE

    def restart(self, start: Start, now_us: int) -> None:
        """Restart with the contactor open."""
        super().restart(start, now_us)
        self._begin(now_us)

    def obey(self, frame: Frame, now_us: int) -> None:
        """Execute a command.

        Raises:
            WireError: the command is invalid.
        """
        if frame.kind != PowerCommand.KIND:
            raise WireError(f"kind {frame.kind:#04x} is no command of the supervisor")
        command = PowerCommand.of(frame.payload)
        self._watchdog_ms = command.watchdog_ms
        self._heard_us = now_us
        state, asked = self.state, command.request
        if asked is PowerRequest.OPEN and state is not PowerState.LATCHED:
            if state is not PowerState.OPEN:
                self.cause = PowerCause.ASKED
            self._go(PowerState.OPEN, now_us)
        elif asked is PowerRequest.CLOSE and state is PowerState.OPEN:
            if self.chain.closed and not self.faults:
                self._go(PowerState.PRECHARGE, now_us)
        elif asked is PowerRequest.RESET and state is PowerState.LATCHED:
            if command.latch_code == self._code and self.chain.closed and not self._wrong(now_us):
                self.faults = PowerFault(0)
                self._go(PowerState.OPEN, now_us)
        elif asked is PowerRequest.STOP and state in (PowerState.PRECHARGE, PowerState.CLOSED):
            self._go(PowerState.STOPPING, now_us)

    def _go(self, state: PowerState, now_us: int) -> None:
        if state is not self.state:
            self.state = state
            self._since_us = now_us

    def feel(self, battery_v: float, current_a: float, now_us: int) -> None:
        """Update the battery's voltage [V] and current [A], and act, once a tick."""
        self._battery_v = battery_v
        closing = self.live or self.state is PowerState.PRECHARGE
        self.current_a = current_a if self.live else 0.0
        goal, time_s = (battery_v, _RISE_S) if closing else (0.0, _FALL_S)
        self.motor_v += (goal - self.motor_v) * (1.0 - math.exp(-1e-6 * self.tick_us / time_s))
        chain = self.chain
        if chain.channel_a == chain.channel_b:
            self._differ_us = -1
        elif self._differ_us < 0:
            self._differ_us = now_us
        self.faults |= self._wrong(now_us)
        cause = self._cause_to_open(now_us)
        if cause is not None:
            if self.state is not PowerState.LATCHED:
                self.cause = cause
                self._code = (self._code + 1 + self._random.randrange(0xFFFE)) & 0xFFFF
            self._go(PowerState.LATCHED, now_us)
        elif self.state is PowerState.PRECHARGE and self.motor_v > _NEAR * battery_v:
            self._go(PowerState.CLOSED, now_us)

    def _wrong(self, now_us: int) -> PowerFault:
        """Return the present faults."""
        faults = self.forced
        if self._differ_us >= 0 and now_us - self._differ_us > DISAGREE_US:
            faults |= PowerFault.CHANNELS_DISAGREE
        if self._battery_v < LOW_V:
            faults |= PowerFault.SUPPLY_LOW
        if self._battery_v > HIGH_V:
            faults |= PowerFault.SUPPLY_HIGH
        if self.state is PowerState.PRECHARGE and now_us - self._since_us > PRECHARGE_US:
            faults |= PowerFault.PRECHARGE
        return faults

    def _cause_to_open(self, now_us: int) -> PowerCause | None:
        chain = self.chain
        if not (chain.channel_a and chain.channel_b):
            return PowerCause.STOP_CHAIN
        if not chain.wireless:
            return PowerCause.WIRELESS_STOP
        if self._heard_us >= 0 and now_us - self._heard_us > 1000 * self._watchdog_ms:
            return PowerCause.SILENCE
        if self.state is PowerState.STOPPING and self._left_ms(now_us) <= 0:
            return PowerCause.STOP_TIMER
        return PowerCause.FAULT if self.faults else None

    def _left_ms(self, now_us: int) -> int:
        return self._stop_set_ms - (now_us - self._since_us) // 1000

    def report(self, now_us: int) -> bytes:
        """Return the frame that is due at a time [µs]."""
        told = (self.state, self.cause)
        if not is_due(now_us, PERIOD_US, self.tick_us) and told == self._told:
            return b""
        self._told = told
        chain, closed = self.chain, self.live
        inputs = PowerInput.CHANNEL_A * chain.channel_a | PowerInput.CHANNEL_B * chain.channel_b
        inputs |= PowerInput.WIRELESS * chain.wireless
        inputs |= (PowerInput.CONTACTOR | PowerInput.COIL) * closed
        stopping = self.state is PowerState.STOPPING
        status = PowerStatus(
            self.state,
            self.cause,
            PowerInput(inputs),
            self.faults,
            self._code,
            self._watchdog_ms,
            age_ms(self._heard_us, now_us, IDLE_MS),
            self._stop_set_ms,
            max(self._left_ms(now_us), 0) if stopping else IDLE_MS,
            self._battery_v,
            self.motor_v,
            _LOGIC_V,
            self.current_a,
            _BOARD_C,
        )
        return self.frame(PowerStatus.KIND, status.encode(), now_us)
