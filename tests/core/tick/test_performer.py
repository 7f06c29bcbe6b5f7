"""The performer on a statue: effects of each command and each fault."""

import math
from collections.abc import Callable
from copy import deepcopy

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.behave.reference import MotionState
from core.link import commands as m
from core.link import wording
from core.link.catalogue import faults, marks, safety
from core.link.catalogue import refusals as why
from core.link.catalogue import show as words
from core.link.commands import Command
from core.link.partner import Follow
from core.link.place import HoldPoint, LookAt, ShiftPoint, WalkTo
from core.link.statement import Statement
from core.plants.biped.plant import biped_of
from core.plants.biped.walk.reference import Phase
from core.plants.build import build_plant
from core.plants.interface import Stepping
from core.safety.modes import TORQUE, Mode
from core.safety.rules import Action
from core.stage.timeline import HeadSegment, MarkSegment
from core.tick.jump import JumpByHand
from core.tick.orders import WALK_SILENCE_S
from core.tick.performer import Actuation, Performer
from core.tick.sight_line import SpacePoint
from core.tick.sway import SwayByHand
from devices.interface import Support
from shows.joints import SwayRange
from tests.core.rig import CROUCH_BEND, STAND_BEND, Rig, profile, told
from tests.core.stage.cues import cue, gesture, jump, run, show, voice, walk
from tests.core.tick.gaits import GAITS
from tests.draws import share

# The clip of these shows is of the head.
SHOW = show(cue("1", gesture(0.05, groups=("head",)), voice(0.1)), cue("2", walk(0.0, vx=0.1)))


def standing(support: Support = Support.FLOOR, loaded: bool = True) -> Rig:
    """Return a standing robot with a show."""
    rig = Rig(support)
    if loaded:
        rig.performer.load(SHOW)
    rig.tick()
    rig.tick(m.StandUp())
    rig.wait(0.01 if support is not Support.SEATED else 1.6)
    rig.expect(Mode.READY)
    return rig


def performing() -> Rig:
    rig = standing()
    rig.tick(m.Go())
    rig.wait(0.02)
    rig.expect(Mode.PERFORM)
    return rig


def walking() -> Rig:
    rig = standing()
    rig.tick(m.Walk(vx=0.1))
    rig.wait(0.02)
    rig.expect(Mode.WALK)
    return rig


def stepping() -> Rig:
    rig = standing()
    for _ in range(20):
        rig.tick(m.Walk(vx=0.1))
        rig.wait(0.1)
    assert biped_of(rig.performer.plant).walker.reference.phase is Phase.STEP
    return rig


def rising() -> Rig:
    rig = Rig(bend=CROUCH_BEND)
    rig.tick()
    rig.tick(m.StandUp())
    rig.wait(0.02)
    rig.expect(Mode.STANDING_UP)
    return rig


def settling() -> Rig:
    rig = standing()
    rig.tick(m.Settle())
    rig.expect(Mode.SETTLE)
    return rig


def damped() -> Rig:
    rig = Rig()
    rig.tick()
    rig.expect(Mode.DAMPED)
    return rig


def off() -> Rig:
    rig = Rig()
    rig.sample.imu_age_s = math.inf
    rig.tick()
    rig.expect(Mode.OFF)
    return rig


def stopped() -> Rig:
    rig = standing()
    rig.tick(m.Stop())
    rig.expect(Mode.FAULT)
    return rig


def estopped() -> Rig:
    rig = standing()
    rig.sample.estop_closed = False
    rig.tick()
    rig.expect(Mode.ESTOP)
    return rig


DRIVEN: list[Callable[[], Rig]] = [rising, standing, performing, walking, stepping, settling]
EVERY = [off, damped, *DRIVEN, stopped, estopped]


# Without torque


def test_a_body_that_does_not_answer_is_left_without_torque() -> None:
    rig = off()
    assert rig.tick(m.StandUp()) is Actuation.STOP
    rig.expect(Mode.OFF)
    assert rig.said(why.REFUSED, command="stand_up")


@pytest.mark.parametrize(
    "command",
    [
        m.Go(),
        m.Walk(vx=0.2),
        m.Gesture("wave"),
        m.Head(0.3, 0.1),
        m.Hold(),
        m.Settle(),
        m.Unfreeze(),
        m.ResumeShow(),
    ],
)
def test_nothing_moves_a_damped_robot(command: Command) -> None:
    rig = damped()
    rig.performer.load(SHOW)
    rest = rig.performer.upper.states.copy()
    assert rig.tick(command) is Actuation.DAMP
    for _ in range(50):
        assert rig.tick() is Actuation.DAMP
    rig.expect(Mode.DAMPED)
    assert not rig.performer.player.running
    np.testing.assert_array_equal(rig.performer.upper.states, rest)


