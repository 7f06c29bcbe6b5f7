"""Answers of GO and STOP: reported in the tick in which the body took them."""

import time

from core.link import commands as m
from core.link.commands import Command
from core.link.envelope import Envelope
from core.link.status import Answer
from core.safety.modes import Mode
from tests.core.stage.cues import cue, gesture, show, voice
from tests.core.tick.test_loop import Stage


class Timed(Stage):
    """A stage whose operator numbers its commands."""

    def __init__(self) -> None:
        super().__init__()
        self.number = 0
        self.loop.load(
            show(
                cue("1", gesture(0.0, groups=("head",))),
                cue("2", gesture(0.05, groups=("head",)), voice(0.0)),
                cue("3", voice(0.0)),
                go_guard_s=0.2,
            )
        )

    def ask(self, command: Command) -> int:
        """Send a command in the next tick and return its sequence number."""
        self.number += 1
        envelope = Envelope("console-1", self.number, time.monotonic(), command)
        self.port.commands_due.append(envelope)
        return self.number

    def answer(self) -> Answer | None:
        """Return the answer in the next status."""
        self.tick(ticks=20)
        return self.port.statuses[-1].answered


def standing() -> Timed:
    stage = Timed()
    stage.stand()
    assert stage.answer() is None
    return stage


def test_a_go_is_answered_by_the_tick_that_moves_a_limb() -> None:
    stage = standing()
    number, before_s = stage.ask(m.Go()), time.monotonic()
    stage.tick()
    after_s = time.monotonic()
    answer = stage.answer()
    assert answer is not None
    assert (answer.sender, answer.sequence, answer.stopped) == ("console-1", number, False)
    assert answer.sent_s <= before_s <= answer.done_s <= after_s


def test_the_command_of_that_tick_differs_from_one_without_the_go() -> None:
    asked, alone = standing(), standing()
    asked.ask(m.Go())
    for stage in (asked, alone):
        stage.tick()
    command, other = asked.body.commands[-1], alone.body.commands[-1]
    assert abs(command.tau - other.tau).max() > 0.0 or abs(command.q - other.q).max() > 0.0


def test_a_clip_that_starts_later_is_answered_when_it_does() -> None:
    stage = standing()
    number = stage.ask(m.Go(cue="2"))
    stage.tick(ticks=39)
    assert stage.port.statuses[-1].answered is None and stage.loop._answers.waiting
    stage.tick(ticks=20)
    answer = stage.answer()
    assert answer is not None and answer.sequence == number


def test_a_cue_that_only_speaks_is_never_answered() -> None:
    stage = standing()
    stage.ask(m.Go(cue="3"))
    stage.tick(ticks=4100)
    assert stage.answer() is None
    assert not stage.loop._answers.waiting


def test_a_go_that_is_refused_is_never_answered() -> None:
    stage = standing()
    stage.ask(m.Go(cue="9"))
    assert stage.answer() is None
    first = stage.ask(m.Go())
    stage.tick(ticks=5)
    stage.ask(m.Go())  # within the guard
    answer = stage.answer()
    assert answer is not None and answer.sequence == first
    assert not stage.loop._answers.waiting


def test_a_robot_that_is_down_answers_no_go() -> None:
    stage = Timed()
    stage.tick()
    stage.ask(m.Go())
    assert stage.answer() is None
    assert stage.performer.mode is Mode.DAMPED


def test_a_stop_is_answered_by_the_tick_that_damps() -> None:
    stage = standing()
    number = stage.ask(m.Stop())
    assert stage.tick() == "damp"
    answer = stage.answer()
    assert answer is not None
    assert (answer.sequence, answer.stopped) == (number, True)
    assert 0.0 <= answer.done_s - answer.sent_s < 10.0
    again = stage.ask(m.Stop())  # a robot that is stopped already is damped by it as well
    answer = stage.answer()
    assert answer is not None and answer.sequence == again


def test_a_stop_beside_a_go_is_the_one_that_is_answered() -> None:
    stage = standing()
    stage.ask(m.Go())
    number = stage.ask(m.Stop())
    answer = stage.answer()
    assert answer is not None and (answer.sequence, answer.stopped) == (number, True)
    assert not stage.loop._answers.waiting


def test_a_body_that_fails_answers_no_go() -> None:
    stage = standing()
    stage.body.fail_writes = True
    stage.ask(m.Go())
    assert stage.tick() == "stop"
    assert stage.loop._answers.newest is None and not stage.loop._answers.waiting


def test_nothing_else_is_waited_for() -> None:
    stage = standing()
    for command in (m.Hold(), m.Walk(vx=0.1), m.Head(0.1, 0.0), m.Cancel()):
        stage.ask(command)
        stage.tick()
        assert not stage.loop._answers.waiting
