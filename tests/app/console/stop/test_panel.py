"""STOP is sent on the press, by mouse and key, in any state; nothing else pretends to be done."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QMenu, QTableWidget, QTableWidgetItem, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.console.context.context import Context
from app.console.context.notices import Notice
from app.console.stop.controls import CANCEL, HOLD, RESET, SETTLE, STAND_UP
from app.console.stop.panel import LOST, SENT, SILENT, StopPanel, stop_answer
from core.link.catalogue.faults import FALLEN_DAMP, STOP_PRESSED_DAMP
from core.link.catalogue.safety import CHAIN_CLOSED, ROBOT_STILL
from core.link.commands import Cancel, Hold, Reset, Settle, StandUp, Stop
from core.link.status import Channel, ResetStep, Status
from core.link.wording import text
from core.safety.rules import RULES, Clears
from tests.app.console.rig import READY, LineCore


@pytest.fixture
def panel(context: Context, qtbot: QtBot) -> Iterator[StopPanel]:
    window = QWidget()
    qtbot.addWidget(window)
    found = StopPanel(context)
    field = QLineEdit()
    field.setObjectName("field")
    column = QVBoxLayout(window)
    column.addWidget(field)
    column.addWidget(found)
    window.resize(280, 700)
    with qtbot.waitExposed(window):
        window.show()
    window.activateWindow()
    qtbot.waitUntil(lambda: context.link.status is not None)
    yield found  # the window lives as long as this frame does


@pytest.fixture
def said(context: Context) -> list[Notice]:
    found: list[Notice] = []
    context.notices.said.connect(found.append)
    return found


def next_on_escape(panel: StopPanel) -> list[str]:
    return [name for name, button in panel.buttons.items() if button.is_next]


def lose(context: Context, core: LineCore, qtbot: QtBot) -> None:
    core.stop()
    qtbot.waitUntil(lambda: not context.link.connected)


def test_stop_is_sent_on_the_press_not_on_the_release(
    panel: StopPanel, core: LineCore, qtbot: QtBot
) -> None:
    QTest.mousePress(panel.stop, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: core.commands == [Stop()])
    QTest.mouseRelease(panel.stop, Qt.MouseButton.LeftButton)
    qtbot.wait(60)
    assert core.commands == [Stop()]


def test_the_stop_key_works_while_a_text_is_typed(
    panel: StopPanel, core: LineCore, qtbot: QtBot
) -> None:
    field = panel.window().findChild(QLineEdit, "field")
    assert field is not None
    field.setFocus()
    QTest.keyPress(field, Qt.Key.Key_F12)
    qtbot.waitUntil(lambda: core.commands == [Stop()])
    assert field.text() == ""


def test_the_stop_key_works_while_a_menu_is_open(
    panel: StopPanel, core: LineCore, qtbot: QtBot
) -> None:
    menu = QMenu(panel.window())
    menu.addAction("something")
    menu.popup(panel.mapToGlobal(panel.rect().center()))
    QTest.keyPress(menu, Qt.Key.Key_F12)
    qtbot.waitUntil(lambda: core.commands == [Stop()])
    menu.close()


def test_space_never_stops_even_with_the_focus_on_stop(
    panel: StopPanel, core: LineCore, qtbot: QtBot
) -> None:
    for button in (panel.stop, *panel.buttons.values()):
        button.setFocus()
        QTest.keyClick(button, Qt.Key.Key_Space)
    panel.stop.setFocus()
    QTest.keyClick(panel.stop, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: core.commands == [Stop()])


def test_a_held_enter_presses_once(panel: StopPanel, core: LineCore, qtbot: QtBot) -> None:
    for repeated in (False, True, True):
        panel.stop.keyPressEvent(
            QKeyEvent(
                QEvent.Type.KeyPress,
                Qt.Key.Key_Return,
                Qt.KeyboardModifier.NoModifier,
                "",
                repeated,
            )
        )
    qtbot.waitUntil(lambda: core.commands != [])
    qtbot.wait(60)
    assert core.commands == [Stop()]


def test_without_a_core_stop_stays_pressable_and_says_what_to_use_instead(
    panel: StopPanel, context: Context, core: LineCore, qtbot: QtBot, said: list[Notice]
) -> None:
    lose(context, core, qtbot)
    assert LOST in panel.answer.text(), "said before anybody has to press"
    assert panel.stop.isEnabled()
    assert not any(button.isEnabled() for button in panel.buttons.values())
    QTest.mousePress(panel.stop, Qt.MouseButton.LeftButton)
    assert [notice.text for notice in said] == [LOST]


def test_a_core_that_does_not_latch_is_told_as_silent(
    panel: StopPanel, core: LineCore, qtbot: QtBot, said: list[Notice]
) -> None:
    QTest.mousePress(panel.stop, Qt.MouseButton.LeftButton)
    assert SENT in panel.answer.text()
    qtbot.waitUntil(lambda: SILENT in panel.answer.text())
    assert said[-1].severity == "error"


def test_the_answer_is_the_cores_echo(panel: StopPanel, core: LineCore, qtbot: QtBot) -> None:
    panel.press_stop()
    core.set(mode="FAULT", latched=(STOP_PRESSED_DAMP(),))
    done = "Stopped: STOP was pressed."
    qtbot.waitUntil(lambda: done in panel.answer.text())
    core.set(mode="DAMPED", latched=())
    qtbot.waitUntil(lambda: done not in panel.answer.text())
    assert SILENT not in panel.answer.text()


def test_escape_cancels_then_holds_and_shows_which_comes_next(
    panel: StopPanel, core: LineCore, qtbot: QtBot
) -> None:
    field = panel.window().findChild(QLineEdit, "field")
    assert field is not None
    assert next_on_escape(panel) == [CANCEL.name]
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert next_on_escape(panel) == [HOLD.name]
    QTest.keyClick(field, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: core.commands == [Cancel(), Hold()])


def test_the_lesser_stops_are_heard_while_the_dead_man_of_a_walk_by_keys_is_held(
    panel: StopPanel, core: LineCore, qtbot: QtBot
) -> None:
    field = panel.window().findChild(QLineEdit, "field")
    assert field is not None
    shift = Qt.KeyboardModifier.ShiftModifier
    for key in (Qt.Key.Key_Escape, Qt.Key.Key_Escape, Qt.Key.Key_F8):
        QTest.keyClick(field, key, shift)
    qtbot.waitUntil(lambda: core.commands == [Cancel(), Hold(), Settle()])


def test_an_escape_that_is_held_and_looks_let_go_only_cancels(
    panel: StopPanel, core: LineCore, qtbot: QtBot
) -> None:
    def press(at_ms: int) -> None:
        """Press Esc as a screen does that tells the time."""
        event = QKeyEvent(
            QEvent.Type.ShortcutOverride, Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier
        )
        event.setTimestamp(at_ms)
        QCoreApplication.sendEvent(QObject(), event)
        panel.press_escape()

    def let_go(at_ms: int) -> None:
        event = QKeyEvent(QEvent.Type.KeyRelease, Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier)
        event.setTimestamp(at_ms)
        QCoreApplication.sendEvent(QObject(), event)

    press(1000)
    for time_ms in (1500, 1540, 1580):  # a repeating key that is not known as one
        let_go(time_ms)
        press(time_ms)
    qtbot.waitUntil(lambda: core.commands != [])
    qtbot.wait(100)
    assert core.commands == [Cancel()]
    let_go(1600)
    press(1620)
    qtbot.waitUntil(lambda: core.commands == [Cancel(), Hold()])


def test_escape_that_ends_an_inline_edit_does_no_more(
    panel: StopPanel, core: LineCore, qtbot: QtBot
) -> None:
    table = QTableWidget(1, 1)
    item = QTableWidgetItem("before")
    table.setItem(0, 0, item)
    layout = panel.window().layout()
    assert layout is not None
    layout.addWidget(table)
    table.editItem(item)
    editor = table.findChild(QLineEdit)
    assert editor is not None
    editor.setText("after")
    QTest.keyClick(editor, Qt.Key.Key_Escape)
    assert item.text() == "before"
    qtbot.wait(60)
    assert core.commands == []


def test_escape_leads_nowhere_where_nothing_can_be_asked(
    panel: StopPanel, core: LineCore, qtbot: QtBot, said: list[Notice]
) -> None:
    core.set(mode="DAMPED")
    qtbot.waitUntil(lambda: not panel.buttons[CANCEL.name].isEnabled())
    assert next_on_escape(panel) == []
    panel.press_escape()
    assert "Cancel clip not sent" in said[0].text
    qtbot.wait(60)
    assert core.commands == []


def test_the_lesser_stops_act_on_the_press(panel: StopPanel, core: LineCore, qtbot: QtBot) -> None:
    for control in (CANCEL, HOLD, SETTLE):
        QTest.mousePress(panel.buttons[control.name], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: core.commands == [Cancel(), Hold(), Settle()])


def test_standing_up_acts_on_the_release_and_only_when_damped(
    panel: StopPanel, core: LineCore, qtbot: QtBot
) -> None:
    button = panel.buttons[STAND_UP.name]
    assert not button.isEnabled() and "DAMPED" in button.toolTip()
    core.set(mode="DAMPED")
    qtbot.waitUntil(button.isEnabled)
    QTest.mousePress(button, Qt.MouseButton.LeftButton)
    qtbot.wait(60)
    assert core.commands == []
    QTest.mouseRelease(button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: core.commands == [StandUp()])


def test_a_key_whose_control_is_not_allowed_says_why_and_sends_nothing(
    panel: StopPanel, core: LineCore, qtbot: QtBot, said: list[Notice]
) -> None:
    modifier = Qt.KeyboardModifier.ControlModifier
    QTest.keyClick(panel.window(), Qt.Key.Key_F7, modifier)
    qtbot.waitUntil(lambda: len(said) == 1)
    assert "Stand up not sent" in said[0].text and "READY" in said[0].text
    qtbot.wait(60)
    assert core.commands == []


def test_reset_waits_for_its_steps(panel: StopPanel, core: LineCore, qtbot: QtBot) -> None:
    button = panel.buttons[RESET.name]
    still = ROBOT_STILL(still_s=1.0)
    steps = (ResetStep(CHAIN_CLOSED(), True), ResetStep(still, False))
    core.set(mode="FAULT", latched=(STOP_PRESSED_DAMP(),), reset_steps=steps)
    qtbot.waitUntil(lambda: len(panel.chain.steps.rows) == 2)
    assert not button.isEnabled() and text(still) in button.toolTip()
    core.set(reset_steps=(steps[0], ResetStep(still, True)))
    qtbot.waitUntil(button.isEnabled)
    button.click()
    qtbot.waitUntil(lambda: core.commands == [Reset()])


def test_the_chain_is_unknown_when_the_core_is_lost(
    panel: StopPanel, context: Context, core: LineCore, qtbot: QtBot
) -> None:
    core.set(estop_channels=(Channel("mushroom", False), Channel("radio", True)))
    qtbot.waitUntil(lambda: panel.chain.channels.rows[0].text == "mushroom: OPEN")
    assert panel.chain.channels.rows[1].text == "radio: closed"
    lose(context, core, qtbot)
    assert [row.text for row in panel.chain.channels.rows] == [
        "mushroom: unknown",
        "radio: unknown",
    ]


def test_every_control_has_a_tooltip_a_name_and_a_place_in_the_focus_order(
    panel: StopPanel,
) -> None:
    for button in (panel.stop, *panel.buttons.values()):
        assert button.toolTip() and button.accessibleName()
        assert button.focusPolicy() is Qt.FocusPolicy.TabFocus, "a click must not take the focus"


FALLEN = Status(0.0, mode="FAULT", latched=(FALLEN_DAMP(),))
FALLEN_AND_STOPPED = Status(0.0, mode="FAULT", latched=(FALLEN_DAMP(), STOP_PRESSED_DAMP()))


def test_whatever_has_latched_a_stop_fits_below_it(panel: StopPanel) -> None:
    metrics, box = panel.answer.fontMetrics(), panel.answer.size()
    wrap = Qt.TextFlag.TextWordWrap
    for rule in RULES:
        if rule.clears is Clears.ON_RESET:
            status = Status(0.0, mode="FAULT", latched=(rule.fault, rule.fault))
            row = stop_answer(status, True, False, False, "floor")
            shown = f"{row.tone.mark} {row.text}"
            height = metrics.boundingRect(0, 0, box.width(), 0, wrap, shown).height()
            assert height <= box.height(), shown


@pytest.mark.parametrize(
    ("status", "connected", "waiting", "overdue", "text"),
    [
        (None, True, False, False, LOST),
        (READY, False, True, False, LOST),
        (READY, True, True, False, SENT),
        (READY, True, True, True, SILENT),
        (Status(0.0, mode="ESTOP"), True, True, True, "Stopped: The robot is in ESTOP."),
        (FALLEN, True, False, False, "Stopped: The robot has fallen."),
        (FALLEN_AND_STOPPED, True, True, True, "Stopped: The robot has fallen. (+1)"),
    ],
)
def test_what_is_said_under_stop(
    status: Status | None, connected: bool, waiting: bool, overdue: bool, text: str
) -> None:
    assert stop_answer(status, connected, waiting, overdue, "floor").text == text
