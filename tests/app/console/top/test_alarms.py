"""Alarms are told with what to do, and become small when they were seen."""

from collections.abc import Iterator

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.console.context.context import Context
from app.console.top.alarms import AlarmsPanel
from core.link import wording
from core.link.catalogue.faults import FALLEN_DAMP
from core.link.catalogue.safety import BATTERY_LEVEL, DEVICE_TEXT
from core.link.status import Alarm
from tests.app.console.rig import HELLO, LineCore

LOW = Alarm("BATTERY_LOW", "WARN", DEVICE_TEXT(device="pack", text="<low>"))
FALLEN = Alarm("FALLEN", "DAMP")
TEXT = wording.alarm(FALLEN)
ADVICE = wording.advice(FALLEN_DAMP())


@pytest.fixture
def panel(context: Context, qtbot: QtBot) -> Iterator[AlarmsPanel]:
    window = QWidget()
    qtbot.addWidget(window)
    found = AlarmsPanel(context)
    column = QVBoxLayout(window)
    column.addWidget(found)
    column.addStretch()
    window.resize(1000, 300)
    with qtbot.waitExposed(window):
        window.show()
    window.activateWindow()
    yield found


def texts(panel: AlarmsPanel) -> str:
    return " ".join(label.text() for label in panel.findChildren(QLabel) if label.isVisible())


def test_one_alarm_moves_nothing_below(panel: AlarmsPanel, core: LineCore, qtbot: QtBot) -> None:
    height_px = panel.height()
    assert "No alarms" in texts(panel)
    core.set(alarms=(LOW,))
    qtbot.waitUntil(lambda: "&lt;low&gt;" in texts(panel))
    assert "No alarms" not in texts(panel)
    qtbot.waitUntil(lambda: panel.height() == height_px)
    core.set(alarms=())
    qtbot.waitUntil(lambda: "No alarms" in texts(panel))
    qtbot.waitUntil(lambda: panel.height() == height_px)


def test_text_advice_action_and_count_are_told(
    panel: AlarmsPanel, core: LineCore, qtbot: QtBot
) -> None:
    core.hello = msgspec.structs.replace(HELLO, simulated=False)
    core.set(alarms=(FALLEN, LOW))
    qtbot.waitUntil(lambda: ADVICE in texts(panel))
    told = texts(panel)
    assert TEXT in told and "DAMP" in told and "rehearsal" not in told
    assert "&lt;low&gt;" in told, "what the core says is text, never markup"
    assert "2 alarms, 2 new" in panel.count.text()


def test_who_rehearses_is_told_to_put_it_back_after_a_fall(
    panel: AlarmsPanel, core: LineCore, qtbot: QtBot
) -> None:
    core.set(alarms=(FALLEN,))
    qtbot.waitUntil(lambda: "Put back (F9)" in texts(panel))
    assert ADVICE not in texts(panel)


def test_a_fault_that_is_over_while_its_action_lasts_says_so(
    panel: AlarmsPanel, core: LineCore, qtbot: QtBot
) -> None:
    core.set(alarms=(Alarm("TICK_LATE", "HOLD", over=True),))
    qtbot.waitUntil(lambda: len(panel.rows) == 1)
    assert "The fault is over" in texts(panel) and not panel.rows[0].over


def test_an_acknowledged_alarm_becomes_small_and_stays(
    panel: AlarmsPanel, core: LineCore, qtbot: QtBot
) -> None:
    core.set(alarms=(FALLEN, LOW))
    qtbot.waitUntil(lambda: len(panel.rows) == 2)
    button = next(b for b in panel.findChildren(QPushButton) if TEXT in b.accessibleName())
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert "2 alarms, 1 new" in panel.count.text()
    assert TEXT in panel.seen.text() and wording.alarm(LOW) not in panel.seen.text()


def test_a_press_survives_a_text_that_changes_under_it(
    panel: AlarmsPanel, core: LineCore, qtbot: QtBot
) -> None:
    core.set(alarms=(LOW,))
    qtbot.waitUntil(lambda: len(panel.rows) == 1)
    button = panel.findChildren(QPushButton)[0]
    QTest.mousePress(button, Qt.MouseButton.LeftButton)
    level = BATTERY_LEVEL(voltage_v=20.1, charge=0.12)
    core.set(alarms=(FALLEN, Alarm(LOW.flag, LOW.action, level)))
    qtbot.waitUntil(lambda: "12 %" in texts(panel))
    QTest.mouseRelease(button, Qt.MouseButton.LeftButton)
    assert [row.acknowledged for row in panel.rows] == [False, True]


def test_a_key_acknowledges_all(panel: AlarmsPanel, core: LineCore, qtbot: QtBot) -> None:
    core.set(alarms=(FALLEN, LOW))
    qtbot.waitUntil(lambda: len(panel.rows) == 2)
    QTest.keyClick(panel.window(), Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    assert "0 new" in panel.count.text()
    assert panel.isVisible()


def test_the_alarms_of_a_lost_core_stay_and_say_how_old_they_are(
    panel: AlarmsPanel, context: Context, core: LineCore, qtbot: QtBot
) -> None:
    core.set(alarms=(FALLEN,))
    qtbot.waitUntil(lambda: len(panel.rows) == 1)
    core.stop()
    qtbot.waitUntil(lambda: "as of the loss" in panel.count.text())
    assert panel.isVisible() and TEXT in texts(panel)
