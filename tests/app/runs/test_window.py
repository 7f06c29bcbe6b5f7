"""The window of runs: it finds moments, compares two runs, and gives its values away."""

import math
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from app.runs.run import Run
from app.runs.source import Library
from app.runs.window import RunWindow
from tests.app.console.rig import HELLO
from tests.app.runs.recording import FAULT_S, knee_at, write_run


@pytest.fixture
def window(
    recorded: Path,
    reading: Library,
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[RunWindow]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    found = RunWindow(Run(recorded, reading), reading)
    qtbot.addWidget(found)
    with qtbot.waitExposed(found):
        found.show()
    qtbot.waitUntil(lambda: found.run.digest.done and found.events.list.topLevelItemCount() == 4)
    found.plots.show_keys(("left knee position", "left knee torque", "battery"))
    yield found
    found.close()


def press(window: RunWindow, key: Qt.Key, shift: bool = False) -> None:
    modifier = Qt.KeyboardModifier.ShiftModifier if shift else Qt.KeyboardModifier.NoModifier
    QTest.keyClick(window, key, modifier)


def said(window: RunWindow) -> str:
    return window._line.text()


def test_keys_go_to_events_and_alarms(window: RunWindow) -> None:
    playback = window.playback
    press(window, Qt.Key.Key_A)
    assert playback.time_s == pytest.approx(FAULT_S[0])
    press(window, Qt.Key.Key_N, shift=True)
    assert playback.time_s == pytest.approx(8.0)
    press(window, Qt.Key.Key_N)
    press(window, Qt.Key.Key_N)
    assert playback.time_s == pytest.approx(27.0)
    press(window, Qt.Key.Key_Home)
    assert playback.time_s == 0.0
    press(window, Qt.Key.Key_Right, shift=True)
    assert playback.time_s == pytest.approx(1.0)


def test_a_click_on_an_event_goes_there_and_the_list_follows(
    window: RunWindow, qtbot: QtBot
) -> None:
    events = window.events.list
    item = events.topLevelItem(2)
    assert item is not None and "■ the knee is <hot>" in item.text(2)
    place = events.visualItemRect(item).center()
    QTest.mouseClick(events.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert window.playback.time_s == pytest.approx(25.0)
    window.playback.go(8.5)
    assert events.currentItem() is events.topLevelItem(1)
    window.events.kind.setCurrentIndex(1)
    assert events.topLevelItemCount() == 2
    window.events.search.setText("reset")
    assert events.topLevelItemCount() == 1


def test_a_drag_along_the_strip_moves_the_playhead(window: RunWindow) -> None:
    strip = window._strip
    middle = QPoint(strip.width() // 2, 30)
    window.playback.show(0.0, 1.0)
    QTest.mousePress(strip, Qt.MouseButton.LeftButton, pos=middle)
    assert window.playback.time_s == pytest.approx(15.0, abs=0.1)
    QTest.mouseMove(strip, middle + QPoint(strip.width() // 4, 0))
    assert window.playback.time_s == pytest.approx(22.5, abs=0.1)
    QTest.mouseRelease(strip, Qt.MouseButton.LeftButton)


def test_the_numbers_above_a_plot_are_those_at_the_playhead(
    window: RunWindow, qtbot: QtBot
) -> None:
    window.playback.go(2.5)
    head = window.plots.plots[0].head
    wanted = f"measured: {math.degrees(knee_at(2.5)):.4g}"
    qtbot.waitUntil(lambda: head.toolTip().startswith(wanted))
    window.plots.show_cursors(True)
    assert "A " in head.toolTip() and "Δ" in head.toolTip()


def test_two_runs_lie_over_each_other_from_a_cue_on(
    window: RunWindow, late: Path, qtbot: QtBot
) -> None:
    window.compare(late)
    window.align("2")
    assert "is still being read" in said(window)
    second = window._second
    assert second is not None
    digest = second.digest
    qtbot.waitUntil(lambda: digest.done)
    plot = window.plots.plots[0]
    assert len(plot._curves) == 2 * len(plot.trace.lines)
    window.align("2")
    window.playback.show(8.0, 12.0)
    window.plots.draw()
    first, second = (plot._curves[i].getData() for i in (0, len(plot.trace.lines)))
    assert len(first[0]) == len(second[0])
    assert abs(first[1] - second[1]).max() < math.degrees(0.5 * math.pi * 0.06)  # of two statuses
    window.align("7")
    assert "cue 7 did not run in run.mcap" in said(window)
    window.end_comparison()
    assert len(window.plots.plots[0]._curves) == len(plot.trace.lines)


def test_a_run_of_another_robot_is_no_comparison(window: RunWindow, tmp_path: Path) -> None:
    other = write_run(tmp_path / "o.mcap", hello=replace(HELLO, robot="other"), length_s=1.0)
    window.compare(other)
    assert "o.mcap is a run of other, not of kid_cosmo" in said(window)
    window.compare(tmp_path / "none.mcap")
    assert "none.mcap cannot be read" in said(window)
    window.align("1")
    assert "there is no second run" in said(window)


def test_the_shown_values_leave_as_a_table(
    window: RunWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "values.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, **__: (str(target), ""))
    window.playback.show(4.0, 4.5)
    window._ask_csv()
    head, *rows = target.read_text().splitlines()
    assert head.startswith("time [s],Left knee: position measured [°]")
    assert 499 <= len(rows) <= 502
    time_s, knee = rows[100].split(",")[:2]
    assert float(knee) == pytest.approx(math.degrees(knee_at(float(time_s))), abs=1e-3)
    target = tmp_path / "nowhere" / "values.csv"
    window._ask_csv()
    assert "values.csv was not written: No such file or directory" in said(window)


def test_the_report_waits_for_the_end_of_reading(
    recorded: Path, reading: Library, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    window = RunWindow(Run(recorded, reading), reading)
    qtbot.addWidget(window)
    window._ask_report()
    assert "is still being read" in said(window)
    window.close()
