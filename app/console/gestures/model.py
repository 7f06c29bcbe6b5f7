"""The gestures that were found, as a list that the grid shows."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QMimeData,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtWidgets import QWidget

from app.console.gestures.library import Entry

Index = QModelIndex | QPersistentModelIndex
ENTRY = Qt.ItemDataRole.UserRole
HOTKEYS = 9
GESTURE_MIME = "application/x-footlight-gesture"  # the name of a dragged gesture


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
        """Mark the motions that play."""
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
        """Report that the show's own motions can be renamed."""
        flags = super().flags(index)
        if index.isValid():
            flags |= Qt.ItemFlag.ItemIsDragEnabled
        if index.isValid() and self._entries[index.row()].own:
            flags |= Qt.ItemFlag.ItemIsEditable
        return flags

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:  # noqa: N802
        """Return the name of a gesture that is dragged to a timeline."""
        data = QMimeData()
        for index in indexes[:1]:
            entry = self._entries[index.row()]
            data.setData(GESTURE_MIME, entry.name.encode())
            data.setText(entry.title)
        return data

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
