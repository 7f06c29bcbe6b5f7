"""Recent shows: the newest first, each once, and those that are missing are marked."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.console.files.recent import MAX_RECENT, RecentShows
from app.console.preferences.store import PreferencesStore
from tests.app.console.files.rig import saved


@pytest.fixture
def recent(qtbot: QtBot) -> Iterator[RecentShows]:
    found = RecentShows(PreferencesStore())
    yield found
    found.close()


def test_what_is_missing_is_marked_and_comes_back(
    recent: RecentShows, tmp_path: Path, qtbot: QtBot
) -> None:
    recent.add(tmp_path / "gone")
    recent.add(saved(tmp_path / "here"))
    qtbot.waitUntil(lambda: len(recent.shows) == 2)
    assert [show.there for show in recent.shows] == [True, False]
    assert recent.shows[1].text.startswith("✕")
    assert recent.shows[0].text.startswith("here")
    saved(tmp_path / "gone")
    recent.refresh()
    qtbot.waitUntil(lambda: recent.shows[1].there)


def test_each_is_there_once_and_old_ones_leave(recent: RecentShows, qtbot: QtBot) -> None:
    for number in (*range(MAX_RECENT + 3), 5):
        recent.add(Path(f"/shows/{number}"))
    qtbot.waitUntil(lambda: len(recent.shows) == MAX_RECENT)
    qtbot.waitUntil(lambda: recent.shows[0].path.name == "5")
    assert len({show.path for show in recent.shows}) == MAX_RECENT
    recent.forget()
    qtbot.waitUntil(lambda: recent.shows == ())
