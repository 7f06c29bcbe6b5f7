"""The table is bounded, and what it shows agrees with what it holds."""

from datetime import datetime

from PySide6.QtCore import Qt
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from app.console.event_log.line import Filter, LogLine
from app.console.event_log.model import MOST, EventModel
from core.link.statement import Severity

WALL = datetime(2026, 3, 4, 20, 15)


def lines(first: int, last: int, severity: Severity = "info") -> list[LogLine]:
    return [LogLine(WALL, float(i), "core", f"line {i}", severity) for i in range(first, last)]


def texts(model: EventModel) -> list[str]:
    return [str(model.index(row, 4).data()) for row in range(model.rowCount())]


def test_the_oldest_make_room(qtbot: QtBot, qtmodeltester: ModelTester) -> None:
    model = EventModel(most=10, slack=2)
    model.append(lines(0, 10))
    qtmodeltester.check(model, force_py=True)  # type: ignore[no-untyped-call]
    assert model.rowCount() == 10
    model.append(lines(10, 11))
    assert texts(model) == [f"line {i}" for i in range(3, 11)]
    assert len(model.lines) == 8


def test_what_is_dropped_while_hidden_does_not_disturb_what_is_seen(qtbot: QtBot) -> None:
    model = EventModel(most=10, slack=2)
    model.filter(Filter(least="error"))
    model.append(lines(0, 8) + lines(8, 10, "error"))
    model.append(lines(10, 12))
    assert texts(model) == ["line 8", "line 9"]
    model.append(lines(12, 19))
    assert texts(model) == [] and len(model.lines) <= 10
    model.filter(Filter())
    assert texts(model)[-1] == "line 18"


def test_a_burst_larger_than_the_log_leaves_its_end(qtbot: QtBot) -> None:
    model = EventModel(most=10, slack=2)
    model.append(lines(0, 50))
    assert texts(model) == [f"line {i}" for i in range(42, 50)]


def test_a_filter_comes_and_goes(qtbot: QtBot) -> None:
    model = EventModel()
    model.append(lines(0, 3) + lines(3, 4, "warning"))
    model.filter(Filter(text="LINE 3"))
    model.append(lines(30, 32) + lines(40, 41))
    assert texts(model) == ["line 3", "line 30", "line 31"]
    model.filter(Filter())
    assert model.rowCount() == 7


def test_it_holds_twenty_thousand() -> None:
    assert MOST == 20_000


def test_actors_are_known_once_each(qtbot: QtBot) -> None:
    model = EventModel()
    model.append(lines(0, 2))
    model.append([LogLine(WALL, None, "a console", "hello")])
    assert model.actors == ["a console", "core"]


def test_brief_cells_keep_the_mark(qtbot: QtBot) -> None:
    model = EventModel()
    model.append(lines(0, 1, "warning"))
    assert model.index(0, 2).data() == "▲ warning"
    model.brief = True
    assert model.index(0, 2).data() == "▲"
    assert model.index(0, 0).data() == "20:15:00"
    assert "warning" in str(model.index(0, 2).data(Qt.ItemDataRole.ToolTipRole))
