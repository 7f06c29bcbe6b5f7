"""The operator's choice of columns is kept; without one the room decides."""

import pytest
from PySide6.QtGui import QAction
from pytestqt.qtbot import QtBot

from app.console.cues.columns_menu import ColumnsMenu
from app.console.cues.model import CueModel
from app.console.cues.table import CueTable
from tests.app.console.cues.conftest import Desk, bring_up


@pytest.fixture
def table(lone_desk: Desk, qtbot: QtBot) -> CueTable:
    found = CueTable(CueModel(lone_desk.context, lone_desk.caller))
    bring_up(qtbot, found)
    found.resize(580, 400)
    return found


def tick(menu: ColumnsMenu, words: str) -> QAction:
    menu.aboutToShow.emit()
    (found,) = [action for action in menu.actions() if action.text() == words]
    return found


def test_a_choice_is_kept_and_taken_back(table: CueTable, lone_desk: Desk, qtbot: QtBot) -> None:
    preferences = lone_desk.context.preferences
    menu = ColumnsMenu(table, preferences)
    qtbot.addWidget(menu)
    usual = table.columns()
    assert "notes" not in usual and not tick(menu, "Notes").isChecked()
    tick(menu, "Notes").trigger()
    tick(menu, "Check").trigger()
    assert table.columns() == preferences.value.cue_columns
    assert "notes" in table.columns() and "verdict" not in table.columns()
    table.resize(1500, 400)
    assert table.columns() == preferences.value.cue_columns

    again = CueTable(CueModel(lone_desk.context, lone_desk.caller))
    qtbot.addWidget(again)
    qtbot.addWidget(ColumnsMenu(again, preferences))
    assert again.columns() == table.columns()

    table.resize(580, 400)
    tick(menu, "As there is room").trigger()
    assert table.columns() == usual and preferences.value.cue_columns == ()
    assert tick(menu, "As there is room").isChecked()
