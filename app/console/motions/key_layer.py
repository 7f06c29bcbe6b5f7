"""The keys in the plot of the positions: drawn, chosen, and dragged with their tangents."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QKeyEvent, QMouseEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QRubberBand

from app.console.motions.key_keys import KeyBoard
from app.console.motions.keys import KeyEditor
from app.console.motions.plot import MotionPlot, colour_of
from app.console.motions.snapping import snapped_time, snapped_value
from app.console.toolkit import theme
from shows.process.curves import Key, evaluate
from shows.process.key_edits import Ref
from shows.process.steps import Keys

REACH_PX = 9.0  # a press this near to a key is on it
BEGIN_PX = 4  # a shorter way is a click
HANDLE_PX = 42.0
MOST_HANDLES = 60
ZOOM = 1.15  # of a step of the wheel
INSIDE = theme.BACKGROUND  # of keys that are not chosen
STEEPEST_PX = 4.0  # handles stay this far from upright


@dataclass(frozen=True, slots=True)
class _Press:
    """What the left button holds.

    Attributes:
        step: the step with the keys.
        place: where it was pressed.
        ref: the key; None on empty ground.
        out: side of the handle: True behind the key, False before it; None for the key itself.
    """

    step: Keys | None
    place: QPoint
    ref: Ref | None = None
    out: bool | None = None


class KeyLayer(QObject):
    """Draws the keys of an editor over a plot, and takes its mouse and keys."""

    def __init__(self, plot: MotionPlot, keys: KeyEditor, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._plot, self._keys = plot, keys
        self._board = KeyBoard(keys)
        self._view: Any = plot.plot
        self._points: Any = pg.ScatterPlotItem(pxMode=True)
        self._ends: Any = pg.ScatterPlotItem(pxMode=True, symbol="o", size=8)
        self._stems: Any = pg.PlotCurveItem(connect="pairs", pen=pg.mkPen(theme.MUTED, width=1))
        for item, height in ((self._stems, 8), (self._ends, 9), (self._points, 10)):
            item.setZValue(height)
            plot.plot.addItem(item, ignoreBounds=True)
        self._band = QRubberBand(QRubberBand.Shape.Rectangle, self._view.viewport())
        self._press: _Press | None = None
        self._drags = False
        self._view.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._view.installEventFilter(self)
        self._view.viewport().installEventFilter(self)
        keys.changed.connect(self.draw)
        plot.box.sigRangeChanged.connect(lambda *_: self.draw())

    # ---- drawing

    def draw(self) -> None:
        """Draw the keys, and the tangents of the chosen ones."""
        keys = self._keys
        places: list[tuple[float, float]] = []
        looks = []
        for joint, colour in self._colours():
            for index, key in enumerate(keys.curves[joint].keys):
                places.append((key.time_s, math.degrees(key.value_rad)))
                looks.append(_look(colour, (joint, index) in keys.chosen))
        symbols, sizes, pens, brushes = zip(*looks, strict=True) if looks else ((), (), (), ())
        self._points.setData(
            pos=np.array(places).reshape(-1, 2),
            symbol=list(symbols),
            size=list(sizes),
            pen=list(pens),
            brush=list(brushes),
        )
        ends = [(place, key) for _, _, place, key in self._handles()]
        tips = [(p.x(), p.y()) for p, _ in ends]
        self._ends.setData(
            pos=np.array(tips).reshape(-1, 2),
            pen=pg.mkPen(theme.TEXT, width=1),
            brush=QColor(theme.RAISED),
        )
        stems = [
            point
            for (x, y), (_, key) in zip(tips, ends, strict=True)
            for point in ((key.time_s, math.degrees(key.value_rad)), (x, y))
        ]
        self._stems.setData(*np.array(stems).reshape(-1, 2).T)

    def place_of(self, key: Key) -> QPoint:
        """Return where a key is in the view."""
        return self._to_view(QPointF(key.time_s, math.degrees(key.value_rad)))

    def handle_of(self, ref: Ref, out: bool) -> QPoint | None:
        """Return where the end of a chosen key's tangent is in the view; None if not shown."""
        for at, side, place, _ in self._handles():
            if (at, side) == (ref, out):
                return self._to_view(place)
        return None

    def _colours(self) -> Iterator[tuple[str, str]]:
        """Return the joints with keys, and their colours."""
        for i, joint in enumerate(self._keys.shown):
            if joint in self._keys.curves:
                yield joint, colour_of(i)

    def _handles(self) -> list[tuple[Ref, bool, QPointF, Key]]:
        """Return the tangents of the chosen keys: key, side, end in the plot's units."""
        keys = self._keys
        if len(keys.chosen) > MOST_HANDLES:
            return []
        width, height = self._plot.box.viewPixelSize()
        found = []
        for joint, index in sorted(keys.chosen):
            if joint not in keys.curves or index >= len(keys.curves[joint].keys):
                continue
            curve = keys.curves[joint].keys
            key = curve[index]
            for out, slope in ((False, key.slope_in), (True, key.slope_out)):
                if (index == len(curve) - 1 and out) or (index == 0 and not out):
                    continue
                steep = math.degrees(slope) * width / height
                reach_s = HANDLE_PX * width / math.hypot(1.0, steep) * (1.0 if out else -1.0)
                place = QPointF(
                    key.time_s + reach_s,
                    math.degrees(key.value_rad) + math.degrees(slope) * reach_s,
                )
                found.append(((joint, index), out, place, key))
        return found

    # ---- the mouse

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Take what edits keys; the plot gets the rest."""
        if self._press is not None and self._keys.step is not self._press.step:
            self._cancel()  # another edit, such as an undo, came while the mouse dragged
        if self._keys.step is None:
            return False
        kind = event.type()
        if isinstance(event, QKeyEvent):
            if watched is not self._view:
                return False
            if kind == QEvent.Type.ShortcutOverride and self._board.knows(event):
                event.accept()
                return True
            return kind == QEvent.Type.KeyPress and self._board.press(event)
        if watched is self._view:
            return False
        if isinstance(event, QWheelEvent):
            return self._wheel(event)
        if isinstance(event, QMouseEvent):
            if kind == QEvent.Type.MouseButtonPress:
                return self._pressed(event)
            if kind == QEvent.Type.MouseMove and self._press is not None:
                self._dragged(event)
                return True
            if kind == QEvent.Type.MouseButtonRelease and self._press is not None:
                self._released(event)
                return True
            if kind == QEvent.Type.MouseButtonDblClick:
                return self._twice(event)
        return False

    def _pressed(self, event: QMouseEvent) -> bool:
        place = event.position().toPoint()
        if event.button() != Qt.MouseButton.LeftButton or not self._inside(place):
            return False
        self._view.setFocus(Qt.FocusReason.MouseFocusReason)
        ref, step = self._key_at(place), self._keys.step
        more = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if ref is None:
            handle = self._handle_at(place)
            if handle is None and not more and self._on_head(place):
                return False  # the playhead is dragged
            self._press = _Press(step, place) if handle is None else _Press(step, place, *handle)
        else:
            chosen = self._keys.chosen
            if more:
                self._keys.choose(chosen ^ {ref})
            elif ref not in chosen:
                self._keys.choose({ref})
            self._press = _Press(step, place, ref)
        self._drags = False
        return True

    def _dragged(self, event: QMouseEvent) -> None:
        press, place = self._press, event.position().toPoint()
        assert press is not None
        way = place - press.place
        if not self._drags and way.manhattanLength() < BEGIN_PX:
            return
        self._drags = True
        if press.ref is None:
            self._band.setGeometry(QRect(press.place, place).normalized())
            self._band.show()
        elif press.out is None:
            self._move(press, place, event.modifiers())
        else:
            self._pull(press, place, event.modifiers())

    def _released(self, event: QMouseEvent) -> None:
        press, place = self._press, event.position().toPoint()
        self._dragged(event)
        self._press = None
        more = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        assert press is not None
        if self._drags and press.ref is None:
            self._band.hide()
            inside = self._keys_in(QRect(press.place, place).normalized())
            self._keys.choose((self._keys.chosen if more else frozenset()) | inside)
        elif self._drags:
            self._keys.drop("move keys" if press.out is None else "pull a tangent")
        elif press.ref is None and not more:
            if self._keys.chosen:
                self._keys.choose(())
            else:
                self._plot.head.setValue(max(0.0, self._to_plot(place).x()))

    def _cancel(self) -> None:
        """End a drag without an edit."""
        self._press = None
        self._band.hide()
        self._keys.cancel()

    def _twice(self, event: QMouseEvent) -> bool:
        """Insert a key into the nearest curve."""
        place = event.position().toPoint()
        if event.button() != Qt.MouseButton.LeftButton or not self._inside(place):
            return False
        self._press = None
        time_s = max(0.0, self._to_plot(place).x())
        curves = self._keys.curves

        def away(joint: str) -> float:
            value = float(evaluate(curves[joint], np.array([time_s]))[0])
            return abs(self._to_view(QPointF(time_s, math.degrees(value))).y() - place.y())

        nearest = min(self._keys.joints, key=away, default=None)
        if nearest is not None and self._key_at(place) is None and away(nearest) < 3 * REACH_PX:
            self._keys.insert(time_s, (nearest,))
        return True

    def _wheel(self, event: QWheelEvent) -> bool:
        """Zoom the values with Ctrl."""
        if not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            return False
        factor = ZOOM if event.angleDelta().y() < 0 else 1.0 / ZOOM
        centre = self._to_plot(event.position().toPoint())
        self._plot.box.scaleBy((1.0, factor), center=centre)
        return True

    def _move(self, press: _Press, place: QPoint, modifiers: Qt.KeyboardModifier) -> None:
        """Move the chosen keys so that the held one is under the mouse, or snaps."""
        keys, step = self._keys, self._keys.step
        assert press.ref is not None and step is not None
        if press.ref not in keys.chosen:
            return
        joint, index = press.ref
        held = step.curves[joint].keys[index]
        start, goal = self._to_plot(press.place), self._to_plot(place)
        way = place - press.place
        shift_s, shift_deg = goal.x() - start.x(), goal.y() - start.y()
        lone = bool(modifiers & Qt.KeyboardModifier.ShiftModifier)
        across = abs(way.x()) >= abs(way.y())
        if not (lone and not across):
            like = keys.like
            rate_hz = 100.0 if like is None else like.rate_hz
            marks = [] if like is None else [marker.time_s for marker in like.markers]
            reach_s = REACH_PX * self._plot.box.viewPixelSize()[0]
            marks.append(float(self._plot.head.value()))
            goal_s = snapped_time(held.time_s + shift_s, keys.snap, rate_hz, marks, reach_s)
            shift_s = goal_s - held.time_s
        else:
            shift_s = 0.0
        shift_rad = 0.0
        if not (lone and across):
            value = snapped_value(held.value_rad + math.radians(shift_deg), keys.snap)
            shift_rad = value - held.value_rad
        keys.drag(shift_s, shift_rad)

    def _pull(self, press: _Press, place: QPoint, modifiers: Qt.KeyboardModifier) -> None:
        """Turn a tangent to the mouse; with Ctrl, or at a broken key, only that side."""
        step = self._keys.step
        assert press.ref is not None and step is not None
        joint, index = press.ref
        key = step.curves[joint].keys[index]
        origin = self.place_of(key)
        x = float(place.x() - origin.x())
        x = max(x, STEEPEST_PX) if press.out else min(x, -STEEPEST_PX)
        width, height = self._plot.box.viewPixelSize()
        slope = math.radians((origin.y() - place.y()) * height / (x * width))
        broken = abs(key.slope_in - key.slope_out) > 1e-6
        alone = broken or bool(modifiers & Qt.KeyboardModifier.ControlModifier)
        self._keys.pull(joint, index, slope, bool(press.out), alone)

    # ---- places

    def _to_plot(self, place: QPoint) -> QPointF:
        found: QPointF = self._plot.box.mapSceneToView(self._view.mapToScene(place))
        return found

    def _to_view(self, place: QPointF) -> QPoint:
        found: QPoint = self._view.mapFromScene(self._plot.box.mapViewToScene(place))
        return found

    def _inside(self, place: QPoint) -> bool:
        return bool(self._plot.box.sceneBoundingRect().contains(self._view.mapToScene(place)))

    def _on_head(self, place: QPoint) -> bool:
        head = self._to_view(QPointF(float(self._plot.head.value()), 0.0))
        return bool(abs(head.x() - place.x()) < BEGIN_PX)

    def _key_at(self, place: QPoint) -> Ref | None:
        """Return the nearest key within reach; chosen ones come first."""
        size = round(2 * REACH_PX)
        near = self._keys_in(QRect(place - QPoint(size // 2, size // 2), QSize(size, size)))
        curves = self._keys.curves

        def away(ref: Ref) -> tuple[bool, int]:
            there = self.place_of(curves[ref[0]].keys[ref[1]])
            return ref not in self._keys.chosen, (there - place).manhattanLength()

        return min(near, key=away, default=None)

    def _handle_at(self, place: QPoint) -> tuple[Ref, bool] | None:
        for ref, out, end, _ in self._handles():
            if (self._to_view(end) - place).manhattanLength() <= REACH_PX:
                return ref, out
        return None

    def _keys_in(self, area: QRect) -> frozenset[Ref]:
        curves = self._keys.curves
        return frozenset(
            (joint, index)
            for joint in self._keys.joints
            for index, key in enumerate(curves[joint].keys)
            if area.contains(self.place_of(key))
        )


@cache
def _look(colour: str, chosen: bool) -> tuple[str, int, QPen, QBrush]:
    """Return symbol, size, pen and brush of a key."""
    pen, brush = pg.mkPen(colour, width=2), QBrush(QColor(theme.TEXT if chosen else INSIDE))
    return ("s", 12, pen, brush) if chosen else ("o", 8, pen, brush)
