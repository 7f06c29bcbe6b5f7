"""The level of the microphone: a bar, a line at the peak, and a mark that tells it in words."""

import pytest
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from app.console.record import level as module
from app.console.record.level import LOUD_DB, LOWEST_DB, LevelBar, LevelRow
from app.console.toolkit import theme
from core.link.take import MicrophoneReport

WIDE_PX = 301


class Clock:
    """The time that the row reads."""

    def __init__(self) -> None:
        self.now_s = 1000.0

    def monotonic(self) -> float:
        return self.now_s


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.setattr(module, "time", found)
    return found


@pytest.fixture
def row(qtbot: QtBot, clock: Clock) -> LevelRow:
    found = LevelRow()
    qtbot.addWidget(found)
    return found


def picture(bar: LevelBar) -> QImage:
    bar.resize(WIDE_PX, bar.height())
    return bar.grab().toImage()


def row_of(image: QImage) -> list[str]:
    """Return the colours of the middle row."""
    return [image.pixelColor(x, image.height() // 2).name() for x in range(image.width())]


def column(level_db: float) -> int:
    return round(WIDE_PX * (1.0 - level_db / LOWEST_DB))


@pytest.mark.parametrize(
    ("report", "words"),
    [
        (MicrophoneReport(open=True, peak_db=-20.4, rms_db=-30.0), "● −20 dB"),
        (MicrophoneReport(open=True, peak_db=-5.0, rms_db=-20.0), "▲ −5 dB loud"),
        (MicrophoneReport(open=True, peak_db=0.0, clipped=True), "■ 0 dB too loud: clipped"),
        (MicrophoneReport(open=True), "○ silent"),
        (MicrophoneReport(), "? opening"),
        (MicrophoneReport(trouble="there is no microphone"), "▲ there is no microphone"),
    ],
)
def test_the_level_is_told_by_a_mark_and_words(
    row: LevelRow, report: MicrophoneReport, words: str
) -> None:
    level = row
    level.show_report(True, None)
    assert "not heard yet" in level.words
    level.show_report(True, report)
    assert level.words == words and not level.isHidden()
    level.show_report(False, report)
    assert level.isHidden()


def test_a_clipped_sample_is_told_for_some_seconds(row: LevelRow, clock: Clock) -> None:
    quiet = MicrophoneReport(open=True, peak_db=-30.0)
    row.show_report(True, MicrophoneReport(open=True, peak_db=0.0, clipped=True))
    clock.now_s += 2.9
    row.show_report(True, quiet)
    assert "clipped" in row.words
    clock.now_s += 0.2
    row.show_report(True, quiet)
    assert row.words == "● −30 dB"


def test_a_recorder_that_is_silent_is_told_after_a_second(row: LevelRow, clock: Clock) -> None:
    row.show_report(True, MicrophoneReport(open=True, peak_db=-30.0))
    clock.now_s += 0.9
    row.show_report(True, None)
    assert row.words == "● −30 dB"  # reports come ten times a second, not with every look
    clock.now_s += 0.2
    row.show_report(True, None)
    assert "not heard yet" in row.words


def test_the_line_of_the_peak_falls_slowly(row: LevelRow, clock: Clock) -> None:
    row.show_report(True, MicrophoneReport(open=True, peak_db=-10.0, rms_db=-40.0))
    clock.now_s += 0.5
    row.show_report(True, MicrophoneReport(open=True, peak_db=-50.0, rms_db=-55.0))
    seen = row_of(picture(row.bar))
    assert seen[column(-20.0)] == theme.TEXT.lower()
    clock.now_s += 10.0
    row.show_report(True, MicrophoneReport(open=True, peak_db=-50.0, rms_db=-55.0))
    assert row_of(picture(row.bar))[column(-50.0)] == theme.TEXT.lower()


def test_the_bar_is_filled_up_to_the_mean_and_has_a_notch_where_loud_begins(qtbot: QtBot) -> None:
    bar = LevelBar()
    qtbot.addWidget(bar)
    empty = QColor(theme.RAISED).name()
    assert row_of(picture(bar))[1 : column(LOUD_DB)] == [empty] * (column(LOUD_DB) - 1)
    for rms_db in (-45.0, -30.0, -5.0):
        bar.show_level(rms_db, LOWEST_DB, theme.GOOD.colour)
        seen = row_of(picture(bar))
        assert seen[column(rms_db) - 2] == QColor(theme.GOOD.colour).name()
        assert seen[column(rms_db) + 2] == empty
        at = column(LOUD_DB)
        assert QColor(theme.EDGE).name() in seen[at - 1 : at + 2]


def test_a_level_beyond_both_ends_is_drawn_within(qtbot: QtBot) -> None:
    bar = LevelBar()
    qtbot.addWidget(bar)
    bar.show_level(-90.0, 6.0, theme.BAD.colour)
    seen = row_of(picture(bar))
    assert seen[2] == QColor(theme.RAISED).name() and seen[-2] == theme.TEXT.lower()
