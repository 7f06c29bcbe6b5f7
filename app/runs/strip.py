"""The whole run in a narrow strip: modes, cues, alarms, the shown span and the playhead."""

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app.console.telemetry.bins import Singles
from app.console.toolkit import theme
from app.runs.playback import Playback
from app.runs.run import Run

HEIGHT_PX = 58
MODES_PX, CUES_PX, ALARMS_PX = 18.0, 18.0, 16.0  # heights of the rows
EDGE_PX = 6.0
ERROR = 4  # severity
MODE_COLOURS = {
    "READY": "#2b4a3a", "PERFORM": "#234d78", "WALK": "#1f5f66", "STANDING_UP": "#4a4630",
    "SETTLE": "#4a4630", "RECORD": "#4b3566", "FAULT": "#6e2b28", "ESTOP": "#6e2b28",
}  # fmt: skip


class Strip(QWidget):
    """Click or drag to move the playhead; drag the frame's edges to show more or less time."""

    def __init__(self, run: Run, playback: Playback) -> None:
        super().__init__()
        self.setAccessibleName("The whole run")
        self.setToolTip(
            "Modes, cues, and alarms (▲ warning, ■ error). Click or drag: playhead. "
            "Drag an edge of the frame: zoom"
        )
        self.setFixedHeight(HEIGHT_PX)
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._run, self._playback = run, playback
        self._held = ""
        playback.moved.connect(self.update)
        playback.span_changed.connect(self.update)

    @property
    def _zoom(self) -> float:
        """Pixels of a second."""
        playback = self._playback
        return self.width() / (playback.end_s - playback.start_s)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Paint the rows, the frame and the playhead."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(theme.SURFACE))
        painter.setFont(theme.font(11))
        self._paint_modes(painter)
        self._paint_cues(painter)
        self._paint_alarms(painter)
        playback = self._playback
        painter.setPen(QPen(QColor(theme.TEXT), 1.5))
        painter.setBrush(QColor(255, 255, 255, 20))
        painter.drawRoundedRect(self._frame(), 3, 3)
        x = (playback.time_s - playback.start_s) * self._zoom
        painter.fillRect(QRectF(x - 1.0, 0.0, 2.0, HEIGHT_PX), QColor(theme.ACCENT))
        painter.end()

    def _paint_modes(self, painter: QPainter) -> None:
        names, zoom = self._run.hello.mode_names, self._zoom
        times_s, numbers = self._run.digest.modes()
        start_s = self._playback.start_s
        for begin, end, number in _stretches(numbers):
            if number >= len(names):
                continue
            name = names[number]
            left = (float(times_s[begin]) - start_s) * zoom
            right = (float(times_s[min(end, len(times_s) - 1)]) - start_s) * zoom
            box = QRectF(left, 1.0, max(1.0, right - left), MODES_PX)
            painter.fillRect(box, QColor(MODE_COLOURS.get(name, theme.RAISED)))
            self._write(painter, box, name.replace("_", " "), theme.TEXT)

    def _paint_cues(self, painter: QPainter) -> None:
        zoom, start_s = self._zoom, self._playback.start_s
        for cue in tuple(self._run.digest.cues):
            left, width = (cue.start_s - start_s) * zoom, (cue.end_s - cue.start_s) * zoom
            box = QRectF(left, MODES_PX + 3.0, max(2.0, width), CUES_PX)
            painter.fillRect(box, QColor(theme.PROGRESS))
            self._write(painter, box, f"{cue.number} {cue.name}", theme.TEXT)

    def _paint_alarms(self, painter: QPainter) -> None:
        zoom, start_s = self._zoom, self._playback.start_s
        top = MODES_PX + CUES_PX + 5.0
        for event in self._run.digest.alarms():
            tone = theme.BAD if event.severity >= ERROR else theme.WARN
            middle = min(self.width() - 6.0, max(6.0, (event.time_s - start_s) * zoom))
            box = QRectF(middle - 6.0, top, 12.0, ALARMS_PX)
            painter.setPen(QColor(tone.colour))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter.value, tone.mark)

    @staticmethod
    def _write(painter: QPainter, box: QRectF, words: str, colour: str) -> None:
        room = box.width() - 6.0
        if room > 14.0:
            painter.setPen(QColor(colour))
            metrics = painter.fontMetrics()
            text = metrics.elidedText(words, Qt.TextElideMode.ElideRight, int(room))
            painter.drawText(box.adjusted(3.0, 0.0, -3.0, 0.0), Qt.AlignmentFlag.AlignVCenter, text)

    def _frame(self) -> QRectF:
        playback, zoom = self._playback, self._zoom
        left = (playback.from_s - playback.start_s) * zoom
        return QRectF(left, 1.0, max(4.0, playback.span_s * zoom), HEIGHT_PX - 2.0)

    # Mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Take hold of an edge of the frame, or move the playhead."""
        x = event.position().x()
        self._held = self._edge(x) or "playhead"
        self.mouseMoveEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Scrub or zoom."""
        x, playback = event.position().x(), self._playback
        time_s = playback.start_s + x / self._zoom
        if not self._held:
            shape = Qt.CursorShape.SizeHorCursor if self._edge(x) else Qt.CursorShape.ArrowCursor
            self.setCursor(shape)
        elif self._held == "playhead":
            playback.stand()
            playback.go(time_s)
        elif self._held == "left":
            playback.show(min(time_s, playback.to_s - 0.1), playback.to_s)
        else:
            playback.show(playback.from_s, max(time_s, playback.from_s + 0.1))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Let go."""
        self._held = ""

    def _edge(self, x: float) -> str:
        frame = self._frame()
        if frame.width() < 3.0 * EDGE_PX:
            return ""
        if abs(x - frame.left()) <= EDGE_PX:
            return "left"
        return "right" if abs(x - frame.right()) <= EDGE_PX else ""


def _stretches(numbers: Singles) -> list[tuple[int, int, int]]:
    """Return begin, end and mode of each stretch of one known mode (n)."""
    known = np.where(np.isfinite(numbers), numbers, -1.0).astype(np.int64)
    if not len(known):
        return []
    begins = np.concatenate([[0], np.flatnonzero(np.diff(known)) + 1])
    ends = np.concatenate([begins[1:], [len(known)]])
    return [
        (begin, end, number)
        for begin, end, number in zip(
            begins.tolist(), ends.tolist(), known[begins].tolist(), strict=True
        )
        if number >= 0
    ]
