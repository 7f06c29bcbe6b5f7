"""What a show needs is always shown; the rest folds away by its weight, or as it was chosen."""

import pytest

from app.console.cues.cells import COLUMNS, PLACE
from app.console.cues.columns import ALWAYS, BARE, NAME_PX, name_px, shown

WIDTHS = [column.width for column in COLUMNS]
NARROW_PX = 566  # the list at 1280 × 800


def test_what_a_show_needs_has_room_in_the_narrowest_window() -> None:
    keys = shown(NARROW_PX, WIDTHS)
    assert set(keys) == set(ALWAYS)
    assert name_px(NARROW_PX, WIDTHS, keys) >= NAME_PX
    assert sum(WIDTHS[PLACE[key]] for key in keys if key != "name") + NAME_PX <= NARROW_PX


@pytest.mark.parametrize("room_px", range(NARROW_PX, 1600, 37))
def test_wherever_columns_are_added_they_have_room(room_px: int) -> None:
    keys = shown(room_px, WIDTHS)
    assert [key for key in keys if key in ALWAYS] == [c.key for c in COLUMNS if c.key in ALWAYS]
    assert name_px(room_px, WIDTHS, keys) >= NAME_PX
    assert sum(WIDTHS[PLACE[k]] for k in keys if k != "name") + NAME_PX <= room_px


def test_with_room_all_are_shown_and_the_name_takes_what_is_left() -> None:
    assert shown(3000, WIDTHS) == tuple(column.key for column in COLUMNS)
    others = sum(WIDTHS) - WIDTHS[PLACE["name"]]
    assert name_px(3000, WIDTHS, shown(3000, WIDTHS)) == 3000 - others


def test_in_less_room_two_more_fold_before_anything_is_cut() -> None:
    assert set(shown(NARROW_PX - 40, WIDTHS)) == set(ALWAYS) - {"continue_mode"}
    assert set(shown(430, WIDTHS)) == set(ALWAYS) - {"continue_mode", "duration"}


def test_what_is_chosen_is_shown_whatever_the_room_and_unknown_words_are_nothing() -> None:
    assert set(shown(100, WIDTHS, ("notes", "music"))) == {*BARE, "notes"}
    assert name_px(100, WIDTHS, ("name", "notes")) == NAME_PX
