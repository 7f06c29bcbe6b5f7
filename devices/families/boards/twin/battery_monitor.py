"""Twin of the monitor of a battery pack."""

from devices.families.boards.twin.board import Board
from devices.families.boards.twin.seats import BatterySeat
from devices.families.boards.wire.battery import Battery, BatteryFault
from devices.families.boards.wire.identity import Board as BoardKind
from devices.twin.timing import TICK_US, is_due

PERIOD_US = 100_000
_LOW_V, _HIGH_V = 3.3, 4.25
_SPREAD_V = 0.002  # from the first cell to the last
_PACK_C = 29.0
_MOST_A = 1e6


class BatteryMonitor(Board):
    """Measures one pack.

    Attributes:
        voltage_v: voltage at its terminals [V].
        current_a: current that it supplies [A].
        charge: remaining charge, 0 to 1.
        capacity_ah: capacity of the pack [A·h].
        hottest_c: highest temperature of its sensors [°C].
    """

    BOARD = BoardKind.BATTERY

    def __init__(self, seat: BatterySeat, capacity_ah: float, tick_us: int = TICK_US) -> None:
        """Switch the monitor on.

        Args:
            seat: mounting of the monitor.
            capacity_ah: capacity of all packs together [A·h].
            tick_us: tick of the twin [µs].
        """
        super().__init__(seat.source, tick_us)
        self.capacity_ah = capacity_ah if seat.series else capacity_ah / seat.packs
        self.voltage_v = 0.0
        self.current_a = 0.0
        self.charge = 0.0
        self.hottest_c = _PACK_C
        self._pack = seat.pack
        self._cells = seat.cells // seat.packs if seat.series else seat.cells
        self._volts = 1.0 / seat.packs if seat.series else 1.0
        self._amperes = 1.0 if seat.series else 1.0 / seat.packs

    def feel(self, voltage_v: float, current_a: float, charge: float) -> None:
        """Update the voltage [V], current [A] and remaining charge of all packs together."""
        self.voltage_v = voltage_v * self._volts
        self.current_a = current_a * self._amperes
        self.charge = charge

    def report(self, now_us: int) -> bytes:
        """Return the frame that is due at a time [µs]."""
        if not is_due(now_us, PERIOD_US, self.tick_us):
            return b""
        n = self._cells
        mean = self.voltage_v / n
        cells = tuple(mean + _SPREAD_V * (0.5 - i / max(n - 1, 1)) for i in range(n))
        faults = BatteryFault(0)
        if min(cells) < _LOW_V:
            faults |= BatteryFault.CELL_LOW
        if max(cells) > _HIGH_V:
            faults |= BatteryFault.CELL_HIGH
        battery = Battery(
            self._pack,
            faults,
            self.voltage_v,
            max(-_MOST_A, min(self.current_a, _MOST_A)),
            self.charge,
            self.capacity_ah * (1.0 - self.charge),
            self.hottest_c,
            1,
            cells,
        )
        return self.frame(Battery.KIND, battery.encode(), now_us)
