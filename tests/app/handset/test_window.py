"""The window, by mouse and keys, on a real twin."""

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.handset.said import Line, Screen
from app.handset.twin import Twin
from app.handset.window import HandsetWindow
from devices.twin.__main__ import ask
from tests.app.console.rig import HELLO
from tests.app.handset.conftest import Running

pytestmark = pytest.mark.timeout(300)  # a twin starts
USES = ["STOP", "HOLD", "SETTLE", "GO", "cancel", "freeze", "held: step sideways", "a", "b", "c"]
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def window(twin: Twin, qtbot: QtBot) -> Iterator[HandsetWindow]:
    made = HandsetWindow(twin, lambda: USES, HELLO.battery)
    qtbot.addWidget(made)
    with qtbot.waitExposed(made):
        made.show()
    made.activateWindow()
    qtbot.waitUntil(made.isActiveWindow)
    yield made


def there(running: Running, qtbot: QtBot, **wanted: Any) -> None:
    """Wait until the twin tells somebody else that its handset is like this."""

    def look() -> bool:
        told = running.tell("hands")
        return {name: told[name] for name in wanted} == wanted

    qtbot.waitUntil(look)


def key(window: QWidget, kind: QEvent.Type, code: int, scan: int = 0, text: str = "") -> None:
    plain = Qt.KeyboardModifier.NoModifier
    target = window.focusWidget() or window
    QApplication.sendEvent(target, QKeyEvent(kind, code, plain, scan, 0, 0, text))


DOWN, UP = QEvent.Type.KeyPress, QEvent.Type.KeyRelease


def test_each_button_is_pressed_while_the_mouse_is_down(
    window: HandsetWindow, running: Running, qtbot: QtBot
) -> None:
    for place, button in enumerate(window.buttons):
        QTest.mousePress(button, LEFT)
        there(running, qtbot, buttons=1 << place)
        QTest.mouseRelease(button, LEFT)
        there(running, qtbot, buttons=0)
    assert window.buttons[0].text().endswith("1\nSTOP")
    QTest.mousePress(window.buttons[3], LEFT)
    qtbot.waitUntil(lambda: window.buttons[3].text() == "● 4\nGO")
    assert window.buttons[3].accessibleDescription() == "GO; held"
    QTest.mouseRelease(window.buttons[3], LEFT)
    qtbot.waitUntil(lambda: window.buttons[3].text() == "4\nGO")


def test_digits_are_buttons_and_shift_is_the_dead_man(
    window: HandsetWindow, running: Running, qtbot: QtBot
) -> None:
    key(window, DOWN, Qt.Key.Key_Shift)
    key(window, DOWN, Qt.Key.Key_Exclam, scan=10)  # Shift and 1
    key(window, DOWN, Qt.Key.Key_0)
    there(running, qtbot, buttons=0b1000000001, dead_man=True)
    key(window, UP, Qt.Key.Key_Shift)
    there(running, qtbot, buttons=0b1000000001, dead_man=False)
    key(window, UP, Qt.Key.Key_1, scan=10)
    key(window, UP, Qt.Key.Key_0)
    there(running, qtbot, buttons=0)


def test_words_that_are_typed_press_nothing(
    window: HandsetWindow, running: Running, qtbot: QtBot
) -> None:
    window.mishaps.words.setFocus()
    key(window, DOWN, Qt.Key.Key_Shift)
    QTest.keyClicks(window.mishaps.words, "press 11")
    QTest.keyClick(window.mishaps.words, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.mishaps.answer.text().startswith("▲ press 11: press is refused"))
    assert running.tell("hands")["buttons"] == 0 and running.tell("hands")["dead_man"] is False
    window.mishaps.words.setText("press 4")
    window.mishaps.do.click()
    qtbot.waitUntil(lambda: window.mishaps.answer.text() == "● press 4: done")
    there(running, qtbot, buttons=8)


def test_sticks_move_with_mouse_and_arrows_and_spring_back(
    window: HandsetWindow, running: Running, qtbot: QtBot
) -> None:
    stick = window.sticks["right"]
    centre, half = stick.field().center().toPoint(), stick.field().width() / 2
    QTest.mousePress(stick, LEFT, pos=centre + QPoint(round(half / 2), 0))
    qtbot.waitUntil(lambda: 0.4 < running.tell("hands")["sticks"][2] < 0.6)  # type: ignore[index]
    QTest.mouseRelease(stick, LEFT)
    there(running, qtbot, sticks=[0.0] * 4)
    left = window.sticks["left"]
    left.setFocus()
    QTest.keyPress(left, Qt.Key.Key_Up)
    there(running, qtbot, sticks=[0.0, 1.0, 0.0, 0.0])
    qtbot.waitUntil(lambda: "+1.00 forward" in left.accessibleDescription())
    QTest.keyRelease(left, Qt.Key.Key_Up)
    there(running, qtbot, sticks=[0.0] * 4)


