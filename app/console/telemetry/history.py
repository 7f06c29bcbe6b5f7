"""The recent past of the core: every tick of half a minute, and ranges of ten minutes."""

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QObject

from app.console.context.core_link import CoreLink
from app.console.telemetry.bins import Bins, Floats, Singles
from app.console.telemetry.traces import Line
from core.link import topics
from core.link.hello import Hello
from core.link.status import Status
from core.link.ticks import ROWS, layout_of, rows_of

FINE_S, LONG_S = 32.0, 610.0  # of ticks, and of ranges of 50 ticks
STATUS_FIELDS: dict[str, Callable[[Status, float], float]] = {
    "hottest_c@status": lambda status, age_s: status.hottest_c,
    "worst_load@status": lambda status, age_s: status.worst_load,
    "battery_v@status": lambda status, age_s: status.battery_v,
    "link_age_s@status": lambda status, age_s: age_s,
    "handset_age_s@status": lambda status, age_s: handset_age_s(status),
}
STATUS_S = 0.02


def handset_age_s(status: Status) -> float:
    """Return the age of the handset's last frame [s]; NaN without one."""
    handset = status.handset
    return math.nan if handset is None or handset.age_s is None else handset.age_s


class Columns:
    """Rows of numbers: the newest ones as they are, and the ranges of older ones.

    Args:
        fields: name of each field to the number of its columns.
        row_s: time between two rows [s].
        range_s: shortest time between two additions, each of which becomes one range [s].
    """

    def __init__(self, fields: dict[str, int], row_s: float, range_s: float) -> None:
        self._offsets: dict[str, int] = {}
        width = 0
        for name, count in fields.items():
            self._offsets[name] = width
            width += count
        fine, self._long = round(FINE_S / row_s), round(LONG_S / range_s)
        self._fine = fine
        self._times_s = np.zeros(fine)
        self._rows = np.zeros((fine, width), dtype=np.float32)
        self._range_s = np.zeros(self._long)
        self._low = np.zeros((self._long, width), dtype=np.float32)
        self._high = np.zeros((self._long, width), dtype=np.float32)
        self._count = self._ranges = 0

    def __contains__(self, field: str) -> bool:
        return field in self._offsets

    @property
    def newest_s(self) -> float:
        """Time of the newest row [s]."""
        return float(self._times_s[(self._count - 1) % self._fine]) if self._count else 0.0

    def add(self, times_s: Floats, rows: Singles) -> None:
        """Add rows (n, width), whose times (n) rise."""
        if self._count and times_s[0] < self.newest_s:  # the clock has begun again
            self._count = self._ranges = 0
        places = (self._count + np.arange(len(rows))) % self._fine
        self._times_s[places], self._rows[places] = times_s, rows
        self._count += len(rows)
        place = self._ranges % self._long
        self._range_s[place] = times_s[-1]
        self._low[place], self._high[place] = rows.min(axis=0), rows.max(axis=0)
        self._ranges += 1

    def fine(self, field: str, column: int) -> tuple[Floats, Singles]:
        """Return times (n) [s] and values (n) of the newest rows."""
        order = _order(self._count, self._fine)
        return self._times_s[order], self._rows[order, self._offsets[field] + column]

    def ranges(self, field: str, column: int) -> tuple[Floats, Singles, Singles]:
        """Return times (n) [s], lowest and highest values (n) of the ranges."""
        order, at = _order(self._ranges, self._long), self._offsets[field] + column
        return self._range_s[order], self._low[order, at], self._high[order, at]

    def last(self, rows: Singles, field: str, column: int) -> Singles:
        """Return one column of rows (n, width)."""
        values: Singles = rows[:, self._offsets[field] + column]
        return values


def _order(count: int, size: int) -> npt.NDArray[np.int64]:
    """Return the places of a ring's rows, the oldest first."""
    return np.arange(max(0, count - size), count) % size


