"""The grid of gestures: what is listed, how a tile looks, and the view they are in."""

from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFocusEvent, QImage, QKeyEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.console import theme
from app.console.gestures.library import Entry
from app.console.gestures.thumbnails import Thumbnails

Index = QModelIndex | QPersistentModelIndex
ENTRY = Qt.ItemDataRole.UserRole
TILE_WIDTH, TILE_HEIGHT = 126, 150  # the least [px]
HOTKEYS = 9


class GestureModel(QAbstractListModel):
    """Lists the gestures that were found.

    Attributes:
        playing: name of a gesture to the limbs that play it, in words.

    Signals:
        retitled: the operator typed another title for a gesture: its name and the title.
    """

    retitled = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.playing: dict[str, str] = {}
        self._entries: tuple[Entry, ...] = ()
        self._favourites: tuple[str, ...] = ()

    def set_entries(self, entries: tuple[Entry, ...], favourites: tuple[str, ...]) -> None:
        """List these, if they are others: the place of the scroll bar is lost by it."""
        if (entries, favourites) == (self._entries, self._favourites):
            return
        self.beginResetModel()
        self._entries, self._favourites = entries, favourites
        self.endResetModel()

    def set_playing(self, playing: dict[str, str]) -> None:
        """Mark what plays."""
        if playing != self.playing:
            self.playing = playing
            self.touch()

    def touch(self) -> None:
        """Have every tile drawn again."""
        if self._entries:
            self.dataChanged.emit(self.index(0), self.index(len(self._entries) - 1))

    def row_of(self, name: str) -> int:
        """Return where a gesture is; -1 if it is not listed."""
        names = [entry.name for entry in self._entries]
        return names.index(name) if name in names else -1

    def hotkey(self, name: str) -> str:
        """Return the key that plays a gesture; empty if none does."""
        if name not in self._favourites[:HOTKEYS]:
            return ""
        return str(self._favourites.index(name) + 1)

    def is_favourite(self, name: str) -> bool:
        """Tell whether a gesture is a favourite."""
        return name in self._favourites

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008, N802
        """Return how many there are."""
        return 0 if parent.isValid() else len(self._entries)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Tell that the show's own can be retitled."""
        flags = super().flags(index)
        if index.isValid() and self._entries[index.row()].own:
            flags |= Qt.ItemFlag.ItemIsEditable
        return flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the title, the words of a tooltip, or the entry itself."""
        if not index.isValid():
            return None
        entry = self._entries[index.row()]
        if role == ENTRY:
            return entry
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return entry.title
        if role == Qt.ItemDataRole.ToolTipRole:
            tags = ", ".join(entry.motion.tags) or "no tags"
            return f"{words_of(entry, self)}\n{tags}\nDouble-click or Enter plays it now"
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return words_of(entry, self)
        return None

    def setData(  # noqa: N802
        self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole
    ) -> bool:
        """Pass a title that was typed on."""
        if not index.isValid() or role != Qt.ItemDataRole.EditRole:
            return False
        entry = self._entries[index.row()]
        if str(value).strip() != entry.title:
            self.retitled.emit(entry.name, str(value))
        return True


def words_of(entry: Entry, model: GestureModel) -> str:
    """Return all that a tile says."""
    parts = [
        entry.title,
        f"{entry.motion.duration_s:.1f} s",
        f"{entry.motion.source}, of the {'show' if entry.own else 'library'}",
    ]
    if model.is_favourite(entry.name):
        key = model.hotkey(entry.name)
        parts.append(f"favourite, key {key}" if key else "favourite")
    if entry.name in model.playing:
        parts.append(f"plays on {model.playing[entry.name]}")
    return ", ".join(parts)


class TileDelegate(QStyledItemDelegate):
    """Draws a tile: picture, title, length, source, favourite and what plays it."""

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
        painter.setBrush(QColor("#2c4a6b" if selected else theme.RAISED))
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


class GestureView(QListView):
    """The grid.

    Signals:
        performed: play this one now.
        looked_at: the pointer or the keyboard is on this entry; None when it is on none.
    """

    performed = Signal(object)
    looked_at = Signal(object)

    def __init__(self, model: GestureModel, thumbnails: Thumbnails, parent: QWidget) -> None:
        super().__init__(parent)
        self.setModel(model)
        self.setItemDelegate(TileDelegate(model, thumbnails, self))
        self.setObjectName("gesture_grid")
        self.setAccessibleName("Gestures")
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setMovement(QListView.Movement.Static)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # Always, for Qt leaves room for a bar that may come, and a column would be lost by it.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setMinimumHeight(TILE_HEIGHT + 8)
        self.doubleClicked.connect(lambda index: self.performed.emit(index.data(ENTRY)))
        self.entered.connect(lambda index: self.looked_at.emit(index.data(ENTRY)))
        self.viewportEntered.connect(lambda: self.looked_at.emit(None))

    def current(self) -> Entry | None:
        """Return the entry that is chosen, or None."""
        index = self.currentIndex()
        return index.data(ENTRY) if self.selectionModel().isSelected(index) else None

    def choose(self, name: str) -> None:
        """Choose a gesture, if it is listed."""
        model = self.model()
        assert isinstance(model, GestureModel)
        row = model.row_of(name)
        if row >= 0:
            self.setCurrentIndex(model.index(row))

    def currentChanged(self, current: Index, previous: Index) -> None:  # noqa: N802
        """Tell what the keyboard is on."""
        super().currentChanged(current, previous)
        if self.hasFocus():
            self.looked_at.emit(current.data(ENTRY) if current.isValid() else None)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Play on Enter; every other key is the list's."""
        entry = self.current()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and entry is not None:
            if not event.isAutoRepeat():
                self.performed.emit(entry)
            return
        if event.key() == Qt.Key.Key_Space:
            event.ignore()  # GO's, never a selection's
            return
        super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Look at nothing any more."""
        self.looked_at.emit(None)
        super().focusOutEvent(event)

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802
        """Look at nothing any more."""
        self.looked_at.emit(None)
        super().leaveEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Let the tiles share the width."""
        width = self.viewport().width() - 2  # Qt wraps a row that fills it to the last pixel
        columns = max(width // TILE_WIDTH, 1)
        self.setGridSize(QSize(width // columns, TILE_HEIGHT))
        super().resizeEvent(event)
