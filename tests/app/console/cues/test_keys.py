"""The keys of a show mean the same everywhere, except where text is typed."""

import msgspec
import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.console.cues.keys import ShowKeys, owns_keys, types_text
from app.console.toolkit.sheet import OWNS_KEYS, Sheet
from core.link.commands import Command, Go, PauseShow, ResumeShow
from tests.app.console.cues.conftest import Desk, bring_up
from tests.app.console.rig import LineCore

Key = Qt.Key


class Room(QWidget):
    """A window with a button and a field."""

    def __init__(self) -> None:
        super().__init__()
        self.button, self.field = QPushButton("Other"), QLineEdit()
        self.clicks = 0
        self.button.clicked.connect(self._count)
        layout = QVBoxLayout(self)
        layout.addWidget(self.button)
        layout.addWidget(self.field)

    def _count(self) -> None:
        self.clicks += 1


@pytest.fixture
def room(qtbot: QtBot, keys: ShowKeys, desk: Desk) -> Room:
    desk.context.lock.set_locked(True)  # in EDIT a character fires no cue
    found = Room()
    bring_up(qtbot, found)
    focus(qtbot, found.button)
    return found


def focus(qtbot: QtBot, widget: QWidget) -> None:
    widget.setFocus()
    qtbot.waitUntil(widget.hasFocus)


def arrives(qtbot: QtBot, core: LineCore, *commands: Command) -> None:
    qtbot.waitUntil(lambda: len(core.commands) >= len(commands))
    assert core.commands == list(commands)


def test_space_is_go_on_its_press_even_on_a_button(
    room: Room, core: LineCore, qtbot: QtBot
) -> None:
    QTest.keyPress(room.button, Key.Key_Space)
    arrives(qtbot, core, Go())
    assert room.clicks == 0


def test_a_held_space_is_one_go_until_it_is_let_go(
    room: Room, desk: Desk, core: LineCore, qtbot: QtBot
) -> None:
    QTest.keyPress(room.button, Key.Key_Space)
    desk.clock.now_s += 5.0
    QTest.keyPress(room.button, Key.Key_Space)
    QTest.keyRelease(room.button, Key.Key_Space)
    desk.clock.now_s += 0.5
    QTest.keyPress(room.button, Key.Key_Space)
    arrives(qtbot, core, Go(), Go())


@pytest.mark.parametrize(("apart_ms", "heard_apart_s", "starts"), [(100, 2.0, 1), (500, 0.0, 2)])
@pytest.mark.parametrize("key", [Key.Key_Space, Key.Key_H])
def test_queued_presses_are_judged_by_when_they_were_made(
    room: Room,
    desk: Desk,
    core: LineCore,
    qtbot: QtBot,
    key: Key,
    apart_ms: int,
    heard_apart_s: float,
    starts: int,
) -> None:
    for kind, stamp_ms, waits_s in (
        (QEvent.Type.KeyPress, 70_000, 0.0),
        (QEvent.Type.KeyRelease, 70_040, 0.0),
        (QEvent.Type.KeyPress, 70_000 + apart_ms, heard_apart_s),
    ):
        desk.clock.now_s += waits_s
        text = "h" if key == Key.Key_H else " "
        event = QKeyEvent(kind, key, Qt.KeyboardModifier.NoModifier, text)
        event.setTimestamp(stamp_ms)
        QApplication.sendEvent(room.button, event)
    go = Go() if key == Key.Key_Space else Go("1")
    arrives(qtbot, core, *[go] * starts)


def test_a_key_that_cannot_be_seen_any_more_counts_as_let_go(
    room: Room, desk: Desk, core: LineCore, qtbot: QtBot
) -> None:
    QTest.keyPress(room.button, Key.Key_Space)
    room.hide()
    qtbot.waitUntil(lambda: not room.isActiveWindow())
    desk.clock.now_s += 5.0
    qtbot.waitUntil(lambda: not desk.caller.guarded)


def test_space_writes_where_text_is_typed(room: Room, core: LineCore, qtbot: QtBot) -> None:
    focus(qtbot, room.field)
    QTest.keyClicks(room.field, "a h")
    assert room.field.text() == "a h"
    focus(qtbot, room.button)
    QTest.keyClick(room.button, Key.Key_H)
    arrives(qtbot, core, Go("1"))


