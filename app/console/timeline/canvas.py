"""The canvas: draws the tracks with their clips, and edits them by mouse and keyboard."""

from collections.abc import Callable
from typing import ClassVar

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QContextMenuEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from app.console.timeline.clip_painter import ClipPainter
from app.console.timeline.conflicts import reasons
from app.console.timeline.drag import Drag, Told
from app.console.timeline.drops import Drops
from app.console.timeline.editor import Editor
from app.console.timeline.lanes import Hit, Lanes, height_px
from app.console.timeline.material import NONE, Places
from app.console.timeline.neighbours import above, beside
from app.console.timeline.snapping import beats_within
from app.console.timeline.view import View
from app.console.timeline.waveforms import Waveforms
from app.console.toolkit import theme
from shows.document import Cue

EMPTY = (
    "This cue has no tracks yet. Drag a gesture from the library or a sound file here, or press "
    "Add track."
)
NO_CUE = "Select a single cue in the cue list: its timeline is edited here."
SHADE = 110  # of what is outside the range


class Canvas(QWidget):
    """The lanes.

    Signals:
        menu_asked: a context menu is wanted at a place of the screen (QPoint).
        told: what is under the pointer, or what a drag does; empty for nothing.
        edit_asked: a clip was double-clicked: its fields are wanted.
    """

    menu_asked = Signal(object)
    told = Signal(str)
    edit_asked = Signal()

    _CURSORS: ClassVar[dict[str, Qt.CursorShape]] = {
        "body": Qt.CursorShape.ArrowCursor,
        "start": Qt.CursorShape.SizeHorCursor,
        "end": Qt.CursorShape.SizeHorCursor,
        "blend_in": Qt.CursorShape.SplitHCursor,
        "blend_out": Qt.CursorShape.SplitHCursor,
    }

    def __init__(
        self,
        editor: Editor,
        view: View,
        waveforms: Waveforms,
        drops: Drops,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("timeline_canvas")
        self.setAccessibleName("Timeline of the cue")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAcceptDrops(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMinimumSize(QSize(240, 24))
        self._editor, self._view, self._drops = editor, view, drops
        self._painter = ClipPainter(editor, waveforms)
        self._drag: Drag | None = None
        self._told: Told | None = None
        self._pointer = QPointF()
        self._band: tuple[QPointF, Places] | None = None
        self._panning: QPointF | None = None
        waveforms.changed.connect(self._refresh)
        editor.changed.connect(self.update)
        editor.selected.connect(self.update)
        editor.selected.connect(self._describe)
        editor.playhead_moved.connect(self.update)
        view.changed.connect(self.update)
        drops.changed.connect(self.update)

    @property
    def lanes(self) -> Lanes | None:
        """The layout of what is shown; None without a cue."""
        return self._view.lanes(self._editor)

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Paint what is in sight."""
        painter = QPainter(self)
        painter.fillRect(event.rect(), QColor(theme.BACKGROUND))
        lanes = self.lanes
        if lanes is None or not lanes.cue.tracks:
            self._paint_words(painter, NO_CUE if lanes is None else EMPTY)
        if lanes is not None:
            self._paint_lanes(painter, lanes)
            self._paint_clips(painter, lanes)
            self._paint_lines(painter, lanes)
            self._paint_drop(painter, lanes)
            self._paint_told(painter)
        if self.hasFocus():
            painter.setPen(QColor(theme.ACCENT))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.end()

    def _paint_words(self, painter: QPainter, words: str) -> None:
        painter.setPen(QColor(theme.MUTED))
        painter.setFont(theme.font())
        flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
        painter.drawText(self.rect().adjusted(20, 4, -20, -4), flags, words)

    def _paint_lanes(self, painter: QPainter, lanes: Lanes) -> None:
        width, height = self.width(), self.height()
        for index, track in enumerate(lanes.cue.tracks):
            top, tall = lanes.top_px(index), height_px(track)
            if top > height or top + tall < 0:
                continue
            striped = QColor(theme.STRIPED if index % 2 else theme.SURFACE)
            painter.fillRect(QRectF(0, top, width, tall - 1), striped)
            if track.locked:
                painter.fillRect(
                    QRectF(0, top, width, tall - 1),
                    _shaded(theme.MUTED, 40, Qt.BrushStyle.BDiagPattern),
                )
        self._paint_grid(painter, lanes)

    def _paint_grid(self, painter: QPainter, lanes: Lanes) -> None:
        scale, bottom = lanes.scale, int(min(lanes.bottom_px, self.height()))
        tempo = lanes.cue.tempo
        to_s = scale.end_s(self.width())
        if tempo is not None and 60.0 / tempo.bpm * scale.px_per_s >= 5.0:
            for time_s, bar in beats_within(tempo, scale.start_s, to_s):
                painter.setPen(QColor(theme.EDGE if bar else theme.LINE))
                x = round(scale.x(time_s))
                painter.drawLine(x, 0, x, bottom)
            return
        step_s = scale.step_s(60.0)
        painter.setPen(QColor(theme.LINE))
        number = int(scale.start_s / step_s)
        while number * step_s <= to_s:
            x = round(scale.x(number * step_s))
            painter.drawLine(x, 0, x, bottom)
            number += 1

    def _paint_clips(self, painter: QPainter, lanes: Lanes) -> None:
        cue, selection = lanes.cue, self._editor.selection
        if self._drag is not None and self._editor.previewing:
            selection = self._drag.places
        gravity: dict[object, str] = {}
        if not self._editor.previewing:
            for conflict in self._editor.conflicts:
                if gravity.get(conflict.place) != "fault":
                    gravity[conflict.place] = conflict.gravity
        silent = [cue.silent(track) for track in cue.tracks]
        for place, clip, rect in lanes.seen(self.width(), self.height()):
            self._painter.paint(
                painter,
                lanes,
                place,
                clip,
                rect,
                place in selection,
                silent[place[0]],
                gravity.get(place, ""),
            )

    def _paint_lines(self, painter: QPainter, lanes: Lanes) -> None:
        """Paint the end of the cue, the range, marks and playheads over the clips."""
        scale, width, height = lanes.scale, self.width(), self.height()
        end_x = scale.x(self._editor.length_s)
        if end_x < width:
            painter.fillRect(QRectF(max(0.0, end_x), 0, width, height), _shaded("#000000", 90))
        if self._editor.span is not None:
            left, right = (scale.x(t) for t in self._editor.span)
            painter.fillRect(QRectF(0, 0, left, height), _shaded("#000000", SHADE))
            painter.fillRect(
                QRectF(right, 0, max(0.0, width - right), height), _shaded("#000000", SHADE)
            )
        for time_s in lanes.cue.safe_points_s:
            self._vertical(painter, scale.x(time_s), theme.GOOD.colour, Qt.PenStyle.DotLine)
        for marker in lanes.cue.markers:
            self._vertical(painter, scale.x(marker.time_s), theme.WARN.colour, Qt.PenStyle.DashLine)
        live_s = self._view.live_s
        if live_s is not None:
            self._vertical(painter, scale.x(live_s), theme.GOOD.colour, Qt.PenStyle.SolidLine, 2)
        x = scale.x(self._editor.playhead_s)
        self._vertical(painter, x, theme.ACCENT, Qt.PenStyle.SolidLine)
        if self._told is not None and self._told.line_s is not None:
            self._vertical(painter, scale.x(self._told.line_s), theme.TEXT, Qt.PenStyle.DashLine)
        if self._band is not None:
            painter.setPen(QPen(QColor(theme.ACCENT), 1, Qt.PenStyle.DashLine))
            painter.setBrush(_shaded(theme.ACCENT, 30))
            painter.drawRect(QRectF(self._band[0], self._pointer).normalized())

    def _vertical(
        self, painter: QPainter, x: float, colour: str, style: Qt.PenStyle, width: int = 1
    ) -> None:
        if 0.0 <= x <= self.width():
            painter.setPen(QPen(QColor(colour), width, style))
            painter.drawLine(round(x), 0, round(x), self.height())

    def _paint_drop(self, painter: QPainter, lanes: Lanes) -> None:
        shown = self._drops.shown
        if shown is None:
            return
        x = lanes.scale.x(shown.time_s)
        top = lanes.bottom_px if shown.track is None else lanes.top_px(shown.track)
        tall = 46 if shown.track is None else height_px(lanes.cue.tracks[shown.track])
        width = max(40.0, shown.length_s * lanes.scale.px_per_s)
        painter.setPen(QPen(QColor(theme.TEXT), 2, Qt.PenStyle.DashLine))
        painter.setBrush(_shaded(theme.ACCENT, 70))
        painter.drawRect(QRectF(x, top + 3, width, tall - 6))
        self._told = Told(shown.words)

    def _paint_told(self, painter: QPainter) -> None:
        if self._told is None or not self._told.words:
            return
        painter.setFont(theme.font(theme.SIZE_PX, bold=True))
        metrics = painter.fontMetrics()
        wide = metrics.horizontalAdvance(self._told.words) + 16
        x = min(max(4.0, self._pointer.x() + 14), max(4.0, self.width() - wide - 4.0))
        y = min(max(2.0, self._pointer.y() - 32), max(2.0, self.height() - 28.0))
        box = QRectF(x, y, wide, 26)
        painter.setPen(QColor(theme.EDGE))
        painter.setBrush(QColor(theme.RAISED))
        painter.drawRoundedRect(box, 4, 4)
        painter.setPen(QColor(theme.TEXT))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self._told.words)

    def _refresh(self) -> None:
        self._painter.forget()
        self.update()

    # Mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Select, begin a drag or a box, or begin to scroll with the middle button."""
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self._pointer = event.position()
        if event.button() == Qt.MouseButton.MiddleButton:
            self._panning = event.position()
            return
        lanes = self.lanes
        if lanes is None or event.button() != Qt.MouseButton.LeftButton:
            return
        x, y = event.position().x(), event.position().y()
        hit = lanes.hit(x, y, self._editor.selection)
        more = event.modifiers() & (
            Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier
        )
        if hit is None:
            kept = self._editor.selection if more else NONE
            self._band = event.position(), kept
            self._editor.select(kept)
            return
        places = self._pressed(hit, bool(more))
        if hit.place in places and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            stretches = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
            self._drag = Drag(self._editor, hit, places, x, hit.place[0], stretches)

    def _pressed(self, hit: Hit, more: bool) -> Places:
        """Select what was pressed; return the selection."""
        selection, place = self._editor.selection, hit.place
        if more and hit.zone == "body":
            selection = selection ^ {place}
        elif place not in selection:
            selection = frozenset((place,))
        self._editor.select(selection)
        return selection

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Drag, draw the box, scroll, or tell what is under the pointer."""
        self._pointer = event.position()
        lanes = self.lanes
        if lanes is None:
            return
        x, y = event.position().x(), event.position().y()
        if self._panning is not None:
            moved = event.position() - self._panning
            self._panning = event.position()
            self._view.scroll(-moved.x() / lanes.scale.px_per_s)
            self._view.scroll_rows(-moved.y())
        elif self._drag is not None:
            self._keep_in_sight(x)
            free = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
            snaps = self._editor.snaps and not free
            self._told = self._drag.update(x, lanes.track_at(y), self._view.scale, snaps)
            self.told.emit("" if self._told is None else self._told.words)
            self.update()
        elif self._band is not None:
            box = QRectF(self._band[0], event.position()).normalized()
            self._editor.select(self._band[1] | lanes.within(box))
            self.update()
        else:
            self._look(lanes, x, y)

    def _look(self, lanes: Lanes, x: float, y: float) -> None:
        hit = lanes.hit(x, y, self._editor.selection)
        zone = "body" if hit is None else hit.zone
        self.setCursor(self._CURSORS[zone])
        found = [c for c in self._editor.conflicts if hit is not None and c.place == hit.place]
        self.told.emit(reasons(found))

    def _keep_in_sight(self, x: float) -> None:
        """Scroll while a drag is beyond an edge."""
        beyond = min(0.0, x) + max(0.0, x - self.width())
        if beyond:
            self._view.scroll(0.2 * beyond / self._view.scale.px_per_s)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Carry a drag out."""
        drag, self._drag = self._drag, None
        band, self._band = self._band, None
        self._told, self._panning = None, None
        if drag is not None:
            drag.finish()
        elif band is not None and band[0] == event.position():
            self._editor.put_playhead(self._view.scale.s(event.position().x()))
        self.told.emit("")
        self.update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Ask for the fields of a clip."""
        lanes = self.lanes
        hit = lanes and lanes.hit(event.position().x(), event.position().y(), NONE)
        if hit:
            self.edit_asked.emit()

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802
        """Tell nothing any more."""
        super().leaveEvent(event)
        if self._drag is None:
            self.told.emit("")

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802
        """Select what is under the pointer, and ask for a menu."""
        lanes = self.lanes
        if lanes is None:
            return
        hit = lanes.hit(event.pos().x(), event.pos().y(), self._editor.selection)
        if hit is not None and hit.place not in self._editor.selection:
            self._editor.select(frozenset((hit.place,)))
        self.menu_asked.emit(event.globalPos())

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        """Zoom with Ctrl, scroll in time with Shift or sideways, else scroll the tracks."""
        self._view.wheel(event)

    # Keyboard

    def event(self, event: QEvent) -> bool:
        """Give the first Esc to a drag, and every other one to the stop ladder."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Escape and self._drag is not None:
                self._drag.cancel()
                self._drag, self._told = None, None
                self.update()
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Go from clip to clip with Ctrl and the arrows; other keys are the actions'."""
        steps: dict[int, Callable[[Cue], Places]] = {
            Qt.Key.Key_Left: lambda cue: beside(cue, self._editor.selection, -1),
            Qt.Key.Key_Right: lambda cue: beside(cue, self._editor.selection, 1),
            Qt.Key.Key_Up: lambda cue: above(cue, self._editor.selection, -1),
            Qt.Key.Key_Down: lambda cue: above(cue, self._editor.selection, 1),
        }
        step, cue = steps.get(event.key()), self._editor.cue
        plain_updown = event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down)
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if step is not None and cue is not None and (plain_updown or control):
            self._editor.select(step(cue))
            self._view.bring(self._editor)
            return
        super().keyPressEvent(event)

    def _describe(self) -> None:
        count = len(self._editor.selection)
        self.setAccessibleDescription(f"{count} clip{'' if count == 1 else 's'} selected")

    # Drops

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802
        """Take gestures of the library and sound files."""
        if self._editor.cue is not None and self._drops.takes(event.mimeData()):
            event.acceptProposedAction()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:  # noqa: N802
        """Show where it would lie."""
        self._pointer = event.position()
        lanes = self.lanes
        if lanes is not None:
            self._drops.show(event.mimeData(), lanes, event.position())
            event.acceptProposedAction()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:  # noqa: N802
        """Show nothing any more."""
        self._drops.leave()
        self._told = None

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802
        """Put it on a track."""
        lanes = self.lanes
        self._told = None
        if lanes is not None:
            self._drops.drop(event.mimeData(), lanes, event.position())
            event.acceptProposedAction()
            self.setFocus(Qt.FocusReason.MouseFocusReason)


def _shaded(colour: str, alpha: int, style: Qt.BrushStyle = Qt.BrushStyle.SolidPattern) -> QBrush:
    found = QColor(colour)
    found.setAlpha(alpha)
    return QBrush(found, style)
