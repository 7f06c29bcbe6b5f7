"""The motions of the repertoire: takes, answer, and the share of the present motion as a bar."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from app.console.partner.words import best, title
from app.console.toolkit import theme
from core.link.partner import Symbol

COLUMNS = ("Motion", "Takes", "Answer", "Score")
NAME, TAKES, ANSWER, SCORE = range(4)
KEY = Qt.ItemDataRole.UserRole
MODE = QHeaderView.ResizeMode
BAR_PX, LEAST_PX = 84, 100  # width of the score's column, and height of the table
Index = QModelIndex | QPersistentModelIndex


class ScoreBar(QStyledItemDelegate):
    """Draws a share from 0 to 1 as a bar with its number."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw one cell."""
        super().paint(painter, option, index)
        rect: QRect = option.rect
        score = float(index.data(KEY) or 0.0)
        inner = rect.adjusted(4, 4, -4, -4)
        digits = 40
        room = max(0, inner.width() - digits)
        painter.save()
        painter.setPen(QColor(theme.EDGE))
        painter.drawRect(QRect(inner.left(), inner.top(), room, inner.height()))
        painter.fillRect(
            QRect(inner.left() + 1, inner.top() + 1, round((room - 1) * score), inner.height() - 1),
            QColor(theme.ACCENT),
        )
        painter.setPen(QColor(theme.TEXT))
        painter.setFont(theme.font(theme.SMALL_PX))
        flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(inner, flags, percent(score))
        painter.restore()


class MotionTable(QTreeWidget):
    """One row a motion, in the order of the repertoire."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Motions of the repertoire")
        self.setHeaderLabels(list(COLUMNS))
        self.setRootIsDecorated(False)
        self.setAlternatingRowColors(True)
        self.setUniformRowHeights(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setItemDelegateForColumn(SCORE, ScoreBar(self))
        header = self.header()
        header.setStretchLastSection(False)
        for column in range(len(COLUMNS)):
            yields = column in (NAME, ANSWER)
            header.setSectionResizeMode(column, MODE.Stretch if yields else MODE.ResizeToContents)
        header.setSectionResizeMode(SCORE, MODE.Fixed)
        header.resizeSection(SCORE, BAR_PX)
        self.setMinimumHeight(LEAST_PX)
        self._names: tuple[str, ...] = ()

    @property
    def chosen(self) -> str:
        """The name of the chosen motion; empty without one."""
        item = self.currentItem()
        return "" if item is None else str(item.data(NAME, KEY))

    def show_symbols(self, symbols: tuple[Symbol, ...]) -> None:
        """Show the motions; the chosen one stays chosen."""
        names = tuple(symbol.name for symbol in symbols)
        if names != self._names:
            self._fill(names)
        likely = best(symbols)
        for row, symbol in enumerate(symbols):
            item = self.topLevelItem(row)
            if item is None:
                continue
            mark = f"{theme.BUSY.mark} " if symbol.name == likely else ""
            texts = (
                f"{mark}{title(symbol.name)}",
                str(symbol.takes),
                title(symbol.answer) or "–",
            )
            for column, text in enumerate(texts):
                if item.text(column) != text:
                    item.setText(column, text)
                    item.setToolTip(column, text)
            score = round(symbol.score, 2)
            if item.data(SCORE, KEY) != score:
                item.setData(SCORE, KEY, score)
                words = f"Score {percent(score)}"
                item.setData(SCORE, Qt.ItemDataRole.AccessibleTextRole, words)

    def _fill(self, names: tuple[str, ...]) -> None:
        chosen, self._names = self.chosen, names
        self.clear()
        for name in names:
            item = QTreeWidgetItem(self)
            item.setData(NAME, KEY, name)
            item.setTextAlignment(
                TAKES, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            )
            if name == chosen:
                self.setCurrentItem(item)


def percent(share: float) -> str:
    """Return a share as a percentage."""
    return f"{100.0 * share:.0f} %"
