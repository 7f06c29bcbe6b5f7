"""Battery packs, as their monitors measure them."""

import math
from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta

from devices.families.boards.clock import BoardClock
from devices.families.boards.wire.battery import OLD_MS, Battery, BatteryFault
from devices.families.boards.wire.identity import Board
from devices.families.boards.wire.layout import Source
from devices.interface import Trouble
from devices.wire.errors import WireError
from devices.wire.frame import Frame

_FAULTS = {
    BatteryFault.CELL_LOW: "a cell is below 3.3 V; change the pack",
    BatteryFault.CELL_HIGH: "a cell is above 4.25 V; end charging and change the pack",
    BatteryFault.UNBALANCED: "its cells differ by more than 0.1 V; balance it before the next show",
    BatteryFault.OVER_CURRENT: "supplies too much current; check the robot for an obstacle",
    BatteryFault.HOT: "is above 60 °C; take it out and let it cool outdoors",
    BatteryFault.COLD: "is below 0 °C; warm it up before use",
    BatteryFault.SENSOR: "a cell or sensor cannot be measured; check the balance plug",
    BatteryFault.SWITCHED_OFF: "its own protection has opened; change the pack",
}
_GRAVE = BatteryFault.CELL_HIGH | BatteryFault.HOT | BatteryFault.SENSOR | BatteryFault.SWITCHED_OFF


class Wiring(StrEnum):
    """Connection of several packs."""

    PARALLEL = "parallel"
    SERIES = "series"


class PackSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The monitor of one pack.

    Attributes:
        device: the technician's name of the monitor.
        line: line that the monitor is connected to.
        source: number of the monitor.
    """

    device: str
    line: str
    source: Source


class BatterySettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The packs of the robot.

    Attributes:
        packs: their monitors; the first is set to be pack 0, the next pack 1, and so on.
        wiring: connection of several packs.
        silent_s: age of a monitor's message or sample from which its pack counts as unknown [s].
    """

    packs: Annotated[tuple[PackSettings, ...], Meta(min_length=1)]
    wiring: Wiring = Wiring.PARALLEL
    silent_s: Annotated[float, Meta(gt=0.0, le=10.0)] = 2.0


class BatteryMonitor:
    """One pack.

    Attributes:
        status: its newest measurement; None before the first.
    """

    board = Board.BATTERY
    grave = True

    def __init__(self, number: int, pack: PackSettings, silent_s: float) -> None:
        """Initialise a pack without a measurement.

        Args:
            number: number of the pack, 0 for the first.
            pack: its entry in the hardware file.
            silent_s: age from which the pack counts as unknown [s].
        """
        self.device = pack.device
        self.source = pack.source
        self.silent_s = silent_s
        self.status: Battery | None = None
        self._number = number
        self._clock = BoardClock()
        self._stamp_s = -math.inf

    def known(self, now_s: float) -> bool:
        """Return whether the pack's measurement is recent."""
        return now_s - self._stamp_s <= self.silent_s

    def take(self, frame: Frame, arrival_s: float) -> None:
        """Process a message of the monitor.

        Raises:
            WireError: no monitor sends such a message, or it is of another pack.
        """
        if frame.kind != Battery.KIND:
            raise WireError(f"kind {frame.kind:#04x} is not a battery monitor's")
        status = Battery.of(frame.payload)
        if status.pack != self._number:
            raise WireError(f"source {self.source:#04x} is set to be pack {status.pack}")
        stamp_s = self._clock.stamp_s(frame.t_us, 1e-3 * status.sample_age_ms, arrival_s)
        self.status = status
        if status.sample_age_ms < OLD_MS:
            self._stamp_s = stamp_s

    def forget(self) -> None:
        """Reset the estimate of the monitor's clock."""
        self._clock.forget()

    def troubles(self, now_s: float) -> tuple[Trouble, ...]:
        """Return the faults of the pack."""
        if self.status is None:
            return ()
        found = [
            Trouble(self.device, text, fault in _GRAVE)
            for fault, text in _FAULTS.items()
            if fault in self.status.faults
        ]
        if not self.known(now_s):
            text = "its samples are old; check the balance plug, or change the monitor"
            found.append(Trouble(self.device, text, grave=True))
        return tuple(found)


class Batteries:
    """All packs combined into one battery.

    The voltage is that of the terminals, which the motors receive, neither corrected for the
    current
    nor filtered: the core's limits apply to this voltage, and its rules wait for a condition to
    last. If a monitor is silent, voltage and current are those of the supervisor if it reports
    them,
    otherwise the last known ones; the charge is the last known one. Before the first measurement
    all
    are 0, which the core takes for an empty battery.

    Attributes:
        voltage_v: voltage at the terminals of all packs [V].
        current_a: current of all packs, positive when discharging [A].
        charge: remaining charge, 0 to 1.
    """

    def __init__(self, monitors: Sequence[BatteryMonitor], wiring: Wiring) -> None:
        self.voltage_v = 0.0
        self.current_a = 0.0
        self.charge = 0.0
        self._monitors = tuple(monitors)
        self._parallel = wiring is Wiring.PARALLEL

    def update(self, now_s: float, supply: tuple[float, float] | None) -> None:
        """Combine the newest measurements.

        Args:
            now_s: the time [s].
            supply: voltage [V] and current [A] that the supervisor measures; None if unknown.
        """
        measured = [m.status for m in self._monitors if m.known(now_s)]
        packs = [status for status in measured if status is not None]
        if len(packs) < len(self._monitors):
            if supply is not None:
                self.voltage_v, self.current_a = supply
            return
        # A pack whose protection is open supplies nothing, whatever its charge.
        charges = [
            0.0 if BatteryFault.SWITCHED_OFF in pack.faults else pack.charge for pack in packs
        ]
        if self._parallel:
            live = [p for p in packs if BatteryFault.SWITCHED_OFF not in p.faults] or packs
            self.voltage_v = min(pack.voltage_v for pack in live)
            self.current_a = sum(pack.current_a for pack in packs)
            self.charge = sum(charges) / len(charges)
        else:
            self.voltage_v = sum(pack.voltage_v for pack in packs)
            self.current_a = max((pack.current_a for pack in packs), key=abs)
            self.charge = min(charges)
