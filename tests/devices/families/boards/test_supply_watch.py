"""The motors' supply without a core: who gives it, what takes it away, on an emulated robot."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from devices.errors import DeviceError
from devices.families.boards.supply_watch import watch_supply
from devices.real.clock import MonotonicTimekeeper
from devices.real.composition import ports_of
from devices.real.settings import Hardware, load_hardware
from devices.twin.__main__ import ask
from devices.twin.client import TwinTimekeeper
from devices.twin.exchange import CLOCK_SOCKET
from tests.devices.sim.rig import JOINTS
from tests.devices.twin import rig

MOST_TICKS = 4000


@pytest.fixture(scope="module")
def hardware() -> Hardware:
    return load_hardware(rig.HARDWARE)


@pytest.fixture
def lines(tmp_path: Path) -> Iterator[Path]:
    with rig.process(tmp_path, kind=rig.ROBOT):
        rig.wait_for(tmp_path / CLOCK_SOCKET)
        yield tmp_path


def test_a_robot_without_a_supervisor_is_reported(hardware: Hardware, tmp_path: Path) -> None:
    bare = msgspec.structs.replace(hardware, supervisor=None)
    ports, time = ports_of(bare, tmp_path), MonotonicTimekeeper()
    with pytest.raises(DeviceError, match=r"no supervisor; add \[supervisor\]"):
        watch_supply(bare, ports, JOINTS, rig.SWITCHES, time, print, lambda: None)


@pytest.mark.timeout(300)
def test_the_supply_comes_by_a_wish_alone_and_goes_with_a_stop_or_the_end(
    hardware: Hardware, lines: Path
) -> None:
    said: list[str] = []
    ticks = 0

    def wish() -> bool | None:
        """Go on to the next step once the one before has come true."""
        nonlocal ticks
        ticks += 1
        assert ticks < MOST_TICKS, said
        newest = [line for line in said if line.startswith("contactor")][-1:]
        awaited, order = steps[0]
        if not any(awaited in line for line in newest):
            return False
        steps.pop(0)
        if order:
            assert ask(lines, order) == "ok"
        return None if not steps else not order

    steps = [
        ("open, and latched; wired A closed", ""),
        ("CLOSED: the motors", "open a"),
        ("open, and latched; wired A OPEN", "close a"),
        ("open, and latched; wired A closed", ""),
        ("CLOSED: the motors", ""),
    ]
    timekeeper = TwinTimekeeper(lines)
    ports = ports_of(hardware, lines)
    watch_supply(hardware, ports, JOINTS, rig.SWITCHES, timekeeper, said.append, wish)
    assert '"power":"CLOSED"' in ask(lines, "tell boards").replace(" ", "")
    timekeeper.wait_until(timekeeper.now_s() + 0.3)
    assert '"power":"LATCHED"' in ask(lines, "tell boards").replace(" ", "")
    for port in ports.values():
        port.close()
    timekeeper.close()
