"""A console killed in the middle of editing: seconds are lost at most, and the rest is offered."""

import os
import signal
import time
from pathlib import Path

from shows.document import Show
from shows.jsonfile import decode
from tests.system import inside, short_show
from tests.system.operating import press
from tests.system.screen import MARKS, Screen, until
from tests.system.sharing import Session

pytestmark = MARKS
BEFORE = ["Hello", "Who knows", "Walk", "Fist", "Yes"]
KEPT_S = 20.0  # 5 s are promised of a machine with nothing else to do


def test_a_console_killed_while_editing_offers_what_was_edited(short: Session) -> None:
    screen, rehearsal, asker, home = short.screen, short.rehearsal, short.asker, short.home
    show = home / short_show.NAME
    assert names(show) == BEFORE
    until(lambda: screen.title().startswith(f"{short_show.NAME} "), "the show is open")
    rename(screen, "ctrl+Home", "Good evening")
    until(lambda: screen.title().startswith(f"● {short_show.NAME} "), "it is not saved")
    edited_s = time.monotonic()
    until(lambda: written(home, "Good evening"), "it is written down", KEPT_S)
    print(f"written down after {time.monotonic() - edited_s:.1f} s")
    rename(screen, "Down", "Lost, perhaps")
    killed = rehearsal.member("console")
    assert killed is not None
    os.kill(killed, signal.SIGKILL)
    assert names(show) == BEFORE  # nothing is saved that nobody saved
    until(lambda: rehearsal.member("console") not in (None, killed), "another console runs")
    until(lambda: screen.title().startswith(f"{short_show.NAME} "), "the show is open again")
    until(lambda: offered(asker), "the recovery sheet has the keys")
    press(screen, "Return")
    until(lambda: screen.title().startswith(f"● {short_show.NAME} "), "it is open, not saved")
    press(screen, "ctrl+s")
    until(lambda: screen.title().startswith(f"{short_show.NAME} "), "it is saved")
    found = names(show)
    assert found[1] in ("Who knows", "Lost, perhaps")
    assert [found[0], *found[2:]] == ["Good evening", *BEFORE[2:]]
    assert rehearsal.status().mode == "DAMPED"  # type: ignore[union-attr]


def rename(screen: Screen, key: str, name: str) -> None:
    """Give the cue that a key of the list leads to another name."""
    press(screen, key, "F2", "ctrl+a")
    screen.do("type", name)
    screen.key("Return")


def names(show: Path) -> list[str]:
    """Return the names of a saved show's cues."""
    data = (show / "show.json").read_bytes()
    return [cue.name for cue in decode(data, Show, "show.json").cues]


def written(home: Path, words: str) -> bool:
    """Tell whether a journal holds these words."""
    try:
        entries = (home / "state" / "footlight" / "journal").glob("*/entry-*.json")
        return any(words.encode() in entry.read_bytes() for entry in entries)
    except FileNotFoundError:  # they come and go
        return False


def offered(asker: inside.Asker) -> bool:
    """Tell whether the keys are in a sheet that says what can be recovered."""
    try:
        focus = asker.ask("focus")
    except ConnectionRefusedError:
        return False
    said = asker.ask("texts", "sheet") if "sheet" in focus.get("within", ()) else []
    return any("Recovered from" in text and short_show.NAME in text for text in said)
