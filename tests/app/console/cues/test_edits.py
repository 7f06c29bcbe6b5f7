"""Edits give another show, or one sentence and the same show."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.console.cues import edits
from app.console.cues.edits import EditError
from shows.document import Cue, Show
from shows.fields import MAX_CUES
from tests.app.console.cues.conftest import small_show

SHOW = small_show()


def numbers(show: Show) -> list[str]:
    return [cue.number for cue in show.cues]


def show_of(*cue_numbers: str) -> Show:
    return Show(name="x", cues=tuple(Cue(number=number) for number in cue_numbers))


@pytest.mark.parametrize(
    ("who", "field", "value", "words"),
    [
        (["1"], "number", "4", "Cue 4 exists already"),
        (["1"], "number", "a b", "must be a cue number"),
        (["1"], "number", "", "must be a cue number"),
        (["1"], "name", "x" * 201, "at most 200 characters"),
        (["1"], "pre_wait_s", -1.0, "pre-wait -1.0 must be 0 to 3600 seconds"),
        (["1"], "post_wait_s", float("nan"), "post-wait nan must be 0 to 3600 seconds"),
        (["1"], "colour", "pink", "colour 'pink'"),
        (["2"], "hotkey", "h", "already fires cue 1"),
        (["2", "3"], "hotkey", "K", "one cue only"),
        (["1"], "next", "9", "There is no cue 9"),
        (["2"], "next", "2", "start itself again"),
    ],
)
def test_a_bad_value_is_refused_with_one_sentence(
    who: list[str], field: str, value: object, words: str
) -> None:
    with pytest.raises(EditError) as told:
        edits.change(SHOW, who, field, value)
    assert words in str(told.value)
    assert "\n" not in str(told.value)
    assert str(told.value).endswith(".")


def test_cues_that_would_start_each_other_for_ever_are_refused() -> None:
    first = edits.change(show_of("1", "2"), ["2"], "next", "1")
    second = edits.change(first, ["1"], "continue_mode", "auto_follow")
    with pytest.raises(EditError, match="for ever"):
        edits.change(second, ["2"], "continue_mode", "auto_continue")


def test_a_value_goes_to_every_cue_that_is_named_and_to_no_other() -> None:
    after = edits.change(SHOW, ["2", "4"], "pre_wait_s", 1.5)
    assert [cue.pre_wait_s for cue in after.cues] == [0.0, 1.5, 0.0, 1.5, 0.0]


def test_what_names_a_cue_follows_its_new_number() -> None:
    after = edits.change(SHOW, ["1"], "number", "0.5")
    assert after.cue("5").next == "0.5"
    assert numbers(after)[0] == "0.5"


def test_a_cue_keeps_its_own_hotkey_and_number() -> None:
    assert edits.change(SHOW, ["1"], "hotkey", "H") == SHOW
    assert edits.change(SHOW, ["1"], "number", "1") == SHOW


def test_inserted_cues_get_numbers_and_hotkeys_of_their_own() -> None:
    after, made = edits.insert(SHOW, 1, [SHOW.cues[0], SHOW.cues[4]])
    assert made == ("1.1", "1.2")
    assert numbers(after) == ["1", "1.1", "1.2", "2", "3", "4", "5"]
    assert after.cue("1.1").hotkey == ""
    assert after.cue("1.2").next == "1.1"  # it named the cue that came with it


def test_a_cue_of_another_show_forgets_a_next_that_is_not_here() -> None:
    after, _ = edits.insert(SHOW, 0, [Cue(number="77", next="78", hotkey="Z")])
    assert after.cue("77").next is None
    assert after.cue("77").hotkey == "Z"


def test_no_more_cues_than_a_show_may_have() -> None:
    full = show_of(*(str(i) for i in range(MAX_CUES)))
    with pytest.raises(EditError, match="at most"):
        edits.insert(full, 0, [Cue(number="x")])


def test_what_named_a_deleted_cue_goes_on_below() -> None:
    after = edits.remove(SHOW, ["1"])
    assert numbers(after) == ["2", "3", "4", "5"]
    assert after.cue("5").next is None


@pytest.mark.parametrize(
    ("who", "place", "order"),
    [
        (["1"], 5, ["2", "3", "4", "5", "1"]),
        (["5"], 0, ["5", "1", "2", "3", "4"]),
        (["1", "4"], 3, ["2", "3", "1", "4", "5"]),
        (["2"], 2, ["1", "2", "3", "4", "5"]),
    ],
)
def test_cues_move_in_their_order(who: list[str], place: int, order: list[str]) -> None:
    assert numbers(edits.move(SHOW, who, place)) == order


def test_a_cue_joins_the_group_it_is_dropped_into_and_leaves_the_one_it_is_dragged_from() -> None:
    assert edits.move(SHOW, ["4"], 2).cue("4").group == "Act"
    assert edits.move(SHOW, ["2"], 5).cue("2").group == ""
    whole = edits.move(SHOW, ["2", "3"], 5)
    assert [cue.group for cue in whole.cues] == ["", "", "", "Act", "Act"]


def test_shifting_stops_at_the_ends() -> None:
    assert numbers(edits.shift(SHOW, ["1", "2"], -1)) == numbers(SHOW)
    assert numbers(edits.shift(SHOW, ["5"], 1)) == numbers(SHOW)
    assert numbers(edits.shift(SHOW, ["4"], -1)) == ["1", "2", "4", "3", "5"]
    assert numbers(edits.shift(SHOW, ["1"], 1)) == ["2", "1", "3", "4", "5"]
    assert edits.shift(SHOW, [], 1) == SHOW


def test_renumbering_carries_references_along_and_refuses_a_clash() -> None:
    after = edits.renumber(SHOW, numbers(SHOW), first=10, step=10)
    assert numbers(after) == ["10", "20", "30", "40", "50"]
    assert after.cue("50").next == "10"
    with pytest.raises(EditError, match="Cue 4 exists already"):
        edits.renumber(SHOW, ["2", "3"], first=4)


@pytest.mark.parametrize(
    ("before", "taken", "number"),
    [
        ("1", ["1"], "2"),
        ("1", ["1", "2"], "1.1"),
        ("1.1", ["1", "1.1", "2"], "1.2"),
        ("0", [], "1"),
        ("A", ["A"], "A.1"),
        ("9" * 16, ["9" * 16], "1"),
    ],
)
def test_a_free_number_reads_as_coming_after(before: str, taken: list[str], number: str) -> None:
    assert edits.free_number(before, taken) == number


@given(st.lists(st.from_regex(r"[A-Za-z0-9][A-Za-z0-9.]{0,15}", fullmatch=True), unique=True))
def test_numbers_stay_their_own_whatever_is_duplicated(chosen: list[str]) -> None:
    show = show_of(*chosen)
    after, made = edits.insert(show, len(chosen) // 2, show.cues)
    assert len(set(numbers(after))) == 2 * len(chosen)
    for cue in after.cues:
        assert msgspec.convert(msgspec.to_builtins(cue), Cue) == cue


def test_the_clipboard_gives_back_what_it_took_and_refuses_the_rest() -> None:
    assert edits.from_text(edits.to_text(SHOW.cues)) == SHOW.cues
    for data in (b"", b"{}", b'[{"number": "1", "evil": 2}]', b"\xff"):
        with pytest.raises(EditError, match="holds no cues"):
            edits.from_text(data)
