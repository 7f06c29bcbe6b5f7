"""A power supervisor as packaging/wiring/protocols.md describes it, in virtual time."""

from devices.families.boards.wire.identity import Board
from devices.families.boards.wire.supervisor import (
    PowerCause,
    PowerCommand,
    PowerFault,
    PowerInput,
    PowerRequest,
    PowerState,
    PowerStatus,
)
from devices.wire.frame import FrameStream
from tests.devices.families.boards.far_board import FarBoard

STOPS = PowerInput.CHANNEL_A | PowerInput.CHANNEL_B | PowerInput.WIRELESS
POWERED = (PowerState.PRECHARGE, PowerState.CLOSED, PowerState.STOPPING)
NEVER = 0xFFFF


class FarPower(FarBoard):
    """The board, its stop channels and its contactor."""

    def __init__(self) -> None:
        super().__init__(0x66, Board.SUPERVISOR)
        self.inputs = STOPS
        self.faults = PowerFault(0)
        self.stop_set_ms = 300
        self.requests: list[PowerRequest] = []
        self.closings = 0
        self.resets = 0
        self.code = 0x1111
        self.disobeys = False
        self.restart(0.0)

    def restart(self, now_s: float, *why: object) -> None:
        super().restart(now_s)
        self.state = PowerState.LATCHED
        self.cause = PowerCause.STARTED
        self.code = (self.code * 7 + 1) & 0xFFFF
        self.watchdog_ms = 0
        self.heard_s: float | None = None
        self.stop_s: float | None = None
        self._stream = FrameStream()

    def hear(self, sent: bytes, now_s: float) -> None:
        for frame in self._stream.feed(sent):
            if frame.source == 0x80 | self.source:
                command = PowerCommand.of(frame.payload)
                self.heard_s, self.watchdog_ms = now_s, command.watchdog_ms
                self.requests.append(command.request)
                if not self.disobeys:
                    self._obey(command, now_s)

    def pass_time(self, now_s: float) -> None:
        """Look at everything that opens the contactor."""
        stops = self.inputs & STOPS
        if self.state is PowerState.LATCHED:
            return
        if stops & PowerInput.CHANNEL_A == 0 or stops & PowerInput.CHANNEL_B == 0:
            self._latch(PowerCause.STOP_CHAIN)
        elif stops & PowerInput.WIRELESS == 0:
            self._latch(PowerCause.WIRELESS_STOP)
        elif self.heard_s is None or now_s - self.heard_s > 1e-3 * self.watchdog_ms:
            self._latch(PowerCause.SILENCE)
        elif self.state is PowerState.STOPPING and self.stop_s is not None and now_s >= self.stop_s:
            self._latch(PowerCause.STOP_TIMER)
        elif self.faults:
            self._latch(PowerCause.FAULT)
        elif self.state is PowerState.PRECHARGE:
            self.state = PowerState.CLOSED

    def status(self, now_s: float) -> PowerStatus:
        mirror = self.state in (PowerState.CLOSED, PowerState.STOPPING)
        inputs = self.inputs | (PowerInput.CONTACTOR if mirror else PowerInput(0))
        age_ms = NEVER if self.heard_s is None else round(1e3 * (now_s - self.heard_s))
        left_ms = NEVER if self.stop_s is None else max(round(1e3 * (self.stop_s - now_s)), 0)
        return PowerStatus(
            self.state,
            self.cause,
            inputs,
            self.faults,
            self.code,
            self.watchdog_ms,
            min(age_ms, NEVER),
            self.stop_set_ms,
            left_ms,
            23.5,
            23.4 if mirror else 0.2,
            5.0,
            7.0 if mirror else 0.0,
            35.0,
        )

    def _latch(self, cause: PowerCause) -> None:
        self.state, self.cause, self.stop_s = PowerState.LATCHED, cause, None
        self.code = (self.code * 7 + 1) & 0xFFFF

    def _obey(self, command: PowerCommand, now_s: float) -> None:
        request, state = command.request, self.state
        stops = self.inputs & STOPS == STOPS
        if request is PowerRequest.OPEN and state is not PowerState.LATCHED:
            self.state, self.cause, self.stop_s = PowerState.OPEN, PowerCause.ASKED, None
        elif request is PowerRequest.CLOSE and state is PowerState.OPEN:
            if stops and not self.faults:
                self.state = PowerState.PRECHARGE
                self.closings += 1
        elif request is PowerRequest.RESET and state is PowerState.LATCHED:
            if command.latch_code == self.code and stops and not self.faults:
                self.state = PowerState.OPEN
                self.resets += 1
        elif request is PowerRequest.STOP and state in POWERED[:2]:
            self.state, self.stop_s = PowerState.STOPPING, now_s + 1e-3 * self.stop_set_ms
