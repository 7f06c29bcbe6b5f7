"""The panel of telemetry: a grid of plots, its layouts, cursors, pause and export."""

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from PySide6.QtCore import QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QMenu,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.console.context.context import Context
from app.console.preferences.store import config_folder
from app.console.telemetry.bins import Bins, Floats, Singles, binned
from app.console.telemetry.choices import fill_layouts, fill_plots
from app.console.telemetry.export import csv_of
from app.console.telemetry.grid import columns_of
from app.console.telemetry.history import FINE_S, History
from app.console.telemetry.layouts import MAX_PLOTS, Layout, LayoutStore
from app.console.telemetry.trace_plot import TracePlot
from app.console.telemetry.traces import Line, Trace, traces_of
from app.console.toolkit import theme
from app.console.toolkit.name_line import NameLine
from core.link.hello import Hello
from shows.errors import ShowError

FRAME_MS = 50
SPANS_S = {
    "5 s": 5.0, "10 s": 10.0, "30 s": 30.0, "1 min": 60.0, "2 min": 120.0,
    "5 min": 300.0, "10 min": 600.0,
}  # fmt: skip
USUAL = "30 s"
LEAST_PX = 80  # of the plots; more can be scrolled to
BINS = 360  # of a line; a plot is about as wide
EMPTY = "No plots: choose a layout, or press Add plot."
WAITING = "Waiting for the core to say which robot it is."
Drawn = list[tuple[Floats, Singles]]


