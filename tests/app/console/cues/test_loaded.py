"""Which show the core has is what it tells, never a guess from what is open."""

import pytest

from app.console.cues.loaded import KEPT, Loaded, who
from core.link.playbill import Entry, Playbill
from core.link.status import Status
from shows.document import Cue, Show

OPEN = Show(name="Gala", cues=(Cue(number="1"),))
CUES = (Entry("1", "Hello"), Entry("2"))
GALA = Playbill(3.0, "Gala", "/stage/1", CUES)


def status(stamp_s: float = 3.0) -> Status:
    return Status(1.0, show_stamp_s=stamp_s)


def test_a_version_of_the_open_show_is_known_by_its_path() -> None:
    loaded = Loaded()
    loaded.add_version("/stage/1", OPEN)
    assert loaded.update(status(), GALA, OPEN)
    assert (loaded.tested, loaded.foreign, loaded.numbers) == (OPEN, False, ["1", "2"])
    assert (loaded.name("1"), loaded.name("2"), loaded.name("9")) == ("1  Hello", "2", "9")
    assert not loaded.update(status(), GALA, OPEN)


@pytest.mark.parametrize("stamp_s", [0.0, 4.0])
def test_a_playbill_of_another_load_than_the_statuss_is_not_believed(stamp_s: float) -> None:
    loaded = Loaded()
    loaded.update(status(), GALA, OPEN)
    assert loaded.update(status(stamp_s), GALA, OPEN)
    assert (loaded.playbill, loaded.numbers) == (None, [])


@pytest.mark.parametrize(
    ("show", "path", "cues", "foreign"),
    [
        ("Gala", "/elsewhere", CUES, False),  # a version of unknown contents
        ("Other", "/elsewhere", CUES, True),
        ("Other", "/stage/1", CUES, False),  # it was renamed since
        ("", "", (), False),
    ],
)
def test_another_show_is_foreign(
    show: str, path: str, cues: tuple[Entry, ...], foreign: bool
) -> None:
    loaded = Loaded()
    loaded.add_version("/stage/1", OPEN)
    loaded.update(status(), Playbill(3.0, show, path, cues), OPEN)
    assert loaded.foreign is foreign


def test_what_takes_the_place_of_a_version_of_ours_is_foreign_whatever_its_name() -> None:
    loaded = Loaded()
    loaded.add_version("/stage/1", OPEN)
    loaded.update(status(), GALA, OPEN)
    theirs = Playbill(4.0, "Gala", "/elsewhere", CUES)
    assert loaded.update(status(4.0), theirs, OPEN)
    assert loaded.foreign
    loaded.forget_versions()
    loaded.update(status(4.0), theirs, OPEN)
    assert not loaded.foreign


@pytest.mark.parametrize(
    ("sender", "words"),
    [
        ("console-12-ab34", "by this console"),
        ("console-13-ab34", "by another console (process 13)"),
        ("web", "by web"),
        ("", "at its start"),
    ],
)
def test_who_loaded_it_is_told_in_words(sender: str, words: str) -> None:
    assert who(sender, own_pid=12) == words


def test_another_document_has_no_versions_yet() -> None:
    loaded = Loaded()
    loaded.add_version("/stage/1", OPEN)
    loaded.forget_versions()
    loaded.update(status(), GALA, Show(name="Other"))
    assert loaded.foreign and loaded.tested is None


def test_only_the_newest_versions_are_kept() -> None:
    loaded = Loaded()
    for number in range(KEPT + 1):
        loaded.add_version(f"/stage/{number}", OPEN)
    loaded.update(status(), Playbill(3.0, "Gala", "/stage/0", CUES), OPEN)
    assert loaded.tested is None


def test_the_version_that_is_played_is_kept_however_much_is_edited() -> None:
    loaded = Loaded()
    loaded.add_version("/stage/played", OPEN)
    played = Playbill(3.0, "Gala", "/stage/played", CUES)
    loaded.update(status(), played, OPEN)
    for number in range(3 * KEPT):
        loaded.add_version(f"/stage/{number}", OPEN)
    loaded.update(status(), played, OPEN)
    assert loaded.tested is OPEN and not loaded.foreign
