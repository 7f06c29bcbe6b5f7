"""The overview: the whole cue in a narrow bar, and the part that is in sight."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app.console.timeline.clip_painter import INKS
from app.console.timeline.editor import Editor
from app.console.timeline.scale import Scale
from app.console.timeline.view import MARGIN_S, View
from app.console.toolkit import theme
from shows.document import clips_of

HEIGHT_PX = 26
EDGE_PX = 6.0


class Overview(QWidget):
    """Drag the frame to scroll, its edges to zoom; a click elsewhere brings that place."""

    def __init__(self, editor: Editor, view: View, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("timeline_overview")
        self.setAccessibleName("Overview of the cue")
        self.setToolTip("Drag the frame to scroll, its edges to zoom")
        self.setFixedHeight(HEIGHT_PX)
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._editor, self._view = editor, view
        self._held: tuple[str, float, Scale] | None = None
        editor.changed.connect(self.update)
        editor.playhead_moved.connect(self.update)
        view.changed.connect(self.update)

    @property
    def _px_per_s(self) -> float:
        view = self._view
        total_s = max(self._editor.length_s + MARGIN_S, view.scale.end_s(view.width_px))
        return self.width() / total_s

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Paint clips, conflicts, playheads and the frame."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(theme.SURFACE))
        if self._editor.cue is not None:
            zoom = self._px_per_s
            self._paint_clips(painter, zoom)
            for conflict in self._editor.conflicts:
                tone = theme.BAD if conflict.gravity == "fault" else theme.WARN
                width = max(2.0, (conflict.end_s - conflict.start_s) * zoom)
                painter.fillRect(QRectF(conflict.start_s * zoom, 0, width, 3), QColor(tone.colour))
            x = self._editor.playhead_s * zoom
            painter.fillRect(QRectF(x, 0, 1.5, HEIGHT_PX), QColor(theme.ACCENT))
            if self._view.live_s is not None:
                live = QRectF(self._view.live_s * zoom, 0, 2.0, HEIGHT_PX)
                painter.fillRect(live, QColor(theme.GOOD.colour))
            painter.setPen(QPen(QColor(theme.TEXT), 1.5))
            painter.setBrush(QColor(255, 255, 255, 22))
            painter.drawRoundedRect(self._frame(), 3, 3)
        painter.end()

    def _paint_clips(self, painter: QPainter, zoom: float) -> None:
        """Paint one line for each track."""
        cue = self._editor.cue
        assert cue is not None
        step = min(5.0, (HEIGHT_PX - 6.0) / max(1, len(cue.tracks)))
        for index, track in enumerate(cue.tracks):
            ink, y = QColor(INKS[track.kind]), 4.0 + index * step
            for clip in clips_of(track):
                width = max(1.5, self._editor.material.length_s(clip) * zoom)
                painter.fillRect(QRectF(clip.start_s * zoom, y, width, max(1.0, step - 1.0)), ink)

    def _frame(self) -> QRectF:
        view, zoom = self._view, self._px_per_s
        left = view.scale.start_s * zoom
        right = view.scale.end_s(view.width_px) * zoom
        return QRectF(left, 1.0, max(8.0, right - left), HEIGHT_PX - 2.0)

    # Mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Take hold of the frame; a click beside it brings it there."""
        x, frame = event.position().x(), self._frame()
        zone = self._zone(x)
        if not zone:
            self._view.scroll((x - frame.center().x()) / self._px_per_s)
            zone = "body"
        self._held = zone, x, self._view.scale

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Scroll or zoom."""
        x = event.position().x()
        if self._held is None:
            edge = self._zone(x) in ("left", "right")
            self.setCursor(Qt.CursorShape.SizeHorCursor if edge else Qt.CursorShape.ArrowCursor)
            return
        zone, from_x, scale = self._held
        by_s = (x - from_x) / self._px_per_s
        low, high = scale.start_s, scale.end_s(self._view.width_px)
        if zone == "body":
            self._view.put(Scale(max(0.0, low + by_s), scale.px_per_s))
            return
        low = low + by_s if zone == "left" else low
        high = high + by_s if zone == "right" else high
        low = max(0.0, low)
        if high - low >= 0.2:
            self._view.put(Scale(low, self._view.width_px / (high - low)))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Let go."""
        self._held = None

    def _zone(self, x: float) -> str:
        frame = self._frame()
        if abs(x - frame.left()) <= EDGE_PX:
            return "left"
        if abs(x - frame.right()) <= EDGE_PX:
            return "right"
        return "body" if frame.contains(x, frame.center().y()) else ""
