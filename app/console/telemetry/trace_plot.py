"""One plot of telemetry: lines, limits, cursors, and the numbers under them."""

from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from pyqtgraph.GraphicsScene.mouseEvents import MouseClickEvent
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QColor, QContextMenuEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.console.live.plot import PATTERNS
from app.console.live.scale import CalmScale
from app.console.telemetry.bins import Floats, Singles
from app.console.telemetry.traces import COLOURS, DASHES, Trace
from app.console.toolkit import theme

HEAD_PX = 36
SECOND_RUN = 0.5  # opacity of its lines, which are wider


class Head(QWidget):
    """Title, legend, and the newest values or those under the cursors."""

    def __init__(self, trace: Trace) -> None:
        super().__init__()
        self.setFixedHeight(HEAD_PX)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._trace = trace
        self._values: tuple[str, ...] = ()
        self._fonts = theme.font(13, bold=True), theme.font(11), theme.font(11, digits=True)

    def tell(self, values: tuple[str, ...]) -> None:
        """Show other values, one for each line."""
        if values != self._values:
            self._values = values
            pairs = zip(self._trace.lines, values, strict=False)
            self.setToolTip("\n".join(f"{line.name}: {value}" for line, value in pairs))
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Paint both rows."""
        painter = QPainter(self)
        painter.fillRect(event.rect(), QColor(theme.BACKGROUND))
        painter.setFont(self._fonts[0])
        painter.setPen(QColor(theme.TEXT))
        unit = f"  [{self._trace.unit}]" if self._trace.unit else ""
        painter.drawText(2, 14, f"{self._trace.title}{unit}")
        x = 2
        for index, line in enumerate(self._trace.lines):
            painter.setPen(_pen(index))
            painter.drawLine(QPointF(x, 26.0), QPointF(x + 14.0, 26.0))
            painter.setFont(self._fonts[1])
            painter.setPen(QColor(theme.MUTED))
            painter.drawText(x + 18, 30, line.name)
            x += 22 + painter.fontMetrics().horizontalAdvance(line.name)
            if index < len(self._values):
                painter.setFont(self._fonts[2])
                painter.setPen(QColor(theme.TEXT))
                painter.drawText(x, 30, self._values[index])
                x += 10 + painter.fontMetrics().horizontalAdvance(self._values[index])
        painter.end()


class TracePlot(QWidget):
    """Draws one trace, of the core or of one or two recorded runs.

    Attributes:
        trace: what it draws.
        head: title and values.

    Signals:
        menu_asked: its menu is wanted at a place of the screen (QPoint).
        zoomed: the shown span of time was changed by hand: from, to [s].
        cursor_moved: a cursor (0, 1) was moved to a time [s].
        scrubbed: the playhead was moved to a time by hand [s].
    """

    menu_asked = Signal(object)
    zoomed = Signal(float, float)
    cursor_moved = Signal(int, float)
    scrubbed = Signal(float)

    def __init__(
        self,
        trace: Trace,
        parent: QWidget | None = None,
        runs: int = 1,
        clock: pg.AxisItem | None = None,
    ) -> None:
        """Build the plot.

        Args:
            trace: what it draws.
            parent: parent widget.
            runs: number of runs; the lines of the second one are dimmer.
            clock: horizontal axis; by default one of seconds.
        """
        super().__init__(parent)
        self.trace, self.head = trace, Head(trace)
        self.setAccessibleName(trace.title)
        limits = ", ".join(f"{limit:.4g}" for limit in trace.limits)
        said = f"\nLimits: {limits} {trace.unit}" if limits else ""
        self.setToolTip(f"{trace.title}{said}\nRight button: its menu")
        self._scale = CalmScale(-trace.least, trace.least)
        self._plot = pg.PlotWidget(
            background=theme.SURFACE, axisItems={} if clock is None else {"bottom": clock}
        )
        self._plot.setFrameShape(self._plot.Shape.NoFrame)
        self._plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._curves = [
            pg.PlotCurveItem(pen=_pen(i, run), antialias=False, skipFiniteCheck=True)
            for run in range(runs)
            for i in range(len(trace.lines))
        ]
        self._cursors = [
            pg.InfiniteLine(
                angle=90,
                movable=True,
                pen=pg.mkPen(theme.TEXT, width=1),
                label=name,
                labelOpts={"position": 0.9, "color": theme.TEXT, "fill": theme.RAISED},
            )
            for name in "AB"
        ]
        self._playhead: pg.InfiniteLine | None = None
        self._following = True
        self._span = (0.0, 0.0)
        self._build()

    def set_following(self, following: bool) -> None:
        """Follow the newest time with a fixed width; False: the mouse zooms and pans."""
        self._following = following
        self._plot.getPlotItem().setMouseEnabled(not following, False)

    def show_cursors(self, shown: bool) -> None:
        """Show the cursors, or hide them."""
        for cursor in self._cursors:
            cursor.setVisible(shown)

    def put_cursors(self, times_s: Sequence[float]) -> None:
        """Move both cursors [s]."""
        for cursor, time_s in zip(self._cursors, times_s, strict=True):
            if cursor.value() != time_s:
                cursor.blockSignals(True)
                cursor.setValue(time_s)
                cursor.blockSignals(False)

    def put_playhead(self, time_s: float) -> None:
        """Show a playhead at a time [s]; a click, or a drag of it, moves it."""
        if self._playhead is None:
            pen = pg.mkPen(theme.ACCENT, width=2)
            self._playhead = line = pg.InfiniteLine(angle=90, movable=True, pen=pen)
            self._plot.getPlotItem().addItem(line, ignoreBounds=True)
            line.sigDragged.connect(lambda line: self.scrubbed.emit(float(line.value())))
            self._plot.scene().sigMouseClicked.connect(self._click)
        if self._playhead.value() != time_s:
            self._playhead.setValue(time_s)

    def draw(
        self, now_s: float, lines: Sequence[tuple[Floats, Singles]], from_s: float, to_s: float
    ) -> None:
        """Draw the lines in a span of time.

        Args:
            now_s: time of this drawing, for the calm of the vertical range [s].
            lines: times (n) [s] and values (n), one pair for each line.
            from_s: left edge [s].
            to_s: right edge [s].
        """
        least, most = self._put(lines, from_s)
        if self._following:
            view = self._plot.getPlotItem()
            self._fit(from_s, to_s)
            if least <= most and self._scale.fit(now_s, least, most):
                view.setYRange(self._scale.low, self._scale.high, padding=0.0)

    def show_span(
        self, lines: Sequence[tuple[Floats, Singles]], from_s: float, to_s: float
    ) -> None:
        """Draw the lines in a plot that stands still, which the mouse zooms; fit them tightly."""
        least, most = self._put(lines, from_s)
        self.blockSignals(True)
        self._fit(from_s, to_s)
        if least <= most:
            middle, half = 0.5 * (least + most), 0.55 * (most - least)
            half = max(half, 0.5 * self.trace.least)
            self._plot.getPlotItem().setYRange(middle - half, middle + half, padding=0.0)
        self.set_following(False)
        self.blockSignals(False)

    def _put(self, lines: Sequence[tuple[Floats, Singles]], from_s: float) -> tuple[float, float]:
        """Give the curves their points, and return the lowest and highest value in sight."""
        least, most = np.inf, -np.inf
        for curve, (times_s, values) in zip(self._curves, lines, strict=True):
            known = np.isfinite(values)
            if not known.all():  # gaps are drawn as none: pyqtgraph takes long for them
                times_s, values = times_s[known], values[known]
            curve.setData(times_s, values, connect="all")
            seen = values[times_s >= from_s]
            if len(seen):
                least, most = min(least, float(seen.min())), max(most, float(seen.max()))
        return least, most

    def _fit(self, from_s: float, to_s: float) -> None:
        if (from_s, to_s) != self._span:
            self._span = from_s, to_s
            self._plot.getPlotItem().setXRange(from_s, to_s, padding=0.0)

    def grab_values(self, lines: Sequence[tuple[Floats, Singles]], at_s: Sequence[float]) -> None:
        """Show the values at the cursors with their difference; without cursors the newest."""
        said = []
        for times_s, values in lines:
            found = [value_at(times_s, values, time_s) for time_s in at_s]
            if len(found) == 2:
                said.append(f"A {found[0]:.4g}  B {found[1]:.4g}  Δ {found[1] - found[0]:.4g}")
            else:
                known = values[np.isfinite(values)]
                said.append(f"{float(known[-1]):.4g}" if len(known) else "–")
        self.head.tell(tuple(said))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802
        """Ask for the menu."""
        self.menu_asked.emit(event.globalPos())

    def _build(self) -> None:
        view = self._plot.getPlotItem()
        view.setMenuEnabled(False)
        view.hideButtons()
        view.setMouseEnabled(False, False)
        view.disableAutoRange()
        for name in ("left", "bottom"):
            axis = view.getAxis(name)
            axis.setTickFont(theme.font(11))
            axis.setTextPen(theme.MUTED)
            axis.setPen(theme.LINE)
            axis.enableAutoSIPrefix(False)
        view.getAxis("left").setWidth(44)
        view.getAxis("bottom").setHeight(18)
        view.setYRange(self._scale.low, self._scale.high, padding=0.0)
        for limit in self.trace.limits:
            pen = pg.mkPen(theme.BAD.colour, width=1, style=Qt.PenStyle.DashLine)
            view.addItem(pg.InfiniteLine(limit, angle=0, pen=pen), ignoreBounds=True)
        for curve in self._curves:
            view.addItem(curve, ignoreBounds=True)
        for number, cursor in enumerate(self._cursors):
            cursor.setVisible(False)
            view.addItem(cursor, ignoreBounds=True)
            cursor.sigPositionChanged.connect(
                lambda line, number=number: self.cursor_moved.emit(number, float(line.value()))
            )
        view.sigXRangeChanged.connect(self._tell_zoom)
        self._plot.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(self._plot, 1)

    def _click(self, event: MouseClickEvent) -> None:
        view = self._plot.getPlotItem().getViewBox()
        if event.button() is Qt.MouseButton.LeftButton and not event.isAccepted():
            if view.sceneBoundingRect().contains(event.scenePos()):
                self.scrubbed.emit(float(view.mapSceneToView(event.scenePos()).x()))

    def _tell_zoom(self, _view: object, span: Sequence[float]) -> None:
        self._span = float(span[0]), float(span[1])
        if not self._following:
            self.zoomed.emit(*self._span)


def value_at(times_s: Floats, values: Singles, time_s: float) -> float:
    """Return the last known value at or before a time; NaN before the first."""
    place = int(np.searchsorted(times_s, time_s, side="right")) - 1
    while place >= 0 and not np.isfinite(values[place]):
        place -= 1
    return float(values[place]) if place >= 0 else float("nan")


def _pen(index: int, run: int = 0) -> QPen:
    colour = QColor(COLOURS[index % len(COLOURS)])
    colour.setAlphaF(SECOND_RUN if run else 1.0)
    pen = QPen(colour)
    pen.setCosmetic(True)
    pen.setWidth(1 + run)
    pen.setStyle(PATTERNS[DASHES[index % len(DASHES)]])
    return pen
