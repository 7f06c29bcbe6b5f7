"""Pages of pads."""

import msgspec

from app.console.cues.pads import ALL, TRIGGERS, groups_of, items_of, page_of
from shows.document import Show, Trigger
from tests.app.console.cues.conftest import small_show

SHOW = small_show()


def test_pages_hold_every_cue_once() -> None:
    pages = [page_of(SHOW.cues, 2, number) for number in range(3)]
    assert [cue for page in pages for cue in page.items] == list(SHOW.cues)
    assert pages[0].count == 3


def test_a_page_beyond_the_ends_is_the_nearest() -> None:
    assert page_of(SHOW.cues, 2, 99).number == 2
    assert page_of(SHOW.cues, 2, -1).number == 0
    assert page_of((), 4, 3) == page_of((), 4, 0)


def test_a_group_has_its_own_pads() -> None:
    assert groups_of(SHOW) == ("Act",)
    assert items_of(SHOW, "Act") == SHOW.cues[1:3]
    trigger = Trigger(use="phrase:hello")
    show = msgspec.structs.replace(SHOW, triggers=(trigger,))
    assert items_of(show, ALL) == (*SHOW.cues, trigger) and items_of(show, TRIGGERS) == (trigger,)
    assert groups_of(Show(name="x")) == ()
