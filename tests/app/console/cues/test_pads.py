"""Pages of pads."""

from app.console.cues.pads import ALL, cues_of, groups_of, page_of
from shows.document import Show
from tests.app.console.cues.conftest import small_show

SHOW = small_show()


def test_pages_hold_every_cue_once() -> None:
    pages = [page_of(SHOW.cues, 2, number) for number in range(3)]
    assert [cue for page in pages for cue in page.cues] == list(SHOW.cues)
    assert pages[0].count == 3


def test_a_page_beyond_the_ends_is_the_nearest() -> None:
    assert page_of(SHOW.cues, 2, 99).number == 2
    assert page_of(SHOW.cues, 2, -1).number == 0
    assert page_of((), 4, 3) == page_of((), 4, 0)


def test_a_group_has_its_own_pads() -> None:
    assert groups_of(SHOW) == ("Act",)
    assert [cue.number for cue in cues_of(SHOW, "Act")] == ["2", "3"]
    assert cues_of(SHOW, ALL) == SHOW.cues
    assert groups_of(Show(name="x")) == ()
