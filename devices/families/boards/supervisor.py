"""The power supervisor: the motors' contactor and its reports. It asks; the wired chain decides."""

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

# Of the stop channels' disagreement StopChain tells.
HOLDS_OPEN = "holds the contactor open"
_FAULTS = {
    PowerFault.WELDED: "the contactor is welded shut; pull the battery plugs and change it",
    PowerFault.NOT_CLOSING: "the contactor does not close; check its coil and the stop chain",
    PowerFault.PRECHARGE: "the motors' supply does not rise; look for a short behind the contactor",
    PowerFault.OVER_CURRENT: "the motors draw more than the fuse bears; look for what blocks them",
    PowerFault.SUPPLY_LOW: "the battery is below 19.8 V; change it",
    PowerFault.SUPPLY_HIGH: "the battery is above 25.6 V; take it out and check its charger",
    PowerFault.HOT: "is too hot; let it cool",
    PowerFault.SELF_TEST: "its self-test failed; change the board",
}
_CAUSES = {
    PowerCause.STARTED: "it has just started",
    PowerCause.ASKED: "it was asked to open",
    PowerCause.SILENCE: "it heard nothing from the computer",
    PowerCause.STOP_CHAIN: "a wired stop channel opened",
    PowerCause.WIRELESS_STOP: "the wireless stop opened",
    PowerCause.STOP_TIMER: "the stop timer ended",
    PowerCause.FAULT: "of a fault",
}
_POWERED = (PowerState.PRECHARGE, PowerState.CLOSED, PowerState.STOPPING)
# What ends a request: the states in which it is fulfilled, or can no longer be.
_ENDS = {
    PowerRequest.OPEN: (PowerState.OPEN, PowerState.LATCHED),
    PowerRequest.CLOSE: (*_POWERED, PowerState.LATCHED),
    PowerRequest.RESET: (PowerState.OPEN, *_POWERED),
    PowerRequest.STOP: (PowerState.STOPPING, PowerState.OPEN, PowerState.LATCHED),
}
_LASTING = (PowerRequest.OPEN, PowerRequest.STOP)  # toward less motion: asked until obeyed


class SupervisorSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The board that switches the motors' supply.

    Attributes:
        line: of the board.
        source: its number.
        watchdog_ms: silence after which it opens the contactor and latches [ms].
        period_s: between two commands [s].
        silent_s: a supervisor that is silent for so long is missing [s].
        patience_s: a CLOSE or a RESET that is not obeyed meanwhile is withdrawn [s].
        mirror_s: the contactor's mirror contact may lag so long [s].
    """

    line: str
    source: Source = 0x66
    watchdog_ms: Annotated[int, Meta(ge=LEAST_WATCHDOG_MS, le=MOST_WATCHDOG_MS)] = 100
    period_s: Annotated[float, Meta(ge=0.005, le=0.05)] = 0.02
    silent_s: Annotated[float, Meta(gt=0.0, le=1.0)] = 0.1
    patience_s: Annotated[float, Meta(gt=0.0, le=5.0)] = 0.5
    mirror_s: Annotated[float, Meta(gt=0.0, le=1.0)] = 0.1

    def __post_init__(self) -> None:
        """Refuse what single values cannot tell."""
        if 2e3 * self.period_s > self.watchdog_ms:
            raise ValueError("supervisor.watchdog_ms must be at least twice supervisor.period_s")


class Supervisor:
    """Asks the supervisor, feeds its watchdog from the core's tick, and tells what it sees.

    Nothing here runs without `keep_alive`, which the core's tick alone calls: a core that hangs
    falls silent, and the supervisor opens the contactor. CLOSE and RESET are asked once, by a
    person's wish, and withdrawn as soon as anything speaks against them; neither is ever
    repeated after a stop, a restart of the board or a broken line.

    Attributes:
        status: what it said last; None before that, or since it began anew.
        stops: wired channels A and B and the wireless stop's contact, as it sees them.
        disagree: it has seen the wired channels differ for too long.
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
        """The supervisor says that the motors have their supply, or are getting it."""
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
        """Take the motors' supply away: asked until it is done."""
        self._ask(PowerRequest.OPEN, 0.0)

    def start_stop_timer(self) -> None:
        """Let the hardware's timer take the supply away: asked until it runs."""
        if self._request is not PowerRequest.OPEN:
            self._ask(PowerRequest.STOP, 0.0)

    def close(self, now_s: float) -> None:
        """Give the motors their supply.

        Raises:
            DeviceError: the supervisor would not obey, or is not heard.
        """
        status = self._fresh(now_s)
        self._check_calm()
        if status.state is PowerState.LATCHED:
            raise DeviceError(
                self.device, f"is latched because {_CAUSES[status.cause]}; RESET first"
            )
        if status.faults:
            raise DeviceError(self.device, "reports a fault; mend that first")
        if STOP_INPUTS not in status.inputs:
            raise DeviceError(self.device, "sees the stop chain open; release every stop first")
        if status.state is PowerState.OPEN:
            self._ask(PowerRequest.CLOSE, now_s)

    def reset(self, now_s: float) -> None:
        """Leave the latch that is there now, and no later one; the contactor stays open.

        Raises:
            DeviceError: the supervisor would not obey, or is not heard.
        """
        status = self._fresh(now_s)
        self._check_calm()
        if STOP_INPUTS not in status.inputs:
            raise DeviceError(self.device, "sees the stop chain open; release every stop first")
        if status.state is PowerState.LATCHED:
            self._ask(PowerRequest.RESET, now_s)
            self._latch_code = status.latch_code

    def keep_alive(self, line: BoardLine, now_s: float) -> None:
        """Send what is asked, or the heartbeat, when it is due; call it once a tick."""
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
        """Take in a status.

        Raises:
            WireError: it is none.
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
        """Hold for void what was asked and what is known: the board or its line began anew."""
        if self._request not in _LASTING:
            self._request = PowerRequest.HOLD
        self.status = None
        self.stops = (UNKNOWN, UNKNOWN, UNKNOWN)
        self.disagree = False
        self._stamp_s = -math.inf
        self._mirror_well_s = math.inf
        self._clock.forget()

    def troubles(self, now_s: float) -> tuple[Trouble, ...]:
        """Return what is wrong with the motors' supply."""
        status = self.status
        if status is None:
            return ()
        texts = [text for fault, text in _FAULTS.items() if fault in status.faults]
        if now_s - self._mirror_well_s > self._settings.mirror_s and not texts:
            texts.append("the contactor's mirror contact contradicts its state; check both")
        # An open stop channel is told by the chain; a latch for good reason needs no second word.
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
        """Take back a CLOSE or a RESET that anything speaks against."""
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
            raise DeviceError(self.device, "is being asked to take the supply away; wait for that")