@pytest.mark.parametrize(
    ("command", "name", "reason"),
    [
        (m.Go(), "go", why.NOT_STANDING()),
        (m.Walk(vx=0.2), "walk", why.NOT_STANDING()),
        (m.Gesture("wave"), "gesture", why.WRONG_MODE(mode="DAMPED")),
        (m.Head(0.3, 0.1), "head", why.WRONG_MODE(mode="DAMPED")),
        (m.Reset(), "reset", why.NOTHING_LATCHED()),
    ],
)
def test_a_refusal_says_why(command: Command, name: str, reason: Statement) -> None:
    rig = damped()
    rig.performer.load(SHOW)
    rig.tick(command)
    assert rig.said(why.REFUSED, command=name, reason=reason)


# Stopping


@pytest.mark.parametrize("situation", EVERY, ids=lambda f: f.__name__)
def test_stop_takes_effect_on_its_very_tick(situation: Callable[[], Rig]) -> None:
    rig = situation()
    assert rig.tick(m.Stop()) >= Actuation.DAMP
    assert rig.mode in (Mode.FAULT, Mode.ESTOP)
    for _ in range(20):
        assert rig.tick(m.Walk(vx=0.3), m.StandUp()) >= Actuation.DAMP
    assert rig.mode not in TORQUE


@pytest.mark.parametrize("situation", EVERY, ids=lambda f: f.__name__)
def test_an_open_chain_takes_the_torque_on_its_very_tick(situation: Callable[[], Rig]) -> None:
    rig = situation()
    rig.sample.estop_closed = False
    assert rig.tick() is Actuation.STOP
    rig.sample.estop_closed = True  # released, but latched
    for _ in range(20):
        assert rig.tick(m.StandUp()) is Actuation.STOP
    rig.expect(Mode.ESTOP)


def test_a_stop_wins_over_whatever_comes_with_it() -> None:
    for others in ([m.StandUp(), m.Walk(vx=0.1)], [m.Hold()], [m.Reset()], [m.Settle()]):
        for commands in ([*others, m.Stop()], [m.Stop(), *others]):
            rig = standing()
            assert rig.tick(*commands) is Actuation.DAMP
            rig.expect(Mode.FAULT)


def test_reset_needs_a_closed_chain_and_stillness_and_leads_to_damped() -> None:
    rig = stopped()
    rig.sample.dq[3] = 1.0
    rig.tick(m.Reset())
    rig.expect(Mode.FAULT)
    assert rig.said(why.REFUSED, reason=why.NOT_STILL(still_s=1.0))
    rig.sample.dq[3] = 0.0
    rig.wait(0.5)
    rig.tick(m.Reset())
    rig.expect(Mode.FAULT)
    rig.wait(0.6)
    rig.tick(m.Reset())
    rig.expect(Mode.DAMPED)
    assert rig.tick() is Actuation.DAMP
    assert not rig.performer.latch.latched


def test_reset_of_an_e_stop_waits_for_the_chain() -> None:
    rig = estopped()
    rig.wait(1.1)
    assert rig.tick(m.Reset()) is Actuation.STOP
    rig.expect(Mode.ESTOP)
    assert rig.said(why.REFUSED, reason=why.CHAIN_OPEN())
    rig.sample.estop_closed = True
    rig.tick()
    rig.tick(m.Reset())
    rig.expect(Mode.DAMPED)
    rig.wait(0.01)
    rig.tick(m.StandUp())
    rig.expect(Mode.STANDING_UP)


def test_a_reset_does_not_bring_the_show_back() -> None:
    rig = performing()
    rig.tick(m.Stop())
    assert not rig.performer.player.running
    rig.wait(1.1)
    rig.tick(m.Reset())
    rig.tick(m.StandUp())
    rig.wait(0.5)
    rig.expect(Mode.READY)
    assert not rig.performer.player.running


# Faults


def broken(rig: Rig, what: str) -> None:
    """Break a sample."""
    sample = rig.sample
    if what == "nan position":
        sample.q[4] = math.nan
    elif what == "nan speed":
        sample.dq[20] = math.inf
    elif what == "nan gyro":
        sample.gyro[1] = math.nan
    elif what == "nan accelerometer":
        sample.accel[0] = math.nan
    elif what == "leg silent":
        sample.joint_age_s[11] = 0.05
    elif what == "overheated":
        sample.winding_c[10] = 130.0
    elif what == "flat battery":
        sample.battery_v = 10.0
    elif what == "fallen":
        sample.gyro[0] = 60.0


@pytest.mark.parametrize(
    ("what", "within_s"),
    [
        ("nan position", 0.001),
        ("nan speed", 0.001),
        ("nan gyro", 0.001),
        ("nan accelerometer", 0.001),
        ("leg silent", 0.001),
        ("overheated", 0.021),
        ("flat battery", 0.6),
        ("fallen", 0.05),
    ],
)
@pytest.mark.parametrize("situation", [standing, performing], ids=lambda f: f.__name__)
def test_a_fault_ends_in_no_motion(
    situation: Callable[[], Rig], what: str, within_s: float
) -> None:
    rig = situation()
    broken(rig, what)
    assert rig.wait(within_s) >= Actuation.DAMP
    assert rig.performer.action >= Action.DAMP
    rig.expect(Mode.FAULT)
    assert rig.said(safety.MODE_FORCED, mode="FAULT")
    assert not rig.performer.player.running


