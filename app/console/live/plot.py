"""One small plot: name and number in big digits above, lines that differ by their dashes."""

import math

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.console.live.figures import Dash, Figure, Line, Number, Snapshot
from app.console.live.ring import Ring
from app.console.live.scale import CalmScale
from app.console.toolkit import theme
from core.link.hello import Hello

BIN_S = {30.0: 0.25, 600.0: 2.0}  # a point or two a pixel
PATTERNS = {
    Dash.SOLID: Qt.PenStyle.SolidLine,
    Dash.DASHED: Qt.PenStyle.DashLine,
    Dash.DOTTED: Qt.PenStyle.DotLine,
    Dash.MIXED: Qt.PenStyle.DashDotLine,
}


DIGITS_PX = (20, 18, 16, 14, 13)  # of the number, the largest that leaves room for the name
LARGE_PX = DIGITS_PX[:3]  # rather a brief name than smaller ones
APART_PX = 6  # name and number
EDGE_PX = 4  # left and right of a plot


class Heading(QWidget):
    """Name and number, and below them which line is which."""

    def __init__(self, figure: Figure, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._figure = figure
        self._number: Number | None = None
        self._fonts = (theme.font(13, bold=True), theme.font(20, bold=True), theme.font(11))
        self.setFixedHeight(44)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)  # nothing below is painted again

    def digits_px(self, width_px: int) -> int:
        """Return how large the number may be written in a heading of that width [px]."""
        metrics, figure = QFontMetrics(self._fonts[0]), self._figure
        for name, sizes in ((figure.name, LARGE_PX), (figure.brief, DIGITS_PX)):
            room = width_px - APART_PX - metrics.horizontalAdvance(name)
            for size in sizes:
                if self._number_px(size) <= room:
                    return size
        return DIGITS_PX[-1]

    def set_digits_px(self, size_px: int) -> None:
        """Write the number in that size."""
        self._fonts = (self._fonts[0], theme.font(size_px, bold=True), self._fonts[2])
        self.update()

    def name(self) -> str:
        """Return the name as far as there is room for it beside the longest number."""
        metrics = QFontMetrics(self._fonts[0])
        room = self.width() - APART_PX - self._number_px(self._fonts[1].pixelSize())
        figure = self._figure
        whole = metrics.horizontalAdvance(figure.name) <= room
        text = figure.name if whole else figure.brief
        return metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(0, room))

    def _number_px(self, size_px: int) -> int:
        text, unit = self._figure.longest
        digits = QFontMetrics(theme.font(size_px, bold=True)).horizontalAdvance(text)
        return digits + 4 + QFontMetrics(self._fonts[2]).horizontalAdvance(unit)

    def tell(self, number: Number) -> None:
        """Show another number."""
        self._number = number
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Paint both rows; text that does not fit ends in an ellipsis."""
        painter = QPainter(self)
        painter.fillRect(event.rect(), QColor(theme.BACKGROUND))
        number = self._number
        if number is not None:
            self._paint_number(painter, number)
        painter.setFont(self._fonts[0])
        painter.setPen(QColor(theme.MUTED))
        painter.drawText(0, 22, self.name())
        painter.setFont(self._fonts[2])
        names = [line.name for line in self._figure.lines]
        if number is not None and number.names:
            names = list(number.names)
        x = 0
        for line, name in zip(self._figure.lines, names, strict=True):
            width = painter.fontMetrics().horizontalAdvance(name)
            if x and x + 14 + width > self.width():
                break  # the tooltip has them all
            painter.setPen(_pen(line))
            painter.drawLine(QPointF(x, 36.0), QPointF(x + 11.0, 36.0))
            painter.setPen(QColor(theme.MUTED))
            painter.drawText(x + 14, 40, name)
            x += 19 + width
        painter.end()

    def _paint_number(self, painter: QPainter, number: Number) -> None:
        """Paint it at the right."""
        plain = number.tone in (theme.IDLE, theme.UNKNOWN)
        text = number.text if plain else f"{number.tone.mark} {number.text}"
        painter.setFont(self._fonts[2])
        unit = painter.fontMetrics().horizontalAdvance(number.unit)
        painter.setPen(QColor(theme.MUTED))
        painter.drawText(self.width() - unit, 22, number.unit)
        painter.setFont(self._fonts[1])
        digits = painter.fontMetrics().horizontalAdvance(text)
        colour = theme.TEXT if number.tone is theme.IDLE else number.tone.colour
        painter.setPen(QColor(colour))
        painter.drawText(self.width() - unit - digits - 4, 22, text)


class LivePlot(QWidget):
    """Collects the values of one figure and draws them when told.

    Attributes:
        figure: its figure.
        number: the number in big digits.
        ring: its values.
        heading: name and number.
    """

    def __init__(self, figure: Figure, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.figure = figure
        self.number: Number | None = None
        self.ring = Ring(len(figure.lines), figure.span_s, BIN_S[figure.span_s], figure.largest)
        self._scale = CalmScale(*figure.scale(None))
        self._drawn_s = -math.inf
        self.heading = Heading(figure)
        self._plot = pg.PlotWidget(background=theme.SURFACE)
        self._curves = [
            self._plot.plot(pen=_pen(line), antialias=False, connect="finite")
            for line in figure.lines
        ]
        self._limit = pg.InfiniteLine(angle=0, pen=pg.mkPen(theme.BAD.colour, width=1))
        self._plot.addItem(self._limit, ignoreBounds=True)
        self._limit.hide()
        self._build()

    def meet(self, hello: Hello) -> None:
        """Take the scale of a robot, and hide the plot of a part that the robot lacks."""
        self._scale = CalmScale(*self.figure.scale(hello))
        self._plot.setYRange(self._scale.low, self._scale.high, padding=0.0)
        self.setVisible(self.figure.fits(hello))

    def take(self, now_s: float, moment: Snapshot) -> None:
        """Keep the values of a moment [s]."""
        self.ring.push(now_s, *self.figure.sample(moment))

    def draw(self, now_s: float, moment: Snapshot) -> None:
        """Draw the kept samples, at most as often as they change, and write the number."""
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
        self.heading.tell(number)
        told = ", ".join((f"{number.text} {number.unit}", *number.names))
        self.setAccessibleDescription(f"{told}. {self.figure.hint}")

    def _build(self) -> None:
        figure = self.figure
        self.setAccessibleName(figure.name)
        lines = ", ".join(f"{line.name} {line.dash}" for line in figure.lines)
        self.setToolTip(f"{figure.hint} The last {figure.span_s:.0f} seconds.\n{lines}")
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
        view.setYRange(self._scale.low, self._scale.high, padding=0.0)
        self._plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._plot.setFrameShape(self._plot.Shape.NoFrame)
        self._plot.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        column = QVBoxLayout(self)
        column.setContentsMargins(EDGE_PX, 0, EDGE_PX, 2)
        column.setSpacing(0)
        column.addWidget(self.heading)
        column.addWidget(self._plot, 1)


def _pen(line: Line) -> QPen:
    pen = QPen(QColor(line.colour))
    pen.setWidth(2 if line.dash is Dash.SOLID else 1)
    pen.setCosmetic(True)
    pen.setStyle(PATTERNS[line.dash])
    return pen
