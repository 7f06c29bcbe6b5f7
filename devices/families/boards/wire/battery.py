"""Measurements of a battery pack's monitor."""

from enum import IntFlag
from typing import ClassVar, Self

import msgspec

from devices.families.boards.wire.layout import Kind, Layout, check_count, check_range, flags

MOST_CELLS = 14
OLD_MS = 0xFFFF  # age of a sample of this age or older


class BatteryFault(IntFlag):
    """Faults of the pack or its monitor."""

    CELL_LOW = 1
    CELL_HIGH = 2
    UNBALANCED = 4
    OVER_CURRENT = 8
    HOT = 16
    COLD = 32
    SENSOR = 64
    SWITCHED_OFF = 128  # the pack's own protection has opened


class Battery(msgspec.Struct, frozen=True):
    """One pack.

    Attributes:
        pack: number of the pack, 0 for the first.
        faults: faults of the pack.
        voltage_v: voltage at its terminals, not corrected for the current, in steps of 1 mV [V].
        current_a: current, positive when discharging, in steps of 1 mA [A].
        charge: remaining charge, 0 to 1, in steps of 0.001.
        used_ah: charge used since it was last full, in steps of 1 mAh [A·h].
        hottest_c: highest temperature of its sensors, in steps of 0.1 °C [°C].
        sample_age_ms: age of the sample when it was sent [ms].
        cells_v: voltage of each cell in steps of 1 mV (n) [V].
    """

    KIND: ClassVar = Kind.BATTERY
    LAYOUT: ClassVar = Layout(
        ("pack", "u8", ""),
        ("count", "u8", ""),
        ("faults", "u16", ""),
        ("voltage", "u16", "mV"),
        ("current", "i32", "mA"),
        ("charge", "u16", "0.001"),
        ("used", "u32", "mAh"),
        ("hottest", "i16", "0.1 °C"),
        ("sample_age", "u16", "ms"),
    )
    EACH: ClassVar = Layout(("cell", "u16", "mV"))

    pack: int
    faults: BatteryFault
    voltage_v: float
    current_a: float
    charge: float
    used_ah: float
    hottest_c: float
    sample_age_ms: int
    cells_v: tuple[float, ...]

    def __post_init__(self) -> None:
        """Refuse values that no pack has."""
        check_count("cells", len(self.cells_v), MOST_CELLS)
        check_range("charge", self.charge, 0.0, 1.0)

    def encode(self) -> bytes:
        """Return the payload.

        Raises:
            WireError: a value does not fit.
        """
        head = self.LAYOUT.pack(
            self.pack,
            len(self.cells_v),
            self.faults,
            1e3 * self.voltage_v,
            1e3 * self.current_a,
            1e3 * self.charge,
            1e3 * self.used_ah,
            10.0 * self.hottest_c,
            self.sample_age_ms,
        )
        return head + b"".join(self.EACH.pack(1e3 * cell) for cell in self.cells_v)

    @classmethod
    def of(cls, payload: bytes) -> Self:
        """Decode a payload.

        Raises:
            WireError: the payload is no such message.
        """
        pack, count, faults, voltage, current, charge, used, hottest, age = cls.LAYOUT.unpack(
            payload
        )
        column = cls.EACH.unpack_column(payload, cls.LAYOUT.size, count)
        cells = tuple([cell / 1e3 for cell in column])
        return cls(
            pack,
            flags(BatteryFault, faults),
            voltage / 1e3,
            current / 1e3,
            charge / 1e3,
            used / 1e3,
            hottest / 10,
            age,
            cells,
        )
