"""Times are read as people type them and refused where they mean nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.console.cues.cells import (
    COLUMNS,
    cell_text,
    cell_value,
    edit_text,
    seconds_of,
    seconds_text,
)
from app.console.cues.edits import EditError
from shows.document import Cue


@pytest.mark.parametrize(
    "text", ["", "x", "-1", "1:-2", "nan", "inf", "1::2", "1:2:3:4", "1e9", "+3", ":"]
)
def test_no_time_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(EditError, match="such as 4.5"):
        seconds_of(text)


@pytest.mark.parametrize(
    ("text", "value_s"),
    [("4.5", 4.5), (" 4,5 s", 4.5), ("1:04.5", 64.5), ("1:00:00", 3600.0), ("0", 0.0), (".5", 0.5)],
)
def test_a_time_is_read_as_typed(text: str, value_s: float) -> None:
    assert seconds_of(text) == value_s


@given(st.floats(0.0, 3600.0))
def test_a_time_that_is_shown_can_be_typed(value_s: float) -> None:
    assert seconds_of(seconds_text(value_s)) == pytest.approx(value_s, abs=0.0051)


@pytest.mark.parametrize(
    ("value_s", "text"), [(None, "?"), (0.0, "0.00"), (59.999, "1:00.00"), (64.5, "1:04.50")]
)
def test_a_time_is_shown_in_columns(value_s: float | None, text: str) -> None:
    assert seconds_text(value_s) == text


def test_every_cell_says_in_words_what_its_colour_says() -> None:
    cue = Cue(number="1", armed=False, colour="red", continue_mode="auto_follow", next="3")
    texts = {key: cell_text(cue, key) for key in ("armed", "colour", "continue_mode")}
    assert texts == {"armed": "○ off", "colour": "red", "continue_mode": "↧ follow > 3"}


def test_what_an_editor_starts_with_changes_nothing() -> None:
    cue = Cue(number="1", name="x", pre_wait_s=1.25, armed=False, notes="a\nb")
    for column in COLUMNS:
        if column.editable:
            text = edit_text(cue, column.key)
            assert cell_value(column.key, text) == getattr(cue, column.key)


def test_no_next_is_nothing() -> None:
    assert cell_value("next", " ") is None
    assert edit_text(Cue(number="1"), "next") == ""
