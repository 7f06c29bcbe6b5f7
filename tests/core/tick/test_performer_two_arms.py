"""The performer on the simulated two arms: STOP, RESET, the E-stop and the failsafe."""

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

from core.__main__ import simulated_body
from core.link import commands as m
from core.link.catalogue import faults, refusals, safety
from core.link.commands import Command
from core.link.event import Event
from core.plants.build import build_plant
from core.robot.profile import Profile
from core.robot.profile_file import load_profile
from core.safety.modes import Mode
from core.safety.rules import Action
from core.stage.preflight import preflight_show
from core.stage.prepared import PreparedShow
from core.tick.performer import STILL_SPEED, Actuation, Performer
from devices.interface import Sample, Support
from shows.folders import LIBRARY
from tests.core.rig import launch, told

OPERATOR_HOLDS_S, OPERATOR_SETTLES_S = 0.25, 29.75  # after the flag is raised
SINK_S = 30.0  # within which limp arms come to rest
STILL_S = 1.1  # of rest before a reset


@cache
def profile() -> Profile:
    return load_profile("two_arms")


@cache
def arms_at_work() -> PreparedShow:
    report = preflight_show(LIBRARY / "arms_at_work", profile())
    assert report.passed, report.rows()
    return report.prepared


class Arms:
    """The two arms in the simulator; `spoil` changes a sample before the performer reads it."""

    def __init__(self) -> None:
        support = Support(profile().chosen_support(None))
        self.body = simulated_body(launch(robot="two_arms"), profile())
        self.performer = Performer(profile(), build_plant(profile(), support))
        self.performer.load(arms_at_work())
        self.events: list[Event] = []
        self.spoil: Callable[[Sample], None] = lambda sample: None

    def tick(self, *commands: Command) -> Actuation:
        """Advance by one tick with the commands of an operator."""
        sample = self.body.read()
        self.spoil(sample)
        asked = [("operator", command) for command in commands]
        actuation = self.performer.tick(sample.stamp_s, sample, asked)
        self.events += self.performer.take_events()
        if actuation is Actuation.WRITE:
            self.body.write(self.performer.command)
        elif actuation is Actuation.DAMP:
            self.body.damp()
        else:
            self.body.stop()
        return actuation

    def wait(self, time_s: float) -> Actuation:
        """Advance without a command."""
        actuation = self.tick()
        for _ in range(round(time_s / profile().tick_s) - 1):
            actuation = self.tick()
        return actuation

    def reach(self, mode: Mode, limit_s: float) -> None:
        """Advance until the robot is in a mode; fail at the limit."""
        for _ in range(round(limit_s / profile().tick_s)):
            if self.performer.mode is mode:
                return
            self.tick()
        raise AssertionError(f"{self.performer.mode.name}, not {mode.name}: {self.events[-3:]}")

    def expect(self, mode: Mode) -> None:
        """Fail unless the robot is in a mode."""
        assert self.performer.mode is mode, f"{self.performer.mode.name}: {self.events[-3:]}"

    def sink(self, actuation: Actuation) -> None:
        """Advance until the arms have been at rest; fail unless every tick ends in an actuation."""
        rest_s = waited_s = 0.0
        while rest_s < STILL_S:
            assert waited_s < SINK_S, f"{self.speed()} rad/s"
            assert self.tick() is actuation
            rest_s = rest_s + profile().tick_s if self.speed() < 0.5 * STILL_SPEED else 0.0
            waited_s += profile().tick_s

    def speed(self) -> float:
        """Return the speed of the fastest joint in the simulator [rad/s]."""
        return float(np.abs(self.body.truth().dq).max())


def ready() -> Arms:
    arms = Arms()
    arms.tick()
    arms.tick(m.StandUp())
    arms.reach(Mode.READY, 5.0)
    return arms


@pytest.fixture
def playing() -> Arms:
    """Return the arms in the middle of a gesture of their show."""
    arms = ready()
    arms.tick(m.Go())
    arms.reach(Mode.PERFORM, 0.1)
    for _ in range(round(3.0 / profile().tick_s)):
        arms.tick()
        if arms.speed() > 0.5:
            return arms
    raise AssertionError("the show moves no joint")


