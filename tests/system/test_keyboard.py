"""A whole show by keyboard alone: from the start of the program to its end no mouse is touched."""

from functools import partial
from pathlib import Path

import numpy as np
import pytest

from core.link.status import Status
from core.record.export import arrays
from core.record.reader import read
from shows.document import Show
from shows.jsonfile import decode
from tests.system import short_show
from tests.system.operating import (
    QUIT,
    RESET_SHOW,
    SETTLE,
    STAND_UP,
    press,
    refusals,
    sent,
    stand,
    undisturbed,
    was_silent,
)
from tests.system.screen import MARKS, Rehearsal, Screen, until

pytestmark = MARKS
PLAYED = 5  # cues that came to their end; the one that is cancelled did not
ASKED = {"go": 5, "cancel": 1, "hold": 0}


@pytest.mark.long
def test_a_whole_show_by_keyboard_alone(screen: Screen, tmp_path: Path) -> None:
    show, log = short_show.save(tmp_path), tmp_path / "run.mcap"
    with Rehearsal(screen, tmp_path / "home", str(show), "--log", str(log)) as rehearsal:
        rehearsal.listen()
        until(lambda: short_show.NAME in screen.title(), "the console has opened the show")
        until(screen.has_keys, "the window manager gives the window the keys")
        status = rehearsal.see("the core has it", lambda s: s.show == short_show.TITLE, 90.0)
        assert status.mode == "DAMPED"
        screen.key(STAND_UP)
        for part in (pause, cancel, walk, finish):
            undisturbed(rehearsal, partial(part, screen, rehearsal))
        status = rehearsal.see("the show is over", rests)
        assert status.falls == 0
        if not was_silent(rehearsal):  # else it took more than one try
            assert status.cues_played == PLAYED
            assert {word: sent(rehearsal, word) for word in ASKED} == ASKED
        rename(screen, show)
        press(screen, SETTLE)
        rehearsal.see("it crouches", lambda s: s.mode == "SETTLE")
        rehearsal.see("it is limp", lambda s: s.mode == "DAMPED")
        assert refusals(rehearsal) == []
        press(screen, QUIT)
        assert rehearsal.end() == 0, rehearsal.lines
    recording = read(log)
    assert recording.problem == ""
    found = arrays(recording)
    assert np.abs(found["rpy_true"][:, :2]).max() < 0.5, "it fell"
    assert found["velocity_command"][:, 0].max() > 0.05
    assert np.ptp(found["base_position_true"][:, 0]) > 0.1


def pause(screen: Screen, rehearsal: Rehearsal) -> None:
    """Play the first cue, with a pause in it."""
    reach(screen, rehearsal, "1")
    go(screen, rehearsal, "1")
    rehearsal.see("it plays", lambda s: s.cue_elapsed_s > 0.5)
    press(screen, "bracketleft")
    paused = rehearsal.see("it is paused", lambda s: s.paused)
    rehearsal.throughout(1.0, "the clock is held", lambda s: s.show_s == paused.show_s)
    press(screen, "bracketright")
    rehearsal.see("it goes on", lambda s: not s.paused and s.show_s > paused.show_s)
    end(rehearsal, "2")


def cancel(screen: Screen, rehearsal: Rehearsal) -> None:
    """Cancel the second cue, go back to it, and play it."""
    reach(screen, rehearsal, "2")
    go(screen, rehearsal, "2")
    rehearsal.see("it shrugs", lambda s: "shrug" in s.gestures)
    press(screen, "Escape")
    end(rehearsal, "3")
    press(screen, "ctrl+Home", "Down", "Return")  # in the list, which has had the focus all along
    rehearsal.see("the second is on standby again", lambda s: s.standby_cue == "2")
    press(screen, "ctrl+Down")
    rehearsal.see("the third is on standby", lambda s: s.standby_cue == "3")
    press(screen, "ctrl+Up")
    rehearsal.see("the second is on standby", lambda s: s.standby_cue == "2")
    go(screen, rehearsal, "2")
    end(rehearsal, "3")


def walk(screen: Screen, rehearsal: Rehearsal) -> None:
    """Play the third cue."""
    reach(screen, rehearsal, "3")
    go(screen, rehearsal, "3")
    rehearsal.see("it walks", lambda s: s.velocity_command[0] > 0.05)
    end(rehearsal, "4")


def finish(screen: Screen, rehearsal: Rehearsal) -> None:
    """Play the last two cues from one GO, and go back to the top."""
    reach(screen, rehearsal, "4")
    go(screen, rehearsal, "4")
    rehearsal.see("the last follows by itself", lambda s: s.running_cue == "5")
    rehearsal.see("the show is over", rests)
    press(screen, RESET_SHOW)
    rehearsal.see("it is at the top again", lambda s: s.standby_cue == "1")


def rename(screen: Screen, show: Path) -> None:
    """Give the first cue another name, and save."""
    press(screen, "ctrl+Home", "F2", "ctrl+a")
    screen.do("type", "Hi there")  # spaces are written here, and start no cue
    press(screen, "Return")
    until(lambda: f"● {short_show.NAME} " in screen.title(), "the title says: not saved")
    press(screen, "ctrl+s")
    until(lambda: screen.title().startswith(f"{short_show.NAME} "), "the title says: saved")
    data = (show / "show.json").read_bytes()
    names = [cue.name for cue in decode(data, Show, "show.json").cues]
    assert names[:2] == ["Hi there", "Who knows"]


def reach(screen: Screen, rehearsal: Rehearsal, cue: str) -> None:
    """Have the robot stand with a cue on standby, as it is where nothing went wrong."""
    stand(screen, rehearsal)
    standby = rehearsal.see("none runs", rests).standby_cue
    for key in ["ctrl+Up"] * (int(standby or 1) - int(cue)):
        press(screen, key)
    rehearsal.see(f"cue {cue} is on standby", lambda s: s.standby_cue == cue)


def go(screen: Screen, rehearsal: Rehearsal, cue: str) -> None:
    """Press GO, and see the cue run."""
    press(screen, "space")
    rehearsal.see(f"cue {cue} runs", lambda s: s.running_cue == cue, 10.0)


def end(rehearsal: Rehearsal, standby: str) -> Status:
    """Wait for the end of what runs; then another cue is on standby."""
    return rehearsal.see(f"cue {standby} is on standby, and none runs",
                         lambda s: rests(s) and s.standby_cue == standby)  # fmt: skip


def rests(status: Status) -> bool:
    return status.mode == "READY" and not status.running_cues and status.action != "HOLD"
