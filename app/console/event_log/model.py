"""The event log as a table: bounded, filtered, and cheap to add to."""

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor

from app.console.event_log.line import HEADINGS, TONES, Filter, LogLine
from app.console.toolkit import theme

MOST = 20_000
SLACK = 1_000  # dropped at a time, so that a full log has the cost of one that fills

Index = QModelIndex | QPersistentModelIndex
NOWHERE = QModelIndex()
SHORT: tuple[Callable[[str], str], ...] = (
    lambda wall: wall[:8],
    str,
    lambda kind: kind[:1],
    str,
    str,
)


class EventModel(QAbstractTableModel):
    """Owns the lines and which of them are shown.

    Attributes:
        lines: all of them, the oldest first.
        shown: those that the filter admits.
        actors: names of all actors of the log.
        brief: there is room for whole seconds and marks only.
    """

    def __init__(self, most: int = MOST, slack: int = SLACK) -> None:
        super().__init__()
        self.lines: list[LogLine] = []
        self.shown: list[LogLine] = []
        self.actors: list[str] = []
        self.brief = False
        self._most, self._slack = most, slack
        self._filter = Filter()

    def append(self, lines: Sequence[LogLine]) -> None:
        """Add lines at the end; the oldest make room."""
        self.lines.extend(lines)
        new = [line for line in lines if self._filter.admits(line)]
        if new:
            first = len(self.shown)
            self.beginInsertRows(NOWHERE, first, first + len(new) - 1)
            self.shown.extend(new)
            self.endInsertRows()
        for line in lines:
            if line.actor not in self.actors:
                self.actors = sorted([*self.actors, line.actor])
        if len(self.lines) > self._most:
            self._drop(len(self.lines) - self._most + self._slack)

    def filter(self, wanted: Filter) -> None:
        """Show other lines."""
        if wanted == self._filter:
            return
        self.beginResetModel()
        self._filter = wanted
        self.shown = [line for line in self.lines if wanted.admits(line)]
        self.endResetModel()

    def rowCount(self, parent: Index = NOWHERE) -> int:  # noqa: N802
        """Return how many lines are shown."""
        return 0 if parent.isValid() else len(self.shown)

    def columnCount(self, parent: Index = NOWHERE) -> int:  # noqa: N802
        """Return how many columns there are."""
        return 0 if parent.isValid() else len(HEADINGS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a cell's text, its colour, or the whole text as its tooltip."""
        if not index.isValid():
            return None
        line = self.shown[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            cell = line.cells()[index.column()]
            return SHORT[index.column()](cell) if self.brief else cell
        if role == Qt.ItemDataRole.ForegroundRole and index.column() == 2:
            return QColor(TONES[line.severity].colour)
        if role == Qt.ItemDataRole.ForegroundRole and index.column() < 2:
            return QColor(theme.MUTED)
        if role == Qt.ItemDataRole.ToolTipRole:
            return "  ".join(line.cells())
        return None

    def headerData(  # noqa: N802
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Return a column's heading."""
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return "" if self.brief and section == 2 else HEADINGS[section]
        return None

    def _drop(self, count: int) -> None:
        """Forget the oldest lines."""
        gone = self.lines[:count]
        del self.lines[:count]
        hidden = sum(1 for line in gone if self._filter.admits(line))
        if hidden:
            self.beginRemoveRows(NOWHERE, 0, hidden - 1)
            del self.shown[:hidden]
            self.endRemoveRows()
