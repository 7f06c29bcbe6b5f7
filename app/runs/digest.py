"""The digest of a run, made step by step: ranges of every column, events, cues, summary."""

import time
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import msgspec
import numpy as np

from app.console.telemetry.bins import Floats, Singles
from app.console.telemetry.traces import Line
from app.runs.partner import Places
from app.runs.source import Facts, Library, Noted, Place, Rows, Source
from core.link.message import decoded
from core.link.partner import FollowStatus
from core.link.report import Report
from core.link.status import Status

RANGE_TICKS = 50  # of a range
MOST_RANGES = 100_000  # of a long run, whose ranges are then longer
FAR_S = 5.0  # between the times of neighbouring parts
STATUS_FIELDS = ("hottest_c", "worst_load", "battery_v")
ALARM = 3  # severity
_Text = Annotated[str, msgspec.Meta(max_length=1000)]


class Gauge(msgspec.Struct, gc=False):
    """The parts of a status that a digest keeps."""

    stamp_s: float
    running_cue: _Text = ""
    cue_name: _Text = ""
    hottest_c: float = 0.0
    worst_load: float = 0.0
    battery_v: float = 0.0
    follow: FollowStatus = FollowStatus()


@dataclass(slots=True)
class Played:
    """A cue that ran.

    Attributes:
        number: of the cue.
        name: of the cue.
        start_s: begin [s].
        end_s: end [s].
    """

    number: str
    name: str
    start_s: float
    end_s: float


class Columns:
    """Places of the columns of a tick in one table.

    Args:
        dtype: of a tick.
    """

    def __init__(self, dtype: np.dtype[np.void]) -> None:
        self.names = tuple(name for name in dtype.names or () if name != "t")
        self._first: dict[str, int] = {}
        width = 0
        for name in self.names:
            self._first[name] = width
            width += int(np.prod(dtype[name].shape, dtype=np.int64))
        self.width = width

    def at(self, line: Line) -> int:
        """Return the column of a line."""
        return self._first[line.field] + line.column

    def of(self, name: str) -> int:
        """Return the first column of an array."""
        return self._first[name]

    def table(self, rows: Rows) -> Singles:
        """Return ticks as a table (n, width)."""
        flat = [rows[name].reshape(len(rows), -1) for name in self.names]
        return np.concatenate(flat, axis=1, dtype=np.float32)


def times_of(places: Sequence[Place]) -> tuple[Floats, Floats]:
    """Return begin and end of each part (n) [s], both rising; damaged times do no harm.

    A part begins no later than those after it, and ends no earlier than those before it: a wrong
    time makes parts longer, so that it hides none.
    """
    starts_s = _believable([place.start_s for place in places])
    starts_s = np.minimum.accumulate(starts_s[::-1])[::-1]
    ends_s = np.maximum.accumulate(_believable([place.end_s for place in places]))
    return starts_s, np.maximum(starts_s, ends_s)


def _believable(times_s: Sequence[float]) -> Floats:
    """Return times (n) [s]; one that is far from its neighbours is replaced by their median."""
    found = np.array(times_s, dtype=np.float64)
    if len(found) < 3:
        return found
    around = np.lib.stride_tricks.sliding_window_view(np.pad(found, 2, mode="reflect"), 5)
    medians = np.median(around, axis=1)
    return np.asarray(np.where(np.abs(found - medians) > FAR_S, medians, found), dtype=np.float64)