def test_a_fall_is_counted_once() -> None:
    rig = standing()
    assert rig.performer.falls == 0
    broken(rig, "fallen")
    rig.wait(0.05)
    rig.sample.gyro[:] = 0.0
    rig.wait(0.2)
    assert rig.performer.falls == 1
    assert "FALLEN" in rig.performer.flag_names or rig.mode is Mode.FAULT


def test_a_silent_imu_settles_who_stands() -> None:
    rig = standing()
    rig.sample.imu_age_s = 0.05
    assert rig.tick() is Actuation.WRITE
    rig.expect(Mode.SETTLE)
    rig.bend(CROUCH_BEND)
    rig.wait(0.5)
    rig.expect(Mode.DAMPED)


def test_a_hot_winding_names_its_joint() -> None:
    rig = standing()
    rig.sample.winding_c[11] = 97.0
    rig.wait(0.03)
    rig.expect(Mode.SETTLE)
    assert rig.said(
        safety.FAULT_BEGAN_WITH,
        detail=safety.JOINT_TEMPERATURE(joint="left_knee", temperature_c=97.0),
    )


@pytest.mark.parametrize("ticks", [1, 3])
def test_a_few_unsolved_ticks_repeat_the_last_torques(ticks: int) -> None:
    rig = standing()
    torque = rig.performer.command.tau.copy()
    spoil_qp(rig, True)
    for _ in range(ticks):
        assert rig.tick() is Actuation.WRITE
        np.testing.assert_allclose(rig.performer.command.tau, torque, atol=1.0)
    assert biped_of(rig.performer.plant).controller.failures == ticks
    spoil_qp(rig, False)
    rig.wait(0.005)
    assert biped_of(rig.performer.plant).controller.failures == 0
    rig.expect(Mode.READY)


def test_more_unsolved_ticks_damp() -> None:
    rig = standing()
    spoil_qp(rig, True)
    verdicts = [rig.tick() for _ in range(6)]
    assert verdicts[:3] == [Actuation.WRITE] * 3
    assert verdicts[-1] is Actuation.DAMP
    rig.expect(Mode.FAULT)
    assert rig.said(safety.FAULT_BEGAN, fault=faults.QP_FAILED_DAMP())


def spoil_qp(rig: Rig, spoilt: bool) -> None:
    """Make the friction cones contradict the pressure that standing needs, or restore them."""
    problem = biped_of(rig.performer.plant).controller.whole_body.problem
    bounded = problem.upper.size - problem.rows.shape[0]
    problem.upper[bounded : bounded + 16] = -1e6 if spoilt else 0.0


def test_a_command_that_is_no_number_is_not_sent() -> None:
    rig = standing(Support.SEATED)
    rig.sample.q[10] = math.nan  # of a leg, which the upper body does not need
    assert rig.tick() >= Actuation.DAMP


def reset(rig: Rig) -> None:
    """Acknowledge a fault and check that no action of it is left."""
    rig.expect(Mode.FAULT)
    rig.wait(1.1)
    rig.tick(m.Reset())
    rig.expect(Mode.DAMPED)
    rig.tick(m.StandUp())
    rig.wait(0.01 if rig.performer.plant.support is not Support.SEATED else 1.6)
    rig.expect(Mode.READY)


def test_after_a_failed_qp_a_reset_is_possible() -> None:
    rig = standing()
    spoil_qp(rig, True)
    rig.wait(0.01)
    spoil_qp(rig, False)
    reset(rig)


def test_after_a_command_that_was_no_number_a_reset_is_possible() -> None:
    rig = standing(Support.SEATED)
    stiffness = biped_of(rig.performer.plant).controller._constants["kp"][0]
    good, stiffness[0] = stiffness[0], math.nan
    assert rig.tick() is Actuation.DAMP
    stiffness[0] = good
    rig.tick()
    reset(rig)


@pytest.mark.parametrize("what", ["nan position", "nan speed", "nan gyro", "nan accelerometer"])
def test_one_sample_that_is_no_number_does_not_need_a_new_core(what: str) -> None:
    rig = standing()
    good = deepcopy(rig.sample)
    broken(rig, what)
    rig.tick()
    rig.sample = good
    reset(rig)


def test_a_body_that_answers_late_starts_the_estimate_from_its_first_real_sample() -> None:
    rig = Rig()
    real = rig.sample
    rig.sample = type(real).zeros(28, 4)
    rig.wait(0.01)
    rig.expect(Mode.OFF)
    rig.sample = real
    rig.wait(0.01)
    rig.expect(Mode.DAMPED)
    np.testing.assert_allclose(rig.performer.plant.state.rpy, 0.0, atol=1e-9)


def test_a_gyro_that_drifts_tips_nobody_who_is_seated() -> None:
    rig = standing(Support.SEATED)
    rig.sample.contacts[:] = False
    rig.sample.tau[:] = 0.0
    rig.sample.gyro[0] = 0.4  # a bias, quickly; gravity still says upright
    rig.wait(3.0)
    rig.expect(Mode.READY)
    assert rig.performer.falls == 0


