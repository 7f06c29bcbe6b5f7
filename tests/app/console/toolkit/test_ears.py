"""The ears pass on input, the newest listener first, until one takes it away."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.console.toolkit.ears import ears


def test_the_newest_listener_is_first_and_may_take_an_event_away(qtbot: QtBot) -> None:
    widget, owners = QWidget(), [QObject(), QObject()]
    qtbot.addWidget(widget)
    widget.show()
    heard: list[str] = []

    def listener(name: str, takes: bool) -> object:
        def hear(_: QObject, event: QEvent) -> bool:
            if event.type() == QEvent.Type.KeyPress:
                heard.append(name)
            return takes and event.type() == QEvent.Type.KeyPress

        return hear

    ears().listen(listener("old", False), owners[0])  # type: ignore[arg-type]
    ears().listen(listener("new", True), owners[1])  # type: ignore[arg-type]
    QTest.keyClick(widget, Qt.Key.Key_A)
    assert heard and set(heard) == {"new"}
    owners.pop().deleteLater()
    qtbot.wait(20)
    heard.clear()
    QTest.keyClick(widget, Qt.Key.Key_A)
    assert set(heard) == {"old"}


def test_there_is_one_for_the_program(qtbot: QtBot) -> None:
    assert ears() is ears()
