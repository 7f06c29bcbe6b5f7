"""How a gesture looks in the grid."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen
from PySide6.QtWidgets import (
    QLineEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.console.gestures.library import Entry
from app.console.gestures.model import ENTRY, GestureModel, Index
from app.console.gestures.thumbnails import Thumbnails
from app.console.toolkit import theme

TILE_WIDTH, TILE_HEIGHT = 126, 150  # the least [px]


class TileDelegate(QStyledItemDelegate):
    """Draws a tile: picture, title, length, source, favourite and the limbs that play it."""

    def __init__(self, model: GestureModel, thumbnails: Thumbnails, parent: QWidget) -> None:
        super().__init__(parent)
        self._model, self._thumbnails = model, thumbnails

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw one tile."""
        entry: Entry = index.data(ENTRY)
        rect: QRect = option.rect.adjusted(3, 3, -3, -3)
        state: QStyle.StateFlag = option.state
        selected = bool(state & QStyle.StateFlag.State_Selected)
        focused = bool(state & QStyle.StateFlag.State_HasFocus)
        hovered = bool(state & QStyle.StateFlag.State_MouseOver)
        playing = self._model.playing.get(entry.name, "")
        edge = theme.ACCENT if focused or playing else theme.MUTED if hovered else theme.LINE
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(edge), 2 if focused or playing else 1))
        painter.setBrush(QColor(theme.SELECTED if selected else theme.RAISED))
        painter.drawRoundedRect(rect, 6, 6)
        self._draw_picture(painter, rect, self._thumbnails.of(entry.motion))
        self._draw_words(painter, rect, entry, playing, selected)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: N802
        """Return the least size of a tile."""
        return QSize(TILE_WIDTH, TILE_HEIGHT)

    def createEditor(  # noqa: N802
        self, parent: QWidget, option: QStyleOptionViewItem, index: Index
    ) -> QWidget:
        """Return a line to type a title into."""
        editor = QLineEdit(parent)
        editor.setMaxLength(200)
        editor.setAccessibleName("New title of the gesture")
        return editor

    def updateEditorGeometry(  # noqa: N802
        self, editor: QWidget, option: QStyleOptionViewItem, index: Index
    ) -> None:
        """Put the line over the title."""
        rect: QRect = option.rect
        editor.setGeometry(rect.left() + 3, rect.bottom() - 50, rect.width() - 6, 30)

    @staticmethod
    def _draw_picture(painter: QPainter, rect: QRect, image: QImage | None) -> None:
        if image is None:
            return
        room = rect.adjusted(4, 4, -4, -44)
        size = image.size().scaled(room.size(), Qt.AspectRatioMode.KeepAspectRatio)
        place = QRect(0, 0, size.width(), size.height())
        place.moveCenter(room.center())
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(place, image)

    def _draw_words(
        self, painter: QPainter, rect: QRect, entry: Entry, playing: str, selected: bool
    ) -> None:
        flags = Qt.AlignmentFlag
        line = QRect(rect.left() + 8, rect.bottom() - 43, rect.width() - 16, 20)
        painter.setPen(QColor(theme.TEXT))
        painter.setFont(theme.font(theme.SIZE_PX, bold=True))
        metrics = painter.fontMetrics()
        title = metrics.elidedText(entry.title, Qt.TextElideMode.ElideRight, line.width())
        painter.drawText(line, flags.AlignLeft | flags.AlignVCenter, title)
        line.translate(0, 20)
        painter.setFont(theme.font(theme.SMALL_PX))
        metrics = painter.fontMetrics()
        if playing:
            painter.setPen(QColor(theme.TEXT if selected else theme.BUSY.colour))
            text = metrics.elidedText(
                f"{theme.BUSY.mark} {playing}", Qt.TextElideMode.ElideRight, line.width()
            )
            painter.drawText(line, flags.AlignLeft | flags.AlignVCenter, text)
        else:
            painter.setPen(QColor(theme.MUTED))
            source = "show" if entry.own else "library"
            text = f"{entry.motion.duration_s:.1f} s · {source}"
            painter.drawText(line, flags.AlignLeft | flags.AlignVCenter, text)
        if self._model.is_favourite(entry.name):
            corner = QRect(rect.left() + 8, rect.top() + 5, rect.width() - 16, 20)
            painter.setPen(QColor(theme.WARN.colour))
            painter.setFont(theme.font(theme.SIZE_PX, bold=True))
            painter.drawText(corner, flags.AlignLeft | flags.AlignVCenter, "★")
            key = self._model.hotkey(entry.name)
            painter.setPen(QColor(theme.TEXT))
            painter.drawText(corner, flags.AlignRight | flags.AlignVCenter, key)
