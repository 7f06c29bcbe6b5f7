"""Sheets stay in their area, keep the keys that are theirs, and give the focus back."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QListWidget, QPushButton, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from app.console.toolkit.sheet import OWNS_KEYS, Sheet, SheetHost


class Desk(QWidget):
    """An area with a line to type in, and STOP beside it."""

    def __init__(self) -> None:
        super().__init__()
        layout = QHBoxLayout(self)
        self.area, self.stop = QWidget(), QPushButton("STOP")
        QHBoxLayout(self.area).addWidget(edit := QLineEdit())
        self.edit = edit
        layout.addWidget(self.area, 1)
        layout.addWidget(self.stop)
        self.host = SheetHost(self.area)
        self.pressed: list[str] = []
        for key in ("Space", "Escape", "F9", "Ctrl+S"):
            shortcut = QShortcut(QKeySequence(key), self)
            shortcut.activated.connect(lambda key=key: self.pressed.append(key))
        self.resize(900, 600)


def shown(qtbot: QtBot) -> Desk:
    desk = Desk()
    qtbot.addWidget(desk)
    desk.show()
    qtbot.waitExposed(desk)
    desk.activateWindow()
    desk.edit.setFocus()
    qtbot.waitUntil(desk.edit.hasFocus)
    return desk


def test_a_sheet_covers_its_area_and_nothing_else(qtbot: QtBot) -> None:
    desk = shown(qtbot)
    sheet = desk.host.ask("Save?", "It is not saved. " * 30, {"Save": lambda: None})
    for size in ((900, 600), (420, 260), (1600, 900)):
        desk.resize(*size)
        qtbot.wait(10)
        assert desk.host.geometry() == desk.area.rect()
        assert desk.host.rect().contains(sheet.geometry())
        assert not desk.stop.visibleRegion().isEmpty()
    with qtbot.waitSignal(desk.stop.pressed):
        QTest.mousePress(desk.stop, Qt.MouseButton.LeftButton)


def test_escape_closes_it_and_the_focus_goes_back(qtbot: QtBot) -> None:
    desk = shown(qtbot)
    sheet = desk.host.ask("Save?", "It is not saved.", {"Save": lambda: None})
    assert sheet.isAncestorOf(desk.focusWidget())
    with qtbot.waitSignal(sheet.closed):
        QTest.keyClick(desk.focusWidget(), Qt.Key.Key_Escape)
    assert desk.pressed == []  # Escape was the sheet's, not the stop ladder's
    assert desk.edit.hasFocus()
    assert not desk.host.isVisible()
    QTest.keyClick(desk.edit, Qt.Key.Key_Escape)
    assert desk.pressed == ["Escape"]


def test_the_focus_goes_back_to_the_list_whose_editor_is_gone(qtbot: QtBot) -> None:
    desk = shown(qtbot)
    cues = QListWidget()
    cues.addItem("Hello")
    layout = desk.area.layout()
    assert layout is not None
    layout.addWidget(cues)
    cues.item(0).setFlags(cues.item(0).flags() | Qt.ItemFlag.ItemIsEditable)
    qtbot.waitUntil(cues.isVisible)
    cues.setFocus()
    cues.editItem(cues.item(0))
    editor = desk.focusWidget()
    assert isinstance(editor, QLineEdit) and editor is not desk.edit
    sheet = desk.host.ask("Save?", "It is not saved.", {"Save": lambda: None})
    qtbot.waitUntil(lambda: not isValid(editor))  # what is edited ends when the sheet comes up
    sheet.dismiss()
    assert desk.focusWidget() is cues


def test_enter_gives_the_chief_answer_and_an_answer_may_ask_again(qtbot: QtBot) -> None:
    desk = shown(qtbot)
    given: list[str] = []

    def more() -> None:
        desk.host.ask("Two?", "", {"Go": lambda: given.append("go")})

    desk.host.ask("One?", "", {"Yes": more})
    QTest.keyClick(desk.focusWidget(), Qt.Key.Key_Return)
    assert desk.host.top is not None
    assert desk.host.top.accessibleName() == "Two?"
    QTest.keyClick(desk.focusWidget(), Qt.Key.Key_Return)
    assert given == ["go"]
    assert desk.host.top is None


def test_keys_of_a_question_are_not_the_shows_but_function_keys_are(qtbot: QtBot) -> None:
    desk = shown(qtbot)
    given: list[str] = []
    desk.host.ask("Save?", "", {"Save": lambda: given.append("save")})
    QTest.keyClick(desk.focusWidget(), Qt.Key.Key_F9)
    QTest.keyClick(desk.focusWidget(), Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(desk.focusWidget(), Qt.Key.Key_Space)
    assert desk.pressed == ["F9", "Ctrl+S"]
    assert given == ["save"]


def test_beside_a_sheet_that_takes_no_keys_space_is_go(qtbot: QtBot) -> None:
    desk = shown(qtbot)
    sheet = Sheet("Manual", takes_keys=False)
    desk.host.show_sheet(sheet)
    QTest.keyClick(desk.focusWidget(), Qt.Key.Key_Space)
    assert desk.pressed == ["Space"]
    QTest.keyClick(desk.focusWidget(), Qt.Key.Key_Escape)
    assert desk.host.top is None


def test_what_is_told_leaves_space_to_go_and_the_last_word_is_seen(qtbot: QtBot) -> None:
    desk = shown(qtbot)
    desk.host.tell("This could not be done", "The first is no show.")
    sheet = desk.host.tell("This could not be done", "The second is no show.")
    assert desk.host.sheets == [sheet]
    assert "The second is no show." in [label.text() for label in sheet.findChildren(QLabel)]
    assert not sheet.property(OWNS_KEYS)
    QTest.keyClick(desk.focusWidget(), Qt.Key.Key_Return)
    assert desk.host.sheets == [] and desk.edit.hasFocus()


def test_tab_goes_around_within_the_sheet(qtbot: QtBot) -> None:
    desk = shown(qtbot)
    sheet = desk.host.ask("Save?", "", {"Save": lambda: None, "Don't save": lambda: None})
    seen = []
    for _ in range(4):
        QTest.keyClick(desk.focusWidget(), Qt.Key.Key_Tab)
        focused = desk.focusWidget()
        assert sheet.isAncestorOf(focused)
        seen.append(focused.accessibleName())
    assert seen[:3] == [*{"Cancel": 0, "Don't save": 0, "Save": 0}][:3]
    assert seen[3] == seen[0]


def test_one_below_comes_back(qtbot: QtBot) -> None:
    desk = shown(qtbot)
    first, second = Sheet("First"), Sheet("Second")
    desk.host.show_sheet(first)
    desk.host.show_sheet(second)
    assert not first.isVisible()
    second.dismiss()
    assert first.isVisible()
    first.dismiss()
    assert desk.edit.hasFocus()


def test_the_same_sheet_twice_is_one(qtbot: QtBot) -> None:
    desk = shown(qtbot)
    first = Sheet("Manual")
    desk.host.show_sheet(first)
    desk.host.show_sheet(Sheet("Manual"))
    assert desk.host.sheets == [first]
    assert first.isVisible()