class History(QObject):
    """Collects what the core sends, and keeps the bins of the lines that are watched.

    Attributes:
        now_s: time of the newest tick on the core's clock [s].
    """

    def __init__(self, link: CoreLink, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._link = link
        self._dtype: np.dtype[np.void] | None = None
        self._started_s = 0.0  # identifies the core
        self._names: tuple[str, ...] = ()
        self._ticks: Columns | None = None
        self._status = Columns(dict.fromkeys(STATUS_FIELDS, 1), STATUS_S, STATUS_S)
        self._waiting: list[Status] = []
        self._watched: dict[tuple[Line, float, int], Bins] = {}
        link.listen(topics.BATCH, self._take_blocks)
        link.status_changed.connect(self._waiting.append)
        link.hello_changed.connect(self._meet)
        if link.hello is not None:
            self._meet(link.hello)

    @property
    def now_s(self) -> float:
        """Time of the newest tick on the core's clock [s]."""
        return 0.0 if self._ticks is None else self._ticks.newest_s

    def watch(self, line: Line, period_s: float, count: int) -> Bins:
        """Return the bins of a line, which follow the core from now on; the past is in them."""
        key = line, period_s, count
        if key not in self._watched:
            bins = Bins(period_s, count)
            table = self._table(line)
            if table is not None:
                self._fill(bins, table, line, period_s * count)
            self._watched[key] = bins
        return self._watched[key]

    def unwatch_all(self) -> None:
        """Keep no bins any more."""
        self._watched.clear()

    def samples(self, line: Line) -> tuple[Floats, Singles]:
        """Return times (n) [s] and values (n) of the last half minute, in the plot's unit."""
        table = self._table(line)
        if table is None:
            return np.zeros(0), np.zeros(0, np.float32)
        times_s, values = table.fine(line.field, line.column)
        return times_s, values * np.float32(line.factor)

    # Inside

    def _table(self, line: Line) -> Columns | None:
        if line.field in self._status:
            return self._status
        return self._ticks if self._ticks is not None and line.field in self._ticks else None

    @staticmethod
    def _fill(bins: Bins, table: Columns, line: Line, span_s: float) -> None:
        factor = np.float32(line.factor)
        times_s, values = table.fine(line.field, line.column)
        if span_s > FINE_S and len(times_s):
            older_s, low, high = table.ranges(line.field, line.column)
            old = older_s < times_s[0]
            bins.add_ranges(older_s[old], low[old] * factor, high[old] * factor)
        bins.add(times_s, values * factor)

    def _meet(self, hello: Hello) -> None:
        dtype = layout_of(hello)
        if dtype == self._dtype and hello.started_s == self._started_s:
            return
        self._dtype, self._started_s = dtype, hello.started_s
        self._names = tuple(name for name in dtype.names or () if name != "t")
        fields = {name: int(np.prod(dtype[name].shape, dtype=np.int64)) for name in self._names}
        self._ticks = Columns(fields, hello.tick_s, ROWS * hello.tick_s)
        self._watched.clear()

    def _take_blocks(self, blocks: list[bytes]) -> None:
        self._take_statuses()
        table, dtype = self._ticks, self._dtype
        if table is None or dtype is None:
            return
        for data in blocks:
            rows = rows_of(data, dtype)
            if rows is None or not len(rows):  # of another core, whose hello comes within a second
                continue
            times_s = rows["t"].astype(np.float64)
            flat = np.concatenate(
                [rows[name].reshape(len(rows), -1) for name in self._names], axis=1
            ).astype(np.float32)
            table.add(times_s, flat)
            self._feed(table, times_s, flat)

    def _take_statuses(self) -> None:
        """Take the statuses that have come since the last block."""
        statuses = list(self._waiting)
        self._waiting.clear()
        if not statuses:
            return
        age_s = self._link.age_s
        rows = np.array(
            [[read(status, age_s) for read in STATUS_FIELDS.values()] for status in statuses],
            dtype=np.float32,
        )
        times_s = np.array([status.stamp_s for status in statuses])
        self._status.add(times_s, rows)
        self._feed(self._status, times_s, rows)

    def _feed(self, table: Columns, times_s: Floats, rows: Singles) -> None:
        for (line, _, _), bins in self._watched.items():
            if line.field in table:
                values = table.last(rows, line.field, line.column)
                bins.add(times_s, values * np.float32(line.factor))
