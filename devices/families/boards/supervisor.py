"""Driver of the power supervisor: the motors' contactor and its state.

The driver only sends requests; the wired E-stop chain decides.
"""

import math
from typing import Annotated

import msgspec
from msgspec import Meta

from devices.errors import DeviceError
from devices.families.boards.clock import BoardClock
from devices.families.boards.line import BoardLine
from devices.families.boards.wire.identity import Board
from devices.families.boards.wire.layout import Source
from devices.families.boards.wire.supervisor import (
    LEAST_WATCHDOG_MS,
    MOST_WATCHDOG_MS,
    PowerCause,
    PowerCommand,
    PowerFault,
    PowerInput,
    PowerRequest,
    PowerState,
    PowerStatus,
)
from devices.interface import Trouble
from devices.real.stop_chain import UNKNOWN, Reading
from devices.wire.errors import WireError
from devices.wire.frame import Frame

STOP_INPUTS = PowerInput.CHANNEL_A | PowerInput.CHANNEL_B | PowerInput.WIRELESS
_STOP_MASKS = tuple(int(each) for each in STOP_INPUTS)
_CONTACTOR = int(PowerInput.CONTACTOR)
_DISAGREE = int(PowerFault.CHANNELS_DISAGREE)

# StopChain reports a disagreement of the stop channels.
HOLDS_OPEN = "holds the contactor open"
_FAULTS = {
    PowerFault.WELDED: "the contactor is welded shut; pull the battery plugs and change it",
    PowerFault.NOT_CLOSING: "the contactor does not close; check its coil and the stop chain",
    PowerFault.PRECHARGE: "the motors' supply does not rise; look for a short behind the contactor",
    PowerFault.OVER_CURRENT: "the motors draw too much current; check the robot for an obstacle",
    PowerFault.SUPPLY_LOW: "the battery is below 19.8 V; change it",
    PowerFault.SUPPLY_HIGH: "the battery is above 25.6 V; take it out and check its charger",
    PowerFault.HOT: "is too hot; let it cool",
    PowerFault.SELF_TEST: "its self-test failed; change the board",
}
_CAUSES = {
    PowerCause.STARTED: "it has just started",
    PowerCause.ASKED: "it was requested to open",
    PowerCause.SILENCE: "the computer was silent",
    PowerCause.STOP_CHAIN: "a wired stop channel opened",
    PowerCause.WIRELESS_STOP: "the wireless stop opened",
    PowerCause.STOP_TIMER: "the stop timer ended",
    PowerCause.FAULT: "of a fault",
}
_POWERED = (PowerState.PRECHARGE, PowerState.CLOSED, PowerState.STOPPING)
# States that end a request: it is fulfilled, or it can no longer be.
_ENDS = {
    PowerRequest.OPEN: (PowerState.OPEN, PowerState.LATCHED),
    PowerRequest.CLOSE: (*_POWERED, PowerState.LATCHED),
    PowerRequest.RESET: (PowerState.OPEN, *_POWERED),
    PowerRequest.STOP: (PowerState.STOPPING, PowerState.OPEN, PowerState.LATCHED),
}
# requests toward less motion, repeated until obeyed
_LASTING = (PowerRequest.OPEN, PowerRequest.STOP)


class SupervisorSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The board that switches the motors' supply.

    Attributes:
        line: line of the board.
        source: number of the board.
        watchdog_ms: silence after which it opens the contactor and latches [ms].
        period_s: period of the commands [s].
        silent_s: silence after which the supervisor counts as missing [s].
        patience_s: time after which a CLOSE or a RESET that is not obeyed is withdrawn [s].
        mirror_s: longest delay of the contactor's mirror contact [s].
    """

    line: str
    source: Source = 0x66
    watchdog_ms: Annotated[int, Meta(ge=LEAST_WATCHDOG_MS, le=MOST_WATCHDOG_MS)] = 100
    period_s: Annotated[float, Meta(ge=0.005, le=0.05)] = 0.02
    silent_s: Annotated[float, Meta(gt=0.0, le=1.0)] = 0.1
    patience_s: Annotated[float, Meta(gt=0.0, le=5.0)] = 0.5
    mirror_s: Annotated[float, Meta(gt=0.0, le=1.0)] = 0.1

    def __post_init__(self) -> None:
        """Refuse combinations of values that are inconsistent."""
        if 2e3 * self.period_s > self.watchdog_ms:
            raise ValueError("supervisor.watchdog_ms must be at least twice supervisor.period_s")


class Supervisor:
    """Sends requests and the watchdog's heartbeat to the supervisor, and reports its state.

    Everything is sent by `keep_alive`, which only the core's tick calls: if the core hangs, the
    heartbeat ends and the supervisor opens the contactor. CLOSE and RESET are requested once, when
    an operator asks for them, and withdrawn as soon as anything contradicts them; neither is
    repeated after a stop, a restart of the board or an interrupted line.

    Attributes:
        status: its last status; None before the first and after a restart.
        stops: wired channels A and B and the wireless stop's contact, as the supervisor reads them.
        disagree: the supervisor reports that the wired channels differed for too long.
    """

    device = "power supervisor"
    board = Board.SUPERVISOR
    grave = True

    def __init__(self, settings: SupervisorSettings) -> None:
        self.source = settings.source
        self.silent_s = settings.silent_s
        self.status: PowerStatus | None = None
        self.stops = (UNKNOWN, UNKNOWN, UNKNOWN)
        self.disagree = False
        self._settings = settings
        self._clock = BoardClock()
        self._stamp_s = -math.inf
        self._request = PowerRequest.HOLD
        self._latch_code = 0
        self._asked_s = 0.0
        self._unsent = False
        self._due_s = -math.inf
        self._refused = ""
        self._mirror_well_s = math.inf

    @property
    def powered(self) -> bool:
        """Whether the supervisor reports that the motors have their supply, or that it rises."""
        return self.status is not None and self.status.state in _POWERED

    def age_s(self, now_s: float) -> float:
        """Return the age of `status`; infinite without one [s]."""
        return now_s - self._stamp_s

    def supply(self, now_s: float) -> tuple[float, float] | None:
        """Return the battery's voltage [V] and the motors' current [A]; None if unknown."""
        if self.status is None or not self.age_s(now_s) <= self.silent_s:
            return None
        return self.status.battery_v, self.status.current_a

    def open(self) -> None:
        """Request that the contactor opens; repeated until it is open."""
        self._ask(PowerRequest.OPEN, 0.0)

    def start_stop_timer(self) -> None:
        """Request that the hardware's stop timer starts; repeated until it runs."""
        if self._request is not PowerRequest.OPEN:
            self._ask(PowerRequest.STOP, 0.0)

    def close(self, now_s: float) -> None:
        """Request that the contactor closes.

        Raises:
            DeviceError: the supervisor would not obey, or is silent.
        """
        status = self._fresh(now_s)
        self._check_calm()
        if status.state is PowerState.LATCHED:
            raise DeviceError(
                self.device, f"is latched because {_CAUSES[status.cause]}; RESET first"
            )
        if status.faults:
            raise DeviceError(self.device, "reports a fault; repair it first")
        if STOP_INPUTS not in status.inputs:
            raise DeviceError(self.device, "sees the stop chain open; release every stop first")
        if status.state is PowerState.OPEN:
            self._ask(PowerRequest.CLOSE, now_s)

    def reset(self, now_s: float) -> None:
        """Request the reset of the present latch, and of no later one; the contactor stays open.

        Raises:
            DeviceError: the supervisor would not obey, or is silent.
        """
        status = self._fresh(now_s)
        self._check_calm()
        if STOP_INPUTS not in status.inputs:
            raise DeviceError(self.device, "sees the stop chain open; release every stop first")
        if status.state is PowerState.LATCHED:
            self._ask(PowerRequest.RESET, now_s)
            self._latch_code = status.latch_code

    def keep_alive(self, line: BoardLine, now_s: float) -> None:
        """Send the request or the heartbeat when it is due; call it once a tick."""
        self._withdraw(now_s)
        if now_s < self._due_s and not self._unsent:
            return
        self._due_s += self._settings.period_s
        if not self._due_s > now_s:
            self._due_s = now_s + self._settings.period_s
        self._unsent = False
        message = PowerCommand(self._request, self._settings.watchdog_ms, self._latch_code)
        line.send(self.source, message, now_s)

    def take(self, frame: Frame, arrival_s: float) -> None:
        """Process a status.

        Raises:
            WireError: the frame is no status.
        """
        if frame.kind != PowerStatus.KIND:
            raise WireError(f"kind {frame.kind:#04x} is not a power supervisor's")
        status = PowerStatus.of(frame.payload)
        self._stamp_s = self._clock.stamp_s(frame.t_us, 0.0, arrival_s)
        self.status = status
        bits = int(status.inputs)
        stamp_s = self._stamp_s
        a, b, wireless = [Reading(bits & mask != 0, stamp_s) for mask in _STOP_MASKS]
        self.stops = (a, b, wireless)
        self.disagree = bool(int(status.faults) & _DISAGREE)
        if status.state in _ENDS.get(self._request, ()):
            self._request = PowerRequest.HOLD
            self._refused = ""
        elif self._request is PowerRequest.RESET and status.latch_code != self._latch_code:
            self._request = PowerRequest.HOLD  # it has latched again since
        contact = bits & _CONTACTOR != 0
        closed = status.state in (PowerState.CLOSED, PowerState.STOPPING)
        well = status.state is PowerState.PRECHARGE or contact is closed
        if well or self._mirror_well_s == math.inf:
            self._mirror_well_s = arrival_s

    def forget(self) -> None:
        """Reset the request and the status: the board or its line restarted."""
        if self._request not in _LASTING:
            self._request = PowerRequest.HOLD
        self.status = None
        self.stops = (UNKNOWN, UNKNOWN, UNKNOWN)
        self.disagree = False
        self._stamp_s = -math.inf
        self._mirror_well_s = math.inf
        self._clock.forget()

    def troubles(self, now_s: float) -> tuple[Trouble, ...]:
        """Return the faults of the motors' supply."""
        status = self.status
        if status is None:
            return ()
        texts = [text for fault, text in _FAULTS.items() if fault in status.faults]
        if now_s - self._mirror_well_s > self._settings.mirror_s and not texts:
            texts.append("the contactor's mirror contact contradicts its state; check both")
        # StopChain reports an open stop channel; a latch with a known cause is reported once.
        ready = STOP_INPUTS in status.inputs and not status.faults
        if status.state is PowerState.LATCHED and ready:
            texts.append(f"{HOLDS_OPEN} because {_CAUSES[status.cause]}; RESET")
        if self._refused:
            texts.append(self._refused)
        return tuple(Trouble(self.device, text, grave=True) for text in texts)

    def _ask(self, request: PowerRequest, now_s: float) -> None:
        self._unsent = self._unsent or request is not self._request
        self._request, self._asked_s, self._refused = request, now_s, ""

    def _withdraw(self, now_s: float) -> None:
        """Withdraw a CLOSE or a RESET that anything contradicts."""
        if self._request not in (PowerRequest.CLOSE, PowerRequest.RESET):
            return
        status = self.status
        heard = status is not None and self.age_s(now_s) <= self.silent_s
        if not heard or (status is not None and STOP_INPUTS not in status.inputs):
            self._request = PowerRequest.HOLD
        elif not now_s - self._asked_s <= self._settings.patience_s:
            self._refused = f"did not obey {self._request.name}; check it, then ask again"
            self._request = PowerRequest.HOLD

    def _fresh(self, now_s: float) -> PowerStatus:
        if self.status is None or not self.age_s(now_s) <= self.silent_s:
            raise DeviceError(self.device, "is silent; check its plug and its supply")
        return self.status

    def _check_calm(self) -> None:
        if self._request in _LASTING:
            raise DeviceError(self.device, "opens the contactor; wait for that")