def test_missing_operators_hold_the_show() -> None:
    rig = performing()
    rig.performer.facts.operator_age_s = 1.0
    rig.wait(0.3)
    assert rig.performer.action.name == "HOLD"
    assert rig.said(safety.FAULT_BEGAN, fault=faults.OPERATOR_SILENT_HOLD())
    rig.performer.facts.operator_age_s = 0.0
    rig.wait(0.1)
    assert rig.performer.action.name == "HOLD"  # a returning link resumes nothing
    rig.tick(m.Hold())
    assert rig.performer.action.name == "NONE"


# Standing up and settling


def test_who_stands_up_writes_commands_and_becomes_ready() -> None:
    rig = damped()
    assert rig.tick(m.StandUp()) is Actuation.WRITE
    rig.wait(0.01)
    rig.expect(Mode.READY)
    changes = told(rig.events, safety.MODE_CHANGED)
    assert [event.fields["mode"] for event in changes] == ["DAMPED", "STANDING_UP", "READY"]


def test_standing_up_begins_where_the_robot_is() -> None:
    rig = Rig(bend=CROUCH_BEND)
    rig.sample.q[:8] += 0.4
    rig.tick()
    rig.tick(m.StandUp())
    np.testing.assert_allclose(rig.performer.command.q[:8], rig.sample.q[:8], atol=0.01)
    np.testing.assert_allclose(rig.performer.command.dq[:8], 0.0, atol=0.05)


def test_a_rise_that_does_not_come_is_given_up() -> None:
    rig = rising()
    rig.now_s += 16.0
    rig.tick()
    rig.expect(Mode.SETTLE)
    assert rig.said(safety.MODE_FORCED, cause=safety.RISE_TOO_LONG(limit_s=15.0))


def test_settling_ends_in_damping() -> None:
    rig = settling()
    assert rig.tick() is Actuation.WRITE
    rig.bend(CROUCH_BEND)
    rig.wait(0.5)
    rig.expect(Mode.DAMPED)
    assert rig.tick() is Actuation.DAMP


def test_shutdown_settles_before_it_switches_off() -> None:
    rig = standing()
    rig.tick(m.Shutdown())
    rig.expect(Mode.SETTLE)
    rig.tick(m.Walk(vx=0.1), m.Go())
    rig.expect(Mode.SETTLE)
    rig.bend(CROUCH_BEND)
    assert rig.wait(0.5) is Actuation.STOP
    rig.expect(Mode.OFF)
    rig.tick(m.StandUp())
    rig.expect(Mode.OFF)


# Walking


def test_walking_repeats_its_command_until_it_is_old() -> None:
    rig = walking()
    rig.tick(m.Walk(0.1, -0.05, 0.2))
    rig.wait(WALK_SILENCE_S - 0.01)
    np.testing.assert_allclose(rig.performer.velocity, [0.1, -0.05, 0.2])
    rig.wait(0.02)
    np.testing.assert_array_equal(rig.performer.velocity, 0.0)
    assert rig.tick() is Actuation.WRITE


def test_stepping_in_place_also_ends_with_silence() -> None:
    rig = standing()
    rig.tick(m.Walk(step=True))
    assert rig.performer.wanted.step_in_place
    rig.wait(WALK_SILENCE_S + 0.01)
    assert not rig.performer.wanted.step_in_place


def test_an_old_walk_is_not_walked_after_a_hold() -> None:
    rig = walking()
    rig.tick(m.Hold())
    rig.expect(Mode.READY)
    rig.tick()
    np.testing.assert_array_equal(rig.performer.velocity, 0.0)


def test_who_is_seated_cannot_walk() -> None:
    rig = standing(Support.SEATED)
    rig.tick(m.Walk(vx=0.1))
    rig.expect(Mode.READY)
    assert rig.said(why.REFUSED, command="walk", reason=why.SEATED())


def test_seated_legs_are_damped_while_the_arms_play() -> None:
    rig = standing(Support.SEATED)
    rig.tick(m.Gesture("wave"))
    assert rig.wait(0.1) is Actuation.WRITE
    command = rig.performer.command
    assert not command.kp[8:18].any() and not command.tau[8:18].any()
    assert command.kd[8:18].all() and command.kp[:8].all()
    assert rig.performer.plant.solution.status == 0


# The show


def test_a_show_loads_and_plays_to_its_end() -> None:
    rig = standing()
    assert rig.said(words.SHOW_LOADED, show="test", cues=2)
    voices: list[tuple[str, float]] = []
    finished: list[str] = []
    states: set[int] = set()
    for tick in range(5000):
        rig.tick(*([] if tick else [m.Go()]))
        assert tick > 3000 or rig.mode is Mode.PERFORM
        stage = rig.performer.stage
        if stage.happened:
            voices += [(v.phrase, v.start_stamp_s) for v in stage.voices]
            finished += list(stage.finished)
        states.add(int(rig.performer.upper.states[0]))
    assert rig.said(words.CUE_STARTED, cue="1")
    assert [phrase for phrase, _ in voices] == ["hello"]
    assert finished == ["1"]
    assert {MotionState.TRANSITION, MotionState.ACTION} <= {MotionState(s) for s in states}
    rig.expect(Mode.READY)
    assert rig.performer.player.standby == "2"


