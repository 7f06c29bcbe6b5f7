"""`footlight rehearse` with the sample show on a screen, operated by keys and observed on the link.

Each test begins by bringing the robot to the state that it needs.
"""

import os
import signal
import time

from core.link.catalogue.show import CUE_STARTED
from core.link.status import Status
from tests.system.operating import (
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
from tests.system.sharing import Session

pytestmark = MARKS

SHOW = "meet_cosmo"
BACK_S = 20.0  # 5 s are promised of a machine with nothing else to do


def stand(screen: Screen, rehearsal: Rehearsal) -> None:
    """Make the robot stand, with the first cue on standby and none running."""
    until(lambda: SHOW in screen.title(), "the console has opened the show")
    status = rehearsal.see("the core has the show", lambda s: bool(s.show), 90.0)
    if status.mode == "DAMPED":
        ask(screen, rehearsal, STAND_UP, "stand_up")
    for attempt in range(5):
        status = rehearsal.see("it stands", lambda s: s.mode in ("READY", "PERFORM"))
        if status.action == "HOLD":
            rehearsal.see("the console is heard", lambda s: not s.flags)
            press(screen, "space")  # confirms the fault, and starts no cue
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


def test_the_sample_show_is_stood_up_for_and_begun(sample: Session) -> None:
    screen, rehearsal = sample.screen, sample.rehearsal
    until(lambda: SHOW in screen.title(), "the window is there, with the sample show")
    rehearsal.see("the core has the show", lambda s: s.show == "Meet Cosmo", 90.0)
    ask(screen, rehearsal, STAND_UP, "stand_up")
    rehearsal.see("it stands up", lambda s: s.mode == "STANDING_UP")
    stand(screen, rehearsal)

    def scenario() -> None:
        stand(screen, rehearsal)
        status = go(screen, rehearsal)
        assert (status.mode, status.running_cue, status.falls) == ("PERFORM", "1", 0)

    undisturbed(rehearsal, scenario)


def test_a_second_go_is_ignored(sample: Session) -> None:
    undisturbed(sample.rehearsal, lambda: double_go(sample.screen, sample.rehearsal))


def double_go(screen: Screen, rehearsal: Rehearsal) -> None:
    stand(screen, rehearsal)
    since = len(rehearsal.events)
    screen.key("space", "space")
    rehearsal.see("the first cue runs", lambda s: s.running_cue == "1")
    rehearsal.throughout(1.0, "it goes on", lambda s: s.running_cue == "1")
    assert sent(rehearsal, "go", since) == 1
    screen.do("keydown", "space")
    try:
        until(lambda: sent(rehearsal, "go", since) == 2, "a press after the guard's time counts")
        rehearsal.throughout(1.5, "the show goes on", lambda s: s.mode == "PERFORM")
    finally:
        screen.do("keyup", "space")
    assert sent(rehearsal, "go", since) == 2  # a key that is held repeats, and counts once


def test_the_stop_ladder(sample: Session) -> None:
    screen, rehearsal = sample.screen, sample.rehearsal
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
    reset(screen, rehearsal)
    rehearsal.throughout(1.0, "it stays limp until told", lambda s: s.mode == "DAMPED")
    ask(screen, rehearsal, STAND_UP, "stand_up")
    assert rehearsal.see("it stands", lambda s: s.mode == "READY").falls == 0


def reset(screen: Screen, rehearsal: Rehearsal) -> None:
    rehearsal.see("a reset may be", lambda s: all(step.done for step in s.reset_steps))
    ask(screen, rehearsal, RESET, "reset")
    status = rehearsal.see("it is reset", lambda s: s.mode == "DAMPED")
    assert not status.latched


def test_a_console_killed_in_a_cue_comes_back_and_nothing_moves(sample: Session) -> None:
    screen, rehearsal = sample.screen, sample.rehearsal

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
    assert rehearsal.heard(CUE_STARTED.code, since) == []
    assert rehearsal.status().falls == 0  # type: ignore[union-attr]