class Digest:
    """Reads a run from begin to end in short steps.

    A thread would slow the windows' thread more than these steps do: both would want Python's
    lock all the time.

    Attributes:
        start_s: time of the first message [s].
        end_s: time of the last message [s].
        events: in order.
        cues: cues that ran, in order.
        places: of the robot, before which the person stands.
        share: how much of the file is read, 0 to 1.
        done: the whole file is read.
        facts: the summary; empty until the digest is done.
        problem: one sentence about missing parts; empty until the digest is done, or without any.
    """

    def __init__(self, source: Source, library: Library) -> None:
        self._source, self._library = source, library
        hello = source.hello
        starts_s, ends_s = times_of(source.places)
        self.start_s = float(starts_s[0]) if len(starts_s) else 0.0
        self.end_s = float(ends_s[-1]) if len(ends_s) else 0.0
        self.columns = Columns(source.dtype)
        length_s = max(0.0, self.end_s - self.start_s)
        self._period_s = max(RANGE_TICKS * hello.tick_s, length_s / MOST_RANGES)
        count = int(length_s / self._period_s) + 2
        self._low = np.full((self.columns.width, count), np.nan, dtype=np.float32)
        self._high = np.full((self.columns.width, count), np.nan, dtype=np.float32)
        self._times_s = np.asarray(
            self.start_s + (np.arange(count) + 0.5) * self._period_s, dtype=np.float64
        )
        self._status_s = array("d")
        self._gauges = {name: array("f") for name in STATUS_FIELDS}
        self._before_s = 0.0  # time of the status before
        self.events: list[Noted] = []
        self.cues: list[Played] = []
        self.places = Places()
        self.problem = ""
        self.share = 0.0
        self.done = False
        self.facts: Facts = ()
        self._tally, self._completeness = library.tally(hello), library.completeness(source)
        self._decoder = msgspec.json.Decoder(Gauge)
        self._status = self._report = b""
        self._last_s: float | None = None
        self._next = 0  # part

    def close(self) -> None:
        """Close the file."""
        self._source.close()

    def step(self, budget_s: float) -> None:
        """Read on for about a time [s]."""
        until_s = time.perf_counter() + budget_s
        count = len(self._source.places)
        while self._next < count:
            self._read(self._next)
            self._next += 1
            if time.perf_counter() > until_s:
                break
        self.share = self._next / max(1, count)
        if self._next >= count and not self.done:
            self._end()

    def finish(self) -> None:
        """Read to the end."""
        while not self.done:
            self.step(1.0)

    def ranges(self, line: Line, from_s: float, to_s: float) -> tuple[Floats, Singles]:
        """Return times (2 n) [s] and lowest and highest values by turns (2 n), in plot's units."""
        factor = np.float32(line.factor)
        if line.field.endswith("@status"):
            times_s = np.array(self._status_s)
            values = np.array(self._gauges[line.field.removesuffix("@status")][: len(times_s)])
            begin, end = np.searchsorted(times_s[: len(values)], [from_s, to_s])
            begin, end = max(0, begin - 1), end + 1
            return times_s[begin:end], values[begin:end].astype(np.float32) * factor
        begin, end = np.searchsorted(self._times_s, [from_s, to_s])
        begin, end = max(0, int(begin) - 1), int(end) + 1
        column = self.columns.at(line)
        low, high = self._low[column, begin:end], self._high[column, begin:end]
        values = np.empty(2 * len(low), dtype=np.float32)
        values[0::2], values[1::2] = low, high
        if factor < 0.0:
            values[0::2], values[1::2] = high, low
        times_s = np.repeat(self._times_s[begin:end], 2)
        return times_s, values * factor

    def modes(self) -> tuple[Floats, Singles]:
        """Return times (n) [s] and the mode at each (n), NaN where it is not known."""
        return self._times_s, self._high[self.columns.of("mode")]

    def extremes(self, name: str, column: int) -> tuple[float, float, float]:
        """Return the lowest and highest value of a column, and the time of the larger one [s]."""
        at = self.columns.of(name) + column
        low, high = self._low[at], self._high[at]
        largest = np.fmax(np.abs(low), np.abs(high))
        if not np.isfinite(largest).any():
            return 0.0, 0.0, self.start_s
        place = int(np.nanargmax(largest))
        return float(np.nanmin(low)), float(np.nanmax(high)), float(self._times_s[place])

    def alarms(self) -> list[Noted]:
        """Return the warnings and errors."""
        return [event for event in self.events if event.severity >= ALARM]

    # Inside

    def _read(self, index: int) -> None:
        """Take one part of the file."""
        try:
            passage = self._source.passage(index)
        except self._library.errors:
            self._completeness.lose()
            return
        self._completeness.take(passage)
        rows = passage.rows
        if rows is not None:
            self._tally.add(rows)
            self._last_s = float(rows["t"][-1])
            self._add(rows)
        gauges = [gauge for gauge in map(self._take, passage.statuses) if gauge is not None]
        self.places.take(passage, [(gauge.stamp_s, gauge.follow.number) for gauge in gauges])
        self.events += passage.events
        self._status = passage.statuses[-1] if passage.statuses else self._status
        self._report = passage.report or self._report

    def _end(self) -> None:
        last_s = self._last_s
        self.problem = self._completeness.problem(self.start_s if last_s is None else last_s)
        if last_s is not None:
            report, status = decoded(self._report, Report), decoded(self._status, Status)
            self.facts = self._tally.summary(report, status).rows()
        self.done = True

    def _add(self, rows: Rows) -> None:
        numbers = np.nan_to_num((rows["t"] - self.start_s) / self._period_s, nan=-1.0)
        known = (numbers >= 0.0) & (numbers < self._low.shape[1])
        if not known.all():
            rows, numbers = rows[known], numbers[known]
        if not len(rows):
            return
        places = numbers.astype(np.int64)
        starts = np.flatnonzero(np.diff(places, prepend=-1))
        table, at = self.columns.table(rows), places[starts]
        low, high = np.fmin.reduceat(table, starts), np.fmax.reduceat(table, starts)
        # Two parts of a file may share a range.
        self._low[:, at] = np.fmin(self._low[:, at], low.T)
        self._high[:, at] = np.fmax(self._high[:, at], high.T)

    def _take(self, data: bytes) -> Gauge | None:
        """Take a status; return it, or None if it is damaged or comes twice."""
        try:
            gauge = self._decoder.decode(data)
        except (msgspec.DecodeError, ValueError):
            return None
        if self._status_s and gauge.stamp_s <= self._status_s[-1]:
            return None
        for name, values in self._gauges.items():
            values.append(getattr(gauge, name))
        self._status_s.append(gauge.stamp_s)
        last = self.cues[-1] if self.cues else None
        if last is not None and last.end_s == self._before_s and last.number == gauge.running_cue:
            last.end_s = gauge.stamp_s
        elif gauge.running_cue:
            cue = Played(gauge.running_cue, gauge.cue_name, gauge.stamp_s, gauge.stamp_s)
            self.cues.append(cue)
        self._before_s = gauge.stamp_s
        return gauge
