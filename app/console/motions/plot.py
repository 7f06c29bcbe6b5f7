"""One plot over the time of a motion: lines, limits, markers, and the playhead."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QColor, QPen
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from app.console.telemetry.traces import COLOURS
from app.console.toolkit import theme
from shows.joints import Floats
from shows.motion import Marker

TITLE_PX = 18.0  # of height that the title has for itself
AXIS_TALL_PX = 22  # height of the axis of time
AXIS_PX = 46  # width of the left axes, so that they are aligned
LEAST_LABEL_PX = 12.0  # between two values on an axis
FAR = 1e5  # beyond every value that is shown
PALETTE = (*COLOURS, "#c792ea", "#4dd0c1", "#f78fb3", "#d4c26a")
SHADE = QColor(255, 124, 115, 40)


@dataclass(frozen=True, eq=False)
class Line:
    """A line of a plot.

    Attributes:
        name: tells it from the others.
        colour: of the joint.
        times_s: of its points (n) [s].
        values: at its points (n).
        style: of its pen; a thin one is that of the motion before the step.
    """

    name: str
    colour: str
    times_s: Floats
    values: Floats
    style: Qt.PenStyle = Qt.PenStyle.SolidLine
    width: float = 2.0


class ValueAxis(pg.AxisItem):  # type: ignore[misc]
    """An axis of values, whose labels do not overlap in a low plot."""

    def tickSpacing(  # noqa: N802
        self,
        minVal: float,
        maxVal: float,
        size: float,  # noqa: N803
    ) -> list[tuple[float, float]]:
        """Return the spacing and the offset of each level of ticks; major ticks have room."""
        levels: list[tuple[float, float]] = super().tickSpacing(minVal, maxVal, size)
        if not levels:
            return levels
        spacing, offset = levels[0]
        px = size / abs(maxVal - minVal)
        if spacing * px >= LEAST_LABEL_PX:
            return levels
        while spacing * px < LEAST_LABEL_PX:
            spacing *= 2.0
        return [(spacing, offset)]


class MotionPlot(QWidget):
    """A plot; several of them share the axis of time.

    Attributes:
        plot: the plot of the library.
        title: what it shows, over the plot's corner.

    Signals:
        moved: the playhead was moved to a time [s].
    """

    moved = Signal(float)

    def __init__(
        self,
        name: str,
        unit: str,
        least_px: int = 38,
        names_markers: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        """Make an empty plot.

        Args:
            name: what it shows.
            unit: of its values.
            least_px: smallest height [px].
            names_markers: markers have their names here.
            parent: parent widget.
        """
        super().__init__(parent)
        self.name = name
        self.plot: Any = pg.PlotWidget(
            background=theme.BACKGROUND, axisItems={"left": ValueAxis("left")}
        )
        self.plot.setAccessibleName(f"{name} of the motion")
        self.plot.setMenuEnabled(False)
        self.plot.hideButtons()
        self._least_px = least_px
        item = self.plot.getPlotItem()
        item.showGrid(x=True, y=True, alpha=0.15)
        item.getAxis("left").setWidth(AXIS_PX)
        item.getAxis("left").enableAutoSIPrefix(False)
        item.layout.setContentsMargins(0, 2, 6, 0)
        self.box: Any = item.getViewBox()
        self.box.setMouseEnabled(x=True, y=False)
        self.head: Any = pg.InfiniteLine(0.0, movable=True, pen=pg.mkPen(theme.ACCENT, width=2))
        self.head.setZValue(20)
        self.plot.addItem(self.head)
        self.title = QLabel(self.plot)
        self.title.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.title.setStyleSheet(f"background: transparent; font-size: {theme.SMALL_PX}px;")
        self.title.move(AXIS_PX + 6, 2)
        self._unit, self._names_markers = unit, names_markers
        self._lines: dict[tuple[str, Qt.PenStyle], Any] = {}
        self._others: list[Any] = []
        self._marks: tuple[tuple[Marker, ...], tuple[float, float] | None] = ((), None)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.plot)
        self.head.sigPositionChanged.connect(lambda: self.moved.emit(float(self.head.value())))
        self.plot.scene().sigMouseClicked.connect(self._click)
        self.say("")

    def say(self, words: str, names: Sequence[tuple[str, str]] = ()) -> None:
        """Show words beside the title, and the names of the lines with their colours."""
        shown = "  ".join(f'<span style="color:{c}">━ {n}</span>' for n, c in names)
        title = f'<span style="color:{theme.MUTED}">{self.name} [{self._unit}]  {words}</span>'
        self.title.setText(f"{title} {shown}")
        self.title.setAccessibleDescription(f"{self.name} {words}")
        self.title.adjustSize()

    def draw(
        self,
        lines: Sequence[Line],
        limits: tuple[float, float] | None = None,
        markers: tuple[Marker, ...] = (),
    ) -> None:
        """Show lines, and choose the range of values.

        Args:
            lines: all of them.
            limits: what lies below and above is shaded; None: nothing.
            markers: moments of the motion.
        """
        for gone in self._lines.keys() - {(line.name, line.style) for line in lines}:
            self.plot.removeItem(self._lines.pop(gone))
        self.renew(lines)
        if (markers, limits) != self._marks:
            self._mark(markers, limits)
        self._choose_range(lines)

    def renew(self, lines: Sequence[Line]) -> None:
        """Draw some lines anew; everything else stays."""
        for line in lines:
            at = line.name, line.style
            if at not in self._lines:
                self._lines[at] = pg.PlotCurveItem(skipFiniteCheck=True)
                self.plot.addItem(self._lines[at], ignoreBounds=True)
            self._lines[at].setData(line.times_s, line.values, pen=_pen(line))

    def set_time(self, time_s: float) -> None:
        """Move the playhead without a signal."""
        self.head.blockSignals(True)
        self.head.setValue(time_s)
        self.head.blockSignals(False)

    def set_axis(self, shown: bool) -> None:
        """Show or hide the numbers of the axis of time."""
        self.plot.getPlotItem().showAxis("bottom", shown)
        self.plot.setMinimumHeight(self._least_px + (AXIS_TALL_PX if shown else 0))

    def _mark(self, markers: tuple[Marker, ...], limits: tuple[float, float] | None) -> None:
        self._marks = markers, limits
        for item in self._others:
            self.plot.removeItem(item)
        self._others = []
        for low, high in () if limits is None else ((-FAR, limits[0]), (limits[1], FAR)):
            shade = pg.LinearRegionItem(
                (low, high), "horizontal", brush=SHADE, pen=pg.mkPen(None), movable=False
            )
            shade.setZValue(-10)
            self._others.append(shade)
        for marker in markers:
            self._others.append(
                pg.InfiniteLine(
                    marker.time_s,
                    pen=pg.mkPen(theme.MUTED, style=Qt.PenStyle.DotLine),
                    label=f"⚑ {marker.name}" if self._names_markers else None,
                    labelOpts={"position": 0.02, "color": theme.TEXT, "anchors": [(0, 1), (0, 1)]},
                )
            )
        for item in self._others:
            self.plot.addItem(item, ignoreBounds=True)

    def _choose_range(self, lines: Sequence[Line]) -> None:
        values = [line.values for line in lines if len(line.values)]
        low = min((float(v.min()) for v in values), default=-1.0)
        high = max((float(v.max()) for v in values), default=1.0)
        room = max(0.1 * (high - low), 0.5 if self._unit == "N·m" else 4.0)
        tall = max(float(self.box.height()), 2.0 * TITLE_PX)
        free = (high - low + 2.0 * room) * TITLE_PX / (tall - TITLE_PX)
        self.box.setYRange(low - room, high + room + free, padding=0.0)

    def _click(self, event: "pg.GraphicsScene.mouseEvents.MouseClickEvent") -> None:
        """Move the playhead to where the plot is clicked."""
        if event.button() is Qt.MouseButton.LeftButton and not event.isAccepted():
            place = self.box.mapSceneToView(QPointF(event.scenePos()))
            self.head.setValue(max(0.0, place.x()))


def colour_of(index: int) -> str:
    """Return the colour of the joint at an index among the shown ones."""
    return PALETTE[index % len(PALETTE)]


def thinned(times_s: Floats, values: Floats, most: int) -> tuple[Floats, Floats]:
    """Return every n-th point, so that there are not more than about `most`."""
    step = max(1, len(times_s) // most)
    return np.ascontiguousarray(times_s[::step]), np.ascontiguousarray(values[::step])


def _pen(line: Line) -> QPen:
    pen = QPen(QColor(line.colour))
    pen.setCosmetic(True)
    pen.setWidthF(line.width)
    pen.setStyle(line.style)
    return pen
