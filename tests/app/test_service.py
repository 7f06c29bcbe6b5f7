"""What systemd is told, heard at a real socket in its place."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.service import Service


@pytest.fixture
def systemd(tmp_path: Path) -> Iterator[socket.socket]:
    heard = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    heard.bind(str(tmp_path / "notify"))
    heard.settimeout(40.0)
    yield heard
    heard.close()


def pending(heard: socket.socket) -> list[str]:
    heard.setblocking(False)
    said = []
    while True:
        try:
            said.append(heard.recv(4096).decode())
        except BlockingIOError:
            return said


def environment(heard: socket.socket, **more: str) -> dict[str, str]:
    return {"NOTIFY_SOCKET": heard.getsockname(), **more}


def test_without_systemd_nothing_happens() -> None:
    service = Service({})
    service.hear(1, "DAMPED", 0.0)
    service.end()


def test_the_first_status_makes_it_ready(systemd: socket.socket) -> None:
    service = Service(environment(systemd))
    service.hear(7, "OFF", 0.0)
    service.hear(8, "DAMPED", 0.1)
    service.end()
    assert pending(systemd) == [
        "READY=1",
        "STATUS=OFF",
        "WATCHDOG=1",
        "STATUS=DAMPED",
        "STOPPING=1",
    ]


def test_it_beats_a_third_of_the_time_and_only_while_the_core_speaks(
    systemd: socket.socket,
) -> None:
    service = Service(environment(systemd, WATCHDOG_USEC="15000000", WATCHDOG_PID=str(os.getpid())))
    for tick in range(100):
        service.hear(tick, "READY", 0.1 * tick)
    assert pending(systemd).count("WATCHDOG=1") == 2  # at 0 and 5 s
    for tick in range(100, 400):
        service.hear(99, "READY", 0.1 * tick)  # the same status: the loop is silent
    assert pending(systemd) == []


@pytest.mark.parametrize("told", [{"WATCHDOG_USEC": "soon"}, {"WATCHDOG_PID": "1"}, {}])
def test_a_watchdog_of_nobody_or_of_another_is_fed_once(
    systemd: socket.socket, told: dict[str, str]
) -> None:
    given = {"WATCHDOG_USEC": "100", **told} if told else {}
    service = Service(environment(systemd, **given))
    for tick in range(100):
        service.hear(tick, "READY", 1.0 * tick)
    assert pending(systemd).count("WATCHDOG=1") == 1


def test_children_cannot_speak_for_it(systemd: socket.socket) -> None:
    given = environment(systemd, WATCHDOG_USEC="100", WATCHDOG_PID="1", HOME="here")
    Service(given)
    assert given == {"HOME": "here"}


def test_a_listener_that_is_gone_or_full_is_no_error(systemd: socket.socket) -> None:
    service = Service(environment(systemd, WATCHDOG_USEC="1"))
    for tick in range(10_000):  # more than its queue takes
        service.hear(tick, "READY", 1.0 * tick)
    Path(systemd.getsockname()).unlink()
    service.end()


def test_an_address_that_is_no_file() -> None:
    name = f"footlight-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard:
        heard.bind(f"\0{name}")
        Service({"NOTIFY_SOCKET": f"@{name}"}).end()
        assert pending(heard) == ["STOPPING=1"]


def test_a_core_says_that_it_is_ready_lives_and_ends(systemd: socket.socket) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.app.rehearsal", "core"],
        env={**os.environ, **environment(systemd, WATCHDOG_USEC="300000")},
        stdout=subprocess.DEVNULL,
    )
    said: list[str] = []
    while said.count("WATCHDOG=1") < 3:
        said.append(systemd.recv(4096).decode())
    process.send_signal(signal.SIGTERM)
    assert process.wait(40) == 0
    said += pending(systemd)
    assert said[0] == "READY=1" and said[-1] == "STOPPING=1"
    assert "STATUS=READY" in said
