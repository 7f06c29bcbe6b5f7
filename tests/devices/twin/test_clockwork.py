"""Virtual time on real ptys, within this process."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from devices.families.bear.wire import packet as bear
from devices.families.bear.wire.registers import TorqueEnable
from devices.families.bear.wire.stream import ReplyStream
from devices.interface import JointCommand
from devices.twin.clockwork import Clockwork
from devices.twin.faults import Faults
from tests.devices.sim import rig as sim
from tests.devices.twin import rig
from tests.devices.twin.host import Host, drain, of, open_line

Started = Callable[..., Clockwork]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Started]:
    made: list[Clockwork] = []

    def started(seed: int = 0, name: str = "run", supervised: bool = False) -> Clockwork:
        folder = tmp_path / name
        folder.mkdir()
        quiet = sim.settings(noise=sim.QUIET)
        made.append(Clockwork(rig.settings(seed, supervised, sim=quiet), folder))
        return made[-1]

    yield started
    for clockwork in made:
        clockwork.close()


def command() -> JointCommand:
    return sim.hold(np.array(sim.settings().initial_q))


def test_a_robot_on_the_twin_moves_as_on_the_simulator(start: Started, tmp_path: Path) -> None:
    body, wanted = sim.body(noise=sim.QUIET), command()
    wanted.kp[18:] = wanted.kd[18:] = 0.0  # the hands have boards, which drive nothing yet
    wanted.tau[3] = 2.0
    wanted.dq[0] = 0.3
    clockwork = start()
    host = Host(tmp_path / "run")
    host.prepare(wanted)
    host.switch(TorqueEnable.ON)
    for tick in range(300):
        body.write(wanted)
        sample = body.read()
        host.send(wanted)
        clockwork.go(1000 * (tick + 1))
        host.receive()
        # Floats of four bytes on the wires make the two differ a little more with each step.
        assert host.q == pytest.approx(of(sample.q), abs=2e-4)
        assert host.dq == pytest.approx(of(sample.dq), abs=2e-2)
        assert clockwork.felt_us == 1000 * tick
    assert host.tau == pytest.approx(of(sample.tau), abs=0.5)
    assert host.missed == 0
    moved = np.abs(of(sample.q) - of(np.array(sim.settings().initial_q)))
    assert moved.max() > 0.02  # it was not just still
    host.close()


def test_damping_and_no_torque_are_the_simulators(start: Started, tmp_path: Path) -> None:
    for torque, name in ((TorqueEnable.DAMPING, "damp"), (TorqueEnable.OFF, "stop")):
        body = sim.body(noise=sim.QUIET)
        act = getattr(body, name)
        clockwork = start(name=name)
        host = Host(tmp_path / name)
        host.switch(torque)
        for tick in range(200):
            act()
            sample = body.read()
            host.send(command())
            clockwork.go(1000 * (tick + 1))
            host.receive()
        assert host.q == pytest.approx(of(sample.q), abs=1e-4)
        host.close()


def test_people_hold_a_robot_that_is_damped_and_let_go_of_one_that_stands(
    start: Started, tmp_path: Path
) -> None:
    clockwork = start()
    host = Host(tmp_path / "run")
    host.prepare(command())
    host.switch(TorqueEnable.DAMPING)
    clockwork.go(2_000_000)
    body = clockwork.robot.body
    assert body.handlers_grip == 1.0
    host.send(command())
    host.switch(TorqueEnable.ON)
    clockwork.go(2_500_000)
    assert body.handlers_grip < 1.0
    host.switch(TorqueEnable.DAMPING)
    clockwork.go(2_510_000)
    assert body.handlers_grip == 1.0
    host.close()


def test_the_same_seed_and_bytes_give_the_same_bytes(start: Started, tmp_path: Path) -> None:
    streams = []
    for name in ("first", "second"):
        clockwork = start(seed=3, name=name)
        for line in clockwork.lines.values():
            line.up.faults = Faults(lose=0.01, corrupt=0.01, invent=0.01, jitter_ms=2.0)
            line.down.faults = Faults(drop=0.05)
        host = Host(tmp_path / name)
        others = [open_line(tmp_path / name / line) for line in ("imu", "boards", "receiver")]
        host.prepare(command())
        host.switch(TorqueEnable.ON)
        told = []
        for tick in range(400):
            host.send(command())
            clockwork.go(1000 * (tick + 1))
            told.append([drain(d) for d in (*host.lines.values(), *others)])
        streams.append(told)
        host.close()
        for descriptor in others:
            os.close(descriptor)
    assert streams[0] == streams[1]
    assert sum(len(data) for tick in streams[0] for data in tick) > 50_000


def test_an_answer_is_there_within_the_millisecond_and_time_stops_for_it(
    start: Started, tmp_path: Path
) -> None:
    clockwork = start()
    line = open_line(tmp_path / "run" / "head")
    os.write(line, bear.ping(1))
    clockwork.go(10_000, stop_at_bytes=True)
    assert 0 < clockwork.now_us < 1000
    replies = ReplyStream()
    replies.begin({1: bear.PING_DATA})
    assert [reply.id for reply in replies.feed(drain(line))] == [1]
    os.write(line, bear.ping(1))
    clockwork.go(10_000, stop_at_bytes=True)
    assert 0 < clockwork.now_us < 1000
    assert clockwork.felt_us == 0  # one step only
    assert drain(line)
    os.close(line)


def test_no_message_is_sent_twice_for_any_steps_of_time(start: Started, tmp_path: Path) -> None:
    told = []
    for name, step_us in (("whole", 50_000), ("parts", 137)):
        clockwork = start(name=name)
        lines = [open_line(tmp_path / name / line) for line in ("boards", "receiver")]
        while clockwork.now_us < 50_000:
            stops = name == "parts"
            clockwork.go(min(clockwork.now_us + step_us, 50_000), stop_at_bytes=stops)
        told.append([drain(line) for line in lines])
        for line in lines:
            os.close(line)
    assert told[0] == told[1]
    assert all(told[0])


def test_time_that_is_over_is_no_time(start: Started) -> None:
    clockwork = start()
    clockwork.go(5_000)
    clockwork.go(3_000)
    clockwork.go(5_000, stop_at_bytes=True)
    assert clockwork.now_us == 5_000


def test_an_open_contactor_takes_the_torque_and_every_bear_says_so(
    start: Started, tmp_path: Path
) -> None:
    clockwork = start(supervised=True)
    host = Host(tmp_path / "run")
    host.prepare(command())
    host.switch(TorqueEnable.ON)
    for tick in range(20):
        host.send(command())
        clockwork.go(1000 * (tick + 1))
        host.receive()
    assert (host.errors & 0x20).all()
    assert not np.abs(host.tau).any()
    assert not any(clockwork.robot.actuators["bear"].torque().values())
    host.close()


def test_a_line_without_a_reader_loses_only_its_own_bytes(start: Started, tmp_path: Path) -> None:
    clockwork = start()
    clockwork.lines["imu"].up.faults = Faults(noise_hz=1e6)
    other = open_line(tmp_path / "run" / "boards")
    for tick in range(200):
        clockwork.go(1000 * (tick + 1))
        assert drain(other) or tick % 2
    assert clockwork.lines["imu"].up.lost_bytes > 50_000
    os.close(other)
