"""The ruler: time or beats, markers and safe points, playheads and the range."""

from dataclasses import dataclass
from functools import partial
from typing import Literal, TypeAlias

from PySide6.QtCore import QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from app.console.timeline import track_edits
from app.console.timeline.drag import SNAP_PX
from app.console.timeline.editor import Editor
from app.console.timeline.scale import time_text
from app.console.timeline.snapping import beats_within, snap, targets
from app.console.timeline.view import View
from app.console.toolkit import theme
from app.console.toolkit.name_line import NameLine
from shows.document import Cue

HEIGHT_PX, MARKS_PX = 44, 18
NEAR_PX = 6.0
Kind: TypeAlias = Literal["marker", "safe point"]


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark on the ruler.

    Attributes:
        kind: a marker or a safe point.
        index: of it in the cue.
        time_s: where it is [s].
    """

    kind: Kind
    index: int
    time_s: float


class Ruler(QWidget):
    """Moves the playhead, selects a range, and moves marks.

    Signals:
        menu_asked: a menu is wanted at a place of the screen (QPoint), for a mark (Mark) or None.
        scrubbed: the playhead was moved by hand.
    """

    menu_asked = Signal(object, object)
    scrubbed = Signal()

    def __init__(self, editor: Editor, view: View, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("timeline_ruler")
        self.setAccessibleName("Ruler of the timeline")
        self.setFixedHeight(HEIGHT_PX)
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setToolTip(
            "Click or drag: playhead. Shift and drag: range. Drag a marker or a safe point to "
            "move it. Wheel: scroll; Ctrl and wheel: zoom"
        )
        self._editor, self._view = editor, view
        self._mark: Mark | None = None
        self._moved = False
        self._range_from_s: float | None = None
        self._scrubbing = False
        editor.changed.connect(self.update)
        editor.playhead_moved.connect(self.update)
        view.changed.connect(self.update)

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Paint the ruler."""
        painter = QPainter(self)
        painter.fillRect(event.rect(), QColor(theme.RAISED))
        cue = self._editor.cue
        if cue is not None:
            self._paint_span(painter)
            self._paint_ticks(painter, cue)
            self._paint_marks(painter, cue)
            self._paint_conflicts(painter)
            self._paint_playheads(painter)
        painter.setPen(QColor(theme.LINE))
        painter.drawLine(0, HEIGHT_PX - 1, self.width(), HEIGHT_PX - 1)
        painter.end()

    def _paint_span(self, painter: QPainter) -> None:
        if self._editor.span is None:
            return
        left, right = (self._view.scale.x(t) for t in self._editor.span)
        painter.fillRect(QRectF(left, MARKS_PX, right - left, HEIGHT_PX), QColor(theme.SELECTED))
        painter.setPen(QPen(QColor(theme.ACCENT), 2))
        for x in (left, right):
            painter.drawLine(QPointF(x, MARKS_PX), QPointF(x, HEIGHT_PX))

    def _paint_ticks(self, painter: QPainter, cue: Cue) -> None:
        scale, tempo = self._view.scale, cue.tempo
        painter.setFont(theme.font(theme.SMALL_PX, digits=True))
        if tempo is not None and 60.0 / tempo.bpm * scale.px_per_s * tempo.beats >= 30.0:
            beat_s = 60.0 / tempo.bpm
            for time_s, bar in beats_within(tempo, scale.start_s, scale.end_s(self.width())):
                x = scale.x(time_s)
                if not bar and beat_s * scale.px_per_s < 5.0:
                    continue
                painter.setPen(QColor(theme.MUTED))
                painter.drawLine(QPointF(x, HEIGHT_PX - (10 if bar else 5)), QPointF(x, HEIGHT_PX))
                if bar:
                    number = round((time_s - tempo.first_s) / beat_s / tempo.beats) + 1
                    painter.setPen(QColor(theme.TEXT))
                    painter.drawText(QPointF(x + 3, HEIGHT_PX - 9), str(number))
            return
        step_s = scale.step_s(74.0)
        small_s = step_s / 5.0
        digits = 2 if step_s < 0.1 else 1 if step_s < 1.0 else 0
        number = int(scale.start_s / small_s)
        while number * small_s <= scale.end_s(self.width()):
            x = scale.x(number * small_s)
            labelled = number % 5 == 0
            painter.setPen(QColor(theme.MUTED))
            painter.drawLine(QPointF(x, HEIGHT_PX - (10 if labelled else 5)), QPointF(x, HEIGHT_PX))
            if labelled:
                painter.setPen(QColor(theme.TEXT))
                text = time_text(number * small_s, digits)
                painter.drawText(QPointF(x + 3, HEIGHT_PX - 9), text)
            number += 1

    def _paint_marks(self, painter: QPainter, cue: Cue) -> None:
        """Paint safe points as green squares, markers as orange flags with their names."""
        scale = self._view.scale
        painter.setFont(theme.font(theme.SMALL_PX))
        for index, point_s in enumerate(cue.safe_points_s):
            x = scale.x(point_s)
            held = self._mark == Mark("safe point", index, point_s)
            painter.setPen(QPen(QColor(theme.TEXT if held else theme.GOOD.colour), 1.5))
            painter.setBrush(QColor(theme.BACKGROUND))
            painter.drawRoundedRect(QRectF(x - 5, 4, 10, 10), 2, 2)
            painter.drawLine(QPointF(x, 14), QPointF(x, MARKS_PX))
        metrics = painter.fontMetrics()
        times = [marker.time_s for marker in cue.markers]
        for index, marker in enumerate(cue.markers):
            x = scale.x(marker.time_s)
            if x < -200 or x > self.width():
                continue
            follows = times[index + 1] if index + 1 < len(times) else None
            room = int((scale.x(follows) - x if follows is not None else 220.0) - 16)
            painter.setPen(QPen(QColor(theme.WARN.colour), 1))
            painter.setBrush(QColor(theme.WARN.colour))
            flag = [QPointF(x, 3), QPointF(x + 9, 7), QPointF(x, 11)]
            painter.drawPolygon(QPolygonF(flag))
            painter.drawLine(QPointF(x, 3), QPointF(x, MARKS_PX))
            painter.setPen(QColor(theme.TEXT))
            text = metrics.elidedText(marker.name, Qt.TextElideMode.ElideRight, max(room, 0))
            painter.drawText(QPointF(x + 12, 13), text)

    def _paint_conflicts(self, painter: QPainter) -> None:
        """Paint a line where conflicts are, so that they are found in a long cue."""
        for conflict in self._editor.conflicts:
            left = self._view.scale.x(conflict.start_s)
            width = max(6.0, (conflict.end_s - conflict.start_s) * self._view.scale.px_per_s)
            tone = theme.BAD if conflict.gravity == "fault" else theme.WARN
            painter.fillRect(QRectF(left, MARKS_PX, width, 3), QColor(tone.colour))
            if conflict.place is None:
                painter.setPen(QColor(tone.colour))
                painter.drawText(QPointF(left - 4, 13), tone.mark)

    def _paint_playheads(self, painter: QPainter) -> None:
        scale = self._view.scale
        painter.setPen(Qt.PenStyle.NoPen)
        if self._view.live_s is not None:
            painter.setBrush(QColor(theme.GOOD.colour))
            x = scale.x(self._view.live_s)
            painter.drawRect(QRectF(x - 2, MARKS_PX, 4, HEIGHT_PX - MARKS_PX))
        x = scale.x(self._editor.playhead_s)
        painter.setBrush(QColor(theme.ACCENT))
        top = MARKS_PX + 3
        head = [QPointF(x - 6, top), QPointF(x + 6, top), QPointF(x, HEIGHT_PX - 12)]
        painter.drawPolygon(QPolygonF(head))
        painter.setPen(QColor(theme.ACCENT))
        painter.drawLine(QPointF(x, HEIGHT_PX - 14), QPointF(x, HEIGHT_PX))

    def rename(self, index: int) -> None:
        """Ask for the name of a marker, on the ruler."""
        cue = self._editor.saved
        if cue is None:
            return
        marker = cue.markers[index]
        left = min(max(0, round(self._view.scale.x(marker.time_s))), max(0, self.width() - 170))

        def take(name: str) -> None:
            deed = partial(track_edits.marker_put, time_s=marker.time_s, name=name)
            self._editor.do("rename a marker", deed)

        NameLine(self, QRect(left, 1, 170, 26), marker.name, "Name of the marker", take)

    # Mouse

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Rename a marker."""
        mark = self.mark_at(event.position().x(), event.position().y())
        if mark is not None and mark.kind == "marker":
            self._mark = None
            self.rename(mark.index)

    def mark_at(self, x: float, y: float) -> Mark | None:
        """Return the mark at a place, or None."""
        cue = self._editor.cue
        if cue is None or y > MARKS_PX:
            return None
        marks = [Mark("safe point", i, t) for i, t in enumerate(cue.safe_points_s)]
        marks += [Mark("marker", i, m.time_s) for i, m in enumerate(cue.markers)]
        near = [(abs(self._view.scale.x(m.time_s) - x), m) for m in marks]
        near = [(away, m) for away, m in near if away <= NEAR_PX + (6 if m.kind == "marker" else 0)]
        return min(near, key=lambda pair: pair[0])[1] if near else None

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Take hold of a mark, begin a range, or put the playhead."""
        if event.button() != Qt.MouseButton.LeftButton or self._editor.cue is None:
            return
        x = event.position().x()
        self._mark, self._moved = self.mark_at(x, event.position().y()), False
        if self._mark is not None:
            return
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._range_from_s = self._snapped(x, event)
            self._editor.put_span(0.0, 0.0)
        else:
            self._scrubbing = True
            self._scrub(x, event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Move what is held."""
        x = event.position().x()
        if self._mark is not None:
            self._move_mark(self._mark, self._snapped(x, event))
        elif self._range_from_s is not None:
            self._editor.put_span(self._range_from_s, self._snapped(x, event))
        elif self._scrubbing:
            self._scrub(x, event)
        else:
            over = self.mark_at(x, event.position().y())
            shape = Qt.CursorShape.SizeHorCursor if over else Qt.CursorShape.IBeamCursor
            self.setCursor(shape)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Carry out the move of a mark."""
        mark, self._mark = self._mark, None
        self._range_from_s, self._scrubbing = None, False
        if mark is not None and self._moved:
            time_s = self._snapped(event.position().x(), event)
            self._editor.do(f"move a {mark.kind}", lambda cue: _moved(cue, mark, time_s))
        elif mark is not None:
            self._editor.put_playhead(mark.time_s)
            self.scrubbed.emit()
        self.update()

    def _move_mark(self, mark: Mark, time_s: float) -> None:
        self._moved = True
        self._editor.preview(lambda cue: _moved(cue, mark, time_s))

    def _scrub(self, x: float, event: QMouseEvent) -> None:
        self._editor.put_playhead(self._snapped(x, event))
        self.scrubbed.emit()

    def _snapped(self, x: float, event: QMouseEvent) -> float:
        """Return the time at a pixel, snapped unless Alt is held."""
        time_s = max(0.0, self._view.scale.s(x))
        cue = self._editor.saved
        if cue is None or not self._editor.snaps:
            return time_s
        if event.modifiers() & Qt.KeyboardModifier.AltModifier:
            return time_s
        found = [
            target
            for target in targets(cue, (), self._editor.material, 0.0)
            if self._mark is None or target.time_s != self._mark.time_s
        ]
        tolerance_s = 0.7 * SNAP_PX / self._view.scale.px_per_s
        return max(0.0, snap([0.0], time_s, found, tolerance_s, cue.tempo).by_s)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802
        """Ask for the menu of a mark, or of the ruler."""
        if self._editor.cue is not None:
            mark = self.mark_at(event.pos().x(), event.pos().y())
            self.menu_asked.emit(event.globalPos(), mark)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        """Zoom or scroll in time."""
        if event.modifiers():
            self._view.wheel(event)
        else:
            delta = event.angleDelta() / 120.0
            self._view.scroll(-(delta.y() or delta.x()) * 60.0 / self._view.scale.px_per_s)
            event.accept()


def _moved(cue: Cue, mark: Mark, time_s: float) -> Cue:
    move = track_edits.marker_moved if mark.kind == "marker" else track_edits.safe_point_moved
    return move(cue, mark.index, time_s)[0]