def test_another_window_in_front_lets_go_of_all_but_what_is_kept(
    window: HandsetWindow, running: Running, qtbot: QtBot
) -> None:
    window.keep.setChecked(True)
    window.sticks["left"].setFocus()
    QTest.keyPress(window.sticks["left"], Qt.Key.Key_Left)
    key(window, DOWN, Qt.Key.Key_2)
    there(running, qtbot, buttons=2, dead_man=True, sticks=[-1.0, 0.0, 0.0, 0.0])
    other = QWidget()
    qtbot.addWidget(other)
    other.show()
    other.activateWindow()
    qtbot.waitUntil(lambda: not window.isActiveWindow())
    there(running, qtbot, buttons=0, dead_man=True, sticks=[0.0] * 4)
    window.keep.setChecked(False)
    there(running, qtbot, dead_man=False)


def test_who_lays_the_handset_down_elsewhere_leaves_nothing_kept_here(
    window: HandsetWindow, running: Running, qtbot: QtBot
) -> None:
    window.keep.setChecked(True)
    there(running, qtbot, dead_man=True)
    another = Twin(running.folder)
    qtbot.waitUntil(lambda: another.hands is not None)
    another.close()  # as its window does that is closed
    qtbot.waitUntil(lambda: not window.keep.isChecked())
    assert not window.dead_man.hold.held
    there(running, qtbot, dead_man=False)
    window.keep.setChecked(True)
    there(running, qtbot, dead_man=True)


def test_switches_show_what_a_script_did_and_undo_it(
    window: HandsetWindow, running: Running, qtbot: QtBot
) -> None:
    for order in ("open a", "remote_stop on", "handset off"):
        assert ask(running.folder, order) == "ok"
    a, remote = window.mishaps.channels["a"], window.mishaps.remote
    qtbot.waitUntil(lambda: a.text() == "Channel A: ■ OPEN")
    assert remote.accessibleName() == "Wireless stop: PRESSED"
    assert window.power.text() == "Handset: ■ OFF"
    for switch in (a, remote, window.power):
        switch.click()
    there(running, qtbot, channel_a=True, stop=False, present=True)
    qtbot.waitUntil(lambda: a.text() == "Channel A: ● closed")
    window.mishaps.channels["b"].click()
    there(running, qtbot, channel_b=False)


def test_a_plug_is_pulled_and_put_back(
    window: HandsetWindow, running: Running, qtbot: QtBot
) -> None:
    mishaps = window.mishaps
    qtbot.waitUntil(lambda: mishaps.line.findText("head") >= 0)
    mishaps.line.setCurrentText("head")
    mishaps.plug.click()
    qtbot.waitUntil(lambda: mishaps.plug.text() == "Plug in")
    assert not (running.folder / "head").is_symlink()
    mishaps.line.setCurrentText("imu")
    assert mishaps.plug.text() == "Unplug"
    mishaps.line.setCurrentText("head")
    mishaps.plug.click()
    qtbot.waitUntil(lambda: mishaps.plug.text() == "Unplug")
    assert (running.folder / "head").is_symlink()


def test_screens_say_what_the_core_wrote(window: HandsetWindow, twin: Twin) -> None:
    twin.screens_told.emit({"receiver": Screen({"mode": "READY", "alarm": ""}, 0.954)})
    assert window.screens["receiver"].text() == "READY\nbattery 95 %"
    assert window.screens["native"].text() == "–"


def test_without_a_twin_nothing_can_be_pressed(
    window: HandsetWindow, twin: Twin, qtbot: QtBot
) -> None:
    window.keep.setChecked(True)
    assert window.state.text().startswith("● the twin in ")
    twin.close()
    qtbot.waitUntil(lambda: not twin.connected)
    assert "▲ no twin runs in" in window.state.text()
    assert not window.keep.isChecked() and not window.dead_man.hold.held
    assert not window.buttons[0].isEnabled()


def test_what_only_a_twin_can_know_is_unknown_without_one(
    window: HandsetWindow, twin: Twin, running: Running, qtbot: QtBot
) -> None:
    twin.order("press 3")
    twin.order("hold")
    twin.order("stick right_x 1")
    twin.order("handset off")
    qtbot.waitUntil(lambda: window.power.text() == "Handset: ■ OFF")
    qtbot.waitUntil(lambda: window.mishaps.line.count() > 0)
    twin.screens_told.emit({"receiver": Screen({"mode": "READY"}, 0.9)})
    twin.close()
    qtbot.waitUntil(lambda: not twin.connected)
    assert window.power.text() == "Handset: ? unknown"
    for switch in (*window.mishaps.channels.values(), window.mishaps.remote):
        assert switch.text().endswith(": ? unknown")
    held = [button.text() for button in (*window.buttons, window.dead_man)]
    assert not any("●" in text for text in held)
    assert "+0.00 to the right" in window.sticks["right"].accessibleDescription()
    assert window.screens["receiver"].text() == "–"
    assert window.mishaps.line.count() == 0


def test_everything_that_is_pressed_has_a_name_and_a_hint(window: HandsetWindow) -> None:
    window.mishaps._take_lines({"imu": Line(True)})
    named: list[QWidget] = [
        *window.findChildren(QAbstractButton),
        *window.sticks.values(),
        window.mishaps.words,
        window.mishaps.volts,
        window.mishaps.line,
    ]
    assert [one for one in named if not (one.accessibleName() and one.toolTip())] == []