def open_chain(sample: Sample) -> None:
    sample.estop_closed = False


def test_stop_damps_in_its_tick_latches_and_resets_once_the_arms_are_still(playing: Arms) -> None:
    assert playing.tick(m.Stop()) is Actuation.DAMP
    playing.expect(Mode.FAULT)
    assert not playing.performer.player.plays
    np.testing.assert_array_equal(playing.performer.command.kp, 0.0)
    assert playing.tick(m.Reset()) is Actuation.DAMP
    reason = refusals.NOT_STILL(still_s=1.0)
    assert told(playing.events, refusals.REFUSED, command="reset", reason=reason)
    assert playing.tick(m.StandUp()) is Actuation.DAMP
    playing.expect(Mode.FAULT)
    playing.sink(Actuation.DAMP)
    playing.tick(m.Reset())
    playing.expect(Mode.DAMPED)
    assert playing.tick(m.StandUp()) is Actuation.WRITE
    playing.reach(Mode.READY, 5.0)
    assert playing.performer.action is Action.NONE


def test_an_open_e_stop_chain_cuts_and_a_closed_one_waits_for_reset(playing: Arms) -> None:
    playing.spoil = open_chain
    assert playing.tick() is Actuation.STOP
    playing.expect(Mode.ESTOP)
    playing.sink(Actuation.STOP)
    playing.tick(m.Reset())
    reason = refusals.CHAIN_OPEN()
    assert told(playing.events, refusals.REFUSED, command="reset", reason=reason)
    playing.spoil = lambda sample: None
    assert playing.wait(1.0) is Actuation.STOP
    playing.expect(Mode.ESTOP)
    playing.tick(m.Reset())
    playing.expect(Mode.DAMPED)


def test_a_silent_joint_of_an_arm_settles_and_one_of_a_gripper_only_warns(playing: Arms) -> None:
    names = profile().joint_names

    def silence(joint: int) -> Callable[[Sample], None]:
        def spoil(sample: Sample) -> None:
            sample.joint_age_s[joint] = 1.0

        return spoil

    finger, elbow = names.index("right_inner_finger"), names.index("left_elbow")
    playing.spoil = silence(finger)
    assert playing.wait(0.1) is Actuation.WRITE
    playing.expect(Mode.PERFORM)
    assert playing.performer.action is Action.WARN
    playing.spoil = silence(elbow)
    assert playing.tick() is Actuation.WRITE
    assert playing.wait(1.0) is Actuation.WRITE
    playing.expect(Mode.SETTLE)
    assert not playing.performer.player.plays
    assert told(playing.events, safety.FAULT_BEGAN_WITH, fault=faults.JOINT_SILENT_SETTLE())
    playing.reach(Mode.DAMPED, 6.0)
    playing.tick(m.StandUp())
    playing.expect(Mode.DAMPED)


def test_without_an_operator_the_arms_hold_and_later_settle(playing: Arms) -> None:
    playing.performer.facts.operator_age_s = 1.0
    playing.wait(OPERATOR_HOLDS_S + 0.1)
    assert playing.performer.action is Action.HOLD
    playing.reach(Mode.READY, 20.0)
    assert playing.tick(m.Gesture("arm_wave")) is Actuation.WRITE
    reason = refusals.FAULT_HOLDS()
    assert told(playing.events, refusals.REFUSED, command="gesture", reason=reason)
    playing.reach(Mode.SETTLE, OPERATOR_SETTLES_S)
    assert playing.wait(1.0) is Actuation.WRITE
    playing.expect(Mode.SETTLE)
    playing.reach(Mode.DAMPED, 6.0)
    assert playing.wait(0.1) is Actuation.DAMP


def test_a_walk_command_is_refused_because_the_robot_has_no_legs() -> None:
    arms = ready()
    assert arms.tick(m.Walk(vx=0.1)) is Actuation.WRITE
    arms.expect(Mode.READY)
    reason = refusals.NO_LEGS()
    assert told(arms.events, refusals.REFUSED, command="walk", reason=reason)
