"""An opened run: its digest, and the ticks of the present moment in full detail."""

from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from app.console.telemetry.bins import Floats, Singles, binned
from app.console.telemetry.traces import Line, Trace, traces_of
from app.runs.digest import STATUS_FIELDS, Digest, times_of
from app.runs.partner import Moment, moment_at
from app.runs.source import Library, Part, Rows, Source
from core.link.scene import Scene

FINE_S = 16.0  # longest span that is drawn from ticks
SEEN_S = 0.5  # before a moment, from which the partner is told
KEPT = 160  # parts of the file that stay in memory


class RunError(Exception):
    """A run cannot be opened."""


class Run:
    """Owns the files of a run.

    Attributes:
        path: of the file.
        hello: description of the robot.
        digest: of the whole run.
        traces: plots that the run has, by key.
        offset_s: time of this run minus time of the window; 0 for the first run [s].
    """

    def __init__(self, path: Path, library: Library) -> None:
        """Open a run.

        Raises:
            RunError: it cannot be opened.
        """
        self._library = library
        try:
            self._source: Source = library.open(path)
            self.digest = Digest(library.open(path), library)
        except library.errors as error:
            raise RunError(str(error)) from error
        if not self._source.places:
            raise RunError(f"{path} has no readable tick")
        self.path, self.hello = path, self._source.hello
        self.offset_s = 0.0
        statuses = {f"{name}@status" for name in STATUS_FIELDS}
        self.traces: dict[str, Trace] = traces_of(self.hello, {*self._source.arrays, *statuses})
        self._starts_s, self._ends_s = times_of(self._source.places)
        self._kept: OrderedDict[int, Part | None] = OrderedDict()

    @property
    def start_s(self) -> float:
        """Time of its begin [s]."""
        return self.digest.start_s

    @property
    def end_s(self) -> float:
        """Time of its end [s]."""
        return self.digest.end_s

    def close(self) -> None:
        """Close the files."""
        self.digest.close()
        self._source.close()

    def lines(
        self, lines: Sequence[Line], from_s: float, to_s: float, bins: int
    ) -> list[tuple[Floats, Singles]]:
        """Return times (n) [s] and values (n) of some lines in a span of time.

        Args:
            lines: of this run.
            from_s: begin [s].
            to_s: end [s].
            bins: number of ranges that a plot can show.
        """
        fine = to_s - from_s <= FINE_S
        ticks = self._ticks(from_s, to_s) if fine else []
        found = []
        for line in lines:
            if fine and not line.field.endswith("@status"):
                times_s, values = _column(ticks, line)
            else:
                times_s, values = self.digest.ranges(line, from_s, to_s)
            found.append(binned(times_s, values, from_s, to_s, bins))
        return found

    def ticks(
        self, lines: Sequence[Line], from_s: float, to_s: float
    ) -> list[tuple[Floats, Singles]]:
        """Return times (n) [s] and values (n) of some lines, tick by tick, however many."""
        found: list[list[tuple[Floats, Singles]]] = [[] for _ in lines]
        for index in self._between(from_s, to_s):
            part = self._read(index)
            rows = None if part is None else part.rows
            for line, parts in zip(lines, found, strict=True):
                if not line.field.endswith("@status") and rows is not None:
                    parts.append(_column([rows], line))
        for line, parts in zip(lines, found, strict=True):
            if line.field.endswith("@status") or not parts:
                parts[:] = [self.digest.ranges(line, from_s, to_s)]
        return [
            (np.concatenate([t for t, _ in parts]), np.concatenate([v for _, v in parts]))
            for parts in found
        ]

    def values(self, lines: Sequence[Line], time_s: float) -> list[float]:
        """Return the values of some lines at a time; NaN where there is none."""
        row = self.row(time_s)
        found = []
        for line in lines:
            if line.field.endswith("@status"):
                _, values = self.digest.ranges(line, time_s - 1.0, time_s)
                found.append(float(values[-1]) if len(values) else float("nan"))
            elif row is None:
                found.append(float("nan"))
            else:
                flat = np.asarray(row[line.field]).reshape(-1)
                found.append(float(flat[line.column]) * line.factor)
        return found

    def row(self, time_s: float) -> np.void | None:
        """Return the tick at or before a time; None before the first."""
        for rows in reversed(self._ticks(time_s - 0.5, time_s)):
            place = int(np.searchsorted(rows["t"], time_s + 1e-9, side="right")) - 1
            if place >= 0:
                found: np.void = rows[place]
                return found
        return None

    def scene(self, time_s: float) -> Scene | None:
        """Return the picture at a time; None without a tick."""
        row = self.row(time_s)
        return None if row is None else self._library.scene(row, self.hello)

    def partner(self, time_s: float) -> Moment:
        """Return the live partner at a time."""
        found = (self._part(index) for index in self._between(time_s - SEEN_S, time_s)[:KEPT])
        return moment_at([part for part in found if part is not None], time_s)

    def _ticks(self, from_s: float, to_s: float) -> list[Rows]:
        """Return the ticks of the parts that have a share in a span of time, in order."""
        found = (self._part(index) for index in self._between(from_s, to_s)[:KEPT])
        ticks = [part.rows for part in found if part is not None]
        return [rows for rows in ticks if rows is not None and len(rows)]

    def _between(self, from_s: float, to_s: float) -> range:
        """Return the numbers of the parts that have a share in a span of time."""
        begin = int(np.searchsorted(self._ends_s, from_s))
        return range(begin, int(np.searchsorted(self._starts_s, to_s, side="right")))

    def _part(self, index: int) -> Part | None:
        if index in self._kept:
            self._kept.move_to_end(index)
            return self._kept[index]
        self._kept[index] = part = self._read(index)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return part

    def _read(self, index: int) -> Part | None:
        try:
            found = self._source.passage(index)
        except self._library.errors:
            return None  # the digest counts the damaged parts
        return Part(found.rows, found.statuses, found.humans, found.partners)


def _column(ticks: Sequence[Rows], line: Line) -> tuple[Floats, Singles]:
    """Return times (n) [s] and values (n) of one line."""
    if not ticks:
        return np.zeros(0), np.zeros(0, np.float32)
    times_s = np.concatenate([rows["t"] for rows in ticks])
    parts = [rows[line.field].reshape(len(rows), -1)[:, line.column] for rows in ticks]
    values = np.concatenate(parts, dtype=np.float32)
    return times_s, values * np.float32(line.factor)
