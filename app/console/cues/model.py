"""The cue list as Qt's views read it: rows of the document, cells of a cue."""

from collections.abc import Collection, Sequence
from typing import Any, Final

from PySide6.QtCore import (
    QAbstractTableModel,
    QMimeData,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from app.console.context.context import Context
from app.console.cues import edits
from app.console.cues.caller import Caller
from app.console.cues.cells import (
    COLUMNS,
    PLACE,
    cell_text,
    cell_value,
    contents_text,
    edit_text,
    seconds_text,
)
from app.console.cues.edits import EditError
from app.console.cues.hotkeys import hotkey_of
from app.console.cues.lengths import Lengths
from app.console.cues.playback import CueState
from app.console.cues.rows import Row, visible_rows
from app.console.cues.verdicts import CueVerdict
from app.console.toolkit import clipboard, theme
from shows.document import Cue

Index = QModelIndex | QPersistentModelIndex
ROOT: Final = QModelIndex()
Role = Qt.ItemDataRole
_NONE, _DROP = Qt.ItemFlag.NoItemFlags, Qt.ItemFlag.ItemIsDropEnabled
_LOCKED = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
_FIXED = _LOCKED | Qt.ItemFlag.ItemIsDragEnabled
_EDITABLE = _FIXED | Qt.ItemFlag.ItemIsEditable

VERDICT_WORDS = {
    "passed": (theme.GOOD, "passed"),
    "refused": (theme.BAD, "refused"),
    "unknown": (theme.UNKNOWN, "untested"),
    "empty": (theme.IDLE, "empty"),
}


class CueModel(QAbstractTableModel):
    """Rows of cues and group headers; a status touches only the rows that it changes.

    Attributes:
        rows: the visible rows, in order.
        lengths: how long cues last.
    """

    def __init__(self, context: Context, caller: Caller, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context, self._caller = context, caller
        self.lengths = Lengths(context.document)
        self.rows: tuple[Row, ...] = ()
        self._cues: tuple[Cue, ...] = ()
        self._row_of: dict[str, int] = {}
        self._looks: dict[str, tuple[bool, str]] = {}
        self._folded: set[str] = set()
        self._query = ""
        context.document.changed.connect(self.refresh)
        context.document.opened.connect(self._folded.clear)
        caller.cues_changed.connect(self._touch)
        caller.verdicts_changed.connect(self._verdicts_changed)
        self.refresh()

    # Content

    def cue(self, row: int) -> Cue:
        """Return the cue of a row; of a header, the first below it."""
        return self._cues[self.rows[row].place]

    def row_of(self, number: str) -> int | None:
        """Return where a cue is shown: its row, or the header that it is folded under."""
        return self._row_of.get(number)

    def members(self, row: int) -> list[str]:
        """Return the numbers of the cues of a row: one, or all below a header."""
        found = self.rows[row]
        if not found.is_header:
            return [found.number]
        return [cue.number for cue in self._cues[found.place : found.place + found.count]]

    def state(self, row: int) -> CueState:
        """Return the core's report of a row's cue."""
        return self._caller.playback.of(self.rows[row].number)

    def verdict(self, row: int) -> CueVerdict:
        """Return preflight's result of a row's cue."""
        return self._caller.verdicts.of(self.cue(row))

    def is_folded(self, row: int) -> bool:
        """Tell whether a header hides its cues."""
        return self.rows[row].group in self._folded and not self._query

    def header_text(self, row: int) -> str:
        """Return a header's text, or its explanation below it."""
        found = self.rows[row]
        parts = [f"{found.group}   ({found.count} cue{'s' if found.count > 1 else ''})"]
        if self.is_folded(row):
            playback = self._caller.playback
            members = self.members(row)
            running = [n for n in members if playback.of(n).run]
            parts += [f"{theme.BUSY.mark} cue {n} {playback.of(n).run}" for n in running]
            if playback.standby in members and not playback.foreign:
                parts.append(f"{theme.GOOD.mark} cue {playback.standby} on standby")
        return "   ".join(parts)

    def set_query(self, query: str) -> None:
        """Show only the cues that hold these words."""
        if query != self._query:
            self._query = query
            self.refresh()

    def fold(self, row: int, folded: bool | None = None) -> None:
        """Hide or show the cues of a row's group; None does the other."""
        group = self.rows[row].group
        if group and folded is not (group in self._folded):
            self._folded ^= {group}
            self.refresh()

    def reveal(self, number: str) -> int | None:
        """Unfold the groups that hide a cue and return its row; None if the search excludes it."""
        row = self._row_of.get(number)
        if row is not None and self.rows[row].is_header:
            self.fold(row, False)
            row = self._row_of.get(number)
        return row

    def refresh(self) -> None:
        """Take the document; only rows that differ are drawn again."""
        cues = self._context.document.show.cues
        rows = visible_rows(self._context.document.show, self._folded, self._query)
        if rows == self.rows:
            before, self._cues = self._cues, cues
            for i, row in enumerate(rows):
                if cues[row.place] is not before[row.place]:
                    self._changed(i)
            return
        self.beginResetModel()
        self._cues, self.rows = cues, rows
        self._row_of = {row.number: i for i, row in enumerate(rows) if not row.is_header}
        for i, row in enumerate(rows):
            if row.is_header and self.is_folded(i):
                self._row_of.update(dict.fromkeys(self.members(i), i))
        self.endResetModel()

    # Interface of Qt's model

    def rowCount(self, parent: Index = ROOT) -> int:  # noqa: N802
        """Return how many rows are shown."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = ROOT) -> int:  # noqa: N802
        """Return how many columns there are."""
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(  # noqa: N802
        self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole
    ) -> Any:
        """Return a column's title."""
        if orientation == Qt.Orientation.Horizontal:
            if role == Role.DisplayRole:
                return COLUMNS[section].title
            if role == Role.ToolTipRole:
                return COLUMNS[section].tip
            if role == Role.TextAlignmentRole:
                right = COLUMNS[section].right
                side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
                return side | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        """Return a cell's text; the delegate draws it."""
        if not index.isValid():
            return None
        row, column = index.row(), COLUMNS[index.column()]
        if role in (Role.DisplayRole, Role.AccessibleTextRole):
            return self.text(row, index.column())
        if role == Role.EditRole:
            if self.rows[row].is_header:
                return self.rows[row].group
            return edit_text(self.cue(row), column.key) if column.editable else None
        if role == Role.ToolTipRole:
            return self._tip(row, index.column())
        return None

    def text(self, row: int, column: int) -> str:
        """Return the text of a cell."""
        if self.rows[row].is_header:
            return self.header_text(row) if column == 0 else ""
        key, cue = COLUMNS[column].key, self.cue(row)
        if key == "state":
            return state_text(self.state(row), cue.armed)
        if key == "duration":
            return seconds_text(self.lengths.of(cue))
        if key == "verdict":
            tone, word = VERDICT_WORDS[self.verdict(row).kind]
            return f"{tone.mark} {word}"
        return cell_text(cue, key)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Return the allowed actions of a cell."""
        locked = self._context.lock.locked
        if not index.isValid():
            return _NONE if locked else _DROP
        if locked:
            return _LOCKED
        column = index.column()
        header = self.rows[index.row()].count > 0
        editable = column == 0 if header else COLUMNS[column].editable
        return _EDITABLE if editable else _FIXED

    def setData(self, index: Index, value: Any, role: int = Role.EditRole) -> bool:  # noqa: N802
        """Edit a cell; a bad value is refused with one sentence and the cell stays."""
        if role != Role.EditRole or not self.flags(index) & Qt.ItemFlag.ItemIsEditable:
            return False
        key = "group" if self.rows[index.row()].is_header else COLUMNS[index.column()].key
        return self.change(self.members(index.row()), key, str(value))

    def mimeTypes(self) -> list[str]:  # noqa: N802
        """Return the accepted drops: rows of this list."""
        return [clipboard.CUES]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:  # noqa: N802
        """Return a token: the view has the dragged selection."""
        found = QMimeData()
        found.setData(clipboard.CUES, b"")
        return found

    def supportedDropActions(self) -> Qt.DropAction:  # noqa: N802
        """Return that rows can be moved."""
        return Qt.DropAction.MoveAction

    def change(self, numbers: Collection[str], key: str, text: str) -> bool:
        """Set a field of some cues to a typed text; return whether it was accepted."""
        document, notices = self._context.document, self._context.notices
        if self._context.lock.locked:
            notices.say("The show is locked; choose EDIT before you change a cue.", "warning")
            return False
        try:
            value = hotkey_of(text) if key == "hotkey" else cell_value(key, text)
            after = edits.change(document.show, numbers, key, value)
        except EditError as error:
            notices.say(str(error), "warning")
            return False
        who = f"cue {next(iter(numbers))}" if len(numbers) == 1 else f"{len(numbers)} cues"
        document.edit(f"change the {edits.word(key)} of {who}", after)
        return True

    # Inside

    def _tip(self, row: int, column: int) -> str:
        if self.rows[row].is_header:
            return "A group: Enter or a double click folds it, F2 renames it"
        key, cue = COLUMNS[column].key, self.cue(row)
        if key == "verdict":
            return f"Cue {cue.number}: {self.verdict(row).reason}"
        if key == "notes":
            return cue.notes
        if key == "contents":
            return contents_text(cue) or "Empty"
        if key == "name" and cue.notes:
            return f"{cue.name}\n{cue.notes}"
        if key == "duration" and self.lengths.of(cue) is None:
            return "Not known: a motion or a phrase of this cue is missing"
        return self.text(row, column) if key == "name" else COLUMNS[column].tip

    def _changed(self, row: int, column: int | None = None) -> None:
        first, last = (0, len(COLUMNS) - 1) if column is None else (column, column)
        self.dataChanged.emit(self.index(row, first), self.index(row, last))

    def _touch(self, numbers: Collection[str]) -> None:
        for number in numbers:
            row = self._row_of.get(number)
            if row is not None:
                state = self._caller.playback.of(number)
                look = state.standby, state.run  # of the whole row; the rest is in one cell
                whole = self._looks.get(number) != look
                self._looks[number] = look
                self._changed(row, None if whole else PLACE["state"])

    def _verdicts_changed(self) -> None:
        if self.rows:
            column = PLACE["verdict"]
            last = len(self.rows) - 1
            self.dataChanged.emit(self.index(0, column), self.index(last, column))


def state_text(state: CueState, armed: bool = True) -> str:
    """Return the text of the state column; every state has its mark and its word."""
    if state.run == "waits":
        return "… pre-wait"
    if state.run:
        mark = "‖" if state.run == "paused" else theme.BUSY.mark
        paused = state.run == "paused"
        words = "paused" if paused else "runs"
        if state.left_s is not None:
            left = seconds_text(state.left_s, 1)
            words = f"paused {left}" if paused else f"{left} left"
        return f"{mark} {words}" + (" ●" if state.standby else "")
    if state.standby:
        return f"{theme.GOOD.mark} STANDBY"
    if state.next:
        return "→ next"
    return "" if armed else f"{theme.IDLE.mark} off"
