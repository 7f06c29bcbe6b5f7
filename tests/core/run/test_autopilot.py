"""The autopilot: its commands, their times, and the end of its run."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.link import commands as m
from core.link.catalogue import run as ending
from core.link.commands import Command
from core.run.autopilot import CALIBRATED_S, WALK_STARTS_S, Autopilot, Facts
from core.run.launch import PushOrder, SwayOrder, WalkOrder
from core.safety.modes import Mode

TICK_S = 0.01
CALM = Facts(mode=Mode.DAMPED, running=False, standby="", gesturing=False, falls=0)


class Play:
    """An autopilot and a robot that obeys at once."""

    def __init__(self, autopilot: Autopilot, cues: int = 0) -> None:
        self.autopilot, self.facts = autopilot, CALM
        self.now_s = 0.0
        self.cues, self.cue_ends_s = cues, 0.0
        self.asked: list[tuple[float, Command]] = []
        self.facts = replace(CALM, standby="1" if cues else "")

    def run(self, time_s: float) -> "Play":
        end_s = self.now_s + time_s
        while self.now_s < end_s and not self.autopilot.finished:
            for command in self.autopilot.update(self.now_s, self.facts):
                self.asked.append((self.now_s, command))
                self.obey(command)
            if self.facts.running and self.now_s >= self.cue_ends_s:
                self.facts = replace(self.facts, running=False, mode=Mode.READY)
            self.now_s += TICK_S
        return self

    def obey(self, command: Command) -> None:
        if isinstance(command, m.StandUp):
            self.facts = replace(self.facts, mode=Mode.READY)
        elif isinstance(command, m.Settle):
            self.facts = replace(self.facts, mode=Mode.DAMPED)
        elif isinstance(command, m.Go):
            following = int(self.facts.standby) + 1
            standby = str(following) if following <= self.cues else ""
            self.facts = replace(self.facts, running=True, mode=Mode.PERFORM, standby=standby)
            self.cue_ends_s = self.now_s + 2.0

    def of(self, kind: type) -> list[float]:
        """Return the times of commands of a kind."""
        return [now_s for now_s, command in self.asked if isinstance(command, kind)]


def test_a_body_with_a_contactor_is_reset_before_it_stands_up() -> None:
    play = Play(Autopilot())
    play.facts = replace(CALM, mode=Mode.ESTOP, powered=False)
    play.run(1.2)
    assert {type(c) for _, c in play.asked} == {m.Reset} and 2 <= len(play.asked) <= 3
    play.facts = replace(CALM, powered=False)
    play.run(0.6)
    assert not play.of(m.StandUp)
    play.facts = CALM
    play.run(0.1)
    assert len(play.of(m.StandUp)) == 1
    play.facts = replace(CALM, mode=Mode.ESTOP, powered=False)
    asked = len(play.asked)
    play.run(5.0)
    assert len(play.asked) == asked and play.autopilot.failure


def test_it_stands_up_once_says_nothing_more_and_settles() -> None:
    play = Play(Autopilot()).run(20.0)
    assert [type(c).__name__ for _, c in play.asked] == ["StandUp", "Settle"]
    assert play.autopilot.finished and not play.autopilot.failure


def test_it_says_go_for_each_cue_and_settles_after_the_last() -> None:
    play = Play(Autopilot(), cues=3).run(60.0)
    assert len(play.of(m.Go)) == 3
    assert play.of(m.Settle)[0] > play.of(m.Go)[-1] + 2.0
    assert all(
        later - one >= 2.0 for one, later in zip(play.of(m.Go), play.of(m.Go)[1:], strict=False)
    )
    assert play.autopilot.finished and not play.autopilot.failure


def test_it_waits_for_the_robot_to_stand() -> None:
    play = Play(Autopilot(), cues=1)
    play.facts = replace(play.facts, mode=Mode.OFF)
    play.run(3.0)
    assert not play.asked
    play.facts = replace(play.facts, mode=Mode.STANDING_UP)
    play.run(3.0)
    assert not play.asked


def test_walking_begins_at_five_seconds_and_is_repeated() -> None:
    orders = (WalkOrder(vx=0.16, dur=2.0), WalkOrder(vy=-0.05, yaw=0.1, dur=1.0))
    play = Play(Autopilot(orders))
    assert play.autopilot.length_s == WALK_STARTS_S + 3.0
    play.run(30.0)
    times = play.of(m.Walk)
    assert times[0] == pytest.approx(WALK_STARTS_S, abs=0.02)
    assert times[-1] < play.autopilot.length_s
    assert max(b - a for a, b in zip(times, times[1:], strict=False)) < 0.2  # WALK_SILENCE_S is 0.5
    for now_s, command in play.asked:
        if isinstance(command, m.Walk):
            first = now_s < WALK_STARTS_S + 2.0 - 1e-9
            expected = m.Walk(0.16) if first else m.Walk(0.0, -0.05, 0.1)
            assert command == expected
    assert play.of(m.Settle)[0] > play.autopilot.length_s
    assert play.autopilot.finished and not play.autopilot.failure


def test_runs_and_jumps_take_turns_with_walks() -> None:
    orders = (
        WalkOrder(vx=0.1, dur=1.0),
        WalkOrder(gait="jump", count=2, flight=0.1, dx=0.05, turn=0.1, period=0.8, dur=3.0),
        WalkOrder(gait="jump", dur=2.0),
        WalkOrder(vx=0.2, gait="run", step_s=0.3, flight=0.05, height=0.28, dur=1.0),
        WalkOrder(gait="run", dur=1.0),
    )
    play = Play(Autopilot(orders)).run(30.0)
    told: list[Command] = []
    for _, command in play.asked:
        if isinstance(command, m.Walk | m.StartJump) and command != (told and told[-1]):
            told.append(command)
    assert told == [
        m.Walk(0.1),
        m.Walk(),
        m.StartJump(2, 0.1, 0.05, 0.0, 0.1, 0.8),
        m.Walk(),
        m.StartJump(),
        m.Walk(0.2, gait="run", step_s=0.3, flight_s=0.05, height=0.28),
        m.Walk(gait="run"),
    ]
    assert play.of(m.StartJump) == pytest.approx([6.0, 9.0], abs=2 * TICK_S)
    assert play.autopilot.finished and not play.autopilot.failure


def test_a_zero_velocity_stands_and_step_steps() -> None:
    assert not Play(Autopilot([WalkOrder(dur=2.0)])).run(20.0).of(m.Walk)
    play = Play(Autopilot([WalkOrder(dur=2.0, step=True)])).run(20.0)
    assert {c for _, c in play.asked if isinstance(c, m.Walk)} == {m.Walk(step=True)}


def test_gestures_take_turns_while_it_walks() -> None:
    autopilot = Autopilot([WalkOrder(vx=0.1, dur=10.0)], ["wave", "bow"])
    play = Play(autopilot).run(40.0)
    names = [c.name for _, c in play.asked if isinstance(c, m.Gesture)]
    assert names[:4] == ["wave", "bow", "wave", "bow"]
    assert all(now_s >= WALK_STARTS_S for now_s in play.of(m.Gesture))


def test_a_gesture_is_not_interrupted_by_the_next() -> None:
    autopilot = Autopilot([WalkOrder(vx=0.1, dur=10.0)], ["wave"])
    play = Play(autopilot)
    play.facts = replace(play.facts, gesturing=True)
    play.run(40.0)
    assert not play.of(m.Gesture)


def test_pushes_and_sways_come_at_their_time_in_their_order() -> None:
    sways = [SwayOrder(6.0, 0.05, 0.1, "up", 2)]
    pushes = [PushOrder(t=7.0, dur=0.1, fx=10.0), PushOrder(t=3.0, dur=0.2, fy=-5.0)]
    play = Play(Autopilot([WalkOrder(dur=5.0)], (), pushes, sways)).run(20.0)
    found = [(now_s, c) for now_s, c in play.asked if isinstance(c, m.Push)]
    assert [c for _, c in found] == [m.Push(0.0, -5.0, 0.0, 0.2), m.Push(10.0, 0.0, 0.0, 0.1)]
    assert [now_s for now_s, _ in found] == pytest.approx([3.0, 7.0], abs=0.02)
    swayed = [(round(now_s, 1), c) for now_s, c in play.asked if isinstance(c, m.StartSway)]
    assert swayed == [(6.0, m.StartSway("up", 0.05, 0.1, 2))]


def test_a_fall_ends_the_run_a_second_later() -> None:
    play = Play(Autopilot([WalkOrder(vx=0.1, dur=30.0)])).run(7.0)
    play.facts = replace(play.facts, falls=1, mode=Mode.FAULT)
    fell_s = play.now_s
    asked = len(play.asked)
    play.run(30.0)
    assert play.autopilot.finished
    failure = play.autopilot.failure
    assert failure is not None and failure.code == ending.FELL_AT.code
    assert failure.fields["stamp_s"] == pytest.approx(fell_s, abs=0.01)
    assert play.now_s - fell_s == pytest.approx(1.0, abs=0.05)
    assert len(play.asked) == asked


@pytest.mark.parametrize("mode", [Mode.FAULT, Mode.ESTOP])
def test_a_latched_stop_is_a_failure_and_never_reset(mode: Mode) -> None:
    play = Play(Autopilot(), cues=1).run(2.0)
    play.facts = replace(play.facts, mode=mode, running=False)
    play.run(10.0)
    assert play.autopilot.finished
    assert play.autopilot.failure == ending.WENT_TO(mode=mode.name)
    assert not play.of(m.Reset)


def test_a_robot_that_goes_down_by_itself_is_a_failure() -> None:
    play = Play(Autopilot([WalkOrder(vx=0.1, dur=30.0)])).run(8.0)
    play.facts = replace(play.facts, mode=Mode.DAMPED)
    play.run(10.0)
    assert play.autopilot.finished
    assert play.autopilot.failure == ending.WENT_DOWN()


facts = st.builds(
    Facts,
    mode=st.sampled_from(Mode),
    running=st.booleans(),
    standby=st.sampled_from(["", "1", "2"]),
    gesturing=st.booleans(),
    falls=st.integers(0, 1),
    powered=st.booleans(),
)


@given(st.lists(st.tuples(st.floats(0.001, 2.0), facts), max_size=40))
def test_whatever_it_sees_it_only_ever_asks_what_a_person_would(
    history: list[tuple[float, Facts]],
) -> None:
    autopilot = Autopilot([WalkOrder(vx=0.1, dur=5.0)], ["wave"], [PushOrder(t=1.0, dur=0.1)])
    now_s, ups, downs = 0.0, 0, 0
    for step_s, seen in history:
        now_s += step_s
        before = autopilot.finished
        for command in autopilot.update(now_s, seen):
            allowed = (m.StandUp, m.Settle, m.Go, m.Walk, m.Gesture, m.Push, m.Reset)
            assert isinstance(command, allowed)
            if isinstance(command, m.Reset):
                assert not seen.powered and not ups
            ups += isinstance(command, m.StandUp)
            downs += isinstance(command, m.Settle)
            if isinstance(command, m.StandUp):
                assert seen.mode is Mode.DAMPED
        assert autopilot.finished or not before
    assert ups <= 1 and downs <= 1


def test_go_waits_for_the_person_who_is_followed_and_gives_up_in_a_sentence() -> None:
    play = Play(Autopilot(), cues=1)
    play.facts = replace(play.facts, calibrated=False)
    play.run(10.0)
    assert not play.of(m.Go) and not play.autopilot.finished
    play.facts = replace(play.facts, calibrated=True)
    play.run(0.1)
    assert len(play.of(m.Go)) == 1
    play = Play(Autopilot(), cues=1)
    play.facts = replace(play.facts, calibrated=False)
    play.run(CALIBRATED_S + 5.0)
    assert not play.of(m.Go) and play.autopilot.finished
    assert play.autopilot.failure == ending.NOT_CALIBRATED(waited_s=CALIBRATED_S)
