"""A twin in a process of its own, with real ptys and sockets, and what may happen to it."""

import os
import select
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from devices.errors import DeviceError
from devices.families.bear.wire import packet as bear
from devices.families.bear.wire.registers import TorqueEnable
from devices.interface import Timekeeper
from devices.twin.__main__ import ask
from devices.twin.client import TwinTimekeeper
from devices.twin.exchange import ASK, CLOCK_SOCKET, SAID, Ask, Said
from devices.twin.server import run
from tests.devices.sim import rig as sim
from tests.devices.twin import rig
from tests.devices.twin.host import Host, drain, open_line

pytestmark = pytest.mark.realtime

SLOW = pytest.mark.timeout(300)  # each test starts a process that loads MuJoCo


@pytest.fixture
def twin(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    with rig.process(tmp_path) as child:
        rig.wait_for(tmp_path / CLOCK_SOCKET)
        yield child


@SLOW
def test_a_core_waits_and_everything_happens_meanwhile(
    twin: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    time_: Timekeeper = TwinTimekeeper(tmp_path)
    host = Host(tmp_path)
    command = sim.hold(np.array(sim.settings().initial_q))
    host.prepare(command)
    host.switch(TorqueEnable.ON)
    for tick in range(100):
        host.send(command)
        assert time_.wait_until(0.001 * (tick + 1)) == 0.0
        assert time_.now_s() == pytest.approx(0.001 * (tick + 1))
        host.receive()
    assert host.missed == 0
    assert isinstance(time_, TwinTimekeeper)
    truth = time_.truth()
    assert host.q == pytest.approx(truth.q[: len(host.q)], abs=1e-3)  # of the same instant
    assert truth.base_position[2] > 0.4
    time_.push(np.array((60.0, 0.0, 0.0)), 0.05)
    time_.wait_until(0.12)
    assert truth.external_force.tolist() == [60.0, 0.0, 0.0]
    time_.wait_until(0.2)
    assert truth.external_force.tolist() == [0.0, 0.0, 0.0]
    assert truth.base_velocity[0] != 0.0
    start = truth.base_position.copy()
    time_.push(np.array((0.0, 900.0, 0.0)), 0.3)
    time_.wait_until(0.4)
    assert np.abs(truth.base_position - start).max() > 0.02
    time_.put_back()
    time_.wait_until(0.402)
    assert np.abs(truth.base_position - start).max() < 0.01
    time_.close()
    host.close()


@SLOW
def test_waiting_for_bytes_ends_with_them_or_with_time(
    twin: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    time_ = TwinTimekeeper(tmp_path)
    line = open_line(tmp_path / "head")
    assert not time_.wait_readable([line], 0.0003)
    assert time_.now_s() == pytest.approx(0.0003)
    os.write(line, bear.ping(2))
    assert time_.wait_readable([line], 0.5)
    assert time_.now_s() < 0.001
    assert time_.wait_readable([line], 0.5)  # they are still there, and no time passes
    assert time_.now_s() < 0.001
    drain(line)
    # Other lines speak meanwhile, and none of this is taken for an answer.
    assert not time_.wait_readable([line], 0.1)
    assert time_.now_s() == pytest.approx(0.1)
    time_.close()
    os.close(line)


@SLOW
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_twin_that_dies_ends_the_wait_with_a_sentence(
    twin: subprocess.Popen[bytes], tmp_path: Path, number: signal.Signals
) -> None:
    time_ = TwinTimekeeper(tmp_path)
    line = open_line(tmp_path / "imu")
    time_.wait_until(0.01)
    drain(line)
    found: list[str] = []

    def wait() -> None:
        stamp_s = time_.now_s()
        try:
            while True:
                stamp_s += 0.001
                time_.wait_until(stamp_s)
        except DeviceError as error:
            found.append(str(error))

    waiting = threading.Thread(target=wait)
    waiting.start()
    time.sleep(0.2)
    twin.send_signal(number)
    waiting.join(30.0)
    assert found == ["twin: has ended; start the run again"]
    for _ in range(2):
        with pytest.raises(DeviceError, match="has ended"):
            time_.wait_until(time_.now_s() + 1.0)
    with pytest.raises(DeviceError, match="has ended"):
        time_.wait_readable([], time_.now_s() + 1.0)
    twin.wait(30.0)
    hung = select.poll()
    hung.register(line, select.POLLIN)
    assert hung.poll(30_000)  # its lines hang up too
    os.close(line)


@SLOW
def test_a_twin_that_stands_still_is_waited_for_and_then_given_up(
    twin: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    patient = TwinTimekeeper(tmp_path)
    patient.wait_until(0.01)
    twin.send_signal(signal.SIGSTOP)
    waking = threading.Timer(0.5, twin.send_signal, [signal.SIGCONT])
    waking.start()
    begun_s = time.monotonic()
    patient.wait_until(0.02)  # no time is lost
    assert time.monotonic() - begun_s > 0.3
    assert patient.now_s() == pytest.approx(0.02)
    waking.join()
    patient.close()
    hasty = TwinTimekeeper(tmp_path, patience_s=0.3)
    twin.send_signal(signal.SIGSTOP)
    with pytest.raises(DeviceError, match="has not answered for 0.3 s; start the run again"):
        hasty.wait_until(0.03)
    with pytest.raises(DeviceError, match="has not answered"):
        hasty.wait_until(0.04)


@SLOW
def test_a_core_that_was_killed_leaves_time_where_it_was(
    twin: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    first = TwinTimekeeper(tmp_path)
    first.wait_until(0.25)
    first.close()
    with pytest.raises(DeviceError, match="disconnected"):
        first.wait_until(0.3)
    second = TwinTimekeeper(tmp_path)
    assert second.now_s() == pytest.approx(0.25)
    with pytest.raises(DeviceError, match="in use by another core"):
        TwinTimekeeper(tmp_path)
    assert ask(tmp_path, "advance 1").startswith("refused twin: a core is connected")
    second.wait_until(0.26)
    second.close()
    deadline_s = time.monotonic() + 30.0
    while not ask(tmp_path, "advance 0.5").startswith("ok"):
        assert time.monotonic() < deadline_s
    third = TwinTimekeeper(tmp_path)
    assert third.now_s() == pytest.approx(0.76)
    third.close()


@SLOW
def test_a_plug_that_is_pulled_hangs_up_and_a_new_one_works(
    twin: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    time_ = TwinTimekeeper(tmp_path)
    before = open_line(tmp_path / "left_arm")
    other = open_line(tmp_path / "boards")
    time_.wait_until(0.01)
    assert ask(tmp_path, "unplug left_arm") == "ok"
    assert ask(tmp_path, "unplug left_arm") == "ok"
    assert not (tmp_path / "left_arm").is_symlink()
    assert time_.wait_readable([before], 0.02)  # a hang-up
    assert time_.now_s() == pytest.approx(0.01)
    with pytest.raises(OSError):
        os.write(before, b"x")
    os.close(before)
    drain(other)
    time_.wait_until(0.05)
    assert drain(other)  # the rest goes on
    assert ask(tmp_path, "plug left_arm") == "ok"
    assert ask(tmp_path, "plug left_arm") == "ok"
    after = open_line(tmp_path / "left_arm")
    os.write(after, bear.ping(3))
    assert time_.wait_readable([after], 0.06)
    assert drain(after)
    for descriptor in (after, other):
        os.close(descriptor)
    time_.close()


@SLOW
def test_an_unknown_request_is_reported_and_ends_the_run(
    twin: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as stranger:
        stranger.connect(str(tmp_path / CLOCK_SOCKET))
        stranger.recv(1000)
        stranger.send(b"what time is it?")
        answer = stranger.recv(1000)
    assert answer[0] == Said.FAILED
    assert b"unknown request" in answer[SAID.size :]
    assert twin.wait(30.0) != 0


@SLOW
def test_a_timekeeper_that_does_not_read_blocks_no_other(
    twin: subprocess.Popen[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("devices.twin.__main__.PATIENCE_S", 20.0)
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as stranger:
        stranger.connect(str(tmp_path / CLOCK_SOCKET))
        stranger.recv(1000)
        stranger.settimeout(5.0)
        with pytest.raises(OSError):  # the twin leaves it, or its questions are no longer taken
            while True:
                stranger.send(ASK.pack(Ask.UNTIL, 0))
        assert ask(tmp_path, "tell hands").startswith("ok")
    twin.terminate()
    twin.wait(30.0)


@pytest.mark.parametrize("name", ["a_file", "nowhere"])
def test_a_folder_that_takes_no_lines_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / "a_file").touch()
    with pytest.raises(DeviceError, match=rf"{name} does not take its serial lines: N.* folder$"):
        run(rig.settings(0, supervised=False), tmp_path / name)


@SLOW
def test_a_second_twin_does_not_take_the_folder_of_one_that_lives(
    twin: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    with pytest.raises(DeviceError, match="another one runs in"):
        run(rig.settings(), tmp_path)
    twin.kill()
    twin.wait()
    with rig.process(tmp_path):
        time_ = TwinTimekeeper(tmp_path)  # what the dead one left does not disturb
        time_.wait_until(0.01)
        time_.close()


@SLOW
def test_a_folder_too_deep_for_a_socket_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DeviceError, match="choose a shorter folder"):
        run(rig.settings(), tmp_path / ("deep" * 30))
