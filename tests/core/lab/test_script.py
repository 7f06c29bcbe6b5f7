"""An operator that does what its script says, when it says so."""

import pytest

from core.lab.script import AFTER_FALL_S, START_S, WAKE_S, Encore, Script, Woken
from core.link.catalogue import run as ending
from core.link.commands import Gesture, Go, Reset, ResetShow, StandUp, Walk
from core.run.autopilot import Facts
from core.run.launch import WalkOrder
from core.safety.modes import Mode


def facts(mode: Mode = Mode.READY, falls: int = 0) -> Facts:
    return Facts(mode=mode, running=False, standby="", gesturing=False, falls=falls)


def test_it_stands_up_first_and_once() -> None:
    script = Script(1.0)
    assert script.update(0.0, facts(Mode.OFF)) == []
    assert script.update(0.3, facts(Mode.DAMPED)) == [StandUp()]
    assert script.update(0.31, facts(Mode.DAMPED)) == []


def test_commands_and_velocities_come_in_their_time() -> None:
    orders = [WalkOrder(vx=0.1, dur=1.0), WalkOrder(vx=0.2, dur=1.0)]
    script = Script(3.0, orders, [(1.5, Gesture("wave")), (0.0, Gesture("nod"))])
    script.update(0.3, facts(Mode.DAMPED))
    told = {
        round(0.01 * tick, 2): script.update(0.01 * tick, facts())
        for tick in range(31, round(100 * START_S) + 310)
    }
    told = {time_s: commands for time_s, commands in told.items() if commands}
    assert min(told) == START_S
    assert told[START_S] == [Gesture("nod"), Walk(0.1, 0.0, 0.0, False)]
    assert [t for t, c in told.items() if Gesture("wave") in c] == [START_S + 1.5]
    speeds = {c.vx for commands in told.values() for c in commands if isinstance(c, Walk)}
    assert speeds == {0.1, 0.2}
    assert max(told) < START_S + 2.0
    assert script.finished and not script.failure


def test_a_fall_ends_it_after_a_moment_of_record() -> None:
    script = Script(10.0)
    script.update(0.3, facts(Mode.DAMPED))
    assert script.update(4.0, facts(Mode.WALK, falls=1)) == []
    ended = []
    for after_s in (0.0, 0.9 * AFTER_FALL_S, 1.1 * AFTER_FALL_S):
        script.update(4.0 + after_s, facts(Mode.FAULT, falls=1))
        ended.append(script.finished)
    assert ended == [False, False, True]
    assert script.failure == ending.FELL_AT(stamp_s=4.0)
    assert script.fell_s == 4.0


def test_a_fault_without_a_fall_is_a_failure_too() -> None:
    script = Script(10.0)
    script.update(0.3, facts(Mode.DAMPED))
    script.update(4.0, facts(Mode.FAULT))
    assert script.failure == ending.WENT_TO_AT(mode="FAULT", stamp_s=4.0)


@pytest.mark.parametrize("mode", [Mode.DAMPED, Mode.STANDING_UP, Mode.SETTLE, Mode.OFF])
def test_a_robot_that_does_not_stand_is_a_failure_too(mode: Mode) -> None:
    script = Script(10.0)
    script.update(0.3, facts(Mode.DAMPED))
    script.update(START_S - 0.01, facts(mode))
    assert not script.failure
    script.update(START_S, facts(mode))
    assert script.failure == ending.WENT_TO_AT(mode=mode.name, stamp_s=START_S)
    script.update(START_S + 1.0, facts(mode))
    assert script.finished


def test_an_encore_starts_from_the_top_until_its_time_is_over() -> None:
    encore = Encore(60.0)
    told: list[tuple[float, object]] = []
    standby, running_until_s = "1", 0.0
    for tick in range(6100):
        now_s = 0.01 * tick
        mode = Mode.DAMPED if now_s < 1.0 else Mode.READY
        running = now_s < running_until_s
        seen = Facts(mode=mode, running=running, standby=standby, gesturing=False, falls=0)
        for command in encore.update(now_s, seen):
            told.append((now_s, command))
            if isinstance(command, Go):
                standby, running_until_s = "", now_s + 10.0
            elif isinstance(command, ResetShow):
                standby = "1"
        if encore.finished:
            break
    kinds = [type(command) for _, command in told]
    assert kinds == [StandUp, *[Go, ResetShow] * 4, Go]
    assert encore.rounds == 4
    assert now_s == 60.0
    assert not encore.failure


def test_an_encore_that_is_refused_its_cue_fails_as_any_run() -> None:
    encore = Encore(60.0)
    for tick in range(1000):
        mode = Mode.DAMPED if tick < 100 else Mode.READY
        encore.update(0.01 * tick, Facts(mode, False, "7", False, 0))
    assert encore.finished
    assert encore.failure == ending.GO_FAILED(cue="7")


def test_an_encore_ends_with_a_fall() -> None:
    encore = Encore(60.0)
    encore.update(0.3, facts(Mode.DAMPED))
    encore.update(10.0, facts(falls=1))
    encore.update(12.0, facts(Mode.FAULT, falls=1))
    assert encore.finished
    assert encore.failure == ending.FELL_AT(stamp_s=10.0)


def unpowered(mode: Mode = Mode.ESTOP) -> Facts:
    return Facts(mode, running=False, standby="", gesturing=False, falls=0, powered=False)


def test_who_is_woken_first_then_does_all_as_much_later() -> None:
    woken = Woken(Script(1.0, commands=[(0.0, Gesture("nod"))]))
    told = [woken.update(0.01 * tick, unpowered()) for tick in range(101)]
    assert [t for t in told if t] == [[Reset()]] * 3
    assert woken.update(1.3, facts(Mode.ESTOP)) == []
    assert woken.update(1.4, facts(Mode.DAMPED)) == []
    assert woken.late_s == 1.4
    assert woken.update(1.4 + 0.3, facts(Mode.DAMPED)) == [StandUp()]
    assert woken.update(1.4 + START_S - 0.01, facts()) == []
    assert woken.update(1.41 + START_S, facts()) == [Gesture("nod")]
    ended = [woken.finished]
    woken.update(1.41 + START_S + 1.0, facts())
    assert [*ended, woken.finished] == [False, True]
    assert not woken.failure


def test_who_cannot_be_woken_is_given_up() -> None:
    woken = Woken(Script(1.0))
    ended = []
    for now_s in (WAKE_S, WAKE_S + 0.01):
        woken.update(now_s, unpowered())
        ended.append(woken.finished)
    assert ended == [False, True]
    assert woken.failure == ending.NO_SUPPLY()
