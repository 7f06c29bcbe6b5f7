"""The view of the cue list: selecting, going to, dragging, folding."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QItemSelectionRange, Qt, Signal
from PySide6.QtGui import QDropEvent, QKeyEvent, QKeySequence, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from app.console.cues import columns
from app.console.cues.cells import COLUMNS, PLACE, Key
from app.console.cues.delegate import CueDelegate
from app.console.cues.model import CueModel, Index
from app.console.cues.rows import Row

ROW_PX = 28
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_EDITS = (Qt.Key.Key_Insert, Qt.Key.Key_Delete, Qt.Key.Key_F2)


@dataclass(frozen=True, slots=True)
class _Kept:
    """The state that is kept while the rows are replaced."""

    rows: tuple[Row, ...] = ()
    current: int = -1
    column: int = 0
    scroll: int = 0


class CueTable(QTableView):
    """Shows the model; knows cues by their numbers, so that a selection outlives every edit.

    Signals:
        went_to: number of the cue that shall be on standby.
        dropped: numbers of cues, and the place in the show before which they were dropped.
        chosen: the selection or the current row is another one.
        locked: a key would have edited the list, which is locked.
    """

    went_to = Signal(str)
    dropped = Signal(object, int)
    chosen = Signal()
    locked = Signal()

    def __init__(self, model: CueModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._cues = model
        self._kept = _Kept()
        self._widths = [column.width for column in COLUMNS]
        self._chosen: tuple[str, ...] = ()
        self._fitting = False
        self.setModel(model)
        self.setItemDelegate(CueDelegate(model, self))
        self.setObjectName("cue_table")
        self.setAccessibleName("Cue list")
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setDragDropOverwriteMode(False)
        rows, heading = self.verticalHeader(), self.horizontalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultSectionSize(ROW_PX)
        heading.setHighlightSections(False)
        heading.setMinimumSectionSize(36)
        heading.setSectionResizeMode(PLACE["name"], QHeaderView.ResizeMode.Fixed)
        heading.sectionResized.connect(self._keep_width)
        heading.setToolTip("Right-click, or the Menu key in the list: which columns are shown")
        model.modelAboutToBeReset.connect(self._keep)
        model.modelReset.connect(self._restore)
        self.doubleClicked.connect(lambda index: self._enter(index.row()))
        self._span()

    def columns(self) -> tuple[Key, ...]:
        """Return which columns are shown, in order."""
        return tuple(c.key for i, c in enumerate(COLUMNS) if not self.isColumnHidden(i))

    def choose_columns(self, keys: Sequence[str]) -> None:
        """Show these columns; with none of them, those that there is room for."""
        self._chosen = tuple(keys)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Show as many columns as fit, and give the rest of the width to the name."""
        super().resizeEvent(event)
        self._fit()

    def selected_numbers(self) -> list[str]:
        """Return the numbers of the selected cues in the order of the list."""
        rows = self._selected_rows()
        numbers = [number for row in rows for number in self._cues.members(row)]
        return list(dict.fromkeys(numbers))

    def select_numbers(self, numbers: Sequence[str]) -> None:
        """Select cues and bring the first into sight."""
        for number in numbers:
            self._cues.reveal(number)
        self._select([row for n in numbers if (row := self._cues.row_of(n)) is not None])

    def set_editing(self, allowed: bool) -> None:
        """Let cells be edited and rows be dragged, or not."""
        trigger = QAbstractItemView.EditTrigger
        self.setEditTriggers(
            trigger.EditKeyPressed | trigger.SelectedClicked if allowed else trigger.NoEditTriggers
        )
        self.setDragEnabled(allowed)
        self.setAcceptDrops(allowed)

    def edit_cell(self, number: str, place: int = PLACE["name"]) -> None:
        """Begin to edit a cell of a cue."""
        row = self._cues.reveal(number)
        if row is not None:
            index = self._cues.index(row, place)
            self.setCurrentIndex(index)
            self.edit(index)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Enter goes to a cue or folds a group, F2 edits; left and right fold and unfold."""
        row = self.currentIndex().row()
        editing = self.state() == QAbstractItemView.State.EditingState
        if row < 0 or editing:
            super().keyPressEvent(event)
        elif event.key() in _ENTER:
            self._enter(row)
        elif self._cues.rows[row].is_header and event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self._cues.fold(row, event.key() == Qt.Key.Key_Left)
        elif event.key() in _EDITS and not self.dragEnabled():
            self.locked.emit()
        elif event.key() == Qt.Key.Key_F2:
            self._edit_current()
        elif event.matches(QKeySequence.StandardKey.MoveToEndOfDocument):
            self.setCurrentIndex(self._cues.index(self._cues.rowCount() - 1, 0))  # F2: its name
        else:
            super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:  # noqa: N802
        """Do nothing: letters are hotkeys, and the search field finds cues."""

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Fold a group where its mark is clicked."""
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and self._cues.rows[index.row()].is_header:
            if event.position().x() < 24 + self.columnViewportPosition(0):
                self._cues.fold(index.row())
                return
        super().mousePressEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802
        """Hand on a drop with its place; the document's edit moves the rows."""
        if event.source() is not self:
            event.ignore()
            return
        position = event.position().toPoint()
        row = self.rowAt(position.y())
        if row < 0:
            place = self._place(len(self._cues.rows))
        else:
            middle = self.rowViewportPosition(row) + ROW_PX // 2
            place = self._place(row if position.y() < middle else row + 1)
        event.setDropAction(Qt.DropAction.IgnoreAction)  # the view must not remove the dragged rows
        event.accept()
        self.dropped.emit(self.selected_numbers(), place)

    def selectionChanged(  # noqa: N802
        self, selected: QItemSelection, deselected: QItemSelection
    ) -> None:
        """Report that other cues are selected."""
        super().selectionChanged(selected, deselected)
        self.chosen.emit()

    def currentChanged(self, current: Index, previous: Index) -> None:  # noqa: N802
        """Report that another row is current."""
        super().currentChanged(current, previous)
        self.chosen.emit()

    def _fit(self) -> None:
        room_px = self.viewport().width()
        keys = columns.shown(room_px, self._widths, self._chosen)
        self._fitting = True
        for i, column in enumerate(COLUMNS):
            self.setColumnHidden(i, column.key not in keys)
            if column.key in keys and column.key != "name":
                self.setColumnWidth(i, self._widths[i])
        self.setColumnWidth(PLACE["name"], columns.name_px(room_px, self._widths, keys))
        self._fitting = False

    def _keep_width(self, place: int, _before_px: int, width_px: int) -> None:
        """Take the width that the operator gives a column; the name makes room for it."""
        if not self._fitting and width_px:
            self._widths[place] = width_px
            self._fit()

    def _selected_rows(self) -> list[int]:
        rows: set[int] = set()
        ranges: Iterable[QItemSelectionRange] = cast(Any, self.selectionModel().selection())
        for found in ranges:
            rows.update(range(found.top(), found.bottom() + 1))
        return sorted(row for row in rows if row < len(self._cues.rows))

    def _edit_current(self) -> None:
        """Edit the current cell, or the name if the cell cannot be edited."""
        index = self.currentIndex()
        if not self._cues.rows[index.row()].is_header:
            name = index.siblingAtColumn(PLACE["name"])
            index = index if COLUMNS[index.column()].editable else name
        if index.flags() & Qt.ItemFlag.ItemIsEditable:
            self.setCurrentIndex(index)
            self.edit(index)

    def _place(self, row: int) -> int:
        """Return the place in the show before which something at a row lies."""
        rows = self._cues.rows
        if row < len(rows):
            return rows[row].place
        if not rows:
            return 0
        last = rows[-1]
        return last.place + max(1, last.count)

    def _enter(self, row: int) -> None:
        if self._cues.rows[row].is_header:
            self._cues.fold(row)
        else:
            self.went_to.emit(self._cues.rows[row].number)

    def _keep(self) -> None:
        current, rows = self.currentIndex(), self._cues.rows
        self._kept = _Kept(
            tuple(rows[row] for row in self._selected_rows()),
            current.row(),
            max(0, current.column()),
            self.verticalScrollBar().value(),
        )

    def _restore(self) -> None:
        """Restore the selection; where a cue is gone, select the one in its place."""
        kept, rows = self._kept, self._cues.rows
        self._span()
        headers = {row.number: i for i, row in enumerate(rows) if row.is_header}
        found: set[int] = set()
        for row in kept.rows:
            place = headers.get(row.number) if row.is_header else self._cues.row_of(row.number)
            if place is not None:
                found.add(place)
        if not found and kept.current >= 0 and rows:
            found = {min(kept.current, len(rows) - 1)}
        self._select(found, kept.column, kept.scroll)

    def _select(self, rows: Collection[int], column: int = 0, scroll: int | None = None) -> None:
        model, found = self._cues, self.selectionModel()
        flags = QItemSelectionModel.SelectionFlag
        selection = QItemSelection()
        last = len(COLUMNS) - 1
        for first, end in _runs(rows):
            selection.select(model.index(first, 0), model.index(end, last))
        found.select(selection, flags.ClearAndSelect)
        if rows:
            index = model.index(min(rows), column)
            found.setCurrentIndex(index, flags.NoUpdate)
            if scroll is None:
                self.scrollTo(index)
            else:
                self.verticalScrollBar().setValue(scroll)
        self.chosen.emit()

    def _span(self) -> None:
        """Let headers reach across all columns."""
        self.clearSpans()
        for i, row in enumerate(self._cues.rows):
            if row.is_header:
                self.setSpan(i, 0, 1, len(COLUMNS))


def _runs(rows: Collection[int]) -> list[tuple[int, int]]:
    """Return first and last of each run of neighbours: a selection of few ranges is fast."""
    runs: list[tuple[int, int]] = []
    for row in sorted(rows):
        if runs and row == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], row)
        else:
            runs.append((row, row))
    return runs
