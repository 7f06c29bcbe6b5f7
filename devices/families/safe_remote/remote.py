"""Driver of the wireless stop's receiver, whose serial line reports the state of its contacts."""

import math
from typing import Annotated

import msgspec
from msgspec import Meta

from devices.families.safe_remote import wire as safe_remote
from devices.families.safe_remote.wire import Heartbeat, Mode, Type
from devices.interface import Trouble
from devices.real.arrival import Arrival
from devices.real.port import Port
from devices.real.stop_chain import Radio

_DEVICE = "wireless stop"
_MODES: dict[int, str] = {
    Mode.SEARCHING: "looks for its handset; switch that on",
    Mode.LOCAL: "is stopped at its own panel; set it to operational",
    Mode.MENU: "has its menu open; leave that",
    Mode.PAUSE: "is paused; end that at the handset",
}


class SafeRemoteSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The receiver of the wireless stop.

    Attributes:
        line: line of the receiver.
        period_s: period of the heartbeats to it [s].
    """

    line: str
    period_s: Annotated[float, Meta(ge=0.02, le=0.05)] = 0.04


class SafeRemote:
    """Reads the receiver and sends heartbeats, from the core's tick alone."""

    def __init__(self, port: Port, settings: SafeRemoteSettings) -> None:
        self._port = port
        self._settings = settings
        self._scanner = safe_remote.scanner()
        self._arrival = Arrival(self._scanner)
        self._openings = 0
        self._opened_s = math.inf
        self._heartbeat: Heartbeat | None = None
        self._radio: Radio | None = None  # the same, for the chain
        self._ours = safe_remote.our_heartbeat(stop=False)
        self._heard_s = -math.inf
        self._due_s = -math.inf

    def update(self, now_s: float) -> None:
        """Process received bytes and send a heartbeat when it is due. Never raises or waits."""
        data = self._port.read(now_s)
        if self._port.openings != self._openings:
            self._openings = self._port.openings
            self._opened_s = now_s
            self._scanner.reset()
            self._heartbeat = self._radio = None  # earlier messages are no longer valid
            self._heard_s = -math.inf
        packets, came_s = self._arrival.feed(data, now_s) if data else ([], now_s)
        for packet in packets:
            if safe_remote.kind_of(packet) == Type.HEARTBEAT:
                heartbeat = safe_remote.decode_heartbeat(packet)
                if heartbeat is not None:
                    self._heartbeat, self._heard_s = heartbeat, came_s
                    runs = safe_remote.may_run(heartbeat, came_s, came_s)
                    self._radio = Radio(runs, heartbeat.stop != 0, came_s)
        if now_s >= self._due_s:
            self._due_s = now_s + self._settings.period_s
            self._port.write(self._ours)

    def said(self) -> Radio | None:
        """Return the receiver's last message; None if there was none since its line was opened."""
        return self._radio if self._port.descriptor >= 0 else None

    def troubles(self, now_s: float) -> tuple[Trouble, ...]:
        """Return the faults of the line or the receiver; a called stop is no fault."""
        found = self._port.troubles()
        if self._port.descriptor < 0:
            return found
        heartbeat = self._heartbeat
        if not now_s - max(self._heard_s, self._opened_s) <= safe_remote.LOST_S:
            text = "silent; check its plug and its supply"
            found += (Trouble(_DEVICE, text, grave=True),)
        elif heartbeat is not None and heartbeat.mode != Mode.OPERATIONAL:
            unknown = f"is in the unknown mode {heartbeat.mode:#04x}; restart it"
            found += (Trouble(_DEVICE, _MODES.get(heartbeat.mode, unknown), grave=True),)
        elif heartbeat is not None and "(" in (words := safe_remote.stop_words(heartbeat.stop)):
            found += (Trouble(_DEVICE, f"is in doubt: {words}; check its stops", grave=True),)
        return found

    def close(self) -> None:
        """Release the line."""
        self._port.close()