def test_a_cue_walks_the_robot() -> None:
    rig = standing()
    rig.tick(m.Go("2"))
    rig.wait(0.05)
    np.testing.assert_allclose(rig.performer.velocity, [0.1, 0.0, 0.0])
    assert rig.performer.wanted.step_in_place


def test_hold_ends_a_show_and_the_robot_stands() -> None:
    rig = performing()
    assert rig.tick(m.Hold()) is Actuation.WRITE
    rig.expect(Mode.READY)
    assert not rig.performer.player.running


def test_without_a_show_go_is_refused() -> None:
    rig = standing(loaded=False)
    rig.tick(m.Go())
    assert rig.said(why.REFUSED, command="go")
    rig.wait(0.05)
    rig.expect(Mode.READY)


def test_an_unknown_cue_is_refused_and_changes_nothing() -> None:
    rig = standing()
    rig.tick(m.Go("99"))
    rig.tick(m.GoTo("99"))
    assert rig.said(why.REFUSED, command="go") and rig.said(why.REFUSED, command="go_to")
    rig.expect(Mode.READY)
    assert rig.performer.player.standby == "1"


@pytest.mark.parametrize(
    "other",
    [m.Stop(), m.Shutdown(), m.Settle(), m.Hold(), m.Reset()],
    ids=lambda command: type(command).__name__,
)
@pytest.mark.parametrize("first", [True, False])
def test_a_go_that_is_refused_plays_nothing(other: Command, first: bool) -> None:
    rig = standing()
    rig.tick(*((other, m.Go()) if first else (m.Go(), other)))
    assert rig.said(why.REFUSED, command="go")
    assert not rig.performer.player.running
    assert not rig.performer.stage.voices
    rig.wait(0.3)
    assert not rig.performer.player.running
    assert not rig.said(words.CUE_STARTED, cue="1")


def test_a_running_show_is_not_replaced() -> None:
    rig = performing()
    rig.performer.load(show(cue("7")))
    rig.tick()
    assert rig.said(words.SHOW_NOT_LOADED)
    assert rig.performer.player.running == ("1",)


def test_pause_holds_the_shows_clock() -> None:
    rig = performing()
    rig.tick(m.PauseShow())
    rig.wait(0.02)
    before = rig.performer.player.elapsed_s(rig.now_s)
    rig.wait(0.2)
    assert rig.performer.player.elapsed_s(rig.now_s) == pytest.approx(before)
    rig.tick(m.ResumeShow())
    rig.wait(0.1)
    assert rig.performer.player.elapsed_s(rig.now_s) > before


@pytest.mark.parametrize(
    ("command", "name", "reason"),
    [
        (m.Gesture("moonwalk"), "gesture", why.NO_GESTURE(gesture="moonwalk")),
        (m.PauseShow(), "pause_show", why.NOTHING_RUNS()),
        (m.ResumeShow(), "resume_show", why.NOT_PAUSED()),
    ],
)
def test_what_cannot_be_done_now_is_refused(command: Command, name: str, reason: Statement) -> None:
    rig = standing()
    rig.tick(command)
    assert rig.said(why.REFUSED, command=name, reason=reason)


SWAY = m.StartSway("left", 0.04, 0.1)


def swaying() -> Rig:
    """Return a robot that stands, has a range to sway, and was asked to."""
    rig = standing()
    rig.performer.hand.sway = SwayByHand(SwayRange(0.05, 0.03, 0.08, 0.25), rig.performer.plant)
    rig.performer.orders._hand.sway = rig.performer.hand.sway
    rig.tick(SWAY)
    assert rig.performer.wanted.sway is not None
    return rig


@pytest.mark.parametrize(
    "ending",
    [
        m.Hold(),
        m.Cancel(),
        m.EndSway(),
        m.Go(),
        m.Walk(vx=0.1),
        m.Settle(),
        m.Stop(),
        m.BackDrive({"left_arm": "limp"}),
        Follow(),
    ],
    ids=lambda command: type(command).__name__,
)
def test_a_sway_by_hand_ends_with_every_other_motion_and_does_not_come_back(
    ending: Command,
) -> None:
    rig = swaying()
    rig.tick(ending)
    rig.tick()
    assert rig.performer.wanted.sway is None
    rig.wait(0.05)
    assert rig.performer.wanted.sway is None


class Springs:
    """Legs that jump when the test says so."""

    support = Support.FLOOR
    jumps = False


def jumping() -> Rig:
    """Return a robot that stands, has a range to jump, and was asked to."""
    rig = standing()
    performer = rig.performer
    performer.hand.jump = JumpByHand(GAITS, Springs())
    performer.orders._hand.jump, performer.orders._gaits = performer.hand.jump, GAITS
    rig.tick(m.StartJump(count=2))
    assert performer.wanted.jump is not None and performer.wanted.jump.count == 2
    rig.expect(Mode.WALK)
    return rig


