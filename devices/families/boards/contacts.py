"""Contact switches, as their boards read them."""

import math
from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta

from devices.families.boards.clock import BoardClock
from devices.families.boards.wire.contacts import OLD_US, ContactFault, Contacts
from devices.families.boards.wire.identity import Board
from devices.families.boards.wire.layout import Source
from devices.interface import Bools, Trouble
from devices.wire.errors import WireError
from devices.wire.frame import Frame

_FAULTS = {
    ContactFault.SUPPLY_LOW: "its supply is too low for the sensors; check its supply line",
    ContactFault.CONVERTER: "its converter does not answer; change the board",
    ContactFault.SAMPLE_LATE: "misses samples; install the right firmware",
}

Raw = Annotated[int, Meta(ge=0, le=0xFFFF)]


class Threshold(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Thresholds of a switch's converter; pressed is above released, or below it.

    Attributes:
        pressed: reading from which the switch is pressed.
        released: reading from which, in the other direction, the switch is released.
    """

    pressed: Raw
    released: Raw

    def __post_init__(self) -> None:
        """Refuse a threshold without hysteresis."""
        if self.pressed == self.released:
            raise ValueError(f"pressed and released are both {self.pressed}; keep them apart")


class ContactBoardSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A board that reads contact switches.

    Attributes:
        device: the technician's name of the board.
        line: line that the board is connected to.
        source: number of the board.
        switches: its switches in the board's order, by their names in the profile.
        thresholds: thresholds of each switch, as measured on this robot; without them the board's
            own contact bits are used.
        stale_s: age from which contacts count as unknown [s].
        silent_s: silence after which the board counts as missing [s].
    """

    device: str
    line: str
    source: Source
    switches: Annotated[tuple[str, ...], Meta(min_length=1, max_length=8)]
    thresholds: tuple[Threshold, ...] = ()
    stale_s: Annotated[float, Meta(gt=0.0, le=0.1)] = 0.02
    silent_s: Annotated[float, Meta(gt=0.0, le=1.0)] = 0.1

    def __post_init__(self) -> None:
        """Refuse combinations of values that are inconsistent."""
        if len(self.thresholds) not in (0, len(self.switches)):
            raise ValueError(
                f"thresholds has {len(self.thresholds)} entries; give one for each of"
                f" {', '.join(self.switches)}, or none"
            )


class ContactBoard:
    """The contact switches of one board.

    An unknown contact keeps its last value: if it counted as open, a standing robot would lose its
    support. The healthy switches of the board replace an unhealthy one. If none is left, or the
    board is silent or its samples are old, `age_s` grows, so that the core estimates the contact
    from the leg's torques and does not walk, and a fault is reported. Before the first sample no
    switch is pressed.

    Attributes:
        switches: names of the switches (k).
        touching: whether each switch is pressed (k).
        raw: readings of their converters (k).
        taken: number of samples with valid contacts.
    """

    board = Board.CONTACTS
    grave = True

    def __init__(self, settings: ContactBoardSettings) -> None:
        self.device = settings.device
        self.source = settings.source
        self.silent_s = settings.silent_s
        self.switches = settings.switches
        self.touching: Bools = np.zeros(len(self.switches), dtype=np.bool_)
        self.raw = (0,) * len(self.switches)
        self.taken = 0
        self._thresholds = settings.thresholds
        self._all = (1 << len(self.switches)) - 1
        self._stale_s = settings.stale_s
        self._clock = BoardClock()
        self._stamp_s = -math.inf
        self._faults = ContactFault(0)
        self._unhealthy = 0

    def age_s(self, now_s: float) -> float:
        """Return the age of `touching`; infinite before the first valid sample [s]."""
        return now_s - self._stamp_s

    def take(self, frame: Frame, arrival_s: float) -> None:
        """Process a sample of the board.

        Raises:
            WireError: the frame is no such sample, or has another number of switches.
        """
        if frame.kind != Contacts.KIND:
            raise WireError(f"kind {frame.kind:#04x} is not a contact board's")
        message = Contacts.of(frame.payload)
        count = len(self.switches)
        if len(message.raw) != count:
            raise WireError(f"{len(message.raw)} switches, and {count} are expected")
        self._faults = message.faults
        unhealthy = self._unhealthy = message.unhealthy
        self.raw = tuple(message.raw)
        stamp_s = self._clock.stamp_s(frame.t_us, 1e-6 * message.sample_age_us, arrival_s)
        if unhealthy & self._all == self._all or message.sample_age_us >= OLD_US:
            return
        if message.faults and ContactFault.CONVERTER in message.faults:
            return
        self._stamp_s = stamp_s
        if self._thresholds:
            pressed = [self._pressed(place, raw) for place, raw in enumerate(self.raw)]
        else:
            pressed = [bool(message.touching >> place & 1) for place in range(count)]
        if unhealthy:
            well = any(pressed[place] for place in range(count) if not unhealthy >> place & 1)
            pressed = [well if unhealthy >> i & 1 else on for i, on in enumerate(pressed)]
        for place, on in enumerate(pressed):  # faster than NumPy for a short array
            self.touching[place] = on
        self.taken += 1

    def forget(self) -> None:
        """Reset the estimate of the board's clock; the contacts keep their last values."""
        self._clock.forget()

    def troubles(self, now_s: float) -> tuple[Trouble, ...]:
        """Return the faults of the board and its switches."""
        texts = [text for fault, text in _FAULTS.items() if fault in self._faults]
        for place, name in enumerate(self.switches):
            if self._unhealthy >> place & 1:
                switch = name.replace("_", " ")
                texts.append(f"its switch {switch} is open, shorted or stuck; check its plug")
        grave = not self.age_s(now_s) <= self._stale_s
        if grave and not texts:
            texts.append("its samples are old; check its cable, or change the board")
        return tuple(Trouble(self.device, text, grave) for text in texts)

    def _pressed(self, place: int, raw: int) -> bool:
        threshold = self._thresholds[place]
        rising = threshold.pressed > threshold.released
        if (raw >= threshold.pressed) if rising else (raw <= threshold.pressed):
            return True
        if (raw <= threshold.released) if rising else (raw >= threshold.released):
            return False
        return bool(self.touching[place])
