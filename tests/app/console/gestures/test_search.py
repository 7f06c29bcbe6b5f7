"""A search finds by title, name and tag; chips narrow it; favourites come first."""

from app.console.gestures.library import Entry
from app.console.gestures.search import (
    FAVOURITES,
    LIBRARY,
    OWN,
    found,
    tags_of,
    with_favourite,
)
from tests.app.console.gestures.motions import motion

ENTRIES = (
    Entry(motion("bow", "Bow", ("thanks", "standing")), False),
    Entry(motion("mine", "Big wave", ("greeting",)), True),
    Entry(motion("wave", "Wave", ("greeting", "standing")), False),
)


def names(text: str = "", chips: tuple[str, ...] = (), favourites: tuple[str, ...] = ()) -> str:
    return " ".join(entry.name for entry in found(ENTRIES, text, chips, favourites))


def test_every_word_must_occur_in_title_name_or_tag() -> None:
    assert names("WAVE") == "mine wave"
    assert names("wave big") == "mine"
    assert names("greet stand") == "wave"
    assert names("mine") == "mine"
    assert names("nothing") == ""


def test_chips_narrow_it() -> None:
    assert names(chips=("standing",)) == "bow wave"
    assert names(chips=("standing", "thanks")) == "bow"
    assert names(chips=(OWN,)) == "mine"
    assert names(chips=(LIBRARY,)) == "bow wave"
    assert names(chips=(OWN, LIBRARY)) == ""
    assert names(chips=(FAVOURITES,), favourites=("wave", "gone")) == "wave"


def test_favourites_come_first_in_their_order() -> None:
    assert names(favourites=("wave", "gone", "bow")) == "wave bow mine"


def test_the_most_used_tags_come_first() -> None:
    assert tags_of(ENTRIES) == ("greeting", "standing", "thanks")


def test_a_favourite_is_added_at_the_end_and_taken_out_anywhere() -> None:
    assert with_favourite(("a", "b"), "c") == ("a", "b", "c")
    assert with_favourite(("a", "b", "c"), "b") == ("a", "c")
