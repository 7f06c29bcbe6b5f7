"""The E-stop circuit as the core watches it: two wired channels and a wireless stop.

The circuit itself opens the contactor, whatever is done here. This is no safety function.
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
    """A contact as it was seen last.

    Attributes:
        closed: it was.
        stamp_s: when it was seen; -inf if it never was [s].
    """

    closed: bool
    stamp_s: float


UNKNOWN = Reading(False, -math.inf)


class Radio(NamedTuple):
    """What the wireless stop's receiver says by its serial line.

    Attributes:
        closed: it lets the robot run.
        called: somebody calls a stop, as it says itself.
        stamp_s: when it said so last; -inf if it never did [s].
    """

    closed: bool
    called: bool
    stamp_s: float


class StopChainSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How the E-stop circuit is watched.

    Attributes:
        stale_s: a contact that was not seen for so long is unknown [s].
        radio_stale_s: the same for what the wireless stop's receiver says [s].
        discrepancy_s: the wired channels may differ so long [s].
        relay_s: the wireless stop's contact may stay closed so long after a stop was called [s].
    """

    stale_s: Annotated[float, Meta(gt=0.0, le=0.2)] = 0.1
    radio_stale_s: Annotated[float, Meta(gt=0.0, le=0.5)] = 0.25
    discrepancy_s: Annotated[float, Meta(ge=0.02, le=0.1)] = 0.1
    relay_s: Annotated[float, Meta(ge=0.05, le=1.0)] = 0.5


class _Pair:
    """Two contacts that shall agree; a lasting difference is a fault until both open and close."""

    __slots__ = ("fault", "_patience_s", "_since_s", "_opened")

    def __init__(self, patience_s: float) -> None:
        self.fault = False
        self._patience_s = patience_s
        self._since_s = math.nan
        self._opened = False

    def update(self, one: bool, other: bool, now_s: float) -> None:
        """Compare what is known for sure; do not call it with anything else."""
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
    """Says whether every channel of the circuit is closed. In doubt it is open.

    A channel counts as closed only while it is known, fresh and closed. Wired channels that
    differ for longer than `discrepancy_s` latch a fault, which ends when both were seen open and
    then closed again; while one is unknown neither the difference nor the fault ends. The same
    holds for a wireless stop whose contact does not follow what its receiver says.

    Args:
        settings: as the class says.
        radio: there is a receiver whose serial line is read; otherwise its contact must do.

    Attributes:
        closed: every channel is.
        channels: each as it is read, and as the last one that no fault is latched.
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
        """Take in what is known of every channel and return `closed`.

        Args:
            now_s: the time [s].
            a: wired channel A.
            b: wired channel B.
            wireless: contact of the wireless stop's receiver.
            radio: what that receiver says; None if it never said anything.
            disagree: the supervisor has seen the wired channels differ for too long.
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
        """Return the latched faults; that a channel is open is no fault."""
        disagree = self._disagree or self._wired.fault
        faults = ((disagree, _DISAGREE), (self._relay.fault, _WELDED))
        return tuple(Trouble(_DEVICE, text, grave=True) for fault, text in faults if fault)

    def _tell(self, read: tuple[bool, ...]) -> None:
        """Make new channels, as one has changed."""
        self._read = read
        there = (name for name in _NAMES if self._has_radio or name != _RADIO)
        by_name = dict(zip(_NAMES, read, strict=True))
        self.channels = tuple(StopChannel(name, by_name[name]) for name in there)
        self.closed = all(channel.closed for channel in self.channels)
