"""The list with its search, its inspector and its lock."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QToolButton
from pytestqt.qtbot import QtBot

from app.console.cues.keys import ShowKeys
from app.console.cues.panel import CuePanel
from core.link.commands import Go, GoTo
from shows.document import Cue, Show
from tests.app.console.cues.conftest import Desk, bring_up
from tests.app.console.rig import LineCore

Key = Qt.Key
CTRL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier


@pytest.fixture
def panel(desk: Desk, keys: ShowKeys, qtbot: QtBot) -> CuePanel:
    found = CuePanel(desk.context, desk.caller)
    bring_up(qtbot, found)
    desk.context.document.open(desk.context.document.show, None, {}, {})
    found.table.setFocus()
    qtbot.waitUntil(found.table.hasFocus)
    return found


def search_of(panel: CuePanel) -> QLineEdit:
    for found in panel.findChildren(QLineEdit):
        if found.accessibleName() == "Search cues":
            return found
    raise AssertionError


def texts(panel: CuePanel) -> list[str]:
    return [label.text() for label in panel.findChildren(QLabel) if label.isVisible()]


def test_a_show_is_searched_by_keyboard(panel: CuePanel, core: LineCore, qtbot: QtBot) -> None:
    QTest.keyClick(panel, Key.Key_F, CTRL)
    search = search_of(panel)
    qtbot.waitUntil(search.hasFocus)
    QTest.keyClicks(search, "bow")
    assert [row.number for row in panel.model.rows] == ["4"]
    assert "1 of 5 cues" in texts(panel)
    QTest.keyClicks(search, "zzz")
    assert "No cue holds these words." in texts(panel)
    panel.search()
    QTest.keyClicks(search, "bow")
    QTest.keyClick(search, Key.Key_Return)
    qtbot.waitUntil(panel.table.hasFocus)
    QTest.keyClick(panel.table, Key.Key_Return)
    qtbot.waitUntil(lambda: core.commands == [GoTo("4")])


def test_the_first_escape_ends_a_search_and_the_next_one_is_not_taken(
    panel: CuePanel, qtbot: QtBot
) -> None:
    presses: list[str] = []
    ladder = QShortcut(QKeySequence("Esc"), panel.window())
    ladder.activated.connect(lambda: presses.append("Esc"))
    panel.search()
    search = search_of(panel)
    qtbot.waitUntil(search.hasFocus)
    QTest.keyClicks(search, "bow")
    QTest.keyClick(search, Key.Key_Escape)
    assert search.text() == "" and panel.table.hasFocus() and presses == []
    QTest.keyClick(panel.table, Key.Key_Escape)
    assert presses == ["Esc"]


def test_a_search_that_hides_the_cue_on_standby_ends(
    panel: CuePanel, core: LineCore, qtbot: QtBot
) -> None:
    core.set(standby_cue="1")
    search = search_of(panel)
    panel.table.setFocus()
    search.setText("bow")
    core.set(standby_cue="2")
    qtbot.waitUntil(lambda: search.text() == "")


def test_rows_are_edited_by_keyboard_and_not_in_show(panel: CuePanel, desk: Desk) -> None:
    table = panel.table
    table.select_numbers(["1"])
    QTest.keyClick(table, Key.Key_Down, ALT)
    assert desk.numbers() == ["2", "1", "3", "4", "5"]
    assert table.selected_numbers() == ["1"]
    QTest.keyClick(table, Key.Key_D, CTRL)
    assert len(desk.numbers()) == 6
    QTest.keyClick(table, Key.Key_Delete)
    assert len(desk.numbers()) == 5
    desk.context.lock.set_locked(True)
    table.select_numbers(["1"])
    QTest.keyClick(table, Key.Key_Delete)
    QTest.keyClick(table, Key.Key_Up, ALT)
    assert desk.numbers() == ["2", "1", "3", "4", "5"]


def test_a_new_cue_is_named_at_once_and_space_belongs_to_its_name(
    panel: CuePanel, desk: Desk, core: LineCore, qtbot: QtBot
) -> None:
    panel.table.select_numbers(["5"])
    QTest.keyClick(panel.table, Key.Key_Insert)
    editor = panel.table.viewport().findChild(QLineEdit)
    assert editor is not None
    qtbot.waitUntil(editor.hasFocus)
    QTest.keyClicks(editor, "To the wings")
    QTest.keyClick(editor, Key.Key_Return)
    qtbot.waitUntil(lambda: desk.cue("6").name == "To the wings")
    qtbot.waitUntil(panel.table.hasFocus)
    QTest.keyClick(panel.table, Key.Key_Space)
    qtbot.waitUntil(lambda: core.commands == [Go()])


def test_an_empty_show_says_how_to_begin(panel: CuePanel, desk: Desk) -> None:
    desk.context.document.open(Show(name="x"), None, {}, {})
    assert "No cues yet: press Ins to add the first." in texts(panel)
    QTest.keyClick(panel.table, Key.Key_Insert)
    assert desk.numbers() == ["1"]


def test_a_drag_moves_cues(panel: CuePanel, desk: Desk) -> None:
    panel.table.dropped.emit(["5"], 0)
    assert desk.numbers() == ["5", "1", "2", "3", "4"]
    assert panel.table.selected_numbers() == ["5"]


def test_the_inspector_opens_by_key_with_the_selected_cue_and_is_locked_in_show(
    panel: CuePanel, desk: Desk
) -> None:
    assert not panel.inspector.isVisible()
    panel.table.select_numbers(["3"])
    QTest.keyClick(panel.table, Key.Key_I, CTRL)
    assert panel.inspector.isVisible()
    names = [line.text() for line in panel.inspector.findChildren(QLineEdit)]
    assert "Turn" in names
    refused: list[str] = []
    desk.caller.refused.connect(refused.append)
    desk.context.lock.set_locked(True)
    assert not panel.inspector.isVisible()
    QTest.keyClick(panel.table, Key.Key_Delete)
    assert "locked for the show" in refused[-1]
    desk.context.lock.set_locked(False)
    assert panel.inspector.isVisible()


def test_go_to_is_off_without_a_core(panel: CuePanel, core: LineCore, qtbot: QtBot) -> None:
    (button,) = [b for b in panel.findChildren(QToolButton) if b.text() == "Go to"]
    assert button.isEnabled()
    panel.table.select_numbers(["3"])
    button.click()
    qtbot.waitUntil(lambda: core.commands == [GoTo("3")])
    core.stop()
    qtbot.waitUntil(lambda: not button.isEnabled())


def test_after_go_the_cue_on_standby_is_in_sight_and_else_the_list_stays(
    panel: CuePanel, desk: Desk, core: LineCore, qtbot: QtBot
) -> None:
    cues = tuple(Cue(number=str(i)) for i in range(1, 101))
    desk.context.document.open(Show(name="long", cues=cues), None, {}, {})
    bar = panel.table.verticalScrollBar()
    core.load(desk.context.document.show)
    with qtbot.waitSignal(desk.caller.cues_changed):
        core.set(standby_cue="50")
    assert bar.value() == 0
    desk.caller.go()
    core.set(standby_cue="51")
    qtbot.waitUntil(lambda: bar.value() > 0)
    panel.table.scrollToTop()
    panel.show_standby()
    assert panel.table.selected_numbers() == ["51"]
    assert bar.value() > 0


def test_every_control_has_a_name_and_a_tooltip(panel: CuePanel) -> None:
    for kind in (QToolButton, QLineEdit):
        for widget in panel.findChildren(kind):
            if not widget.objectName().startswith("qt_") and widget.isVisible():
                if widget.parent() is not search_of(panel):
                    assert widget.accessibleName(), widget
                    assert widget.toolTip(), widget
