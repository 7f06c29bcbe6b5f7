"""The log hears core and console, follows, filters, copies and exports."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.console.context.context import Context
from app.console.context.notices import Notice
from app.console.event_log.panel import LINE_PX, EventLogPanel
from core.link.catalogue.refusals import CUE_FAILED
from core.link.commands import Go
from core.link.event import Event
from core.link.wording import event
from tests.app.console.rig import LineCore

GO = Event(1.0, "core", "commanded", {"command": "go", "cue": "1"})


class Asker:
    """Gives the path that a test wants, as a sheet would, and remembers what was proposed."""

    def __init__(self) -> None:
        self.path: Path | None = None
        self.proposed: list[str] = []

    def __call__(self, name: str, then: Callable[[Path], None]) -> None:
        self.proposed.append(name)
        if self.path is not None:
            then(self.path)


@pytest.fixture
def asker() -> Asker:
    return Asker()


@pytest.fixture
def panel(context: Context, asker: Asker, qtbot: QtBot) -> Iterator[EventLogPanel]:
    found = EventLogPanel(context, asker)
    qtbot.addWidget(found)
    found.resize(700, 300)
    with qtbot.waitExposed(found):
        found.show()
    found.activateWindow()
    yield found


def fill(panel: EventLogPanel, count: int) -> None:
    panel.add([Event(float(i), "core", f"line {i}") for i in range(count)])
    panel.take()


def last_seen(panel: EventLogPanel) -> int:
    return panel.table.rowAt(panel.table.viewport().height() - 2)


def press(panel: EventLogPanel, name: str) -> None:
    button = next(b for b in panel.findChildren(QPushButton) if b.accessibleName() == name)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_a_log_that_cannot_be_written_is_told_in_one_sentence(
    panel: EventLogPanel, context: Context, asker: Asker, tmp_path: Path
) -> None:
    said: list[Notice] = []
    context.notices.said.connect(said.append)
    fill(panel, 2)
    asker.path = tmp_path / "missing" / "log.csv"
    press(panel, "Export")
    assert said[0].severity == "error" and str(asker.path) in said[0].text
    assert "Traceback" not in said[0].text and "Choose another place" in said[0].text


def test_events_of_core_and_console_arrive_with_their_times(
    panel: EventLogPanel, context: Context, core: LineCore, qtbot: QtBot
) -> None:
    core.say(Event(1.25, "core", "refused", {"command": "go"}, "warning"))
    qtbot.waitUntil(lambda: panel.model.rowCount() == 1)
    context.notices.say("The show was saved.")
    qtbot.waitUntil(lambda: panel.model.rowCount() == 2)
    first, second = panel.model.shown
    assert first.cells()[1:4] == ("1.25 s", "▲ warning", "core")
    assert second.cells()[1:4] == ("", "○ info", "console")
    assert first.wall <= second.wall


def test_what_could_not_be_sent_is_noted_once_however_often_it_was_tried(
    panel: EventLogPanel, context: Context, core: LineCore, qtbot: QtBot
) -> None:
    core.stop()
    qtbot.waitUntil(lambda: not context.link.connected)
    for _ in range(20):
        context.link.send(Go())
    panel.take()
    assert [line.severity for line in panel.model.shown] == ["warning"]
    assert "nothing was sent" in panel.model.shown[0].text


def test_it_follows_until_the_operator_scrolls_up_and_again_at_the_end(
    panel: EventLogPanel, qtbot: QtBot
) -> None:
    fill(panel, 100)
    qtbot.waitUntil(lambda: last_seen(panel) == 99)
    panel.table.verticalScrollBar().triggerAction(
        panel.table.verticalScrollBar().SliderAction.SliderPageStepSub
    )
    assert not panel.follow.isChecked() and "○" in panel.follow.text()
    fill(panel, 10)
    qtbot.wait(20)
    assert last_seen(panel) < 100
    panel.follow.click()
    qtbot.waitUntil(lambda: last_seen(panel) == 109)
    assert "●" in panel.follow.text()


def test_filters_by_kind_actor_and_text(panel: EventLogPanel) -> None:
    panel.add([GO, Event(2.0, "voice", "silent", severity="error")])
    panel.take()
    panel.severity.setCurrentIndex(2)
    assert [line.actor for line in panel.model.shown] == ["voice"]
    assert panel.count.text() == "1 of 2 lines"
    panel.severity.setCurrentIndex(0)
    panel.actor.setCurrentIndex(panel.actor.findData("core"))
    assert [line.actor for line in panel.model.shown] == ["core"]
    panel.add([Event(3.0, "another", "hello")])
    panel.take()
    assert panel.actor.currentData() == "core", "a new actor does not change the choice"
    panel.actor.setCurrentIndex(0)
    panel.search.setText("CUE")
    assert [line.text for line in panel.model.shown] == ["GO: cue 1"]


def test_selected_lines_are_copied_by_key(panel: EventLogPanel) -> None:
    fill(panel, 3)
    panel.table.setFocus()
    panel.table.selectRow(1)
    QTest.keyClick(panel.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    copied = QGuiApplication.clipboard().text()
    assert copied.count("\n") == 1 and "line 1" in copied


def test_without_a_selection_all_that_is_shown_is_copied(panel: EventLogPanel) -> None:
    fill(panel, 3)
    panel.search.setText("line 2")
    press(panel, "Copy")
    assert QGuiApplication.clipboard().text().endswith("line 2\n")


def test_what_is_shown_is_exported(panel: EventLogPanel, asker: Asker, tmp_path: Path) -> None:
    fill(panel, 3)
    panel.search.setText("line 2")
    asker.path = tmp_path / "log.csv"
    press(panel, "Export")
    assert asker.proposed[0].endswith(".csv")
    rows = asker.path.read_text(encoding="utf-8").splitlines()
    assert len(rows) == 2 and rows[1].endswith("line 2")


def test_an_export_that_is_called_off_writes_nothing(
    panel: EventLogPanel, asker: Asker, tmp_path: Path
) -> None:
    fill(panel, 3)
    press(panel, "Export")
    assert asker.proposed and list(tmp_path.iterdir()) == []


def test_the_whole_text_of_a_line_is_told(panel: EventLogPanel) -> None:
    long = "the right elbow needs 112 % of its torque at 3.42 s; " * 3
    failed = CUE_FAILED(cue="2", text=long.strip())
    panel.add([event(1.0, "core", failed), Event(2.0, "core", "later")])
    panel.take()
    assert "later" in panel.detail.text()
    panel.table.selectRow(0)
    assert long.strip() in panel.detail.text()


def test_narrow_it_leaves_the_room_to_what_was_done(panel: EventLogPanel, qtbot: QtBot) -> None:
    fill(panel, 3)
    panel.resize(430, 300)
    qtbot.waitUntil(lambda: panel.width() == 430)
    qtbot.wait(20)
    assert panel.table.columnWidth(4) > 180 and panel.table.isColumnHidden(1)
    panel.resize(900, 300)
    qtbot.wait(20)
    assert not panel.table.isColumnHidden(1)


def test_low_it_leaves_the_room_to_the_lines(panel: EventLogPanel, qtbot: QtBot) -> None:
    assert panel.detail.isVisible()
    panel.resize(700, 180)
    qtbot.waitUntil(lambda: not panel.detail.isVisible())
    panel.resize(700, 300)
    qtbot.waitUntil(panel.detail.isVisible)


def test_low_and_wide_there_are_three_lines_at_least(panel: EventLogPanel, qtbot: QtBot) -> None:
    fill(panel, 20)
    heading = panel.table.horizontalHeader()
    panel.resize(1032, 144)  # its place at 1280 × 800
    qtbot.waitUntil(lambda: not heading.isVisible())
    qtbot.waitUntil(lambda: panel.table.viewport().height() >= 3 * LINE_PX)
    assert panel.count.isVisible() and panel.follow.isVisible()
    panel.resize(1032, 300)
    qtbot.waitUntil(heading.isVisible)
    qtbot.waitUntil(lambda: panel.follow.y() > panel.table.y())
