"""A press of STOP counts whatever else is held, open or dragged."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QMimeData, QObject, QPoint, Qt
from PySide6.QtGui import QDragEnterEvent, QWindow
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QHBoxLayout, QMenu, QWidget
from pytestqt.qtbot import QtBot

from app.console.context.context import Context
from app.console.stop.controls import HOLD
from app.console.stop.panel import StopPanel
from core.link.commands import Hold, Stop
from tests.app.console.rig import LineCore

MODIFIERS = (
    Qt.KeyboardModifier.ShiftModifier,  # the dead-man control of a walk by keys
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.AltModifier,
    Qt.KeyboardModifier.MetaModifier,
    Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier,
)


@pytest.fixture
def panel(context: Context, qtbot: QtBot) -> Iterator[StopPanel]:
    window = QWidget()
    qtbot.addWidget(window)
    row = QHBoxLayout(window)
    row.addStretch()
    found = StopPanel(context)
    row.addWidget(found)
    window.resize(700, 700)
    with qtbot.waitExposed(window):
        window.show()
    window.activateWindow()
    qtbot.waitUntil(lambda: context.link.status is not None)
    yield found  # the window lives as long as this frame does


def handle(widget: QWidget) -> QWindow:
    found = widget.window().windowHandle()
    assert found is not None
    return found


@pytest.mark.parametrize("modifier", MODIFIERS)
def test_the_stop_key_works_whatever_key_is_held(
    panel: StopPanel, core: LineCore, qtbot: QtBot, modifier: Qt.KeyboardModifier
) -> None:
    QTest.keyPress(handle(panel), Qt.Key.Key_F12, modifier)
    qtbot.waitUntil(lambda: core.commands == [Stop()])


class Drag(QObject):
    """Does with keys what Qt's own filter does during a drag."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Swallow keys."""
        return event.type() in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress)


def test_the_stop_key_works_during_a_drag(panel: StopPanel, core: LineCore, qtbot: QtBot) -> None:
    application = QApplication.instance()
    assert application is not None
    drag = Drag()
    application.installEventFilter(drag)
    try:
        none = Qt.KeyboardModifier.NoModifier
        left, copy = Qt.MouseButton.LeftButton, Qt.DropAction.CopyAction
        with pytest.deprecated_call():  # only Qt itself shall make one
            enter = QDragEnterEvent(QPoint(), copy, QMimeData(), left, none)
        QCoreApplication.sendEvent(QObject(), enter)
        QTest.keyPress(handle(panel), Qt.Key.Key_F12)
        qtbot.waitUntil(lambda: core.commands == [Stop()])
    finally:
        application.removeEventFilter(drag)


@pytest.mark.parametrize("control", ["STOP", HOLD.name])
def test_a_press_beside_an_open_menu_counts_and_closes_it(
    panel: StopPanel, core: LineCore, qtbot: QtBot, control: str
) -> None:
    menu = QMenu(panel.window())
    menu.addAction("something")
    menu.popup(panel.window().mapToGlobal(QPoint(20, 20)))
    qtbot.waitUntil(menu.isVisible)
    button = panel.stop if control == "STOP" else panel.buttons[control]
    place = menu.mapFromGlobal(button.mapToGlobal(button.rect().center()))
    QTest.mousePress(handle(menu), Qt.MouseButton.LeftButton, pos=place)
    qtbot.waitUntil(lambda: core.commands != [])
    QTest.mouseRelease(handle(panel), Qt.MouseButton.LeftButton)
    qtbot.wait(60)
    assert core.commands == [Stop() if control == "STOP" else Hold()]
    assert not menu.isVisible()


def test_a_press_within_a_menu_is_the_menus(panel: StopPanel, core: LineCore, qtbot: QtBot) -> None:
    menu = QMenu(panel.window())
    action = menu.addAction("something")
    menu.popup(panel.stop.mapToGlobal(QPoint(10, 10)))  # over STOP
    qtbot.waitUntil(menu.isVisible)
    chosen: list[bool] = []
    action.triggered.connect(lambda _: chosen.append(True))
    QTest.mouseClick(
        handle(menu), Qt.MouseButton.LeftButton, pos=menu.actionGeometry(action).center()
    )
    qtbot.waitUntil(lambda: chosen == [True])
    assert core.commands == []
