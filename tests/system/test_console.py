"""`footlight rehearse` on a screen: worked by keys, looked at from the link, in the order below.

One program runs through all of it, as one does through an evening; a test that fails leaves the
robot where it is, and the next begins by bringing it to where it needs it.
"""

import os
import signal
import time
from collections.abc import Iterator

import pytest

from core.link.status import Status
from tests.system.operating import (
    QUIT,
    RESET,
    RESET_SHOW,
    SETTLE,
    STAND_UP,
    STOP,
    ask,
    press,
    sent,
    undisturbed,
)
from tests.system.screen import MARKS, Rehearsal, Screen, until

pytestmark = MARKS

SHOW = "meet_cosmo"
BACK_S = 20.0  # 5 s are promised of a machine with nothing else to do


@pytest.fixture(scope="module")
def screen() -> Iterator[Screen]:
    found = Screen()
    yield found
    found.close()


@pytest.fixture(scope="module")
def rehearsal(screen: Screen, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rehearsal]:
    with Rehearsal(screen, tmp_path_factory.mktemp("home")) as found:
        found.listen()
        yield found


def stand(screen: Screen, rehearsal: Rehearsal) -> None:
    """Have the robot stand, with the first cue on standby and none running."""
    until(lambda: SHOW in screen.title(), "the console has opened the show")
    status = rehearsal.see("the core has the show", lambda s: bool(s.show), 90.0)
    if status.mode == "DAMPED":
        ask(screen, rehearsal, STAND_UP, "STAND UP")
    for attempt in range(5):
        status = rehearsal.see("it stands", lambda s: s.mode in ("READY", "PERFORM"))
        if status.action == "HOLD":
            rehearsal.see("the console is heard", lambda s: not s.flags)
            press(screen, "space")  # which tells no more than that somebody has looked
        press(screen, RESET_SHOW, RESET_SHOW)  # once is enough where no cue runs
        try:
            rehearsal.see("it is at the top of the show", at_the_top, 10.0)
            return
        except AssertionError:
            if attempt == 4:
                raise


def go(screen: Screen, rehearsal: Rehearsal) -> Status:
    """Press GO, and return the first status in which the first cue plays."""
    press(screen, "space")
    return rehearsal.see("the first cue plays", lambda s: "wave" in s.gestures, 15.0)


def at_the_top(status: Status) -> bool:
    top = not status.running_cues and status.standby_cue == "1"
    return top and status.mode == "READY" and status.action != "HOLD"


def test_newcomers_first_minute(screen: Screen, rehearsal: Rehearsal) -> None:
    until(lambda: SHOW in screen.title(), "the window is there, with the sample show")
    rehearsal.see("the core has the show", lambda s: s.show == "Meet Cosmo", 90.0)
    assert rehearsal.status().mode == "DAMPED"  # type: ignore[union-attr]
    ask(screen, rehearsal, STAND_UP, "STAND UP")
    rehearsal.see("it stands up", lambda s: s.mode == "STANDING_UP")
    rehearsal.see("it stands", at_the_top)

    def scenario() -> None:
        stand(screen, rehearsal)
        status = go(screen, rehearsal)
        assert (status.mode, status.running_cue, status.falls) == ("PERFORM", "1", 0)

    undisturbed(rehearsal, scenario)


def test_a_second_go_is_disregarded(screen: Screen, rehearsal: Rehearsal) -> None:
    undisturbed(rehearsal, lambda: double_go(screen, rehearsal))


def double_go(screen: Screen, rehearsal: Rehearsal) -> None:
    stand(screen, rehearsal)
    since = len(rehearsal.events)
    screen.key("space", "space")
    rehearsal.see("the first cue runs", lambda s: s.running_cue == "1")
    rehearsal.throughout(1.0, "it goes on", lambda s: s.running_cue == "1")
    assert sent(rehearsal, "GO", since) == 1
    screen.do("keydown", "space")
    try:
        until(lambda: sent(rehearsal, "GO", since) == 2, "a press after the guard's time counts")
        rehearsal.throughout(1.5, "the show goes on", lambda s: s.mode == "PERFORM")
    finally:
        screen.do("keyup", "space")
    assert sent(rehearsal, "GO", since) == 2  # a key that is held repeats, and counts once


def test_the_stop_ladder(screen: Screen, rehearsal: Rehearsal) -> None:
    undisturbed(rehearsal, lambda: escape(screen, rehearsal))
    undisturbed(rehearsal, lambda: settle_stop_and_reset(screen, rehearsal))


