"""Devices looked at while no core has them, on real ptys."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from devices.interface import HandsetSample, HandsetScreen, Sample, Trouble
from devices.real import commissioning
from devices.real.clock import MonotonicTimekeeper
from devices.real.composition import ports_of
from devices.real.examination import examine_actuators, examine_line, holder, listen
from devices.real.port import Port
from devices.real.settings import Hardware, load_hardware
from devices.wire.bear.registers import INPUT_VOLTAGE
from tests.devices.real.bears import Bear, Line
from tests.devices.real.live import Live
from tests.devices.real.test_settings import FILE

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
        assert found.troubles == ("in use by another program; end that",)
        assert f"(process {process.pid})" in found.holder
        assert found.holder.startswith("a core") is core
        assert found.held_by_core is core
        process.communicate()
    ours = port(line.path)
    assert examine_line(ours, 0.0).troubles == ()
    ours.close()


def test_locks_that_make_no_sense_name_nobody(line: Line, tmp_path: Path) -> None:
    assert holder(line.path, tmp_path / "none") == ("", False)
    (tmp_path / "locks").write_text("1: FLOCK\n2: -> FLOCK ADVISORY WRITE 1 00:1 0 EOF\n\n")
    assert holder(line.path, tmp_path) == ("", False)
    facts = line.path.stat()
    place = f"{os.major(facts.st_dev):02x}:{os.minor(facts.st_dev):02x}:{facts.st_ino}"
    (tmp_path / "locks").write_text(f"1: FLOCK  ADVISORY  WRITE 77 {place} 0 EOF\n")
    assert holder(line.path, tmp_path) == ("another program (process 77)", False)
    (tmp_path / "locks").write_text(f"1: FLOCK  ADVISORY  WRITE 77 {place}0 0 EOF\n")
    assert holder(line.path, tmp_path) == ("", False)


def test_the_latency_timer_is_told(line: Line, tmp_path: Path) -> None:
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
    ids = {bear.joint: bear.id for bear in hardware.bears.rows}
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
    assert all(bear.torque == [] for bear in bears)


def test_a_line_that_goes_meanwhile_has_no_actuators(hardware: Hardware, tmp_path: Path) -> None:
    line = Line(tmp_path / "head", [])
    ports = ports_of(hardware, tmp_path)
    examine_line(ports["head"], 0.0)
    line.unplug()
    ids = {bear.joint: bear.id for bear in hardware.bears.rows}
    found = examine_actuators(hardware, ids, ports, MonotonicTimekeeper())
    assert [(one.joint, one.versions) for one in found] == [("head_pitch", ""), ("head_yaw", "")]


class Times:
    """Time that goes on by itself."""

    def __init__(self) -> None:
        self.time_s = 5.0

    def now_s(self) -> float:
        self.time_s += 0.001
        return self.time_s

    def wait_until(self, stamp_s: float) -> float:
        self.time_s = max(self.time_s, stamp_s)
        return 0.0

    def wait_readable(self, descriptors: object, until_s: float) -> bool:
        raise AssertionError("nobody waits for bytes")


class Ear:
    """A sensor and a handset that count how often they were asked."""

    def __init__(self) -> None:
        self.heard = 0

    def read_into(self, sample: Sample, now_s: float) -> None:
        self.heard += 1
        sample.imu_age_s = now_s

    def read(self, now_s: float) -> HandsetSample:
        said = HandsetSample.silent()
        said.age_s = now_s
        return said

    def show(self, screen: HandsetScreen) -> None:
        raise AssertionError("the doctor writes to no screen")

    def troubles(self) -> tuple[Trouble, ...]:
        return ()

    def close(self) -> None: ...


def test_drivers_hear_for_as_long_as_they_are_given() -> None:
    ear, sample, times = Ear(), Sample.zeros(3), Times()
    said = listen([ear, ear], ear, sample, times, 1.0)
    assert said is not None and said.age_s == sample.imu_age_s == pytest.approx(6.0, abs=0.01)
    assert ear.heard == pytest.approx(2 * 1.0 / 0.006, rel=0.3)
    assert listen([], None, sample, times, 0.1) is None
