"""Many changes are painted together; after a key they are painted soon."""

import time

from PySide6.QtCore import Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.console.window.pace import FRAME_S, Pace


class Counting(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self.paints = 0

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        self.paints += 1


def window(qtbot: QtBot) -> Counting:
    found = Counting()
    qtbot.addWidget(found)
    found.resize(100, 100)
    with qtbot.waitExposed(found):
        found.show()
    Pace(found)
    return found


def changed_for(found: Counting, qtbot: QtBot, time_s: float) -> float:
    """Change a window for a time, every 5 ms; return how often it was painted a second."""
    begun_s, before = time.monotonic(), found.paints
    while time.monotonic() - begun_s < time_s:
        found.update()
        qtbot.wait(5)
    return (found.paints - before) / (time.monotonic() - begun_s)


def test_changes_are_painted_once_a_frame_and_the_last_one_is_not_lost(qtbot: QtBot) -> None:
    found = window(qtbot)
    assert changed_for(found, qtbot, 0.6) <= 1.2 / FRAME_S
    before = found.paints
    found.update()
    qtbot.waitUntil(lambda: found.paints > before)


def test_a_key_is_seen_sooner(qtbot: QtBot) -> None:
    found = window(qtbot)
    QTest.keyClick(found, Qt.Key.Key_A)
    assert changed_for(found, qtbot, 0.3) > 1.3 / FRAME_S
