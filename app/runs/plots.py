"""The plots of one or two runs, with one time axis and one playhead."""

import bisect
import math
from collections.abc import Sequence
from functools import partial

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPoint, QTimer, Signal
from PySide6.QtGui import QPixmap, QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QMenu, QScrollArea, QVBoxLayout, QWidget

from app.console.telemetry.bins import Floats, Singles
from app.console.telemetry.grid import columns_of
from app.console.telemetry.layouts import MAX_PLOTS
from app.console.telemetry.trace_plot import TracePlot
from app.console.telemetry.traces import Trace
from app.console.toolkit import theme
from app.runs.playback import Playback, clock_text
from app.runs.run import Run

BINS = 700  # of a line
LEAST_WIDTH_PX, LEAST_PX = 290, 110  # width and height of a plot
TICK_PX = 70  # between two labels, at least
STEPS_S = (
    0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 30.0,
    60.0, 120.0, 300.0, 600.0, 1200.0, 1800.0, 3600.0, 7200.0,
)  # fmt: skip
TOLD_MS = 60  # between two readings of the values


class ClockAxis(pg.AxisItem):  # type: ignore[misc]
    """A time axis in minutes and seconds."""

    def __init__(self) -> None:
        super().__init__("bottom")

    def tickSpacing(  # noqa: N802
        self,
        minVal: float,
        maxVal: float,
        size: float,  # noqa: N803
    ) -> list[tuple[float, float]]:
        """Return the spacing of labelled and of small ticks [s], and their offsets."""
        least_s = (maxVal - minVal) * TICK_PX / max(1.0, size)
        place = min(bisect.bisect_left(STEPS_S, least_s), len(STEPS_S) - 1)
        return [(STEPS_S[place], 0.0), (STEPS_S[max(0, place - 1)], 0.0)]

    def tickStrings(  # noqa: N802
        self, values: Sequence[float], scale: float, spacing: float
    ) -> list[str]:
        """Return the words at the ticks."""
        low, high = self.range
        if spacing < self.tickSpacing(low, high, self.size().width())[0][0]:
            return [""] * len(values)
        digits = max(0, min(3, math.ceil(-math.log10(spacing)))) if spacing > 0.0 else 0
        return [clock_text(value, digits) for value in values]


