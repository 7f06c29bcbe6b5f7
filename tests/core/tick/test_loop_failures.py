"""The loop with a failing body, and the order in which a run ends."""

import itertools
import os

import numpy as np
import pytest

from core.link import commands as m
from core.link.catalogue.run import CORE_FAILED, FAILED
from core.link.catalogue.safety import MODE_CHANGED
from core.link.report import Report
from core.plants.build import build_plant
from core.record.schema import tick_dtype
from core.record.tape import Tape
from core.safety.modes import Mode
from core.safety.watchdog import Heartbeat
from core.tick.loop import FAILED_S, Loop
from core.tick.performer import Performer
from devices.errors import DeviceError
from devices.interface import Floats, JointCommand, Simulated, Support, Truth
from tests.core.rig import CROUCH_BEND, TICK_S, StatueBody, bent, profile
from tests.core.tick.test_loop import Port


class Statue(StatueBody):
    """A statue whose bus may be disconnected."""

    def __init__(self) -> None:
        super().__init__()
        self.failure: Exception | None = None

    def write(self, command: JointCommand) -> None:
        if self.failure is not None:
            self.done.append("failed write")
            raise self.failure
        super().write(command)


class Blind(Statue):
    """A simulated statue whose true state may be missing."""

    def __init__(self) -> None:
        super().__init__()
        self.lost = False

    def truth(self) -> Truth:
        if self.lost:
            raise RuntimeError("the simulator has no state")
        return truth()

    def push(self, force: Floats, duration_s: float) -> None:
        raise AssertionError("nobody pushes")

    def pull(self, *_: object) -> None:
        raise AssertionError("nobody pulls")

    def put_back(self) -> None:
        raise AssertionError("nobody puts it back")


def truth() -> Truth:
    """Return the true state of a robot that stands at the origin."""
    q, dq, tau = np.zeros((3, 28))
    position, velocity, rpy, spin, com, com_velocity, force = np.zeros((7, 3))
    contacts, contact_force = np.ones(4, dtype=np.bool_), np.zeros((4, 3))
    return Truth(
        q,
        dq,
        tau,
        position,
        velocity,
        rpy,
        spin,
        com,
        com_velocity,
        contacts,
        contact_force,
        force,
    )


class Pulse(Heartbeat):
    """A heartbeat that records its end among the calls to the body."""

    def __init__(self, writer: int, done: list[str]) -> None:
        super().__init__(writer)
        self.done = done

    def close(self) -> None:
        self.done.append("heartbeat closed")
        super().close()


class Run:
    """A loop over a statue, with an optional watchdog."""

    def __init__(self, body: Statue | None = None, heartbeat: bool = False) -> None:
        self.body, self.port = body or Statue(), Port()
        self.performer = Performer(profile(), build_plant(profile(), Support.FLOOR))
        self.simulated = isinstance(self.body, Simulated)
        tape = Tape(tick_dtype(28, 5, simulated=self.simulated), lambda block: None)
        pulse = None
        if heartbeat:
            self.reader, writer = os.pipe()
            pulse = Pulse(writer, self.body.done)
        self.loop = Loop(self.body, self.performer, self.port, tape, heartbeat=pulse)

    def stand(self) -> None:
        """Stand up and reach READY."""
        self.loop.tick()
        self.port.ask(m.StandUp())
        for _ in range(20):
            self.loop.tick()
        assert self.performer.mode is Mode.READY
        assert self.body.done[-1] == "write"

    def end(self, ticks: int = 10_000) -> Report:
        """Run to the end, which comes from outside only after very many ticks."""
        counter = itertools.count()
        return self.loop.run(lambda: next(counter) >= ticks)


@pytest.mark.parametrize("failure", [OSError(5, "Input/output error"), ValueError("no number")])
def test_a_write_that_fails_takes_the_torque_on_its_tick_and_ends_the_run(
    failure: Exception,
) -> None:
    run = Run()
    run.stand()
    run.body.failure = failure
    before = len(run.body.done)
    run.loop.tick()
    assert run.body.done[before:] == ["failed write", "stop"]
    assert run.loop.failure is failure
    report = run.end()
    assert not report.completed
    assert report.reason == FAILED(error=str(failure))
    after = run.body.done[before + 2 :]
    assert after[-1] == "close"
    assert set(after[:-1]) == {"stop"}
    assert len(after) <= round(FAILED_S / TICK_S) + 1
    assert run.port.of(Report) == [report]


def test_a_clock_that_ends_with_its_twin_ends_the_run_with_its_reason() -> None:
    run = Run()
    run.stand()

    def wait(stamp_s: float) -> float:
        raise DeviceError("twin", "has ended; start the run again")

    run.body.clock.wait_until = wait  # type: ignore[method-assign]
    before = len(run.body.done)
    report = run.end()
    assert set(run.body.done[before:]) == {"stop", "close"}
    assert not report.completed and "the twin" in f"the {report.reason.fields['error']}"
    (said,) = [event for event in run.port.events if event.code == CORE_FAILED.code]
    assert said.fields["error"] == "twin: has ended; start the run again"


def test_a_truth_that_is_lost_takes_the_torque_on_its_tick() -> None:
    body = Blind()
    run = Run(body)
    assert run.simulated
    run.stand()
    body.lost = True
    before = len(body.done)
    run.loop.tick()
    assert body.done[before:] == ["stop"]
    report = run.end()
    assert not report.completed and "no state" in str(report.reason.fields["error"])
    assert body.done[-1] == "close"
    assert "write" not in body.done[before:]


def test_a_shutdown_ends_the_run_of_who_is_down() -> None:
    run = Run()
    run.loop.tick()
    run.port.ask(m.Shutdown())
    report = run.end()
    assert report.completed
    assert run.performer.mode is Mode.OFF
    assert len(run.body.done) < 50


def test_a_shutdown_settles_who_stands_and_then_ends_the_run() -> None:
    run = Run()
    run.stand()
    np.copyto(run.body.sample.q, bent(CROUCH_BEND))
    run.port.ask(m.Shutdown())
    report = run.end()
    assert report.completed
    assert run.performer.mode is Mode.OFF
    assert run.port.said(MODE_CHANGED, mode="SETTLE") and run.port.said(MODE_CHANGED, mode="OFF")
    assert run.body.done[-1] == "close"


@pytest.mark.parametrize("fails", [False, True])
def test_the_watchdog_is_told_of_the_end_after_the_body_is_closed(fails: bool) -> None:
    run = Run(heartbeat=True)
    try:
        run.loop.tick()
        if fails:
            run.loop.failure = RuntimeError("once")
        else:
            run.port.ask(m.Shutdown())
        report = run.end()
        assert report.completed is not fails
        assert run.body.done[-2:] == ["close", "heartbeat closed"]
        assert os.read(run.reader, 1 << 16)
        assert os.read(run.reader, 1) == b""
    finally:
        os.close(run.reader)