def escape(screen: Screen, rehearsal: Rehearsal) -> None:
    stand(screen, rehearsal)
    since = len(rehearsal.events)
    go(screen, rehearsal)
    screen.key("Escape", "Escape")
    rehearsal.see("the clip has ended", lambda s: s.mode == "READY" and not s.running_cues)
    until(lambda: sent(rehearsal, "hold", since) == 1, "the second Esc holds")
    assert sent(rehearsal, "cancel", since) == 1


def settle_stop_and_reset(screen: Screen, rehearsal: Rehearsal) -> None:
    stand(screen, rehearsal)
    press(screen, SETTLE)
    rehearsal.see("it crouches", lambda s: s.mode == "SETTLE")
    rehearsal.see("it is limp", lambda s: s.mode == "DAMPED")
    press(screen, STOP)
    status = rehearsal.see("the stop is latched", lambda s: s.mode == "FAULT")
    assert status.latched and status.reset_steps
    press(screen, STAND_UP)  # which is not for a robot that is stopped
    rehearsal.throughout(0.5, "it stays stopped", lambda s: s.mode == "FAULT")
    rehearsal.see("a reset may be", lambda s: all(step.done for step in s.reset_steps))
    ask(screen, rehearsal, RESET, "RESET")
    status = rehearsal.see("it is reset", lambda s: s.mode == "DAMPED")
    assert not status.latched
    rehearsal.throughout(1.0, "it stays limp until told", lambda s: s.mode == "DAMPED")
    ask(screen, rehearsal, STAND_UP, "STAND UP")
    assert rehearsal.see("it stands", lambda s: s.mode == "READY").falls == 0


def test_a_console_killed_in_a_cue_comes_back_and_nothing_moves(
    screen: Screen, rehearsal: Rehearsal
) -> None:
    def scenario() -> None:
        stand(screen, rehearsal)
        go(screen, rehearsal)

    undisturbed(rehearsal, scenario)
    killed = rehearsal.member("console")
    assert killed is not None
    since, killed_s = len(rehearsal.events), time.monotonic()
    os.kill(killed, signal.SIGKILL)
    rehearsal.see("the core misses it", lambda s: "OPERATOR_SILENT" in s.flags)
    rehearsal.see("it holds", lambda s: s.action == "HOLD")
    assert rehearsal.status().running_cues == ("1",)  # type: ignore[union-attr]
    until(lambda: rehearsal.member("console") not in (None, killed), "another console runs")
    rehearsal.see("the core hears it", lambda s: "OPERATOR_SILENT" not in s.flags, BACK_S)
    until(lambda: SHOW in screen.title(), "it has its document again", BACK_S)
    took_s = time.monotonic() - killed_s
    print(f"console back after {took_s:.1f} s, load {os.getloadavg()[0]:.1f}")
    assert took_s < BACK_S
    rehearsal.see("the cue has ended at its safe point", lambda s: not s.running_cues)
    rehearsal.see("the robot is ready", lambda s: s.mode == "READY")
    rehearsal.throughout(2.0, "it stands until told", lambda s: s.mode == "READY")
    assert rehearsal.heard("cue 2 starts", since) == []
    assert rehearsal.status().falls == 0  # type: ignore[union-attr]


def test_stop_acts_on_a_standing_robot(screen: Screen, rehearsal: Rehearsal) -> None:
    stand(screen, rehearsal)
    press(screen, STOP)
    status = rehearsal.see("the stop is latched", lambda s: s.mode == "FAULT")
    answer = status.answered
    assert answer is not None and answer.stopped and answer.sender.startswith("console-")
    print(f"STOP sent to body {1e3 * (answer.done_s - answer.sent_s):.1f} ms")


def test_a_dead_core_leaves_the_console_until_it_is_closed(
    screen: Screen, rehearsal: Rehearsal
) -> None:
    loop = rehearsal.member("loop")
    assert loop is not None
    os.kill(loop, signal.SIGKILL)
    words = "the core is gone, and the console stays open"
    until(lambda: rehearsal.said(words), "the command says that the core is gone")
    until(lambda: rehearsal.silence_s > 1.0, "nothing is heard of the core")
    assert rehearsal.process.poll() is None and SHOW in screen.title()
    press(screen, QUIT)
    assert rehearsal.end() == 1
    assert rehearsal.lines[-1] == "footlight: the core was killed (SIGKILL)"
    assert screen.title() == ""
    fates = [line for line in rehearsal.lines if line.startswith("the console ")]
    assert [fate for fate in fates if "(SIGKILL)" not in fate] == []  # none died by itself
    assert len(fates) == 1
