"""Measurements of the contact board of a foot."""

from enum import IntFlag
from typing import ClassVar, Self

import msgspec

from devices.families.boards.wire.layout import Kind, Layout, check_count, flags
from devices.wire.errors import WireError

MOST_SENSORS = 8
OLD_US = 0xFFFF  # age of a sample of this age or older


class ContactFault(IntFlag):
    """Faults of the board."""

    SUPPLY_LOW = 1
    CONVERTER = 2
    SAMPLE_LATE = 4


class Contacts(msgspec.Struct, frozen=True):
    """Sensors in the order of the robot's profile; the bit of sensor i is 1 << i.

    Attributes:
        touching: bits of the sensors that are pressed.
        unhealthy: bits of the sensors that are open, shorted or stuck; their values are invalid.
        faults: faults of the board.
        sample_age_us: age of the sample when it was sent, at most OLD_US [µs].
        raw: reading of each sensor's converter (n).
    """

    KIND: ClassVar = Kind.CONTACTS
    LAYOUT: ClassVar = Layout(
        ("touching", "u8", ""),
        ("unhealthy", "u8", ""),
        ("faults", "u8", ""),
        ("count", "u8", ""),
        ("sample_age", "u16", "µs"),
    )
    EACH: ClassVar = Layout(("raw", "u16", ""))

    touching: int
    unhealthy: int
    faults: ContactFault
    sample_age_us: int
    raw: tuple[int, ...]

    def __post_init__(self) -> None:
        """Refuse values that no board has."""
        check_count("sensors", len(self.raw), MOST_SENSORS)
        if (self.touching | self.unhealthy) >> len(self.raw):
            raise WireError(f"bits of sensors that a board with {len(self.raw)} does not have")

    def encode(self) -> bytes:
        """Return the payload.

        Raises:
            WireError: a value does not fit.
        """
        head = self.LAYOUT.pack(
            self.touching, self.unhealthy, self.faults, len(self.raw), self.sample_age_us
        )
        return head + b"".join(self.EACH.pack(raw) for raw in self.raw)

    @classmethod
    def of(cls, payload: bytes) -> Self:
        """Decode a payload.

        Raises:
            WireError: the payload is no such message.
        """
        touching, unhealthy, faults, count, age_us = cls.LAYOUT.unpack(payload)
        raw = cls.EACH.unpack_column(payload, cls.LAYOUT.size, count)
        return cls(touching, unhealthy, flags(ContactFault, faults), age_us, raw)
