"""A gesture that is renamed keeps its cues; one that is played is not deleted."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.console.gestures.edits import EditRefused, deleted, duplicated, name_of, renamed
from shows.document import GestureClip, Show
from tests.app.console.gestures.motions import motion, show_playing

SHOW = show_playing("wave", "bow", "wave")
MOTIONS = {name: motion(name, name.capitalize()) for name in ("wave", "bow")}


def played(show: Show) -> list[str]:
    return [c.motion for cue in show.cues for c in cue.clips() if isinstance(c, GestureClip)]


@given(st.text(max_size=300))
def test_a_title_gives_a_name_that_files_take_or_none(title: str) -> None:
    name = name_of(title)
    assert name == "" or re.fullmatch(r"[a-z][a-z0-9_]{0,63}", name)


def test_a_title_is_a_name_in_snake_case() -> None:
    assert name_of("  My *best* Wave! ") == "my_best_wave"
    assert name_of("2nd wave") == "nd_wave"
    assert name_of("!?") == ""


def test_a_renamed_gesture_is_still_played_by_its_cues() -> None:
    show, motions = renamed(SHOW, MOTIONS, "wave", " Great wave ", {"bow"})
    assert played(show) == ["great_wave", "other", "bow", "other", "great_wave", "other"]
    assert set(motions) == {"great_wave", "bow"}
    assert (motions["great_wave"].name, motions["great_wave"].title) == ("great_wave", "Great wave")
    assert show.cues[1] is SHOW.cues[1]


def test_a_title_may_change_where_the_name_does_not() -> None:
    show, motions = renamed(SHOW, MOTIONS, "wave", "WAVE", {"bow"})
    assert show == SHOW
    assert motions["wave"].title == "WAVE"


@pytest.mark.parametrize("title", ["", "  ", "123", "!?"])
def test_a_title_without_letters_is_refused(title: str) -> None:
    with pytest.raises(EditRefused, match="no letter"):
        renamed(SHOW, MOTIONS, "wave", title, ())


def test_a_name_that_is_taken_is_refused() -> None:
    with pytest.raises(EditRefused, match="'bow' already"):
        renamed(SHOW, MOTIONS, "wave", "Bow", {"bow"})


def test_a_copy_has_a_name_of_its_own() -> None:
    name, motions = duplicated(MOTIONS, MOTIONS["wave"], "Wave", {"wave", "wave_2", "bow"})
    assert name == "wave_3"
    assert motions["wave_3"].title == "Wave 3"
    assert set(motions) == {"wave", "bow", "wave_3"}
    assert set(MOTIONS) == {"wave", "bow"}


def test_a_copy_of_a_long_name_is_no_longer() -> None:
    name, motions = duplicated({}, motion("w" * 64), "W" * 200, ())
    assert len(name) == 64 and name.endswith("_2")
    assert len(motions[name].title) <= 200


def test_a_copy_of_a_copy_is_not_called_2_2() -> None:
    first, motions = duplicated(MOTIONS, MOTIONS["wave"], "Wave", MOTIONS)
    second, motions = duplicated(motions, motions[first], motions[first].title, motions)
    assert (second, motions[second].title) == ("wave_3", "Wave 3")


def test_a_gesture_that_is_played_is_not_deleted() -> None:
    with pytest.raises(EditRefused, match="played by cue 1, 3"):
        deleted(SHOW, MOTIONS, "wave")
    assert set(deleted(show_playing("wave"), MOTIONS, "bow")) == {"wave"}