def test_in_edit_a_character_fires_no_cue_and_a_function_key_does(
    room: Room, desk: Desk, core: LineCore, qtbot: QtBot
) -> None:
    desk.context.lock.set_locked(False)
    cues = desk.context.document.show.cues
    keyed = (cues[0], msgspec.structs.replace(cues[1], hotkey="F5"), *cues[2:])
    show = msgspec.structs.replace(desk.context.document.show, cues=keyed)
    desk.context.document.edit("a key", show)
    told: list[str] = []
    desk.caller.told.connect(told.append)
    QTest.keyClick(room.button, Key.Key_H)
    assert told == ["H fires cue 1 in SHOW only"]
    QTest.keyClick(room.button, Key.Key_F5)
    arrives(qtbot, core, Go("2"))


def test_typing_is_told(room: Room, keys: ShowKeys, qtbot: QtBot) -> None:
    told: list[bool] = []
    keys.typing_changed.connect(told.append)
    focus(qtbot, room.field)
    focus(qtbot, room.button)
    assert told == [True, False]


def test_a_read_only_field_is_no_place_to_type(qtbot: QtBot) -> None:
    field, plain, choice = QLineEdit(), QPlainTextEdit(), QComboBox()
    for widget in (field, plain, choice):
        qtbot.addWidget(widget)
    assert types_text(field)
    field.setReadOnly(True)
    assert not types_text(field)
    assert types_text(plain)
    assert not types_text(choice)
    choice.setEditable(True)
    assert types_text(choice)
    assert not types_text(None)


def test_enter_presses_a_button_as_space_cannot(room: Room) -> None:
    QTest.keyClick(room.button, Key.Key_Return)
    QTest.keyClick(room.button, Key.Key_Enter, Qt.KeyboardModifier.KeypadModifier)
    assert room.clicks == 2


def test_what_has_the_keys_for_itself_keeps_them(room: Room, core: LineCore, qtbot: QtBot) -> None:
    room.setProperty(OWNS_KEYS, True)
    for key in (Key.Key_Space, Key.Key_H, Key.Key_BracketLeft):
        QTest.keyClick(room.button, key)
    assert room.clicks == 1  # Space is the button's, as everywhere else in Qt
    room.setProperty(OWNS_KEYS, False)
    QTest.keyClick(room.button, Key.Key_H)
    arrives(qtbot, core, Go("1"))


def test_a_sheet_has_the_keys_for_itself_unless_it_gives_them_away(qtbot: QtBot) -> None:
    keeping, giving = Sheet("Keeps"), Sheet("Gives", takes_keys=False)
    for sheet in (keeping, giving):
        qtbot.addWidget(sheet)
    assert owns_keys(keeping.add_button("Inside"))
    assert not owns_keys(giving.add_button("Inside"))


def test_escape_is_the_stop_panels(room: Room, core: LineCore, qtbot: QtBot) -> None:
    QTest.keyClick(room.button, Key.Key_Escape)
    QTest.keyClick(room.button, Key.Key_H)
    arrives(qtbot, core, Go("1"))


def test_brackets_pause_and_resume(room: Room, core: LineCore, qtbot: QtBot) -> None:
    QTest.keyClick(room.button, Key.Key_BracketLeft)
    QTest.keyClick(room.button, Key.Key_BracketRight)
    QTest.keyClick(room.button, Key.Key_Pause)
    arrives(qtbot, core, PauseShow(), ResumeShow(), PauseShow())


def test_hotkeys_are_those_of_the_document_as_it_is_now(
    room: Room, desk: Desk, core: LineCore, qtbot: QtBot
) -> None:
    document = desk.context.document
    QTest.keyClick(room.button, Key.Key_B)
    cues = tuple(
        msgspec.structs.replace(cue, hotkey="B" if cue.number == "4" else "")
        for cue in document.show.cues
    )
    document.edit("keys", msgspec.structs.replace(document.show, cues=cues))
    QTest.keyClick(room.button, Key.Key_H)
    QTest.keyClick(room.button, Key.Key_B)
    arrives(qtbot, core, Go("4"))


def test_hotkeys_pass_the_double_go_guard_and_fire_in_show(
    room: Room, desk: Desk, core: LineCore, qtbot: QtBot
) -> None:
    desk.context.lock.set_locked(True)
    QTest.keyClick(room.button, Key.Key_H)
    QTest.keyClick(room.button, Key.Key_H)
    desk.clock.now_s += 1.0
    QTest.keyClick(room.button, Key.Key_Space)
    arrives(qtbot, core, Go("1"), Go())


def test_a_key_with_ctrl_is_left_to_the_menus(room: Room, core: LineCore, qtbot: QtBot) -> None:
    QTest.keyClick(room.button, Key.Key_H, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(room.button, Key.Key_Space, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(room.button, Key.Key_H)
    arrives(qtbot, core, Go("1"))
