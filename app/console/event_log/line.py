"""The lines of the event log, and how they are filtered and written to a file."""

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Self

from app.console.context.notices import Notice
from app.console.toolkit import theme
from app.console.toolkit.theme import Tone
from core.link import wording
from core.link.event import Event
from core.link.statement import Severity

SEVERITIES: tuple[Severity, ...] = ("info", "warning", "error")
TONES: dict[str, Tone] = {"info": theme.IDLE, "warning": theme.WARN, "error": theme.BAD}
CONSOLE = "console"  # the actor of its notices
HEADINGS = ("Time", "Core", "Kind", "Who", "What")


@dataclass(frozen=True, slots=True)
class LogLine:
    """One event or notice in words, with the time at which the console received it.

    Attributes:
        wall: the operator's clock.
        stamp_s: time on the core's clock [s]; None where it is not known.
        actor: who.
        text: what.
        severity: info, warning or error.
    """

    wall: datetime
    stamp_s: float | None
    actor: str
    text: str
    severity: Severity = "info"

    @classmethod
    def of_event(cls, wall: datetime, event: Event) -> Self:
        """Return the line of an event."""
        return cls(wall, event.stamp_s, event.actor, wording.text(event), event.severity)

    @classmethod
    def of_notice(cls, wall: datetime, notice: Notice) -> Self:
        """Return the line of a notice of the console."""
        return cls(wall, None, CONSOLE, notice.text, notice.severity)

    def cells(self) -> tuple[str, ...]:
        """Return the text of each column."""
        core = "" if self.stamp_s is None else f"{self.stamp_s:.2f} s"
        kind = f"{TONES[self.severity].mark} {self.severity}"
        text = " ".join(self.text.split())
        return self.wall.strftime("%H:%M:%S.%f")[:-3], core, kind, self.actor, text


@dataclass(frozen=True, slots=True)
class Filter:
    """Which lines are shown.

    Attributes:
        least: the mildest severity that is.
        actor: required actor; empty for all.
        text: required text, in upper or lower case.
    """

    least: Severity = "info"
    actor: str = ""
    text: str = ""

    def admits(self, line: LogLine) -> bool:
        """Tell whether a line is shown."""
        if SEVERITIES.index(line.severity) < SEVERITIES.index(self.least):
            return False
        if self.actor and line.actor != self.actor:
            return False
        wanted = self.text.casefold()
        return wanted in line.text.casefold() or wanted in line.actor.casefold()


def to_csv(lines: Iterable[LogLine]) -> str:
    """Return lines as comma-separated values, times as ISO 8601 and seconds."""
    sheet = io.StringIO()
    writer = csv.writer(sheet, lineterminator="\n")
    writer.writerow(("wall_time", "core_s", "severity", "actor", "text"))
    for line in lines:
        core = "" if line.stamp_s is None else f"{line.stamp_s:.3f}"
        wall = line.wall.isoformat(timespec="milliseconds")
        writer.writerow((wall, core, line.severity, line.actor, line.text))
    return sheet.getvalue()


def to_text(lines: Iterable[LogLine]) -> str:
    """Return lines as text, one each, columns apart by tabs."""
    return "".join("\t".join(line.cells()) + "\n" for line in lines)


def write(path: Path, lines: Iterable[LogLine]) -> None:
    """Write lines to a file: a table if it is named .csv, else text.

    Raises:
        OSError: it cannot be written; the earlier file remains.
    """
    text = to_csv(lines) if path.suffix.lower() == ".csv" else to_text(lines)
    half = path.with_name(f".{path.name}.part")
    try:
        half.write_text(text, encoding="utf-8", newline="")
        half.replace(path)
    finally:
        half.unlink(missing_ok=True)
