"""The lines of the event log, and how they are filtered and written to a file."""

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from app.console.toolkit import theme
from app.console.toolkit.theme import Tone
from core.link.messages import Event, Severity

SEVERITIES: tuple[Severity, ...] = ("info", "warning", "error")
TONES: dict[str, Tone] = {"info": theme.IDLE, "warning": theme.WARN, "error": theme.BAD}
HEADINGS = ("Time", "Core", "Kind", "Who", "What")


@dataclass(frozen=True, slots=True)
class LogLine:
    """One event, with the time at which the console heard of it.

    Attributes:
        wall: the operator's clock.
        event: who did what.
    """

    wall: datetime
    event: Event

    def cells(self) -> tuple[str, ...]:
        """Return what the columns say."""
        event = self.event
        core = "" if event.stamp_s is None else f"{event.stamp_s:.2f} s"
        kind = f"{TONES[event.severity].mark} {event.severity}"
        text = " ".join(event.text.split())
        return self.wall.strftime("%H:%M:%S.%f")[:-3], core, kind, event.actor, text


@dataclass(frozen=True, slots=True)
class Filter:
    """Which lines are shown.

    Attributes:
        least: the mildest severity that is.
        actor: who must have done it; empty for everybody.
        text: what must be in it, in any case of letters.
    """

    least: Severity = "info"
    actor: str = ""
    text: str = ""

    def admits(self, line: LogLine) -> bool:
        """Tell whether a line is shown."""
        event = line.event
        if SEVERITIES.index(event.severity) < SEVERITIES.index(self.least):
            return False
        if self.actor and event.actor != self.actor:
            return False
        wanted = self.text.casefold()
        return wanted in event.text.casefold() or wanted in event.actor.casefold()


def to_csv(lines: Iterable[LogLine]) -> str:
    """Return lines as comma-separated values, times as ISO 8601 and seconds."""
    sheet = io.StringIO()
    writer = csv.writer(sheet, lineterminator="\n")
    writer.writerow(("wall_time", "core_s", "severity", "actor", "text"))
    for line in lines:
        event = line.event
        core = "" if event.stamp_s is None else f"{event.stamp_s:.3f}"
        wall = line.wall.isoformat(timespec="milliseconds")
        writer.writerow((wall, core, event.severity, event.actor, event.text))
    return sheet.getvalue()


def to_text(lines: Iterable[LogLine]) -> str:
    """Return lines as text, one each, columns apart by tabs."""
    return "".join("\t".join(line.cells()) + "\n" for line in lines)


def write(path: Path, lines: Iterable[LogLine]) -> None:
    """Write lines to a file: a table if it is named .csv, else text.

    Raises:
        OSError: it cannot be written; what was there before stays.
    """
    text = to_csv(lines) if path.suffix.lower() == ".csv" else to_text(lines)
    half = path.with_name(f".{path.name}.part")
    try:
        half.write_text(text, encoding="utf-8", newline="")
        half.replace(path)
    finally:
        half.unlink(missing_ok=True)
