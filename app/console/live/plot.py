"""One small plot: name and number in big digits above, lines told apart by their dashes."""

import math

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.console import theme
from app.console.live.figures import Dash, Figure, Line, Number, Snapshot
from app.console.live.ring import Ring
from app.console.live.scale import CalmScale

BIN_S = {30.0: 0.1, 600.0: 2.0}  # some 300 points a line
PATTERNS = {
    Dash.SOLID: Qt.PenStyle.SolidLine,
    Dash.DASHED: Qt.PenStyle.DashLine,
    Dash.DOTTED: Qt.PenStyle.DotLine,
    Dash.MIXED: Qt.PenStyle.DashDotLine,
}


class Legend(QWidget):
    """Which line is which: a piece of each, and its name."""

    def __init__(self, lines: tuple[Line, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines = lines
        self._font = theme.font(theme.SMALL_PX)
        self.setFixedHeight(16)
        self.setAccessibleName("Lines: " + ", ".join(line.name for line in lines))

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        """Paint the pieces from left to right."""
        painter = QPainter(self)
        painter.setFont(self._font)
        x = 0
        for line in self._lines:
            painter.setPen(_pen(line))
            painter.drawLine(QPointF(x, 8.0), QPointF(x + 16.0, 8.0))
            painter.setPen(QColor(theme.MUTED))
            painter.drawText(x + 19, 12, line.name)
            x += 27 + painter.fontMetrics().horizontalAdvance(line.name)
        painter.end()


class LivePlot(QWidget):
    """Collects the values of one figure and draws them when told.

    Attributes:
        figure: what it shows.
        number: what is written in big digits.
        ring: its values.
    """

    def __init__(self, figure: Figure, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.figure = figure
        self.number: Number | None = None
        self.ring = Ring(len(figure.lines), figure.span_s, BIN_S[figure.span_s], figure.largest)
        self._scale = CalmScale(figure.low, figure.high)
        self._drawn_s = -math.inf
        self._digits, self._unit = QLabel(), QLabel()
        self._plot = pg.PlotWidget(background=theme.SURFACE)
        self._curves = [
            self._plot.plot(pen=_pen(line), antialias=False, connect="finite")
            for line in figure.lines
        ]
        self._limit = pg.InfiniteLine(angle=0, pen=pg.mkPen(theme.BAD.colour, width=1))
        self._plot.addItem(self._limit, ignoreBounds=True)
        self._limit.hide()
        self._build()

    def take(self, now_s: float, moment: Snapshot) -> None:
        """Keep the values of a moment [s]."""
        self.ring.push(now_s, *self.figure.sample(moment))

    def draw(self, now_s: float, moment: Snapshot) -> None:
        """Draw what was kept, as often as it can have changed, and write the number."""
        self._write(self.figure.number(moment))
        if now_s - self._drawn_s < BIN_S[self.figure.span_s] * 0.9:
            return
        self._drawn_s = now_s
        ages, values = self.ring.read(now_s)
        for curve, line in zip(self._curves, values, strict=True):
            known = bool(np.isfinite(line).any())
            curve.setData(ages, line) if known else curve.clear()
        found = values[np.isfinite(values)]
        limit = self.figure.limit(moment)
        self._limit.setVisible(limit is not None)
        if limit is not None:
            self._limit.setValue(limit)
        if found.size and self._scale.fit(now_s, float(found.min()), float(found.max())):
            self._plot.setYRange(self._scale.low, self._scale.high, padding=0.0)

    def _write(self, number: Number) -> None:
        if number == self.number:
            return
        self.number = number
        mark = "" if number.tone in (theme.IDLE, theme.UNKNOWN) else f"{number.tone.mark} "
        colour = theme.TEXT if number.tone is theme.IDLE else number.tone.colour
        self._digits.setText(f"{mark}{number.text}")
        self._digits.setStyleSheet(f"color: {colour}; font-size: 20px; font-weight: bold;")
        self._unit.setText(number.unit)
        self.setAccessibleDescription(f"{number.text} {number.unit}. {self.figure.hint}")

    def _build(self) -> None:
        figure = self.figure
        self.setAccessibleName(figure.name)
        self.setToolTip(figure.hint)
        self.setMinimumSize(170, 104)
        name = QLabel(figure.name)
        name.setStyleSheet(f"color: {theme.MUTED}; font-size: 13px; font-weight: bold;")
        self._unit.setStyleSheet(f"color: {theme.MUTED}; font-size: {theme.SMALL_PX}px;")
        view = self._plot.getPlotItem()
        view.setMenuEnabled(False)
        view.hideButtons()
        view.hideAxis("bottom")
        view.setMouseEnabled(False, False)
        view.setContentsMargins(0, 3, 2, 3)
        axis = view.getAxis("left")
        axis.setWidth(36)
        axis.setTickFont(theme.font(11))
        axis.setTextPen(theme.MUTED)
        axis.setPen(theme.LINE)
        axis.enableAutoSIPrefix(False)
        view.setXRange(-figure.span_s, 0.0, padding=0.0)
        view.setYRange(figure.low, figure.high, padding=0.0)
        self._plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._plot.setFrameShape(self._plot.Shape.NoFrame)
        head = QHBoxLayout()
        head.setSpacing(6)
        head.addWidget(name)
        head.addStretch()
        head.addWidget(self._digits)
        head.addWidget(self._unit)
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 0, 4, 2)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(Legend(figure.lines))
        column.addWidget(self._plot, 1)


def _pen(line: Line) -> QPen:
    pen = QPen(QColor(line.colour))
    pen.setWidth(1)
    pen.setCosmetic(True)
    pen.setStyle(PATTERNS[line.dash])
    return pen
