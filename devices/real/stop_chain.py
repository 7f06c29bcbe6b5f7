"""The core's monitor of the E-stop circuit: two wired channels and a wireless stop.

The circuit itself opens the contactor, independent of this code. This is no safety function.
"""

import math
from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta

from devices.interface import StopChannel, Trouble

_DEVICE = "E-stop chain"
_RADIO = "wireless receiver"
_NAMES = ("wired A", "wired B", "wireless contact", _RADIO, "agreement")
_DISAGREE = (
    "the wired channels disagreed; check both contacts and their wires, then press a stop and"
    " release it"
)
_WELDED = (
    "the wireless stop's contact stayed closed when a stop was called; change its relay, then"
    " call a stop and release it"
)


class Reading(NamedTuple):
    """Last reading of a contact.

    Attributes:
        closed: the contact was closed.
        stamp_s: time of the reading; -inf if there was none [s].
    """

    closed: bool
    stamp_s: float


UNKNOWN = Reading(False, -math.inf)


class Radio(NamedTuple):
    """Last message of the wireless stop's receiver on its serial line.

    Attributes:
        closed: the receiver lets the robot run.
        called: the receiver reports that a stop was called.
        stamp_s: time of the message; -inf if there was none [s].
    """

    closed: bool
    called: bool
    stamp_s: float


class StopChainSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Settings of the monitor.

    Attributes:
        stale_s: age from which a contact's reading counts as unknown [s].
        radio_stale_s: the same for messages of the wireless stop's receiver [s].
        discrepancy_s: longest time for which the wired channels may differ [s].
        relay_s: longest time for which the wireless stop's contact may stay closed after a stop was
            called [s].
    """

    stale_s: Annotated[float, Meta(gt=0.0, le=0.2)] = 0.1
    radio_stale_s: Annotated[float, Meta(gt=0.0, le=0.5)] = 0.25
    discrepancy_s: Annotated[float, Meta(ge=0.02, le=0.1)] = 0.1
    relay_s: Annotated[float, Meta(ge=0.05, le=1.0)] = 0.5


class _Pair:
    """Two contacts that must agree; a lasting difference is a fault until both open and close."""

    __slots__ = ("fault", "_patience_s", "_since_s", "_opened")

    def __init__(self, patience_s: float) -> None:
        self.fault = False
        self._patience_s = patience_s
        self._since_s = math.nan
        self._opened = False

    def update(self, one: bool, other: bool, now_s: float) -> None:
        """Compare two known readings; do not call it with unknown ones."""
        if one is not other:
            if math.isnan(self._since_s):
                self._since_s = now_s
            elif not 0.0 <= now_s - self._since_s <= self._patience_s:
                self.trip()
            return
        self._since_s = math.nan
        if self.fault and one and self._opened:
            self.fault = False
        self._opened = self.fault and (self._opened or not one)

    def trip(self) -> None:
        """Latch the fault."""
        self.fault, self._opened = True, False


class StopChain:
    """Determines whether every channel of the circuit is closed. In doubt a channel is open.

    A channel counts as closed only while it is known, fresh and closed. Wired channels that
    differ for longer than `discrepancy_s` latch a fault, which ends when both were open and then
    closed again; while one is unknown neither the difference nor the fault ends. The same holds
    for a wireless stop whose contact does not follow the messages of its receiver.

    Args:
        settings: settings of the monitor.
        radio: there is a receiver with a serial line; otherwise its contact alone is used.

    Attributes:
        closed: every channel is closed.
        channels: each channel; the last one is closed while no fault is latched.
    """

    def __init__(self, settings: StopChainSettings, radio: bool) -> None:
        self.closed = False
        self.channels: tuple[StopChannel, ...] = ()
        self._settings = settings
        self._has_radio = radio
        self._wired = _Pair(settings.discrepancy_s)
        self._relay = _Pair(settings.relay_s)
        self._disagree = False
        self._read: tuple[bool, ...] = ()

    def update(
        self,
        now_s: float,
        a: Reading,
        b: Reading,
        wireless: Reading,
        radio: Radio | None = None,
        disagree: bool = False,
    ) -> bool:
        """Process the newest readings of all channels and return `closed`.

        Args:
            now_s: the time [s].
            a: wired channel A.
            b: wired channel B.
            wireless: contact of the wireless stop's receiver.
            radio: last message of that receiver; None if there was none.
            disagree: the supervisor reports that the wired channels differed for too long.
        """
        stale_s = self._settings.stale_s
        a_known = 0.0 <= now_s - a.stamp_s <= stale_s
        b_known = 0.0 <= now_s - b.stamp_s <= stale_s
        contact_known = 0.0 <= now_s - wireless.stamp_s <= stale_s
        heard = radio is not None and 0.0 <= now_s - radio.stamp_s <= self._settings.radio_stale_s
        if a_known and b_known:
            self._wired.update(a.closed, b.closed, now_s)
        if disagree and not self._disagree:
            self._wired.trip()
        self._disagree = disagree
        if contact_known and radio is not None and heard:
            self._relay.update(wireless.closed, wireless.closed and not radio.called, now_s)
        read = (
            a_known and a.closed,
            b_known and b.closed,
            contact_known and wireless.closed,
            radio is not None and heard and radio.closed,
            not (disagree or self._wired.fault or self._relay.fault),
        )
        if read != self._read:
            self._tell(read)
        return self.closed

    def troubles(self) -> tuple[Trouble, ...]:
        """Return the latched faults; an open channel is no fault."""
        disagree = self._disagree or self._wired.fault
        faults = ((disagree, _DISAGREE), (self._relay.fault, _WELDED))
        return tuple(Trouble(_DEVICE, text, grave=True) for fault, text in faults if fault)

    def _tell(self, read: tuple[bool, ...]) -> None:
        """Create new channels after a change."""
        self._read = read
        there = (name for name in _NAMES if self._has_radio or name != _RADIO)
        by_name = dict(zip(_NAMES, read, strict=True))
        self.channels = tuple(StopChannel(name, by_name[name]) for name in there)
        self.closed = all(channel.closed for channel in self.channels)
