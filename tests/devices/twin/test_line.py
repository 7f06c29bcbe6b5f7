"""One line on a real pty."""

import os
import select
from pathlib import Path

import pytest

from devices.twin.faults import NONE, Faults
from devices.twin.line import Line
from devices.twin.settings import LineSettings
from tests.devices.twin.host import drain, open_line

SETTINGS = LineSettings(name="imu", family="mip", baud=115_200, turnaround_us=100)


@pytest.fixture
def line(tmp_path: Path) -> Line:
    return Line(SETTINGS, tmp_path, seed=0)


def test_bytes_pass_both_ways_as_they_are(line: Line, tmp_path: Path) -> None:
    every = bytes(range(256))
    ours = open_line(tmp_path / "imu")
    os.write(ours, every)
    line.hear(5)
    assert line.down.take(5) == every
    line.hear(5)
    assert line.down.take(5) == b""
    line.up.put(every, 7)
    assert not line.deliver(6)
    assert line.deliver(7)
    assert drain(ours) == every
    os.close(ours)
    line.unplug()


def test_an_answer_takes_the_time_of_its_bytes(line: Line) -> None:
    line.answer(bytes(100), 1000)
    assert line.up.due_us() == 1000 + 100 + 100 * 10_000_000 // 115_200
    line.unplug()


def test_a_pulled_plug_hangs_up_and_another_pty_takes_its_place(line: Line, tmp_path: Path) -> None:
    before = open_line(tmp_path / "imu")
    line.up.put(b"lost", 0)
    line.unplug()
    line.unplug()
    assert not (tmp_path / "imu").is_symlink()
    hung = select.poll()
    hung.register(before, select.POLLIN)
    assert hung.poll(10_000)[0][1] & select.POLLHUP
    assert os.read(before, 10) == b""
    assert not line.deliver(10)
    line.plug()
    line.plug()
    after = open_line(tmp_path / "imu")
    line.up.put(b"new", 20)
    line.deliver(20)
    assert drain(after) == b"new"
    assert line.up.lost_bytes == 4
    for descriptor in (before, after):
        os.close(descriptor)
    line.unplug()


def test_without_a_reader_bytes_are_lost_and_nothing_blocks(line: Line, tmp_path: Path) -> None:
    for tick in range(300):
        line.up.put(bytes(1000), tick)
        line.deliver(tick)
    assert line.up.lost_bytes > 100_000
    ours = open_line(tmp_path / "imu")
    kept = len(drain(ours))
    assert kept + line.up.lost_bytes == 300_000
    os.close(ours)
    line.unplug()


def test_a_frozen_line_delivers_its_bytes_later(line: Line, tmp_path: Path) -> None:
    ours = open_line(tmp_path / "imu")
    line.up.faults = Faults(freeze=True)
    line.up.put(b"held", 0)
    assert not line.deliver(1000)
    line.up.faults = Faults()
    assert line.deliver(1001)
    assert drain(ours) == b"held"
    os.close(ours)
    line.unplug()


def test_a_link_that_was_left_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "imu").symlink_to("nowhere")
    line = Line(SETTINGS, tmp_path, seed=0)
    os.close(open_line(tmp_path / "imu"))
    line.unplug()


def test_bytes_sent_to_an_unplugged_line_are_lost(line: Line, tmp_path: Path) -> None:
    line.unplug()
    line.up.faults = Faults(freeze=True)
    line.up.put(b"said to nobody", 10)
    line.plug()
    line.up.faults = NONE
    after = open_line(tmp_path / "imu")
    line.up.put(b"new", 20)
    line.deliver(20)
    assert drain(after) == b"new"
    assert line.up.lost_bytes == 14
    os.close(after)
    line.unplug()
