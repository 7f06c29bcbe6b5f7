"""The headers of the tracks: name, mute, solo and lock."""

from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QWheelEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from app.console.timeline import track_edits
from app.console.timeline.clip_painter import INKS
from app.console.timeline.editor import Editor
from app.console.timeline.lanes import Lanes, height_px
from app.console.timeline.material import track_title
from app.console.timeline.view import View
from app.console.toolkit import theme
from app.console.toolkit.name_line import NameLine
from shows.document import Track

WIDTH_PX = 168
BUTTON_PX = 20


@dataclass(frozen=True, slots=True)
class Flag:
    """A flag of a track.

    Attributes:
        field: of the track.
        letter: on its button.
        colour: of the button while it is set.
        tip: what it does.
    """

    field: str
    letter: str
    colour: str
    tip: str


FLAGS = (
    Flag("muted", "M", theme.WARN.colour, "Mute: its clips do not play"),
    Flag("solo", "S", theme.GOOD.colour, "Solo: only tracks that are solo play"),
    Flag("locked", "L", theme.ACCENT, "Lock: its clips cannot be edited"),
)


class Headers(QWidget):
    """Paints a header for every track.

    Signals:
        menu_asked: a menu is wanted at a place of the screen (QPoint), for a track (int).
    """

    menu_asked = Signal(object, int)

    def __init__(self, editor: Editor, view: View, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("timeline_headers")
        self.setAccessibleName("Tracks of the cue")
        self.setFixedWidth(WIDTH_PX)
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._editor, self._view = editor, view
        editor.changed.connect(self.update)
        view.changed.connect(self.update)

    @property
    def _lanes(self) -> Lanes | None:
        return self._view.lanes(self._editor)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Paint the headers in sight."""
        painter = QPainter(self)
        painter.fillRect(event.rect(), QColor(theme.BACKGROUND))
        lanes = self._lanes
        if lanes is not None:
            for index, track in enumerate(lanes.cue.tracks):
                top = lanes.top_px(index)
                if -60 < top < self.height():
                    self._paint(painter, track, top, lanes.cue.silent(track))
        painter.end()

    def _paint(self, painter: QPainter, track: Track, top: float, silent: bool) -> None:
        tall = height_px(track)
        painter.fillRect(QRectF(0, top, WIDTH_PX - 1, tall - 1), QColor(theme.RAISED))
        painter.fillRect(QRectF(0, top, 4, tall - 1), QColor(INKS[track.kind]))
        painter.setFont(theme.font(13))
        painter.setPen(QColor(theme.OFF if silent else theme.TEXT))
        room = WIDTH_PX - 16 - 3 * (BUTTON_PX + 3)
        text = painter.fontMetrics().elidedText(
            track_title(track), Qt.TextElideMode.ElideRight, room
        )
        painter.drawText(QRectF(10, top, room, tall - 1), Qt.AlignmentFlag.AlignVCenter, text)
        for number, flag in enumerate(FLAGS):
            self._paint_flag(painter, self._button(number, top, tall), flag, track)

    def _paint_flag(self, painter: QPainter, box: QRectF, flag: Flag, track: Track) -> None:
        on = bool(getattr(track, flag.field))
        painter.setPen(QPen(QColor(flag.colour if on else theme.EDGE), 1))
        painter.setBrush(QColor(flag.colour) if on else QColor(theme.SURFACE))
        painter.drawRoundedRect(box, 3, 3)
        painter.setFont(theme.font(theme.SMALL_PX, bold=on))
        painter.setPen(QColor(theme.BACKGROUND if on else theme.MUTED))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, flag.letter)

    @staticmethod
    def _button(number: int, top: float, tall: float) -> QRectF:
        left = WIDTH_PX - 6 - (3 - number) * (BUTTON_PX + 3)
        return QRectF(left, top + (tall - BUTTON_PX) / 2.0, BUTTON_PX, BUTTON_PX)

    def flag_at(self, x: float, y: float) -> tuple[int, Flag | None] | None:
        """Return the track at a place, and the flag whose button is there."""
        lanes = self._lanes
        index = None if lanes is None else lanes.track_at(y)
        if lanes is None or index is None:
            return None
        top, tall = lanes.top_px(index), height_px(lanes.cue.tracks[index])
        for number, flag in enumerate(FLAGS):
            if self._button(number, top, tall).contains(x, y):
                return index, flag
        return index, None

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Turn a flag, or select the clips of a track."""
        found = self.flag_at(event.position().x(), event.position().y())
        cue = self._editor.cue
        if found is None or cue is None or event.button() != Qt.MouseButton.LeftButton:
            return
        index, flag = found
        if flag is not None:
            self.turn(index, flag)
        else:
            count = len(cue.tracks[index].clips)
            self._editor.select(frozenset((index, i) for i in range(count)))

    def turn(self, index: int, flag: Flag) -> None:
        """Set a flag of a track, or end it."""
        cue = self._editor.cue
        if cue is None:
            return
        track = cue.tracks[index]
        on = not getattr(track, flag.field)
        words = {"muted": ("mute", "unmute"), "solo": ("solo", "end the solo of")}
        word = words.get(flag.field, ("lock", "unlock"))[0 if on else 1]
        self._editor.do(
            f"{word} the track {track_title(track)}",
            lambda cue: track_edits.track_changed(cue, index, **{flag.field: on}),
        )

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Rename a track."""
        found = self.flag_at(event.position().x(), event.position().y())
        if found is not None and found[1] is None:
            self.rename(found[0])

    def rename(self, index: int) -> None:
        """Ask for the name of a track, in its header."""
        lanes = self._lanes
        if lanes is None:
            return
        track = lanes.cue.tracks[index]
        place = QRect(6, round(lanes.top_px(index)) + 4, WIDTH_PX - 12, 28)

        def take(name: str) -> None:
            deed = partial(track_edits.track_changed, index=index, name=name)
            self._editor.do("rename a track", deed)

        NameLine(self, place, track.name, "Name of the track", take)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802
        """Ask for the menu of a track."""
        found = self.flag_at(event.pos().x(), event.pos().y())
        if found is not None:
            self.menu_asked.emit(event.globalPos(), found[0])

    def event(self, event: QEvent) -> bool:
        """Explain a button."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            found = self.flag_at(event.pos().x(), event.pos().y())
            tip = found[1].tip if found and found[1] else "Double click: rename. Click: select all"
            QToolTip.showText(event.globalPos() + QPoint(8, 8), tip, self)
            return True
        return super().event(event)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        """Scroll the tracks."""
        self._view.wheel(event)
