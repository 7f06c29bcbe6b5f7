"""An operator who presses whatever may be pressed, and what the robot makes of it."""

import numpy as np
import pytest

from core.lab.impatient import Impatient
from core.lab.laboratory import Laboratory
from core.link.commands import Command, Go, Head, StandUp, Stop, Walk
from core.run.autopilot import Facts
from core.safety.modes import Mode
from core.tick.performer import Performer

SEED = 5
LENGTH_S = 14.0
TICK_S = 0.001
JUMP = 0.01  # of a reference, beyond what its acceleration explains [rad/s]
DRIVEN = (Mode.READY, Mode.PERFORM, Mode.WALK)


def facts(mode: Mode, falls: int = 0) -> Facts:
    return Facts(mode=mode, running=False, standby="", gesturing=False, falls=falls)


def operator(seed: int, end_s: float = 60.0) -> Impatient:
    return Impatient(seed, end_s, ("1", "4"), ("wave",))


def pressed(one: Impatient, mode: Mode, end_s: float) -> list[tuple[float, Command]]:
    told: list[tuple[float, Command]] = []
    for tick in range(round(100 * end_s)):
        now_s = 0.01 * tick
        one.silence_s(now_s)
        told += [(now_s, command) for command in one.update(now_s, facts(mode))]
    return told


def test_a_seed_is_an_operator() -> None:
    assert pressed(operator(1), Mode.READY, 30.0) == pressed(operator(1), Mode.READY, 30.0)
    assert pressed(operator(1), Mode.READY, 30.0) != pressed(operator(2), Mode.READY, 30.0)


def test_it_presses_everything_but_stop_and_go_twice_at_once() -> None:
    told = [pair for seed in range(5) for pair in pressed(operator(seed), Mode.READY, 60.0)]
    kinds = {type(command).__name__ for _, command in told}
    assert kinds >= {"Go", "GoTo", "Cancel", "Hold", "PauseShow", "ResumeShow", "ResetShow"}
    assert kinds >= {"Settle", "Gesture", "Walk", "Head", "ReleaseHead", "Freeze", "Unfreeze"}
    assert Stop.__name__ not in kinds
    times = [now_s for now_s, command in told if isinstance(command, Go)]
    assert any(0.0 < b - a < 0.1 for a, b in zip(times, times[1:], strict=False))


def test_it_is_not_heard_while_its_console_hangs() -> None:
    one, silent = operator(3), 0
    for tick in range(6000):
        now_s = 0.01 * tick
        age_s = one.silence_s(now_s)
        commands = one.update(now_s, facts(Mode.READY))
        silent += age_s > 0.25
        assert not (age_s and commands)
    assert silent > 100


def test_a_limp_robot_is_soon_stood_up() -> None:
    one = operator(0)
    assert one.update(0.0, facts(Mode.DAMPED)) == [StandUp()]
    one.update(0.01, facts(Mode.STANDING_UP))
    assert StandUp() in [command for _, command in pressed(one, Mode.DAMPED, 1.5)]


@pytest.mark.parametrize(("mode", "falls"), [(Mode.READY, 1), (Mode.FAULT, 0)])
def test_a_fall_or_a_fault_ends_it(mode: Mode, falls: int) -> None:
    one = operator(0)
    assert one.update(3.0, facts(mode, falls)) == []
    assert one.finished and one.fell_s == 3.0
    assert one.failure is not None and one.failure.fields["stamp_s"] == 3.0


@pytest.mark.timeout(300)
def test_whatever_is_pressed_the_robot_stands_and_no_reference_jumps() -> None:
    lab = Laboratory()
    show = lab.sample_show
    gestures = [name for name in show.clips if ":" not in name]
    one = Impatient(SEED, LENGTH_S, [cue.number for cue in show.cues], gestures)
    before: list[tuple[Mode, np.ndarray, np.ndarray]] = []
    jumps: list[float] = []

    def watch(performer: Performer) -> None:
        performer.facts.operator_age_s = one.silence_s(performer.plant.state.stamp_s)
        mode, dq, ddq = performer.mode, performer.upper.dq.copy(), performer.upper.ddq.copy()
        if before and before[0][0] is mode and mode in DRIVEN:
            _, old_dq, old_ddq = before[0]
            fastest = np.maximum(np.abs(ddq), np.abs(old_ddq))
            jumps.append(float((np.abs(dq - old_dq) - 1.05 * TICK_S * fastest).max()))
        before[:] = [(mode, dq, ddq)]

    done = lab.run(SEED, one, show=show, keep=False, watch=watch, may_fall=True)
    events = done.listener.events
    assert one.fell_s is None, events[-10:]
    assert max(jumps) < JUMP
    heard = [event for event in events if event.actor == "autopilot"]
    lines = [command for command in one.pressed if not isinstance(command, Head | Walk)]
    assert len(heard) == len(lines) > 30
    assert sum(event.fields.get("mode") == "STANDING_UP" for event in events) >= 2
