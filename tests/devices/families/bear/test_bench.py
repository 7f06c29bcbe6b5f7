"""What a technician does with one line, actuators answering from a thread of their own."""

import os
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest

from devices.errors import DeviceError
from devices.families.bear import bench as commissioning
from devices.families.bear.bench import BearBench
from devices.families.bear.wire.registers import (
    INPUT_VOLTAGE,
    PRESENT_POSITION,
    TORQUE_ENABLE,
    WINDING_TEMPERATURE,
)
from devices.families.interface import Condition, Found
from devices.real.clock import MonotonicTimekeeper
from devices.real.port import Port
from tests.devices.families.bear.bears import Bear
from tests.devices.real.live import Live


@pytest.fixture
def bears() -> list[Bear]:
    return [Bear(1, 0.25), Bear(2), Bear(200)]


@pytest.fixture
def live(tmp_path: Path, bears: list[Bear]) -> Iterator[Live]:
    line = Live(tmp_path / "left_leg", bears)
    yield line
    line.end()


@pytest.fixture
def bench(live: Live, monkeypatch: pytest.MonkeyPatch) -> Iterator[BearBench]:
    monkeypatch.setattr(commissioning, "REPLY_S", 0.3)  # a busy machine may stop the thread
    port = Port("left leg bus", live.path, 8_000_000)
    yield BearBench(port, MonotonicTimekeeper())
    port.close()


def test_a_line_that_is_not_there_is_reported(tmp_path: Path) -> None:
    bench = BearBench(Port("left leg bus", tmp_path / "left_leg", 8_000_000), MonotonicTimekeeper())
    with pytest.raises(DeviceError, match="left leg bus: unplugged"):
        bench.discover([1])


def test_an_id_in_use_is_refused(bench: BearBench, bears: list[Bear]) -> None:
    with pytest.raises(DeviceError, match="something answers at id 2 already"):
        bench.change_id(1, 2)
    assert [bear.id for bear in bears] == [1, 2, 200]


def test_an_unused_id_cannot_be_changed(bench: BearBench) -> None:
    with pytest.raises(DeviceError, match="nothing answers at id 7"):
        bench.change_id(7, 8)


def test_two_actuators_with_one_id_are_not_changed(bench: BearBench, bears: list[Bear]) -> None:
    """Both answer at once: what arrives is neither's."""
    bears[1].id = 1
    with pytest.raises(DeviceError, match="two actuators"):
        bench.change_id(1, 9)
    assert [bear.id for bear in bears] == [1, 1, 200]


def test_two_actuators_with_one_id_are_found_as_garbled(
    bench: BearBench, bears: list[Bear]
) -> None:
    """Their answers to a ping are alike, and so come through: what differs tells."""
    bears[1].id = 1
    assert bench.discover([1, 7, 200]) == (Found(1, ""), Found(200, "01020304"))
    bears[1].error = 0xC1  # now the ping is garbled as well
    assert bench.discover([1]) == (Found(1, ""),)


def test_a_line_that_is_lost_while_an_id_is_changed_leaves_it_in_doubt(
    bench: BearBench, bears: list[Bear], live: Live
) -> None:
    write = bears[0].write_config

    def pull(address: int, data: bytes) -> None:
        write(address, data)
        live.path.unlink()
        live._over.set()
        os.close(live._master)
        live._master = os.open(os.devnull, os.O_RDWR)

    bears[0].write_config = pull  # type: ignore[method-assign]
    with pytest.raises(DeviceError, match="was lost meanwhile: ids 1 and 9 are in doubt; scan"):
        bench.change_id(1, 9)


def test_an_actuator_that_keeps_its_id_is_reported(bench: BearBench, bears: list[Bear]) -> None:
    bears[0].write_config = lambda address, data: None  # type: ignore[method-assign]
    with pytest.raises(DeviceError, match="did not take id 9"):
        bench.change_id(1, 9)


def test_a_joint_that_moves_has_no_zero(bench: BearBench, bears: list[Bear]) -> None:
    class Moving(dict[int, bytes]):
        position = 0.0

        def __getitem__(self, address: int) -> bytes:
            if address != PRESENT_POSITION.address:
                return super().__getitem__(address)
            self.position += 0.01
            return struct.pack("<f", self.position)

    bears[0].status = Moving(bears[0].status)
    with pytest.raises(DeviceError, match="id 1 moves"):
        bench.position_rad(1)


def test_a_silent_joint_has_no_zero(
    bench: BearBench, bears: list[Bear], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commissioning, "REPLY_S", 0.005)
    bears[0].silent = True
    with pytest.raises(DeviceError, match="id 1 does not answer"):
        bench.position_rad(1)


def test_everybody_is_found(bench: BearBench) -> None:
    tried: list[int] = []
    ids = [0, 1, 2, 3, 199, 200, 201, 252]
    assert bench.discover(ids, tried.append) == (
        Found(1, "01020304"),
        Found(2, "01020304"),
        Found(200, "01020304"),
    )
    assert tried == ids
    assert list(commissioning.EVERY_ID) == list(range(253))  # 0xFD is another protocol's


def test_an_id_is_changed_and_kept(bench: BearBench, bears: list[Bear], live: Live) -> None:
    bears[0].set(TORQUE_ENABLE, 1)
    bench.change_id(1, 9)
    assert [bear.id for bear in bears] == [9, 2, 200]
    assert bears[0].get(TORQUE_ENABLE) == 0
    assert live.saved == [9]


def test_a_position_is_read_with_the_torque_off(bench: BearBench, bears: list[Bear]) -> None:
    bears[0].set(TORQUE_ENABLE, 1)
    assert bench.position_rad(1) == pytest.approx(0.25)
    assert bears[0].get(TORQUE_ENABLE) == 0


def test_an_actuator_tells_its_condition_and_is_unchanged(
    bench: BearBench, bears: list[Bear]
) -> None:
    bears[0].set(WINDING_TEMPERATURE, 41.5)
    bears[0].set(INPUT_VOLTAGE, 23.5)
    bears[0].error = 0x84
    bears[0].set(TORQUE_ENABLE, 3)
    found = bench.condition(1)
    assert found is not None and len(found.faults) == 1 and not found.unsupplied
    assert found == Condition("01020304", found.faults, False, 41.5, 23.5)
    assert bears[0].torque == [] and bears[0].get(TORQUE_ENABLE) == 3


def test_an_actuator_that_is_not_there_is_in_no_condition(bench: BearBench) -> None:
    assert bench.condition(3) is None