@pytest.mark.parametrize(
    "ending, mode",
    [
        (m.Hold(), Mode.READY),
        (m.Cancel(), Mode.WALK),
        (m.Go(), Mode.PERFORM),
        (m.Walk(vx=0.1), Mode.WALK),
        (m.Settle(), Mode.SETTLE),
        (m.Stop(), Mode.FAULT),
    ],
    ids=lambda case: type(case).__name__,
)
@pytest.mark.parametrize("along", [False, True])
def test_jumps_by_hand_end_with_every_other_motion_and_do_not_come_back(
    ending: Command, mode: Mode, along: bool
) -> None:
    rig = jumping()
    again = [m.StartJump()] if along and mode is not Mode.WALK else []
    rig.tick(ending, *again)
    rig.expect(mode)
    assert rig.performer.wanted.jump is None
    rig.wait(0.05)
    assert rig.performer.wanted.jump is None and rig.performer.hand.jump.asked is None


def led(rig: Rig) -> tuple[int, bool]:
    """Return the last foot that is requested, and whether steps are."""
    return rig.performer.wanted.last_foot, rig.performer.wanted.step_in_place


def place_known(rig: Rig) -> bool:
    return rig.performer.hand.marks.place.known


def test_a_walk_to_a_mark_ends_with_every_other_motion_and_a_carried_robot_is_lost() -> None:
    for ending in (m.Hold(), m.Cancel(), m.Walk(vx=0.1), m.Settle()):
        rig = standing()
        rig.tick(WalkTo(1.0, 0.0, 0.0, "left", "door"))
        rig.expect(Mode.WALK)
        wanted = rig.performer.wanted
        assert wanted.velocity[0] > 0.2 and led(rig) == (0, True)
        rig.tick(ending)
        rig.tick()
        assert led(rig) == (-1, False)
        assert rig.said(marks.MARK_MISSED, cause=marks.MARK_INTERRUPTED())
    rig.tick(m.Stop())
    rig.wait(1.0)
    assert place_known(rig)
    rig.sample.tau[:] = 0.0
    rig.sample.contacts[:] = False
    rig.wait(1.0)
    assert not place_known(rig) and rig.said(marks.PLACE_LOST)


def head_angles(rig: Rig) -> tuple[float, float]:
    gaze = rig.performer.manager.joints.gaze
    assert gaze is not None
    return float(rig.performer.upper.q[gaze.yaw]), float(rig.performer.upper.q[gaze.pitch])


def test_the_head_holds_a_point_of_the_room_by_hand_and_by_cue_until_it_is_released() -> None:
    rig = standing()
    rig.tick(LookAt(2.0, 0.0, 0.0, "child"))
    rig.wait(2.0)
    yaw, pitch = head_angles(rig)
    assert abs(yaw) < 0.02 and pitch > 0.3
    rig.tick(LookAt(2.0, 1.0, 1.2))
    rig.wait(2.0)
    assert head_angles(rig)[0] == pytest.approx(math.atan2(1.0, 2.0), abs=0.03)
    rig.tick(m.Head(yaw=-0.2, pitch=0.0))
    rig.wait(1.0)
    assert head_angles(rig)[0] == pytest.approx(-0.2, abs=0.02)
    rig.tick(m.ReleaseHead())
    assert rig.performer.hand.gaze.asked is None
    looks = HeadSegment(0.0, 0.0, 0.0, 0.0, 0.0, True, (2.0, -1.0, 1.0))
    rig.performer.load(show(cue("1", looks, duration_s=3.0)))
    rig.tick(m.Go())
    rig.wait(2.0)
    assert head_angles(rig)[0] == pytest.approx(-math.atan2(1.0, 2.0), abs=0.03)
    rig.tick(m.Head(yaw=0.2, pitch=0.0))
    rig.wait(0.5)
    assert head_angles(rig)[0] > 0.1, "the stick precedes the cue's point"
    rig.wait(1.0)
    assert rig.performer.stage.look is None
    rig.wait(3.0)
    assert head_angles(rig)[0] > -0.4
    rig.performer.hand.marks.place.known = False
    rig.tick(LookAt(2.0, 1.0, 0.0))
    assert rig.said(why.REFUSED, command="look_at", reason=marks.PLACE_UNKNOWN())


def held_point(rig: Rig) -> SpacePoint | None:
    return rig.performer.hand.gaze.asked


def azimuth(point: SpacePoint | None) -> float:
    return math.nan if point is None else math.atan2(point[1], point[0])


