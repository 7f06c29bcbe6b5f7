"""The view goes to cues, folds groups, and keeps its selection by number."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QComboBox, QLineEdit
from pytestqt.qtbot import QtBot

from app.console.cues import edits
from app.console.cues.cells import PLACE
from app.console.cues.keys import ShowKeys
from app.console.cues.model import CueModel
from app.console.cues.table import ROW_PX, CueTable
from tests.app.console.cues.conftest import Desk, bring_up

Key = Qt.Key


@pytest.fixture
def table(lone_desk: Desk, qtbot: QtBot) -> CueTable:
    found = CueTable(CueModel(lone_desk.context, lone_desk.caller))
    found.set_editing(True)
    bring_up(qtbot, found)
    found.setFocus()
    return found


def model_of(table: CueTable) -> CueModel:
    model = table.model()
    assert isinstance(model, CueModel)
    return model


class DropHere(QDropEvent):
    """A drop that began in a table."""

    def __init__(self, table: CueTable, y: int) -> None:
        data = model_of(table).mimeData([])
        super().__init__(
            QPointF(50, y), Qt.DropAction.MoveAction, data, Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )  # fmt: skip
        self._table = table

    def source(self) -> CueTable:
        return self._table


def test_enter_and_a_double_click_go_to_a_cue(table: CueTable, qtbot: QtBot) -> None:
    asked: list[str] = []
    table.went_to.connect(asked.append)
    table.select_numbers(["4"])
    QTest.keyClick(table, Key.Key_Return)
    place = table.visualRect(model_of(table).index(0, PLACE["name"])).center()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    QTest.mouseDClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert asked == ["4", "1"]


def test_a_header_folds_by_enter_by_arrows_and_by_its_mark(table: CueTable) -> None:
    model = model_of(table)
    table.setCurrentIndex(model.index(1, 0))
    QTest.keyClick(table, Key.Key_Return)
    assert model.is_folded(1)
    QTest.keyClick(table, Key.Key_Right)
    assert not model.is_folded(1)
    QTest.keyClick(table, Key.Key_Left)
    assert model.is_folded(1)
    mark = table.visualRect(model.index(1, 0)).topLeft() + QPoint(8, 10)
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=mark)
    assert not model.is_folded(1)


def test_letters_go_nowhere(table: CueTable) -> None:
    table.select_numbers(["1"])
    QTest.keyClick(table, Key.Key_B)
    assert table.selected_numbers() == ["1"]


def test_the_selection_outlives_edits_that_move_rows(table: CueTable, lone_desk: Desk) -> None:
    document = lone_desk.context.document
    table.select_numbers(["1", "4"])
    document.edit("move", edits.move(document.show, ["5"], 0))
    assert table.selected_numbers() == ["1", "4"]
    document.edit("delete", edits.remove(document.show, ["1", "4"]))
    assert len(table.selected_numbers()) >= 1  # its neighbour: the keyboard stays in the list


def test_a_header_stands_for_all_its_cues(table: CueTable) -> None:
    table.selectRow(1)
    assert table.selected_numbers() == ["2", "3"]


@pytest.mark.parametrize(("y", "place"), [(2, 0), (ROW_PX - 2, 1), (4 * ROW_PX + 2, 3), (450, 5)])
def test_a_drop_lies_before_the_row_that_is_near(table: CueTable, y: int, place: int) -> None:
    dropped: list[tuple[object, int]] = []
    table.dropped.connect(lambda numbers, where: dropped.append((numbers, where)))
    table.select_numbers(["5"])
    event = DropHere(table, y)
    table.dropEvent(event)
    assert dropped == [(["5"], place)]
    assert event.dropAction() == Qt.DropAction.IgnoreAction


def test_what_comes_from_elsewhere_is_not_dropped(table: CueTable) -> None:
    dropped: list[object] = []
    table.dropped.connect(lambda numbers, where: dropped.append(numbers))
    event = QDropEvent(
        QPointF(5, 5), Qt.DropAction.MoveAction, model_of(table).mimeData([]),
        Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip
    table.dropEvent(event)
    assert not dropped
    assert not event.isAccepted()


def test_show_takes_editing_and_dragging_away(table: CueTable, lone_desk: Desk) -> None:
    lone_desk.context.lock.set_locked(True)
    table.set_editing(False)
    table.select_numbers(["1"])
    QTest.keyClick(table, Key.Key_F2)
    assert table.findChild(QLineEdit) is None
    assert not table.dragEnabled()


def test_what_is_typed_stays_while_the_row_changes(table: CueTable) -> None:
    model = model_of(table)
    table.select_numbers(["1"])
    QTest.keyClick(table, Key.Key_F2)
    editor = table.findChild(QLineEdit)
    assert editor is not None
    row = [model.index(0, column) for column in (0, model.columnCount() - 1)]
    QTest.keyClicks(editor, "Good ")
    model.dataChanged.emit(*row)
    QTest.keyClicks(editor, "day")
    model.dataChanged.emit(*row)
    assert editor.text() == "Good day"


def test_f2_edits_a_name_and_enter_keeps_it(table: CueTable, lone_desk: Desk, qtbot: QtBot) -> None:
    table.setCurrentIndex(model_of(table).index(0, PLACE["name"]))
    QTest.keyClick(table, Key.Key_F2)
    editor = table.findChild(QLineEdit)
    assert editor is not None
    QTest.keyClicks(editor, "Good day")
    QTest.keyClick(editor, Key.Key_Return)
    qtbot.waitUntil(lambda: lone_desk.cue("1").name == "Good day")
    assert lone_desk.context.document.undo.undoText() == "change the name of cue 1"


def test_f2_edits_the_name_from_a_cell_that_cannot_be_edited(table: CueTable) -> None:
    table.setCurrentIndex(model_of(table).index(0, PLACE["state"]))
    QTest.keyClick(table, Key.Key_F2)
    editor = table.findChild(QLineEdit)
    assert editor is not None
    assert editor.text() == "Hello"


def test_f2_edits_the_name_of_the_last_cue_after_the_key_to_the_end(table: CueTable) -> None:
    QTest.keyClick(table, Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    assert table.currentIndex().row() == model_of(table).rowCount() - 1
    QTest.keyClick(table, Key.Key_F2)
    assert table.currentIndex().column() == PLACE["name"]
    assert table.state() == QAbstractItemView.State.EditingState


def test_f2_renames_a_group_at_its_header(table: CueTable, lone_desk: Desk, qtbot: QtBot) -> None:
    table.setCurrentIndex(model_of(table).index(1, 0))
    QTest.keyClick(table, Key.Key_F2)
    editor = table.findChild(QLineEdit)
    assert editor is not None
    QTest.keyClicks(editor, "Finale")
    QTest.keyClick(editor, Key.Key_Return)
    qtbot.waitUntil(lambda: lone_desk.cue("2").group == "Finale")


def test_escape_leaves_the_name_as_it_was(table: CueTable, lone_desk: Desk, qtbot: QtBot) -> None:
    table.edit_cell("1")
    editor = table.findChild(QLineEdit)
    assert editor is not None
    QTest.keyClicks(editor, "x")
    QTest.keyClick(editor, Key.Key_Escape)
    qtbot.waitUntil(lambda: table.state() != QAbstractItemView.State.EditingState)
    assert lone_desk.cue("1").name == "Hello"


def test_a_choice_is_made_by_keyboard(table: CueTable, lone_desk: Desk) -> None:
    table.setCurrentIndex(model_of(table).index(0, PLACE["armed"]))
    QTest.keyClick(table, Key.Key_F2)
    editor = table.findChild(QComboBox)
    assert editor is not None
    assert editor.currentData() == "True"
    QTest.keyClick(editor, Key.Key_Down)
    QTest.keyClick(editor, Key.Key_Return)
    assert not lone_desk.cue("1").armed


def test_a_key_pressed_in_a_choice_starts_no_cue(
    table: CueTable, lone_desk: Desk, qtbot: QtBot
) -> None:
    keys = ShowKeys(lone_desk.caller, lone_desk.context, table)
    told: list[bool] = []
    refused: list[str] = []
    keys.typing_changed.connect(told.append)
    lone_desk.caller.refused.connect(refused.append)
    table.setCurrentIndex(model_of(table).index(0, PLACE["armed"]))
    QTest.keyClick(table, Key.Key_F2)
    editor = table.findChild(QComboBox)
    assert editor is not None
    qtbot.waitUntil(editor.hasFocus)
    QTest.keyClicks(editor, "h")  # a cue's hotkey
    assert told == [True]
    QTest.keyClick(editor, Key.Key_Space)
    editor.hidePopup()
    assert refused == []
    QTest.keyClick(editor, Key.Key_Return)
    qtbot.waitUntil(table.hasFocus)
    QTest.keyClicks(table, "h")
    assert not told[-1] and not refused  # a character fires a cue in SHOW only
    lone_desk.context.lock.set_locked(True)
    QTest.keyClicks(table, "h")
    assert refused  # no core answers


def test_an_unchanged_cell_is_no_edit(table: CueTable, lone_desk: Desk, qtbot: QtBot) -> None:
    table.edit_cell("1")
    editor = table.findChild(QLineEdit)
    assert editor is not None
    QTest.keyClick(editor, Key.Key_Return)
    qtbot.waitUntil(lambda: table.state() != QAbstractItemView.State.EditingState)
    assert not lone_desk.context.document.dirty


def test_all_kinds_of_rows_are_drawn(table: CueTable, lone_desk: Desk) -> None:
    model = model_of(table)
    table.selectRow(2)
    plain = table.grab().toImage()
    model.fold(1)
    assert table.grab().toImage() != plain


def test_a_column_keeps_the_width_it_was_given_and_the_name_makes_room(table: CueTable) -> None:
    table.resize(600, 400)
    room = table.viewport().width()
    place = PLACE["verdict"]
    before = table.columnWidth(PLACE["name"]) + table.columnWidth(place)
    table.horizontalHeader().resizeSection(place, table.columnWidth(place) - 20)
    assert table.columnWidth(PLACE["name"]) + table.columnWidth(place) == before
    width = table.columnWidth(place)
    table.resize(900, 400)
    assert table.columnWidth(place) == width
    assert sum(table.columnWidth(i) for i in range(table.model().columnCount())) > room
    assert table.horizontalScrollBar().maximum() == 0


def test_a_disarmed_cue_says_so_in_words_where_its_column_is_folded(table: CueTable) -> None:
    model = model_of(table)
    row = model.row_of("4")
    assert row is not None
    assert model.text(row, PLACE["state"]) == "○ off"
