"""The contact switches of a foot, as its board reads them."""

import math
from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta

from devices.families.boards.clock import BoardClock
from devices.families.boards.wire.contacts import OLD_US, ContactFault, Contacts
from devices.families.boards.wire.identity import Board
from devices.interface import Bools, Trouble
from devices.wire.errors import WireError
from devices.wire.frame import Frame

LEFT_FOOT, RIGHT_FOOT = 0x60, 0x61  # sources
SENSORS = ("heel", "toe")
SWITCHES = 2 * len(SENSORS)  # of both feet

_FAULTS = {
    ContactFault.SUPPLY_LOW: "its supply is too low for the sensors; check its supply line",
    ContactFault.CONVERTER: "its converter does not answer; change the board",
    ContactFault.SAMPLE_LATE: "misses samples; put the right firmware on it",
}

Raw = Annotated[int, Meta(ge=0, le=0xFFFF)]


class Threshold(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a sensor's converter reads; pressed is above released, or below it.

    Attributes:
        pressed: from here on the sensor is pressed.
        released: from here on, the other way, it is not.
    """

    pressed: Raw
    released: Raw

    def __post_init__(self) -> None:
        """Refuse a threshold without hysteresis."""
        if self.pressed == self.released:
            raise ValueError(f"pressed and released are both {self.pressed}; keep them apart")


class ContactSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The boards that read the feet's contact switches.

    Attributes:
        left_line: of the left foot's board.
        right_line: of the right foot's.
        thresholds: of left heel, left toe, right heel, right toe, as measured on this robot;
            without them the boards' own judgement holds.
        stale_s: a foot's contacts that are older are unknown [s].
        silent_s: a board that is silent for so long is missing [s].
    """

    left_line: str
    right_line: str
    thresholds: tuple[Threshold, ...] = ()
    stale_s: Annotated[float, Meta(gt=0.0, le=0.1)] = 0.02
    silent_s: Annotated[float, Meta(gt=0.0, le=1.0)] = 0.1

    def __post_init__(self) -> None:
        """Refuse what single values cannot tell."""
        if len(self.thresholds) not in (0, 4):
            raise ValueError(
                f"thresholds has {len(self.thresholds)} entries; give one for left heel, left toe,"
                " right heel and right toe each, or none"
            )


class ContactBoard:
    """Both sensors of one foot.

    What is unknown keeps its last value: to call it open would take the ground from under a
    robot that stands. A sensor that is unhealthy is spoken for by the foot's other one. If none
    is left, or the board is silent or its samples are old, `age_s` grows, by which the core knows
    to ask the leg's torques instead and not to walk, and a trouble is told. Before the first
    sample nothing touches.

    Attributes:
        touching: heel, toe (2).
        raw: what their converters read (2).
        taken: samples that told of the contacts.
    """

    board = Board.CONTACTS
    grave = True

    def __init__(self, right: bool, settings: ContactSettings) -> None:
        self.device = f"{'right' if right else 'left'} foot's contact board"
        self.source = RIGHT_FOOT if right else LEFT_FOOT
        self.silent_s = settings.silent_s
        self.touching: Bools = np.zeros(len(SENSORS), dtype=np.bool_)
        self.raw = (0, 0)
        self.taken = 0
        self._thresholds = settings.thresholds[2 * right :][: len(SENSORS)]
        self._stale_s = settings.stale_s
        self._clock = BoardClock()
        self._stamp_s = -math.inf
        self._faults = ContactFault(0)
        self._unhealthy = 0

    def age_s(self, now_s: float) -> float:
        """Return the age of `touching`; infinite if nothing was ever known [s]."""
        return now_s - self._stamp_s

    def take(self, frame: Frame, arrival_s: float) -> None:
        """Take in a sample of the board.

        Raises:
            WireError: it is none, or of another number of sensors.
        """
        if frame.kind != Contacts.KIND:
            raise WireError(f"kind {frame.kind:#04x} is not a contact board's")
        message = Contacts.of(frame.payload)
        if len(message.raw) != len(SENSORS):
            raise WireError(f"{len(message.raw)} sensors, and a foot has {len(SENSORS)}")
        self._faults = message.faults
        self._unhealthy = message.unhealthy
        heel, toe = self.raw = (message.raw[0], message.raw[1])
        stamp_s = self._clock.stamp_s(frame.t_us, 1e-6 * message.sample_age_us, arrival_s)
        if message.unhealthy == 0b11 or message.sample_age_us >= OLD_US:
            return
        if message.faults and ContactFault.CONVERTER in message.faults:
            return
        self._stamp_s = stamp_s
        pressed = [bool(message.touching & 1), bool(message.touching & 2)]
        if self._thresholds:
            pressed = [self._pressed(0, heel), self._pressed(1, toe)]
        if message.unhealthy:
            well = 1 if message.unhealthy & 1 else 0
            pressed = [pressed[well]] * 2
        self.touching[0], self.touching[1] = pressed
        self.taken += 1

    def forget(self) -> None:
        """Know nothing of the board's clock; the contacts keep their last values."""
        self._clock.forget()

    def troubles(self, now_s: float) -> tuple[Trouble, ...]:
        """Return what is wrong with the board and its sensors."""
        texts = [text for fault, text in _FAULTS.items() if fault in self._faults]
        for place, name in enumerate(SENSORS):
            if self._unhealthy >> place & 1:
                texts.append(f"its {name} sensor is open, shorted or stuck; check its plug")
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
