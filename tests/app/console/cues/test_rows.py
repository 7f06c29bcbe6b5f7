"""Headers stand above neighbours of one group; a search looks into folded ones."""

from hypothesis import given
from hypothesis import strategies as st

from app.console.cues.rows import visible_rows
from shows.document import Cue, Show
from tests.app.console.cues.conftest import small_show

SHOW = small_show()


def told(show: Show = SHOW, **arguments: object) -> list[str]:
    rows = visible_rows(show, **arguments)  # type: ignore[arg-type]
    return [f"{row.group} x{row.count}" if row.is_header else row.number for row in rows]


def test_neighbours_of_a_group_stand_under_one_header() -> None:
    assert told() == ["1", "Act x2", "2", "3", "4", "5"]


def test_a_folded_group_is_its_header() -> None:
    assert told(folded={"Act"}) == ["1", "Act x2", "4", "5"]


def test_a_group_in_two_places_has_two_headers() -> None:
    cues = tuple(Cue(number=str(i), group=g) for i, g in enumerate(["A", "", "A", "B"]))
    assert told(Show(name="x", cues=cues)) == ["A x1", "0", "1", "A x1", "2", "B x1", "3"]


def test_a_search_looks_at_all_words_in_all_texts_and_unfolds() -> None:
    assert told(query="SLOW", folded={"Act"}) == ["Act x1", "3"]
    assert told(query="act walk") == ["Act x1", "2"]
    assert told(query="red") == ["4"]
    assert told(query="nothing like this") == []


@given(st.lists(st.sampled_from(["", "A", "B"]), max_size=12), st.sets(st.sampled_from("AB")))
def test_no_cue_is_lost_or_shown_twice(groups: list[str], folded: set[str]) -> None:
    show = Show(name="x", cues=tuple(Cue(number=str(i), group=g) for i, g in enumerate(groups)))
    rows = visible_rows(show, folded)
    shown = [row.place for row in rows if not row.is_header]
    hidden = [
        row.place + i
        for row in rows
        if row.is_header and row.group in folded
        for i in range(row.count)
    ]
    assert sorted(shown + hidden) == list(range(len(groups)))