class Plots(QScrollArea):
    """Owns the plots.

    Attributes:
        plots: those that are shown, in order.

    Signals:
        changed: other plots are shown.
    """

    changed = Signal()

    def __init__(self, runs: Sequence[Run], playback: Playback) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName("Plots")
        self.plots: list[TracePlot] = []
        self._runs, self._playback = list(runs), playback
        self._cursors_s: list[float] = []
        self._inner = QWidget()
        self._grid = QGridLayout()
        self._grid.setContentsMargins(theme.GAP, 0, theme.GAP, 4)
        self._grid.setSpacing(6)
        column = QVBoxLayout(self._inner)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(self._grid)
        self.setWidget(self._inner)
        self._columns = 0
        self._due = QTimer(self, singleShot=True, interval=0)
        self._due.timeout.connect(self.draw)
        self._told = QTimer(self, singleShot=True, interval=TOLD_MS)
        self._told.timeout.connect(self._tell)
        playback.span_changed.connect(self._due.start)
        playback.moved.connect(self._move)

    @property
    def keys(self) -> tuple[str, ...]:
        """Keys of the shown plots."""
        return tuple(plot.trace.key for plot in self.plots)

    def compare(self, runs: Sequence[Run]) -> None:
        """Show these runs over each other."""
        self._runs = list(runs)
        self.show_keys(self.keys)

    def show_keys(self, keys: Sequence[str]) -> None:
        """Show the plots with these keys; those that the run does not have are left out."""
        traces = self._runs[0].traces
        for plot in self.plots:
            self._grid.removeWidget(plot)
            plot.setParent(None)
            plot.deleteLater()
        self.plots = [self._made(traces[key]) for key in keys[:MAX_PLOTS] if key in traces]
        self._columns = 0
        self._arrange()
        self.draw()
        self.changed.emit()

    def add(self, key: str) -> None:
        """Show one more plot."""
        if key not in self.keys:
            self.show_keys((*self.keys, key))

    def show_cursors(self, shown: bool) -> None:
        """Show two cursors with their values and differences, or hide them."""
        playback = self._playback
        begin_s, span_s = playback.from_s, playback.span_s
        self._cursors_s = [begin_s + 0.4 * span_s, begin_s + 0.6 * span_s] if shown else []
        for plot in self.plots:
            plot.show_cursors(shown)
            if shown:
                plot.put_cursors(self._cursors_s)
        self._tell()

    def draw(self) -> None:
        """Draw the shown span."""
        playback = self._playback
        for plot in self.plots:
            found = self._lines(plot.trace, playback.from_s, playback.to_s)
            plot.show_span(found, playback.from_s, playback.to_s)
            plot.put_playhead(playback.time_s)
        self._tell()

    def picture(self) -> QPixmap:
        """Return a picture of all plots."""
        return self._inner.grab()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Put as many plots side by side as can be read."""
        super().resizeEvent(event)
        self._arrange()

    # Inside

    def _made(self, trace: Trace) -> TracePlot:
        plot = TracePlot(trace, runs=len(self._runs), clock=ClockAxis())
        plot.setMinimumHeight(LEAST_PX)
        plot.menu_asked.connect(partial(self._show_menu, plot))
        plot.zoomed.connect(self._playback.show)
        plot.scrubbed.connect(self._scrub)
        plot.cursor_moved.connect(self._move_cursor)
        if self._cursors_s:
            plot.show_cursors(True)
            plot.put_cursors(self._cursors_s)
        return plot

    def _scrub(self, time_s: float) -> None:
        self._playback.stand()
        self._playback.go(time_s)

    def _lines(self, trace: Trace, from_s: float, to_s: float) -> list[tuple[Floats, Singles]]:
        """Return the lines of all runs; a run that does not have the trace has no points."""
        found: list[tuple[Floats, Singles]] = []
        for run in self._runs:
            own, offset_s = run.traces.get(trace.key), run.offset_s
            if own is None or len(own.lines) != len(trace.lines):
                found += [(np.zeros(0), np.zeros(0, np.float32))] * len(trace.lines)
                continue
            drawn = run.lines(own.lines, from_s + offset_s, to_s + offset_s, BINS)
            found += [(times_s - offset_s, values) for times_s, values in drawn]
        return found

    def _move(self) -> None:
        for plot in self.plots:
            plot.put_playhead(self._playback.time_s)
        if not self._told.isActive():
            self._told.start()

    def _move_cursor(self, number: int, time_s: float) -> None:
        if number < len(self._cursors_s):
            self._cursors_s[number] = time_s
            for plot in self.plots:
                plot.put_cursors(self._cursors_s)
            if not self._told.isActive():
                self._told.start()

    def _tell(self) -> None:
        """Write the values at the playhead, or at the cursors."""
        for plot in self.plots:
            lines = plot.trace.lines
            if self._cursors_s:
                first, second = (self._values(plot.trace, at_s)[0] for at_s in self._cursors_s)
                said = [
                    f"A {a:.4g}  B {b:.4g}  Δ {b - a:.4g}"
                    for a, b in zip(first, second, strict=True)
                ]
            else:
                rows = self._values(plot.trace, self._playback.time_s)
                least = plot.trace.least
                said = [
                    " / ".join(_number(row[i], least) for row in rows) for i in range(len(lines))
                ]
            plot.head.tell(tuple(said))

    def _values(self, trace: Trace, time_s: float) -> list[list[float]]:
        """Return the values of the lines of each run."""
        found = []
        for run in self._runs:
            own = run.traces.get(trace.key)
            known = own is not None and len(own.lines) == len(trace.lines)
            none = [math.nan] * len(trace.lines)
            found.append(run.values(own.lines, time_s + run.offset_s) if known and own else none)
        return found

    def _arrange(self) -> None:
        count = len(self.plots)
        columns = min(
            columns_of(count, self.width(), self.height()), max(1, self.width() // LEAST_WIDTH_PX)
        )
        if columns == self._columns:
            return
        self._columns = columns
        for plot in self.plots:
            self._grid.removeWidget(plot)
        for index, plot in enumerate(self.plots):
            self._grid.addWidget(plot, index // columns, index % columns)
        for column in range(self._grid.columnCount()):
            self._grid.setColumnStretch(column, int(column < columns))

    def _show_menu(self, plot: TracePlot, at: QPoint) -> None:
        menu = QMenu(self)
        remove = menu.addAction("Remove this plot")
        others = [key for key in self.keys if key != plot.trace.key]
        remove.triggered.connect(lambda _=False: self.show_keys(others))
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(at)


def _number(value: float, least: float) -> str:
    """Return a value as text; one that no plot would show differs not from zero."""
    if not math.isfinite(value):
        return "–"
    return f"{0.0 if abs(value) < 1e-4 * least else value:.4g}"