def test_a_point_is_held_where_the_head_looks_and_shifted_until_a_silence() -> None:
    rig = standing()
    rig.tick(ShiftPoint(left=1.0))
    rig.wait(0.3)
    assert held_point(rig) is None and head_angles(rig)[0] == pytest.approx(0.0, abs=0.1)
    joints = rig.performer.profile.joint_names
    rig.sample.q[joints.index("head_yaw")] = 0.4
    rig.tick(HoldPoint())
    assert azimuth(held_point(rig)) == pytest.approx(0.4, abs=0.05)
    rig.wait(1.0)
    held = head_angles(rig)
    for _ in range(5):
        rig.tick(ShiftPoint(left=1.0, up=-0.5))
        rig.wait(0.1)
    rig.wait(0.3)
    shifted, asked = head_angles(rig), held_point(rig)
    assert shifted[0] > held[0] + 0.3 and shifted[1] > held[1] + 0.1
    rig.wait(0.5)
    assert held_point(rig) == asked, "a silence ends the shift"
    for _ in range(40):
        rig.tick(ShiftPoint(left=1.0))
        rig.wait(0.1)
    rig.wait(0.3)
    assert azimuth(held_point(rig)) < 1.9, "within the reach of the head"
    rig.tick(m.Hold())
    rig.wait(0.1)
    assert held_point(rig) is None
    rig.tick(m.Stop())
    rig.tick(HoldPoint())
    assert rig.said(why.REFUSED, command="hold_point") and held_point(rig) is None


def test_a_cue_walks_to_a_mark_until_its_clip_is_over() -> None:
    rig = standing()
    begin, end = (
        MarkSegment(time_s, 1.0, 0.0, 0.0, "right", "door", time_s < 1.0) for time_s in (0.0, 1.0)
    )
    rig.performer.load(show(cue("1", begin, end, duration_s=2.0)))
    rig.tick(m.Go())
    rig.wait(0.5)
    wanted = rig.performer.wanted
    assert wanted.velocity[0] > 0.2 and led(rig) == (1, True) and not rig.said(marks.MARK_MISSED)
    rig.wait(0.6)
    assert not wanted.velocity.any() and led(rig) == (-1, False)
    assert rig.said(marks.MARK_MISSED, cause=marks.MARK_CLIP_ENDED())


def test_jumps_end_with_the_last_of_them() -> None:
    rig = jumping()
    springs = rig.performer.hand.jump._plant
    assert isinstance(springs, Springs)
    rig.wait(0.3)
    springs.jumps = True
    rig.wait(0.3)
    asked = rig.performer.wanted.jump
    assert asked is not None
    rig.tick(m.StartJump(dx=0.3))
    assert rig.said(why.REFUSED, command="start_jump") and rig.performer.wanted.jump is asked
    springs.jumps = False
    rig.tick()
    assert rig.performer.hand.jump.asked is None
    rig.wait(2.5)
    rig.expect(Mode.READY)


def test_a_fault_that_holds_the_robot_ends_its_jumps() -> None:
    rig = jumping()
    rig.performer.facts.operator_age_s = 1.0
    rig.wait(0.3)
    rig.expect(Mode.READY)
    assert rig.performer.action is Action.HOLD and rig.performer.wanted.jump is None
    rig.tick(m.StartJump())
    assert rig.said(why.REFUSED, reason=why.FAULT_HOLDS()) and rig.performer.action is Action.HOLD


def test_a_run_reaches_the_plant() -> None:
    rig = standing()
    rig.performer.orders._gaits = GAITS
    rig.tick(m.Walk(gait="run", step_s=0.3, flight_s=0.05, height=0.28))
    wanted = rig.performer.wanted
    assert wanted.stepping == Stepping("run", 0.3, 0.05, 0.28) and wanted.step_in_place
    rig.tick(m.Hold())
    assert wanted.stepping == Stepping() and not wanted.step_in_place


def test_a_sway_is_refused_with_its_reason_and_leaves_the_present_one() -> None:
    rig = swaying()
    present = rig.performer.wanted.sway
    rig.tick(m.StartSway("forward", 0.04, 0.1))
    assert rig.said(why.REFUSED, command="start_sway")
    assert "0.03 m forward and backward" in wording.sentence(rig.events[-1])
    rig.tick(m.Cancel(groups=("head",)))
    assert rig.performer.wanted.sway is present
    rig.tick(Follow())
    rig.tick(SWAY)
    assert rig.said(why.REFUSED, reason=why.SWAY_FOLLOWS())
    rig.tick(m.Go())
    rig.tick(SWAY)
    assert rig.said(why.REFUSED, reason=why.WRONG_MODE(mode="PERFORM"))
    robot = standing()
    robot.tick(SWAY)
    assert robot.said(why.REFUSED, reason=why.NO_SWAY()) and robot.performer.wanted.sway is None


def test_a_fault_that_holds_the_robot_ends_its_sway() -> None:
    rig = swaying()
    rig.performer.facts.operator_age_s = 1.0
    rig.wait(0.3)
    assert rig.performer.action is Action.HOLD and rig.performer.wanted.sway is None
    rig.tick(SWAY)
    assert rig.said(why.REFUSED, reason=why.FAULT_HOLDS())


