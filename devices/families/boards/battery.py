"""The packs, as their monitors measure them."""

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
    BatteryFault.OVER_CURRENT: "gives more current than it bears; look for what blocks the robot",
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
        device: the monitor, as the technician calls it.
        line: that it is connected to.
        source: its number.
    """

    device: str
    line: str
    source: Source


class BatterySettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The packs of the robot.

    Attributes:
        packs: their monitors; the first is set to be pack 0, the next pack 1, and so on.
        wiring: of several packs.
        silent_s: a pack whose monitor, or whose sample, is that old is not measured [s].
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
        """Wait for a monitor.

        Args:
            number: of the pack, 0 for the first.
            pack: as the hardware file lists it.
            silent_s: after which it is not measured [s].
        """
        self.device = pack.device
        self.source = pack.source
        self.silent_s = silent_s
        self.status: Battery | None = None
        self._number = number
        self._clock = BoardClock()
        self._stamp_s = -math.inf

    def known(self, now_s: float) -> bool:
        """Tell whether the pack is measured."""
        return now_s - self._stamp_s <= self.silent_s

    def take(self, frame: Frame, arrival_s: float) -> None:
        """Take in what the monitor measured.

        Raises:
            WireError: it is nothing that a monitor sends, or of another pack.
        """
        if frame.kind != Battery.KIND:
            raise WireError(f"kind {frame.kind:#04x} is not a battery monitor's")
        status = Battery.of(frame.payload)
        if status.pack != self._number:
            raise WireError(f"it is set to be pack {status.pack} in the name of {self.source:#04x}")
        stamp_s = self._clock.stamp_s(frame.t_us, 1e-3 * status.sample_age_ms, arrival_s)
        self.status = status
        if status.sample_age_ms < OLD_MS:
            self._stamp_s = stamp_s

    def forget(self) -> None:
        """Know nothing of the monitor's clock."""
        self._clock.forget()

    def troubles(self, now_s: float) -> tuple[Trouble, ...]:
        """Return what is wrong with the pack."""
        if self.status is None:
            return ()
        told = [
            Trouble(self.device, text, fault in _GRAVE)
            for fault, text in _FAULTS.items()
            if fault in self.status.faults
        ]
        if not self.known(now_s):
            text = "its samples are old; check the balance plug, or change the monitor"
            told.append(Trouble(self.device, text, grave=True))
        return tuple(told)


class Batteries:
    """All packs as the one that the core knows.

    The voltage is that of the terminals, as the motors have it, neither corrected for the current
    nor smoothed: the core's limits are meant for that, and its rules wait for a condition to
    last. Where a monitor is silent, voltage and current are the supervisor's if it tells them,
    otherwise the last known; the charge is the last known. Before anything is known all are 0,
    which the core takes for an empty battery.

    Attributes:
        voltage_v: at the terminals of all [V].
        current_a: out of all, positive when discharging [A].
        charge: what is left, 0 to 1.
    """

    def __init__(self, monitors: Sequence[BatteryMonitor], wiring: Wiring) -> None:
        self.voltage_v = 0.0
        self.current_a = 0.0
        self.charge = 0.0
        self._monitors = tuple(monitors)
        self._parallel = wiring is Wiring.PARALLEL

    def update(self, now_s: float, supply: tuple[float, float] | None) -> None:
        """Combine what is known by now.

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
        # A pack that has switched itself off gives nothing, whatever it still holds.
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
