"""A real terminal that is hung up, taken, filled and opened again."""

import os
import pty
import subprocess
import sys
import tty as terminal
from collections.abc import Iterator
from pathlib import Path

import pytest

from devices.real import tty
from devices.real.clock import MonotonicTimekeeper
from devices.real.port import CHUNK, RETRY_S, Port
from tests.devices.families.bear.bears import waiting
from tests.tracked import REPOSITORY

OTHER = """
import sys
from pathlib import Path
from devices.real.port import Port
port = Port("left leg bus", Path(sys.argv[1]), 1_000_000)
port.read(0.0)
print(port.troubles()[0].text if port.troubles() else "open", flush=True)
sys.stdin.read()
"""


class Terminal:
    """Both ends of a pty, and a link to the near one."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.master, self.slave = pty.openpty()
        terminal.setraw(self.slave)
        path.unlink(missing_ok=True)
        path.symlink_to(os.ttyname(self.slave))

    def hang_up(self) -> None:
        os.close(self.slave)
        os.close(self.master)


@pytest.fixture
def line(tmp_path: Path) -> Iterator[Terminal]:
    made = Terminal(tmp_path / "left_leg")
    yield made
    made.hang_up()


def told(port: Port) -> list[str]:
    return [trouble.text for trouble in port.troubles()]


def arrived(port: Port, count: int) -> None:
    keeper = MonotonicTimekeeper()
    until_s = keeper.now_s() + 20.0
    while waiting(port.descriptor) < count and keeper.now_s() < until_s:
        keeper.wait_until(keeper.now_s() + 1e-4)


# Failures


def test_a_line_that_is_not_there_is_named_and_looked_for(tmp_path: Path) -> None:
    port = Port("left leg bus", tmp_path / "left_leg", 8_000_000)
    assert port.read(0.0) == b""
    assert not port.write(b"anybody?")
    assert told(port) == ["unplugged; check the adapter's USB plug"]
    assert port.troubles()[0].device == "left leg bus"
    assert port.troubles()[0].grave
    line = Terminal(tmp_path / "left_leg")
    port.read(RETRY_S - 0.01)
    assert port.openings == 0
    port.read(RETRY_S)
    assert (port.openings, told(port)) == (1, [])
    port.close()
    line.hang_up()


def test_a_hang_up_closes_and_a_new_terminal_of_the_name_opens(tmp_path: Path) -> None:
    line = Terminal(tmp_path / "left_leg")
    port = Port("left leg bus", line.path, 8_000_000)
    port.read(0.0)
    line.hang_up()
    assert not port.write(b"still there?")
    assert port.read(1.0) == b""
    assert (port.descriptor, told(port)) == (-1, ["unplugged; check the adapter's USB plug"])
    port.read(1.0 + RETRY_S)  # the link still leads to the old one
    assert port.descriptor == -1
    line = Terminal(line.path)
    port.read(1.0 + 2 * RETRY_S)
    assert (port.openings, told(port)) == (2, [])
    assert port.write(b"again")
    assert os.read(line.master, 9) == b"again"
    port.close()
    line.hang_up()


def test_a_hang_up_ends_a_wait(tmp_path: Path) -> None:
    line = Terminal(tmp_path / "left_leg")
    port = Port("left leg bus", line.path, 8_000_000)
    port.read(0.0)
    keeper = MonotonicTimekeeper()
    line.hang_up()
    assert keeper.wait_readable([port.descriptor], keeper.now_s() + 20.0)
    port.close()


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("/dev/null", "no serial line; correct the port's path"),
        ("/dev", "cannot be opened (Is a directory); replace the adapter"),
    ],
)
def test_a_path_that_is_no_serial_line_is_reported(path: str, text: str) -> None:
    port = Port("left leg bus", Path(path), 9600)
    port.read(0.0)
    assert told(port) == [text]
    assert port.descriptor == -1


def test_a_line_has_one_user_and_a_killed_one_leaves_it_free(line: Terminal) -> None:
    command = [sys.executable, "-P", "-c", OTHER, str(line.path)]
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "open\n"
        port = Port("left leg bus", line.path, 1_000_000)
        port.read(0.0)
        assert told(port) == ["in use by another program; end that program"]
        other.kill()
        other.wait()
        port.read(RETRY_S)
        assert (port.openings, told(port)) == (1, [])
        port.close()


def test_a_full_line_refuses_and_goes_on(line: Terminal) -> None:
    port = Port("left leg bus", line.path, 8_000_000)
    port.read(0.0)
    while port.write(bytes(4000)):
        assert port.bytes_out < 10_000_000
    assert port.refused == 1
    taken = port.bytes_out
    while taken:
        taken -= len(os.read(line.master, 65536))
    assert port.write(b"go on")
    port.close()


def test_a_closed_port_stays_closed(line: Terminal) -> None:
    port = Port("left leg bus", line.path, 8_000_000)
    port.read(0.0)
    port.close()
    port.read(10.0)
    assert (port.descriptor, port.openings) == (-1, 1)


def test_no_descriptor_is_left_behind(tmp_path: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))
    gone = Port("left leg bus", Path("/dev/null"), 9600)
    for attempt in range(20):
        gone.read(float(attempt))
    assert len(os.listdir("/proc/self/fd")) == before


# Bytes


@pytest.mark.parametrize("baud", [115_200, 420_000, 921_600, 1_000_000, 8_000_000])
def test_every_byte_passes_at_every_speed(line: Terminal, baud: int) -> None:
    port = Port("left leg bus", line.path, baud)
    port.read(0.0)
    assert told(port) == []
    every = bytes(range(256))
    assert port.write(every)
    found = b""
    while len(found) < len(every):
        found += os.read(line.master, 4096)
    assert found == every
    os.write(line.master, every)
    arrived(port, len(every))
    assert port.read(0.0) == every
    assert port.read(0.0) == b""
    assert (port.bytes_in, port.bytes_out) == (256, 256)
    port.close()


def test_bytes_before_the_opening_are_dropped(line: Terminal) -> None:
    os.write(line.master, b"old news")
    port = Port("left leg bus", line.path, 8_000_000)
    keeper = MonotonicTimekeeper()
    keeper.wait_readable([line.slave], keeper.now_s() + 20.0)
    port.read(0.0)
    assert port.read(0.0) == b""
    port.close()


def test_a_read_takes_no_more_than_a_chunk(line: Terminal) -> None:
    port = Port("left leg bus", line.path, 8_000_000)
    port.read(0.0)
    os.write(line.master, bytes(CHUNK - 1))
    arrived(port, CHUNK - 1)
    assert len(port.read(0.0)) <= CHUNK
    port.close()


# Adapters


@pytest.mark.parametrize(("timer", "told_of"), [("16", True), ("1", False), ("what?", False)])
def test_an_adapter_that_holds_replies_back_is_reported(
    line: Terminal, tmp_path: Path, timer: str, told_of: bool
) -> None:
    name = Path(os.ttyname(line.slave)).name
    folder = tmp_path / "sys" / name / "device"
    folder.mkdir(parents=True)
    (folder / "latency_timer").write_text(f"{timer}\n", encoding="ascii")
    port = Port("left leg bus", line.path, 8_000_000, sysfs=tmp_path / "sys")
    port.read(0.0)
    wanted = "its adapter holds replies back for 16 ms; set its latency timer to 1 ms"
    assert [text.startswith(wanted) for text in told(port)] == [True] * told_of
    assert not any(trouble.grave for trouble in port.troubles())
    port.close()


def test_an_adapter_that_cannot_keep_the_speed_is_reported(
    line: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only real adapters change what was asked for; a pty takes anything."""
    monkeypatch.setattr(tty, "actual_baud", lambda descriptor: 3_000_000)
    port = Port("left leg bus", line.path, 8_000_000)
    port.read(0.0)
    assert told(port) == [
        "runs at 3000000 baud instead of 8000000; use an adapter that can do that"
    ]
    assert port.troubles()[0].grave
    port.close()
