"""Devices looked at while no core has them, on real ptys."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from devices.families.bear import bench as commissioning
from devices.families.bear.wire.registers import INPUT_VOLTAGE
from devices.families.boards.supervisor import HOLDS_OPEN
from devices.families.boards.wire.battery import Battery, BatteryFault
from devices.families.boards.wire.identity import Board
from devices.interface import Handset
from devices.real.clock import MonotonicTimekeeper
from devices.real.composition import ports_of
from devices.real.examination import (
    Heard,
    examine_actuators,
    examine_devices,
    examine_line,
    holder,
)
from devices.real.port import Port
from devices.real.settings import Hardware, load_hardware
from tests.devices.families.bear.bears import Bear, Line
from tests.devices.families.boards.far_board import FarBoard
from tests.devices.families.boards.far_power import FarPower
from tests.devices.real.live import Live
from tests.devices.real.rig import StillTime
from tests.devices.real.test_settings import FILE
from tests.devices.real.wire import Wire

HOLD = """
import fcntl, os, sys
line = os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY)
fcntl.flock(line, fcntl.LOCK_EX)
print("has it", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def line(tmp_path: Path) -> Iterator[Line]:
    made = Line(tmp_path / "left_leg", [Bear(1)])
    yield made
    made.unplug()


def port(path: Path) -> Port:
    return Port("left leg bus", path, 8_000_000)


def held(path: Path, *words: str) -> "subprocess.Popen[str]":
    """Start a program that has a line; `words` stand in its command line."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path), *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None and process.stdout.readline() == "has it\n"
    return process


def test_a_line_that_is_not_there(tmp_path: Path) -> None:
    found = examine_line(port(tmp_path / "left_leg"), 0.0)
    assert found.troubles == ("unplugged; check the adapter's USB plug",)
    assert (found.holder, found.held_by_core) == ("", False)


def test_a_line_that_is_no_line(tmp_path: Path) -> None:
    (tmp_path / "left_leg").write_text("")
    found = examine_line(port(tmp_path / "left_leg"), 0.0)
    assert found.troubles == ("no serial line; correct the port's path",)


@pytest.mark.parametrize(("words", "core"), [((), False), (("-m", "core", "loop"), True)])
def test_whoever_has_a_line_is_named(line: Line, words: tuple[str, ...], core: bool) -> None:
    with held(line.path, *words) as process:
        found = examine_line(port(line.path), 0.0)
        assert found.troubles == ("in use by another program; end that program",)
        assert f"(process {process.pid})" in found.holder
        assert found.holder.startswith("a core") is core
        assert found.held_by_core is core
        process.communicate()
    ours = port(line.path)
    assert examine_line(ours, 0.0).troubles == ()
    ours.close()


def test_invalid_locks_name_no_process(line: Line, tmp_path: Path) -> None:
    assert holder(line.path, tmp_path / "none") == ("", False)
    (tmp_path / "locks").write_text("1: FLOCK\n2: -> FLOCK ADVISORY WRITE 1 00:1 0 EOF\n\n")
    assert holder(line.path, tmp_path) == ("", False)
    facts = line.path.stat()
    place = f"{os.major(facts.st_dev):02x}:{os.minor(facts.st_dev):02x}:{facts.st_ino}"
    (tmp_path / "locks").write_text(f"1: FLOCK  ADVISORY  WRITE 77 {place} 0 EOF\n")
    assert holder(line.path, tmp_path) == ("another program (process 77)", False)
    (tmp_path / "locks").write_text(f"1: FLOCK  ADVISORY  WRITE 77 {place}0 0 EOF\n")
    assert holder(line.path, tmp_path) == ("", False)


def test_the_latency_timer_is_reported(line: Line, tmp_path: Path) -> None:
    device = tmp_path / "tty" / line.path.resolve().name / "device"
    device.mkdir(parents=True)
    (device / "latency_timer").write_text("16\n")
    ours = port(line.path)
    assert examine_line(ours, 0.0, sysfs=tmp_path / "tty").timer_ms == 16
    assert examine_line(ours, 0.0, sysfs=tmp_path / "none").timer_ms == 0
    ours.close()


@pytest.fixture
def hardware() -> Hardware:
    return load_hardware(FILE)


def test_actuators_are_asked_and_nothing_is_switched(
    hardware: Hardware, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commissioning, "REPLY_S", 0.3)  # a busy machine may stop the thread
    bears = [Bear(number) for number in (1, 2, 3)]
    for bear in bears:
        bear.set(INPUT_VOLTAGE, 23.5)
    bears[1].error = 0xA0
    bears[2].silent = True
    line = Live(tmp_path / "left_arm", bears)
    ports = ports_of(hardware, tmp_path)
    for one in ports.values():
        examine_line(one, 0.0)
    ids = {row.joint: row.id for row in hardware.actuator_rows}
    found = examine_actuators(hardware, ids, ports, MonotonicTimekeeper())
    line.end()
    for one in ports.values():
        one.close()
    assert [(one.joint, one.id, one.versions) for one in found] == [
        ("left_shoulder_pitch", 1, "01020304"),
        ("left_shoulder_roll", 2, "01020304"),
        ("left_elbow", 3, ""),
    ]
    assert {one.device for one in found} == {"left arm bus"}
    assert found[0].faults == () and found[0].input_v == 23.5
    assert found[1].faults[0].startswith("reports hardware; Check the supply voltage")
    assert (found[0].unsupplied, found[1].unsupplied) == (False, True)
    assert all(bear.torque == [] for bear in bears)


def test_two_actuators_with_one_id_differ_from_silence(
    hardware: Hardware, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Alike in what they answer to a ping, or not even in that."""
    monkeypatch.setattr(commissioning, "REPLY_S", 0.3)
    bears = [Bear(1), Bear(1), Bear(2), Bear(2)]
    bears[0].set(INPUT_VOLTAGE, 23.5)
    bears[2].error = 0xC1
    line = Live(tmp_path / "head", bears)
    ports = ports_of(hardware, tmp_path)
    examine_line(ports["head"], 0.0)
    ids = {row.joint: row.id for row in hardware.actuator_rows}
    found = examine_actuators(hardware, ids, ports, MonotonicTimekeeper())
    line.end()
    ports["head"].close()
    assert [bool(one.versions) for one in found] == [True, False]
    for one in found:
        assert one.faults[-1].startswith("answers garbled; scan its line")


def test_a_line_that_goes_meanwhile_has_no_actuators(hardware: Hardware, tmp_path: Path) -> None:
    line = Line(tmp_path / "head", [])
    ports = ports_of(hardware, tmp_path)
    examine_line(ports["head"], 0.0)
    line.unplug()
    ids = {row.joint: row.id for row in hardware.actuator_rows}
    found = examine_actuators(hardware, ids, ports, MonotonicTimekeeper())
    assert [(one.joint, one.versions) for one in found] == [("head_pitch", ""), ("head_yaw", "")]


class Times(StillTime):
    """Time in which the far ends speak while somebody waits."""

    def __init__(self, speak: Callable[[float], None]) -> None:
        super().__init__()
        self._speak = speak

    def wait_until(self, stamp_s: float) -> float:
        late_s = super().wait_until(stamp_s)
        self._speak(self.time_s)
        return late_s


FINGERS = ("wrist", "thumb", "index", "middle", "ring")
NAMES = tuple(f"{side}_{finger}" for side in ("left", "right") for finger in FINGERS)

SWITCHES = ("left_heel", "left_toe", "right_heel", "right_toe")


class Far:
    """The power supervisor and one pack's monitor on the boards' line, which is all there is."""

    def __init__(self, folder: Path, hardware: Hardware) -> None:
        self.hardware = hardware
        self.ports = ports_of(hardware, folder)
        self.wire = Wire(folder / "boards")
        self.wire.port = self.ports["boards"]
        self.power = FarPower()
        self.pack = FarBoard(0x64, Board.BATTERY, serial=1017)
        self.times = Times(self.speak)

    def speak(self, now_s: float) -> None:
        cells = (3.9,) * 6
        pack = Battery(0, BatteryFault(0), 23.4, 3.0, 0.7, 1.0, 30.0, 0, cells)
        said = self.power.says(self.power.status(now_s), now_s) + self.pack.says(pack, now_s)
        said += self.power.plate(now_s) + self.pack.plate(now_s)
        self.wire.arrive(said)

    def examine(self, handset: Handset | None = None) -> Heard:
        for one in self.ports.values():
            examine_line(one, self.times.now_s())
        return examine_devices(self.hardware, self.ports, handset, NAMES, SWITCHES, self.times, 0.5)

    def close(self) -> None:
        for one in self.ports.values():
            one.close()
        self.wire.unplug()


@pytest.fixture
def far(tmp_path: Path, hardware: Hardware) -> Iterator[Far]:
    made = Far(tmp_path, hardware)
    yield made
    made.close()


def test_boards_send_identities_and_the_supervisor_gets_no_heartbeat(far: Far) -> None:
    heard = far.examine()
    assert dict(heard.plates) == {
        "first battery's monitor": "firmware 1.0.0, number 1017",
        "power supervisor": "firmware 1.0.0, number 1",
    }
    assert heard.motors_on is False
    assert heard.handset is None
    assert far.ports["boards"].bytes_out == 0
    assert [channel.closed for channel in heard.channels[:3]] == [True, True, True]
    assert not all(channel.closed for channel in heard.channels)  # its receiver is unplugged


def test_an_open_contactor_is_no_fault_of_a_robot_without_a_core(far: Far) -> None:
    (latched,) = [one for one in far.examine().troubles if one.text.startswith(HOLDS_OPEN)]
    assert not latched.grave


def test_silent_boards_are_grave_and_unplugged_lines_are_reported_once(far: Far) -> None:
    troubles = far.examine().troubles
    texts = [f"{one.device}: {one.text}" for one in troubles]
    assert any("silent" in text for text in texts)
    assert not [text for text in texts if "unplugged" in text]
