"""The inspector edits all fields of all selected cues, and says where they differ."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLineEdit, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from app.console.cues.inspector import MIXED, CueInspector
from app.console.cues.model import CueModel
from tests.app.console.cues.conftest import Desk, bring_up


@pytest.fixture
def inspector(lone_desk: Desk, qtbot: QtBot) -> CueInspector:
    found = CueInspector(lone_desk.context, CueModel(lone_desk.context, lone_desk.caller))
    lone_desk.context.document.changed.connect(found.refresh)
    bring_up(qtbot, found)
    return found


def field(inspector: QWidget, name: str) -> QWidget:
    for kind in (QLineEdit, QComboBox, QPlainTextEdit):
        for widget in inspector.findChildren(kind):
            if widget.accessibleName() == f"{name} of the selected cues":
                return widget
    raise AssertionError(name)


def line(inspector: QWidget, name: str) -> QLineEdit:
    found = field(inspector, name)
    assert isinstance(found, QLineEdit)
    return found


def choice(inspector: QWidget, name: str) -> QComboBox:
    found = field(inspector, name)
    assert isinstance(found, QComboBox)
    return found


def write(qtbot: QtBot, widget: QLineEdit, text: str) -> None:
    widget.setFocus()
    qtbot.waitUntil(widget.hasFocus)
    widget.selectAll()
    QTest.keyClicks(widget, text)
    QTest.keyClick(widget, Qt.Key.Key_Return)


def test_a_bad_value_leaves_the_field_as_it_was(
    inspector: CueInspector, lone_desk: Desk, qtbot: QtBot
) -> None:
    inspector.show_cues(["1"])
    write(qtbot, line(inspector, "Pre-wait"), "soon")
    assert "is no time" in lone_desk.said[-1]
    assert line(inspector, "Pre-wait").text() == "0"
    write(qtbot, line(inspector, "Number"), "4")
    assert line(inspector, "Number").text() == "1"


def test_cues_that_differ_say_so_and_are_edited_together(
    inspector: CueInspector, lone_desk: Desk, qtbot: QtBot
) -> None:
    inspector.show_cues(["1", "4"])
    assert line(inspector, "Name").placeholderText() == MIXED
    assert not line(inspector, "Number").isEnabled()
    assert not line(inspector, "Key").isEnabled()
    assert choice(inspector, "Colour").currentIndex() == -1
    write(qtbot, line(inspector, "Group"), "Finale")
    assert lone_desk.cue("1").group == lone_desk.cue("4").group == "Finale"
    lone_desk.context.document.undo.undo()
    assert lone_desk.cue("1").group == ""


def test_safe_points_are_typed_as_times(
    inspector: CueInspector, lone_desk: Desk, qtbot: QtBot
) -> None:
    inspector.show_cues(["1"])
    write(qtbot, line(inspector, "Safe points"), "3.5, 0, 1:00")
    assert lone_desk.cue("1").safe_points_s == (0.0, 3.5, 60.0)
    assert line(inspector, "Safe points").text() == "0, 3.5, 60"
    write(qtbot, line(inspector, "Safe points"), "soon")
    assert "is no time" in lone_desk.said[-1]
    write(qtbot, line(inspector, "Safe points"), " ")
    assert lone_desk.cue("1").safe_points_s == ()


def test_the_script_of_several_cues_is_typed_at_once(
    inspector: CueInspector, lone_desk: Desk
) -> None:
    inspector.show_cues(["1", "3"])
    script = field(inspector, "Script")
    script.setFocus()
    QTest.keyClicks(script, "Enter left")
    assert lone_desk.cue("1").script == lone_desk.cue("3").script == "Enter left"
    lone_desk.context.document.undo.undo()
    assert lone_desk.cue("1").script == lone_desk.cue("3").script == ""


def test_choices_are_edits(inspector: CueInspector, lone_desk: Desk) -> None:
    inspector.show_cues(["1"])
    stances = choice(inspector, "Starts")
    stances.setFocus()
    QTest.keyClick(stances, Qt.Key.Key_Down)
    assert lone_desk.cue("1").entry_stance == "standing"


def test_a_new_number_is_followed(inspector: CueInspector, lone_desk: Desk, qtbot: QtBot) -> None:
    inspector.show_cues(["1"])
    write(qtbot, line(inspector, "Number"), "0.5")
    write(qtbot, line(inspector, "Name"), "Before all")
    assert lone_desk.cue("0.5").name == "Before all"
    assert lone_desk.cue("5").next == "0.5"


def test_the_next_cue_can_be_named_and_taken_back(
    inspector: CueInspector, lone_desk: Desk, qtbot: QtBot
) -> None:
    inspector.show_cues(["5"])
    assert line(inspector, "Next cue").text() == "1"
    write(qtbot, line(inspector, "Next cue"), "77")
    assert "There is no cue 77" in lone_desk.said[-1]
    write(qtbot, line(inspector, "Next cue"), " ")
    assert lone_desk.cue("5").next is None


def test_typing_notes_is_one_undo(inspector: CueInspector, lone_desk: Desk) -> None:
    inspector.show_cues(["3"])
    notes = field(inspector, "Notes")
    notes.setFocus()
    QTest.keyClicks(notes, "very ")
    assert lone_desk.cue("3").notes == "very slowly"
    lone_desk.context.document.undo.undo()
    assert lone_desk.cue("3").notes == "slowly"
    assert isinstance(notes, QPlainTextEdit)
    assert notes.toPlainText() == "slowly"


def test_what_is_typed_is_not_lost_when_another_cue_is_chosen(
    inspector: CueInspector, lone_desk: Desk, qtbot: QtBot
) -> None:
    inspector.show_cues(["1"])
    name = line(inspector, "Name")
    name.setFocus()
    qtbot.waitUntil(name.hasFocus)
    name.selectAll()
    QTest.keyClicks(name, "Ahoy")
    inspector.show_cues(["2"])
    assert lone_desk.cue("1").name == "Ahoy"
    assert name.text() == "Walk on"
    assert lone_desk.cue("2").name == "Walk on"


def test_nothing_selected_can_be_edited(inspector: CueInspector) -> None:
    inspector.show_cues([])
    for kind in (QLineEdit, QComboBox, QPlainTextEdit):
        assert not any(widget.isEnabled() for widget in inspector.findChildren(kind))
