"""Tab goes from part to part, and never where nobody looks."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QDockWidget, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.console.window import tab_order
from app.console.window.docks import Dock, Docks


class Panel(QWidget):
    def __init__(self, *words: str) -> None:
        super().__init__()
        rows = QVBoxLayout(self)
        self.buttons = {word: QPushButton(word, self) for word in words}
        for button in self.buttons.values():
            rows.addWidget(button)


class Room:
    def __init__(self, place: Path, qtbot: QtBot) -> None:
        self.centre, self.front, self.behind = Panel("a", "b"), Panel("c"), Panel("d")
        docks = (
            Dock("front", "Front", self.front, "right", "right", "", "right"),
            Dock("behind", "Behind", self.behind, "right", "right", "", "right"),
        )
        self.docks = Docks(self.centre, docks, place / "window.ini")
        qtbot.addWidget(self.docks)
        self.docks.resize(800, 600)
        self.docks.show()
        self.docks.arrange()
        qtbot.waitExposed(self.docks)
        qtbot.waitUntil(lambda: [b.text() for b in self.stops()] == ["c", "a", "b"])

    def stops(self) -> list[QPushButton]:
        parts = (*self.docks.widgets, self.centre)
        found = tab_order.stops(self.docks, parts)
        return [button for button in found if isinstance(button, QPushButton)]

    def step(self, forward: bool) -> str:
        assert tab_order.step(self.docks, (*self.docks.widgets, self.centre), forward)
        focus = QApplication.focusWidget()
        return focus.text() if isinstance(focus, QPushButton) else type(focus).__name__


@pytest.fixture
def room(tmp_path: Path, qtbot: QtBot) -> Room:
    return Room(tmp_path, qtbot)


def test_parts_come_in_their_order_and_what_is_behind_is_left_out(room: Room) -> None:
    room.centre.buttons["a"].setFocus()
    assert [room.step(True) for _ in range(3)] == ["b", "QTabBar", "c"]
    assert [room.step(False) for _ in range(3)] == ["QTabBar", "b", "a"]


def test_what_is_no_stop_itself_leads_on_to_its_neighbour(room: Room) -> None:
    room.centre.setFocus()
    assert room.step(True) == "a"
    room.centre.buttons["b"].setEnabled(False)
    assert room.step(False) == "c"


def test_a_panel_that_is_covered_loses_the_keys(room: Room, qtbot: QtBot) -> None:
    room.front.buttons["c"].setFocus()
    behind = room.docks.findChild(QDockWidget, "behind")
    assert isinstance(behind, QDockWidget)
    behind.raise_()
    qtbot.waitUntil(lambda: [button.text() for button in room.stops()] == ["d", "a", "b"])
    assert QApplication.focusWidget() is None
