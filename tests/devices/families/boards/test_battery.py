"""The packs: what is not measured is not invented."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from devices.families.boards.battery import Batteries, BatteryMonitor, PackSettings, Wiring
from devices.families.boards.wire.battery import OLD_MS, Battery, BatteryFault
from devices.families.boards.wire.identity import Board
from tests.devices.families.boards.far_board import FarBoard, Rig

SETTINGS = [
    PackSettings(device="first battery's monitor", line="boards", source=0x64),
    PackSettings(device="second battery's monitor", line="boards", source=0x65),
]
OFF = BatteryFault.SWITCHED_OFF
FULL = Battery(0, BatteryFault(0), 24.0, 4.0, 0.8, 1.0, 30.0, 20, (4.0,) * 6)


class Packs:
    def __init__(self, folder: Path) -> None:
        self.monitors = [BatteryMonitor(i, pack, 2.0) for i, pack in enumerate(SETTINGS)]
        self.far = [FarBoard(source, Board.BATTERY) for source in (0x64, 0x65)]
        self.says = [FULL, msgspec.structs.replace(FULL, pack=1, voltage_v=23.8, current_a=6.0)]
        self.rig = Rig(folder, self.monitors)
        self.ticks = 0

    def run(self, seconds: float, silent: tuple[int, ...] = ()) -> None:
        for _ in range(round(10 * seconds)):
            now_s = self.rig.now_s + 0.1
            data = b""
            for i, (far, message) in enumerate(zip(self.far, self.says, strict=True)):
                if i not in silent:
                    data += far.plate(now_s) if self.ticks % 10 == 0 else b""
                    data += far.says(message, now_s, 1e-3 * message.sample_age_ms)
            self.ticks += 1
            self.rig.tick(data, 0.1)

    def seen(
        self, wiring: Wiring, supply: tuple[float, float] | None = None
    ) -> tuple[float, float, float]:
        both = Batteries(self.monitors, wiring)
        both.update(self.rig.now_s, supply)
        return both.voltage_v, both.current_a, both.charge


@pytest.fixture
def packs(tmp_path: Path) -> Iterator[Packs]:
    packs = Packs(tmp_path)
    yield packs
    packs.rig.close()


@pytest.mark.parametrize("wiring", Wiring)
def test_before_anything_is_known_the_battery_is_empty(packs: Packs, wiring: Wiring) -> None:
    assert packs.seen(wiring) == (0.0, 0.0, 0.0)
    packs.run(0.3, silent=(1,))
    assert packs.seen(wiring) == (0.0, 0.0, 0.0)
    assert packs.seen(wiring, (23.0, 9.0)) == (23.0, 9.0, 0.0)


def test_a_silent_monitor_leaves_the_supervisors_figures_and_the_last_charge(packs: Packs) -> None:
    packs.run(0.3)
    both = Batteries(packs.monitors, Wiring.PARALLEL)
    both.update(packs.rig.now_s, None)
    packs.run(3.0, silent=(1,))
    both.update(packs.rig.now_s, None)
    assert (both.voltage_v, both.current_a, both.charge) == pytest.approx((23.8, 10.0, 0.8))
    both.update(packs.rig.now_s, (21.5, 12.0))
    assert (both.voltage_v, both.current_a, both.charge) == pytest.approx((21.5, 12.0, 0.8))
    (told,) = packs.rig.line.troubles(packs.rig.now_s)
    assert told.grave
    assert (told.device, told.text[:6]) == ("second battery's monitor", "silent")


def test_old_samples_are_reported_although_frames_arrive(packs: Packs) -> None:
    packs.run(0.3)
    packs.says[0] = msgspec.structs.replace(FULL, sample_age_ms=OLD_MS)
    packs.run(2.5)
    (told,) = packs.rig.line.troubles(packs.rig.now_s)
    assert told.grave and "samples are old" in told.text
    assert not packs.monitors[0].known(packs.rig.now_s)


def test_a_monitor_that_is_set_to_the_other_pack_is_refused(packs: Packs) -> None:
    packs.says[0] = packs.says[1]
    packs.run(2.5)
    (text,) = packs.rig.texts()
    assert "source 0x64 is set to be pack 1" in text


@pytest.mark.parametrize("fault", [fault for fault in BatteryFault])
def test_every_fault_of_a_pack_is_reported(packs: Packs, fault: BatteryFault) -> None:
    packs.says[0] = msgspec.structs.replace(FULL, faults=fault)
    packs.run(0.3)
    (told,) = packs.rig.line.troubles(packs.rig.now_s)
    assert told.device == "first battery's monitor"
    assert ";" in told.text


def test_packs_in_parallel(packs: Packs) -> None:
    packs.run(0.3)
    assert packs.seen(Wiring.PARALLEL, (1.0, 1.0)) == pytest.approx((23.8, 10.0, 0.8))
    packs.says[1] = msgspec.structs.replace(packs.says[1], faults=OFF, voltage_v=0.0, current_a=0.0)
    packs.run(0.3)
    assert packs.seen(Wiring.PARALLEL) == pytest.approx((24.0, 4.0, 0.4))
    packs.says[0] = msgspec.structs.replace(FULL, faults=OFF, voltage_v=0.1, current_a=0.0)
    packs.run(0.3)
    assert packs.seen(Wiring.PARALLEL) == pytest.approx((0.0, 0.0, 0.0))


def test_packs_in_series(packs: Packs) -> None:
    packs.says[1] = msgspec.structs.replace(packs.says[1], charge=0.3)
    packs.run(0.3)
    assert packs.seen(Wiring.SERIES) == pytest.approx((47.8, 6.0, 0.3))
    packs.says[1] = msgspec.structs.replace(packs.says[1], faults=OFF)
    packs.run(0.3)
    assert packs.seen(Wiring.SERIES)[2] == 0.0
