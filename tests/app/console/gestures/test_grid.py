"""Tiles say all there is to say; the grid plays on Enter and tells what is looked at."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QHBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.console.gestures.grid import GestureView
from app.console.gestures.library import Entry
from app.console.gestures.model import GestureModel, words_of
from app.console.gestures.thumbnails import Thumbnails
from tests.app.console.gestures.motions import motion, picture

ENTRIES = (
    Entry(motion("bow", "Bow"), False),
    Entry(motion("mine", "Mine"), True),
    Entry(motion("nod", "Nod"), False),
)


class Rig:
    def __init__(self, qtbot: QtBot) -> None:
        self.window = QWidget()
        qtbot.addWidget(self.window)
        self.model = GestureModel(self.window)
        self.thumbnails = Thumbnails(picture)
        self.view = GestureView(self.model, self.thumbnails, self.window)
        QHBoxLayout(self.window).addWidget(self.view)
        self.performed: list[Entry] = []
        self.looked: list[Entry | None] = []
        self.view.performed.connect(self.performed.append)
        self.view.looked_at.connect(self.looked.append)
        self.model.set_entries(ENTRIES, ("nod",))
        self.window.resize(420, 400)
        with qtbot.waitExposed(self.window):
            self.window.show()
        self.window.activateWindow()
        self.view.setFocus()
        qtbot.waitUntil(self.view.hasFocus)

    def centre(self, row: int) -> QPoint:
        return self.view.visualRect(self.model.index(row)).center()


@pytest.fixture
def rig(qtbot: QtBot) -> Iterator[Rig]:
    yield Rig(qtbot)


def test_three_tiles_fit_side_by_side_in_a_narrow_dock(rig: Rig) -> None:
    rects = [rig.view.visualRect(rig.model.index(row)) for row in range(3)]
    assert len({rect.top() for rect in rects}) == 1
    assert rects[2].right() <= rig.view.viewport().width()


def test_enter_plays_once(rig: Rig, qtbot: QtBot) -> None:
    QTest.keyClick(rig.view, Qt.Key.Key_Return)
    assert rig.performed == []
    rig.view.choose("mine")
    QTest.keyClick(rig.view, Qt.Key.Key_Return)
    assert rig.performed == [ENTRIES[1]]


def test_a_double_click_plays_and_a_click_does_not(rig: Rig, qtbot: QtBot) -> None:
    viewport, button = rig.view.viewport(), Qt.MouseButton.LeftButton
    QTest.mouseClick(viewport, button, pos=rig.centre(0))
    assert rig.performed == []
    QTest.mouseDClick(viewport, button, pos=rig.centre(0))
    assert rig.performed == [ENTRIES[0]]


def test_what_is_looked_at_is_told_and_looking_away_too(rig: Rig, qtbot: QtBot) -> None:
    QTest.mouseMove(rig.view.viewport(), rig.centre(2))
    assert rig.looked[-1] == ENTRIES[2]
    rig.view.choose("bow")
    assert rig.looked[-1] == ENTRIES[0]
    rig.view.clearFocus()
    assert rig.looked[-1] is None


def test_space_is_left_to_go(rig: Rig, qtbot: QtBot) -> None:
    rig.view.choose("bow")
    QTest.keyClick(rig.view, Qt.Key.Key_Space)
    assert rig.performed == []
    assert rig.view.current() == ENTRIES[0]


def test_a_tile_says_all_there_is_to_say(rig: Rig) -> None:
    rig.model.set_playing({"nod": "head"})
    words = words_of(ENTRIES[2], rig.model)
    assert words == "Nod, 1.0 s, keyed, of the library, favourite, key 1, plays on head"
    index = rig.model.index(2)
    assert rig.model.data(index, Qt.ItemDataRole.AccessibleTextRole) == words
    assert "double-click" in rig.model.data(index, Qt.ItemDataRole.ToolTipRole).casefold()


def test_only_the_first_nine_favourites_have_keys(rig: Rig) -> None:
    rig.model.set_entries(ENTRIES, tuple("abcdefghi") + ("bow",))
    assert rig.model.hotkey("bow") == ""
    assert rig.model.hotkey("i") == "9"
    assert rig.model.is_favourite("bow")


def test_tiles_are_drawn_with_their_pictures_and_marks(rig: Rig, qtbot: QtBot) -> None:
    bare = rig.view.grab().toImage()
    qtbot.waitUntil(lambda: all(rig.thumbnails.of(e.motion) is not None for e in ENTRIES))
    pictured = rig.view.grab().toImage()
    assert pictured != bare
    rig.model.set_playing({"bow": "all limbs"})
    assert rig.view.grab().toImage() != pictured


def test_the_same_list_again_keeps_the_place(rig: Rig) -> None:
    rig.view.choose("nod")
    rig.model.set_entries(ENTRIES, ("nod",))
    assert rig.view.current() == ENTRIES[2]


def test_only_the_shows_own_are_editable_and_a_new_title_is_told(rig: Rig) -> None:
    told: list[tuple[str, str]] = []
    rig.model.retitled.connect(lambda name, title: told.append((name, title)))
    editable = Qt.ItemFlag.ItemIsEditable
    assert [bool(rig.model.index(row).flags() & editable) for row in range(3)] == [
        False,
        True,
        False,
    ]
    rig.model.setData(rig.model.index(1), "Mine")
    assert told == []
    rig.model.setData(rig.model.index(1), "Ours")
    assert told == [("mine", "Ours")]
