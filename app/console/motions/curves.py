"""The curves of a motion: before and after, limits, markers, playhead, and the span of a trim."""

from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QColor, QPen
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.console.telemetry.traces import COLOURS
from app.console.toolkit import theme
from shows.joints import Floats, JointTable
from shows.motion import Motion

POSITION, VELOCITY = "Position", "Velocity"
MOST_POINTS = 4000  # of a line; more are not seen
UNITS = {POSITION: "°", VELOCITY: "°/s"}


class CurveView(QWidget):
    """Curves of the chosen joints over time.

    Signals:
        moved: the playhead was moved to a time [s].
        trimmed: the handles of the trim were moved: start and end [s].
    """

    moved = Signal(float)
    trimmed = Signal(float, float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.plot = pg.PlotWidget(background=theme.BACKGROUND)
        self.plot.setAccessibleName("Curves of the motion")
        self.plot.setMenuEnabled(False)
        self.plot.hideButtons()
        item = self.plot.getPlotItem()
        item.showGrid(x=True, y=True, alpha=0.15)
        item.getViewBox().setMouseEnabled(x=True, y=False)
        item.setLabel("bottom", "time", units="s")
        self._head = pg.InfiniteLine(0.0, movable=True, pen=pg.mkPen(theme.ACCENT, width=2))
        self._head.setZValue(20)
        self._span = pg.LinearRegionItem(
            brush=QColor(0, 0, 0, 0), pen=pg.mkPen(theme.WARN.colour, width=2)
        )
        self._span.setZValue(15)
        self._kind = POSITION
        self._before: Motion | None = None
        self._after: Motion | None = None
        self._joints: tuple[str, ...] = ()
        self._table: JointTable | None = None
        self._flags: list[pg.InfiniteLine] = []
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.plot)
        self._head.sigPositionChanged.connect(lambda: self.moved.emit(self.time_s))
        self._span.sigRegionChangeFinished.connect(self._tell_span)
        self.plot.scene().sigMouseClicked.connect(self._click)

    @property
    def time_s(self) -> float:
        """Time of the playhead [s]."""
        return float(self._head.value())

    def go(self, time_s: float) -> None:
        """Move the playhead."""
        self._head.setValue(time_s)

    def choose(self, kind: str, joints: Sequence[str]) -> None:
        """Show another kind of curve, or other joints."""
        self._kind, self._joints = kind, tuple(joints)
        self._draw()

    def show_motion(
        self, before: Motion | None, after: Motion | None, table: JointTable | None
    ) -> None:
        """Show a motion.

        Args:
            before: the motion before the chosen step, drawn thin.
            after: the motion after every step.
            table: joints and limits of the robot.
        """
        longer = self._length_s
        self._before, self._after, self._table = before, after, table
        self._draw()
        if abs(self._length_s - longer) > 1e-6:
            self.fit()

    def show_span(self, span: tuple[float, float] | None) -> None:
        """Show the handles of a trim [s]; None hides them."""
        shown = self._span.scene() is not None
        if span is None:
            if shown:
                self.plot.removeItem(self._span)
            return
        self._span.blockSignals(True)
        self._span.setRegion(span)
        self._span.blockSignals(False)
        if not shown:
            self.plot.addItem(self._span)

    def fit(self) -> None:
        """Show the whole motion."""
        self.plot.getPlotItem().getViewBox().setXRange(0.0, self._length_s or 1.0, padding=0.02)

    @property
    def _length_s(self) -> float:
        """Length of the longer motion [s]."""
        shown = (self._before, self._after)
        return max((motion.duration_s for motion in shown if motion is not None), default=0.0)

    def _draw(self) -> None:
        self.plot.clear()
        self._flags = []
        low, high = np.inf, -np.inf
        for index, joint in enumerate(self._joints):
            colour = QColor(COLOURS[index % len(COLOURS)])
            for motion, thin in ((self._before, True), (self._after, False)):
                if motion is None or joint not in motion.joint_names:
                    continue
                if thin and motion is self._after:
                    continue
                times, values = self._line(motion, joint)
                low, high = min(low, values.min()), max(high, values.max())
                self.plot.addItem(pg.PlotDataItem(times, values, pen=_pen(colour, thin)))
        self._draw_limits(low, high)
        if self._after is not None:
            for marker in self._after.markers:
                flag = pg.InfiniteLine(
                    marker.time_s,
                    pen=pg.mkPen(theme.MUTED, style=Qt.PenStyle.DotLine),
                    label=f"⚑ {marker.name}",
                    labelOpts={"position": 0.94, "color": theme.TEXT, "anchors": [(0, 0), (0, 0)]},
                )
                self.plot.addItem(flag)
                self._flags.append(flag)
        self.plot.addItem(self._head)
        self.plot.getPlotItem().setLabel("left", self._kind, units=UNITS[self._kind])
        self.plot.getPlotItem().getAxis("left").enableAutoSIPrefix(False)

    def _line(self, motion: Motion, joint: str) -> tuple[Floats, Floats]:
        """Return times [s] and values [°, °/s] of a joint, thinned out."""
        values = np.degrees(motion.positions[:, motion.joint_names.index(joint)])
        if self._kind == VELOCITY:
            values = np.gradient(values) * motion.rate_hz
        step = max(1, len(values) // MOST_POINTS)
        return np.arange(0, len(values), step) / motion.rate_hz, values[::step]

    def _draw_limits(self, low: float, high: float) -> None:
        """Shade what a lone joint cannot do, and choose the range of values."""
        if not np.isfinite((low, high)).all():
            return
        room = max(5.0, 0.1 * (high - low))
        low, high = low - room, high + room
        if self._table is not None and len(self._joints) == 1:
            index = self._table.index.get(self._joints[0])
            if index is not None:
                ends = self._ends(self._table, index)
                for bounds in ((-1e4, ends[0]), (ends[1], 1e4)):
                    shade = pg.LinearRegionItem(
                        bounds, "horizontal", brush=QColor(255, 124, 115, 40), movable=False
                    )
                    shade.setZValue(-10)
                    self.plot.addItem(shade)
        self.plot.getPlotItem().getViewBox().setYRange(low, high, padding=0.0)

    def _ends(self, table: JointTable, index: int) -> tuple[float, float]:
        if self._kind == VELOCITY:
            most = float(np.degrees(table.velocity_limit[index]))
            return -most, most
        return float(np.degrees(table.lower[index])), float(np.degrees(table.upper[index]))

    def _tell_span(self) -> None:
        start_s, end_s = self._span.getRegion()
        self.trimmed.emit(float(start_s), float(end_s))

    def _click(self, event: "pg.GraphicsScene.mouseEvents.MouseClickEvent") -> None:
        """Move the playhead to where the curves are clicked."""
        if event.button() is Qt.MouseButton.LeftButton:
            place = self.plot.getPlotItem().getViewBox().mapSceneToView(QPointF(event.scenePos()))
            self.go(max(0.0, place.x()))


def _pen(colour: QColor, thin: bool) -> QPen:
    pen = QPen(colour)
    pen.setCosmetic(True)
    pen.setWidthF(1.0 if thin else 2.0)
    if thin:
        pen.setStyle(Qt.PenStyle.DashLine)
    return pen
