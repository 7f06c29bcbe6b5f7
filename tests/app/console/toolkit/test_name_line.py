"""A name is taken with Enter or when the focus leaves; Esc leaves it as it was."""

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.console.toolkit.name_line import NameLine


@pytest.mark.parametrize(("key", "taken"), [(Qt.Key.Key_Return, ["new"]), (Qt.Key.Key_Escape, [])])
def test_enter_takes_the_name_once_and_esc_does_not(
    qtbot: QtBot, key: Qt.Key, taken: list[str]
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    found: list[str] = []
    line = NameLine(window, QRect(0, 0, 100, 24), "old", "Name", found.append)
    QTest.keyClicks(line, " new ")
    QTest.keyClick(line, key)
    qtbot.waitUntil(lambda: not window.findChildren(NameLine))
    assert found == taken
