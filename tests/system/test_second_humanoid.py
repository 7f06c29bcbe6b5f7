"""Another humanoid's show, played from the console: it sways, the failsafe holds it, STOP stops."""

import os
import signal
from pathlib import Path

import pytest

from tests.system.operating import STOP, press, refusals, stand, undisturbed
from tests.system.screen import MARKS, Rehearsal, Screen, until

pytestmark = MARKS
ROBOT, SHOW = "draco3", "meet_draco"
SQUATS, SWAYS = "3", "6"  # its cues
CUE_S = 60.0  # with all that comes before it


@pytest.mark.long
def test_it_plays_from_the_console_until_nobody_is_heard_or_stop(
    screen: Screen, tmp_path: Path
) -> None:
    with Rehearsal(screen, tmp_path, "--robot", ROBOT) as rehearsal:
        rehearsal.listen()
        until(lambda: SHOW in screen.title(), "the console has opened its show")
        undisturbed(rehearsal, lambda: hold_in_a_squat(screen, rehearsal))
        undisturbed(rehearsal, lambda: sway(screen, rehearsal))
        press(screen, STOP)
        status = rehearsal.see("the stop is latched", lambda s: s.mode == "FAULT")
        assert status.latched and not status.sways


def hold_in_a_squat(screen: Screen, rehearsal: Rehearsal) -> None:
    """Play from the beginning, and let the console hang in a squat."""
    stand(screen, rehearsal)
    since = len(rehearsal.events)
    press(screen, "ctrl+shift+r", "space")
    rehearsal.see("it squats", lambda s: SQUATS in s.running_cues and s.sways, CUE_S)
    assert refusals(rehearsal, since) == []
    console = until(lambda: rehearsal.member("console"), "the console runs")
    os.kill(console, signal.SIGSTOP)
    try:
        rehearsal.see("the core misses it", lambda s: "OPERATOR_SILENT" in s.flags)
        status = rehearsal.see("the body rests", lambda s: s.action == "HOLD" and not s.sways)
        assert status.falls == 0
    finally:
        os.kill(console, signal.SIGCONT)
    rehearsal.see("the console is heard", lambda s: not s.flags)


def sway(screen: Screen, rehearsal: Rehearsal) -> None:
    """Play from the cue after the squat until it sways to music."""
    stand(screen, rehearsal)
    since = len(rehearsal.events)
    press(screen, "space")
    status = rehearsal.see("it sways", lambda s: SWAYS in s.running_cues and s.sways, CUE_S)
    assert status.falls == 0 and refusals(rehearsal, since) == []
