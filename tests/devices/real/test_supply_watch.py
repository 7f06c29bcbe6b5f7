"""The motors' supply without a core: who gives it, what takes it away, on an emulated robot."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from devices.errors import DeviceError
from devices.real.composition import ports_of
from devices.real.settings import Hardware, load_hardware
from devices.real.supply_watch import watch_supply
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


def test_a_robot_without_a_supervisor_is_told(hardware: Hardware, tmp_path: Path) -> None:
    bare = msgspec.structs.replace(hardware, supervisor=None)
    with pytest.raises(DeviceError, match=r"no supervisor; add \[supervisor\]"):
        watch_supply(bare, ports_of(bare, tmp_path), JOINTS, None, print, lambda: None)  # type: ignore[arg-type]


@pytest.mark.timeout(300)
def test_the_supply_comes_by_a_wish_alone_and_goes_with_a_stop_or_the_end(
    hardware: Hardware, lines: Path
) -> None:
    said: list[str] = []
    ticks = 0

    def newest() -> str:
        return [line for line in said if line.startswith("contactor")][-1:][0] if said else ""

    def wish() -> bool | None:
        """Wait for each step before the next: a wish, a stop, its release, another wish."""
        nonlocal ticks
        ticks += 1
        assert ticks < MOST_TICKS, said
        step, done = steps[0]
        if not done(newest()):
            return False
        steps.pop(0)
        if not steps:
            return None
        return step() is None

    def order(line: str) -> bool:
        assert ask(lines, line) == "ok"
        return False

    steps = [
        (lambda: None, lambda text: "open, and latched; wired A closed" in text),
        (lambda: order("open a"), lambda text: "CLOSED: the motors" in text),
        (lambda: order("close a"), lambda text: "open, and latched; wired A OPEN" in text),
        (lambda: None, lambda text: "open, and latched; wired A closed" in text),
        (lambda: None, lambda text: "CLOSED: the motors" in text),
    ]
    timekeeper = TwinTimekeeper(lines)
    ports = ports_of(hardware, lines)
    watch_supply(hardware, ports, JOINTS, timekeeper, said.append, wish)
    assert '"power":"CLOSED"' in ask(lines, "tell boards").replace(" ", "")
    timekeeper.wait_until(timekeeper.now_s() + 0.3)
    assert '"power":"LATCHED"' in ask(lines, "tell boards").replace(" ", "")
    for port in ports.values():
        port.close()
    timekeeper.close()