class TelemetryPanel(QWidget):
    """Plots what the core records, while it is visible.

    Attributes:
        plots: those that are shown, in order.
        history: the recent past.
        frames: number of frames drawn so far.
    """

    def __init__(
        self,
        context: Context,
        ask_path: Callable[[str, Callable[[Path], None]], None],
        parent: QWidget | None = None,
    ) -> None:
        """Build the panel.

        Args:
            context: the console's shared parts.
            ask_path: asks the operator for the path of a file, by a proposed name.
            parent: parent widget.
        """
        super().__init__(parent)
        self.setObjectName("telemetry")
        self.setAccessibleName("Telemetry")
        self._context, self._ask_path = context, ask_path
        self.history = History(context.link, self)
        self.plots: list[TracePlot] = []
        self.frames = 0
        self._traces: dict[str, Trace] = {}
        self._bins: dict[Line, Bins] = {}
        self._frozen: dict[Line, tuple[Floats, Singles]] = {}
        self._frozen_s = 0.0
        self._cursors_s: list[float] = []
        self._columns = 0
        self._placed: list[TracePlot] = []
        self._store = LayoutStore(config_folder() / "telemetry.json")
        problem = self._store.load()
        if problem:
            context.notices.say(problem, "warning")
        self._grid_widget, self._said = QWidget(), QLabel(WAITING)
        self._grid = QGridLayout(self._grid_widget)
        self._lay_out()
        self._timer = QTimer(self)
        self._timer.setInterval(FRAME_MS)
        self._timer.timeout.connect(self.draw)
        context.link.hello_changed.connect(self._meet)
        if context.link.hello is not None:
            self._meet(context.link.hello)

    @property
    def span_s(self) -> float:
        """The shown time [s]."""
        return float(self._spans.currentData())

    @property
    def paused(self) -> bool:
        """Whether the plots stand still."""
        return self._pause.isChecked()

    def show_layout(self, layout: Layout) -> None:
        """Show the plots of a layout; those that this robot has not are left out."""
        text = next((t for t, s in SPANS_S.items() if s == layout.span_s), USUAL)
        self._spans.setCurrentText(text)
        self._put([self._traces[key] for key in layout.keys if key in self._traces])

    def draw(self) -> None:
        """Draw one frame."""
        if self.visibleRegion().isEmpty() or self.paused:
            return
        self.frames += 1
        now_s, end_s = time.monotonic(), self.history.now_s
        for plot in self.plots:
            lines = [_aged(self._bins[line].read(), end_s) for line in plot.trace.lines]
            plot.draw(now_s, lines, -self.span_s, 0.0)
            plot.grab_values(lines, ())

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Begin to draw."""
        super().showEvent(event)
        self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802
        """Draw nothing that nobody sees."""
        super().hideEvent(event)
        self._timer.stop()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Put as many plots side by side as can be read."""
        super().resizeEvent(event)
        self._arrange()

    # Layout

    def _lay_out(self) -> None:
        bar = QHBoxLayout()
        bar.setContentsMargins(theme.GAP, 4, theme.GAP, 2)
        bar.setSpacing(4)
        self._layouts, self._spans = QComboBox(), QComboBox()
        self._layouts.setAccessibleName("Layout of the plots")
        self._layouts.setToolTip("Which plots are shown")
        self._layouts.setMinimumContentsLength(18)
        self._layouts.activated.connect(lambda _: self._choose())
        self._spans.setAccessibleName("Shown time")
        self._spans.setToolTip("How much time the plots show")
        for text, span_s in SPANS_S.items():
            self._spans.addItem(text, span_s)
        self._spans.setCurrentText(USUAL)
        self._spans.activated.connect(lambda _: self._watch())
        self._add = self._button("Add plot", "Add a plot", None)
        self._add.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._add.setMenu(QMenu(self._add))
        self._pause = self._button("Pause", "Let the plots stand still; then zoom by wheel", None)
        self._pause.setCheckable(True)
        self._pause.toggled.connect(self._freeze)
        self._cursor = self._button("Cursors", "Two lines: values and differences", None)
        self._cursor.setCheckable(True)
        self._cursor.toggled.connect(self._show_cursors)
        more = self._button("More", "Layouts and export", None)
        more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        more.setMenu(QMenu(more))
        for text, act in (
            ("Save layout", self._ask_name),
            ("Delete layout", self._delete),
            ("Save the values as CSV…", self._ask_csv),
            ("Save the plots as PNG…", self._ask_png),
        ):
            more.menu().addAction(text).triggered.connect(lambda _=False, act=act: act())
        for widget in (self._layouts, self._add, self._spans, self._pause, self._cursor, more):
            bar.addWidget(widget)
        bar.addStretch(1)
        self._said.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._said.setStyleSheet(f"color: {theme.MUTED};")
        self._grid.setContentsMargins(theme.GAP, 0, theme.GAP, 4)
        self._grid.setSpacing(6)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(bar)
        column.addWidget(self._said, 1)
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setMinimumHeight(LEAST_PX)
        self._scroll.setWidget(self._grid_widget)
        column.addWidget(self._scroll, 1)

    def _button(self, text: str, tip: str, act: Callable[[], None] | None) -> QToolButton:
        button = QToolButton()
        button.setText(text)
        button.setToolTip(tip)
        button.setAccessibleName(text)
        if act is not None:
            button.clicked.connect(lambda _=False: act())
        return button

    def _arrange(self) -> None:
        """Put the plots into rows of one length."""
        columns = columns_of(len(self.plots), self.width(), self.height())
        if columns == self._columns and self.plots == self._placed:
            return
        self._columns, self._placed = columns, list(self.plots)
        for plot in self.plots:
            self._grid.removeWidget(plot)
        for index, plot in enumerate(self.plots):
            self._grid.addWidget(plot, index // columns, index % columns)
        for column in range(self._grid.columnCount()):
            self._grid.setColumnStretch(column, int(column < columns))

    # Plots

    def _meet(self, hello: Hello) -> None:
        """Offer the plots of a robot; keep those that are shown."""
        keys = [plot.trace.key for plot in self.plots]
        self._traces = traces_of(hello)
        fill_plots(self._add.menu(), self._traces, hello, self._add_plot)
        fill_layouts(self._layouts, self._traces, hello, self._store.saved)
        if keys:
            self._put([self._traces[key] for key in keys if key in self._traces])
        else:
            self._choose()

    def _choose(self) -> None:
        layout = self._layouts.currentData()
        if isinstance(layout, Layout):
            self.show_layout(layout)

    def _add_plot(self, key: str) -> None:
        trace, shown = self._traces[key], [plot.trace for plot in self.plots]
        if trace not in shown and len(shown) < MAX_PLOTS:
            self._put([*shown, trace])

    def _remove(self, plot: TracePlot) -> None:
        self._put([other.trace for other in self.plots if other is not plot])

    def _put(self, traces: list[Trace]) -> None:
        self._pause.setChecked(False)
        for plot in self.plots:
            self._grid.removeWidget(plot)
            plot.setParent(None)
            plot.deleteLater()
        self.plots = [self._made(trace) for trace in traces]
        self._said.setText(EMPTY if self._traces else WAITING)
        self._said.setVisible(not self.plots)
        self._scroll.setVisible(bool(self.plots))
        self._arrange()
        self._watch()

    def _made(self, trace: Trace) -> TracePlot:
        plot = TracePlot(trace)
        plot.menu_asked.connect(partial(self._show_menu, plot))
        plot.zoomed.connect(self._zoom)
        plot.cursor_moved.connect(self._move_cursor)
        return plot

    def _show_menu(self, plot: TracePlot, at: QPoint) -> None:
        menu = QMenu(self)
        remove = menu.addAction("Remove this plot")
        remove.triggered.connect(lambda _=False: self._remove(plot))
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(at)

    def _watch(self) -> None:
        """Have the history follow the shown lines for the shown time."""
        self._pause.setChecked(False)
        self.history.unwatch_all()
        period_s = self.span_s / BINS
        self._bins = {
            line: self.history.watch(line, period_s, BINS + 1)
            for plot in self.plots
            for line in plot.trace.lines
        }
        self.draw()

    # Pause, zoom and cursors

    def _freeze(self, paused: bool) -> None:
        """Keep what is known at this moment, in full detail where it is known."""
        self._frozen.clear()
        for plot in self.plots:
            plot.set_following(not paused)
        if not paused:
            self._cursor.setChecked(False)
            return
        self._frozen_s = self.history.now_s
        for line in self._bins:
            fine_s, values = self.history.samples(line)
            old_s, ranges = self._bins[line].read()
            older = old_s < (fine_s[0] if len(fine_s) else self._frozen_s)
            times_s = [old_s[older], fine_s]
            joined = np.concatenate(times_s), np.concatenate([ranges[older], values])
            self._frozen[line] = _aged(joined, self._frozen_s)
        self._zoom(-self.span_s, 0.0)

    def _zoom(self, from_s: float, to_s: float) -> None:
        """Show a span of the frozen time in every plot, in seconds before its end."""
        if not self.paused:
            return
        for plot in self.plots:
            lines = self._frozen_lines(plot, from_s, to_s)
            plot.show_span(lines, from_s, to_s)
            whole = [self._frozen[line] for line in plot.trace.lines]
            plot.grab_values(whole, self._cursors_s)

    def _frozen_lines(self, plot: TracePlot, from_s: float, to_s: float) -> Drawn:
        return [binned(*self._frozen[line], from_s, to_s, 2 * BINS) for line in plot.trace.lines]

    def _show_cursors(self, shown: bool) -> None:
        """Show two cursors; the plots stand still for them."""
        if shown:
            self._pause.setChecked(True)
            span_s = self.span_s
            self._cursors_s = [-0.6 * span_s, -0.4 * span_s]
        else:
            self._cursors_s = []
        for plot in self.plots:
            plot.show_cursors(shown)
            if shown:
                plot.put_cursors(self._cursors_s)
                lines = [self._frozen[line] for line in plot.trace.lines]
                plot.grab_values(lines, self._cursors_s)

    def _move_cursor(self, number: int, time_s: float) -> None:
        if number >= len(self._cursors_s):
            return
        self._cursors_s[number] = time_s
        for plot in self.plots:
            plot.put_cursors(self._cursors_s)
            plot.grab_values([self._frozen[line] for line in plot.trace.lines], self._cursors_s)

    # Layouts and export

    def _ask_name(self) -> None:
        place = QRect(self._layouts.geometry())
        NameLine(self, place, "", "Name of the layout", self._save)

    def _save(self, name: str) -> None:
        if not name:
            return
        layout = Layout(tuple(plot.trace.key for plot in self.plots), self.span_s)
        self._store_layout(partial(self._store.save, name[:60], layout), f"★ {name[:60]}")

    def _delete(self) -> None:
        text = self._layouts.currentText()
        if not text.startswith("★ "):
            self._context.notices.say("only a saved layout can be deleted; choose one", "warning")
            return
        self._store_layout(partial(self._store.delete, text[2:]), "")

    def _store_layout(self, deed: Callable[[], None], then: str) -> None:
        try:
            deed()
        except (ShowError, OSError) as error:
            self._context.notices.say(f"the layout was not kept: {error}", "warning")
            return
        hello = self._context.link.hello
        if hello is not None:
            fill_layouts(self._layouts, self._traces, hello, self._store.saved)
        if then:
            self._layouts.setCurrentText(then)

    def _ask_csv(self) -> None:
        span_s, end_s = min(self.span_s, FINE_S), self.history.now_s
        columns = []
        for plot in self.plots:
            for line in plot.trace.lines:
                samples = self._frozen.get(line) or _aged(self.history.samples(line), end_s)
                columns.append((plot.trace, line, *samples))
        text = csv_of(columns, -span_s, 0.0)
        self._ask_path("telemetry.csv", lambda path: self._write(path, text))

    def _write(self, path: Path, text: str) -> None:
        try:
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            reason = error.strerror or error
            self._context.notices.say(f"{path.name} was not written: {reason}", "warning")
            return
        self._context.notices.say(f"{path.name} is written")

    def _ask_png(self) -> None:
        picture = self._grid_widget.grab()

        def write(path: Path) -> None:
            done = picture.save(str(path), "PNG")
            words = "is written" if done else "was not written: the disk refused it"
            self._context.notices.say(f"{path.name} {words}", "info" if done else "warning")

        self._ask_path("telemetry.png", write)


def _aged(drawn: tuple[Floats, Singles], end_s: float) -> tuple[Floats, Singles]:
    """Return values with their times before an end, which are negative [s].

    The axis of a plot that follows the core then stays as it is, and is not made anew each frame.
    """
    times_s, values = drawn
    return times_s - end_s, values