def test_a_gesture_plays_freezes_goes_on_and_is_cancelled() -> None:
    rig = standing()
    rig.wait(2.0)
    head = rig.performer.upper.states
    assert head[0] == MotionState.REST
    rig.tick(m.Gesture("wave"))
    rig.wait(0.05)
    assert head[0] == MotionState.TRANSITION
    rig.tick(m.Freeze())
    rig.wait(0.05)
    assert head[0] == MotionState.STOP
    rig.tick(m.Unfreeze())
    rig.wait(0.05)
    assert head[0] in (MotionState.TRANSITION, MotionState.ACTION)
    rig.tick(m.Cancel())
    rig.wait(1.5)
    assert head[0] == MotionState.REST


def test_the_head_follows_the_stick_until_it_is_released() -> None:
    rig = standing()
    rig.tick(m.Head(0.4, 0.1))
    rig.wait(0.3)
    assert rig.performer.upper.states[0] == MotionState.JOYSTICK
    rig.tick(m.ReleaseHead())
    rig.wait(0.01)
    assert rig.performer.upper.states[0] != MotionState.JOYSTICK


def test_who_asked_is_in_the_log_and_a_stick_does_not_flood_it() -> None:
    rig = standing()
    performer = rig.performer
    for _ in range(100):
        performer.tick(rig.now_s, rig.sample, [("handset", m.Walk(vx=0.1))])
        rig.now_s += 0.001
    performer.tick(rig.now_s, rig.sample, [("console-7", m.Hold())])
    events = performer.take_events()
    asked = [event for event in events if event.actor == "console-7"]
    assert [event.fields for event in asked] == [{"command": "hold"}]
    assert not [e for e in events if e.actor == "handset"]
    assert performer.take_events() == []


def test_a_show_that_warns_is_heard() -> None:
    performer = Performer(profile(), build_plant(profile(), Support.FLOOR))
    performer.load(show(cue("1"), warnings=("the phrase 'hello' is long",)))
    (event,) = told(performer.take_events(), words.SHOW_WARNING, text="the phrase 'hello' is long")
    assert (event.actor, event.severity) == ("stagehand", "warning")


# Whatever comes

COMMANDS: list[Command] = [
    m.StandUp(),
    m.Settle(),
    m.Stop(),
    m.Reset(),
    m.Hold(),
    m.Walk(0.1, 0.05, 0.1),
    m.Walk(step=True),
    m.Walk(gait="run"),
    m.StartJump(),
    m.Gesture("wave"),
    m.Gesture("nothing"),
    m.Cancel(),
    m.Freeze(),
    m.Unfreeze(("head",)),
    m.Head(0.5, 0.2),
    m.ReleaseHead(),
    m.PauseShow(),
    m.ResumeShow(),
    m.GoTo("2"),
    m.ResetShow(),
    m.Push(10.0, 0.0, 0.0, 0.1),
    m.LoadShow("x"),
]
moments = st.tuples(
    st.lists(st.sampled_from(COMMANDS), max_size=3),
    st.sampled_from(["nothing"] * 6 + ["chain", "late", "lean", "move", "crouch"]),
)


@settings(max_examples=share(15))
@given(st.lists(moments, max_size=12))
def test_no_order_of_things_drives_a_robot_that_should_not_move(
    history: list[tuple[list[Command], str]],
) -> None:
    rig = Rig()
    rig.performer.load(SHOW)
    rig.tick()
    for commands, event in history:
        rig.sample.estop_closed = event != "chain"
        rig.sample.imu_age_s = 0.01 if event == "late" else 0.0
        rig.sample.dq[2] = 2.0 if event == "move" else 0.0
        rig.sample.gyro[0] = 5.0 if event == "lean" else 0.0
        rig.bend(CROUCH_BEND if event == "crouch" else STAND_BEND)
        for asked in (commands, [], [], [], []):
            verdict = rig.tick(*asked)
            if verdict is Actuation.WRITE:
                assert rig.mode in TORQUE
                assert rig.performer.action < Action.DAMP
                assert not rig.performer.latch.latched
                assert rig.sample.estop_closed
                assert np.isfinite(rig.performer.command.tau).all()
            if any(isinstance(command, m.Stop) for command in asked):
                assert verdict >= Actuation.DAMP
            if not rig.sample.estop_closed:
                assert verdict is Actuation.STOP


def test_a_show_s_runs_and_jumps_reach_the_plant_and_end_with_it() -> None:
    rig = standing(loaded=False)
    rig.performer.load(show(cue("1", run(0.0), walk(0.3, walking=False), jump(0.4, count=1))))
    rig.tick(m.Go())
    rig.wait(0.1)
    assert told_of_gait(rig) == ("run", True, False)
    rig.wait(0.4)
    assert told_of_gait(rig) == ("walk", False, True)
    assert rig.performer.wanted.jump is rig.performer.stage.jump
    rig.tick(m.Cancel())
    assert told_of_gait(rig) == ("walk", False, False)


def told_of_gait(rig: Rig) -> tuple[str, bool, bool]:
    """Return the gait that the plant is told, and whether it shall step and jump."""
    wanted = rig.performer.wanted
    return wanted.stepping.gait, wanted.step_in_place, wanted.jump is not None
