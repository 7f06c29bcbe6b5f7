"""Lines are filtered as asked, and written so that they can be read again."""

import csv
from datetime import datetime
from pathlib import Path

import pytest

from app.console.context.notices import Notice
from app.console.event_log.line import Filter, LogLine, to_csv, to_text, write
from core.link.event import Event

WALL = datetime(2026, 3, 4, 20, 15, 0, 123456)
GO = LogLine.of_event(WALL, Event(12.5, "console-1", "commanded", {"command": "go", "cue": "1"}))
REFUSED = LogLine(WALL, 13.0, "core", 'GO refused: "2", not armed.', "warning")
GONE = LogLine(WALL, None, "voice", "no\nloudspeaker\there", "error")
LINES = [GO, REFUSED, GONE]


def test_a_file_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    target = tmp_path / "log.csv"
    target.mkdir()
    with pytest.raises(OSError):
        write(target, LINES)
    assert list(tmp_path.iterdir()) == [target]
    with pytest.raises(OSError):
        write(tmp_path / "no such folder" / "log.csv", LINES)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (Filter(), LINES),
        (Filter(least="warning"), [REFUSED, GONE]),
        (Filter(least="error"), [GONE]),
        (Filter(actor="core"), [REFUSED]),
        (Filter(text="go"), [GO, REFUSED]),
        (Filter(text="VOICE"), [GONE]),
        (Filter(actor="core", text="cue"), []),
    ],
)
def test_filter(wanted: Filter, found: list[LogLine]) -> None:
    assert [line for line in LINES if wanted.admits(line)] == found


def test_wall_time_stands_beside_core_time_and_kind_is_a_word() -> None:
    assert REFUSED.cells()[:4] == ("20:15:00.123", "13.00 s", "▲ warning", "core")
    assert GONE.cells()[1] == ""


def test_an_event_reads_as_the_catalogue_has_it_and_a_notice_as_it_is() -> None:
    assert (GO.actor, GO.text) == ("console-1", "GO: cue 1")
    notice = LogLine.of_notice(WALL, Notice("The show was saved.", "warning"))
    assert notice == LogLine(WALL, None, "console", "The show was saved.", "warning")


def test_one_line_stays_one_line() -> None:
    assert "\n" not in GONE.cells()[4] and "\t" not in GONE.cells()[4]
    assert to_text(LINES).count("\n") == 3


def test_a_table_is_read_back_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "log.CSV"
    write(path, LINES)
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["wall_time", "core_s", "severity", "actor", "text"]
    assert rows[2][1:] == ["13.000", "warning", "core", REFUSED.text]
    assert rows[3][4] == GONE.text
    assert datetime.fromisoformat(rows[1][0]) == WALL.replace(microsecond=123000)
    assert to_csv([]).count("\n") == 1


def test_any_other_name_is_text(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    path.write_text("old")
    write(path, LINES)
    assert path.read_text(encoding="utf-8") == to_text(LINES)
