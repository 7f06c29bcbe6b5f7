"""The cue list with its search field and its inspector."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QContextMenuEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QSplitter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.console.context.context import Context
from app.console.cues.actions import CueActions
from app.console.cues.caller import Caller
from app.console.cues.columns_menu import ColumnsMenu
from app.console.cues.inspector import CueInspector
from app.console.cues.model import CueModel
from app.console.cues.table import ROW_PX, CueTable
from app.console.toolkit import theme

LOCKED = "locked for the show: switch to EDIT to change a cue"
LEAST_ROWS = 5  # of the list that are seen beside the inspector, its heading included
COUNT_PX = 520  # from this width on there is room to say how many cues there are
_KEYS_TO_LIST = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down)


class CuePanel(QWidget):
    """The cue list with its tools; it shows the running cues, and edits the document.

    Attributes:
        table: the list.
        model: its rows.
        actions_: the actions on the selected cues.
        inspector: all fields of the selected cues.
        columns: which columns are shown.
    """

    def __init__(self, context: Context, caller: Caller, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("cues")
        self._context, self._caller = context, caller
        self.model = CueModel(context, caller, self)
        self.table = CueTable(self.model)
        self.actions_ = CueActions(context, self.table.selected_numbers, self.table)
        self.inspector = CueInspector(context, self.model)
        self.columns = ColumnsMenu(self.table, context.preferences, self)
        self._search, self._count = self._make_search(), QLabel()
        self._empty = QLabel(self.table.viewport())
        self._standby = ""
        self._expected: str | None = None  # the cue on standby when GO was sent
        self._make_hint()
        split = QSplitter(Qt.Orientation.Vertical)
        split.addWidget(self.table)
        split.addWidget(self.inspector)
        split.setStretchFactor(0, 1)
        self.table.setMinimumHeight(LEAST_ROWS * ROW_PX + 2 * self.table.frameWidth())
        split.setCollapsible(0, False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.GAP, theme.GAP, theme.GAP, 0)
        layout.setSpacing(theme.GAP)
        layout.addLayout(self._make_bar())
        layout.addWidget(split, 1)
        self._connect()
        self._take_lock(context.lock.locked)
        self._rows_changed()

    def search(self) -> None:
        """Give the search field the focus."""
        self._search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._search.selectAll()

    def show_standby(self) -> None:
        """Select the cue on standby and bring it into sight."""
        playback = self._caller.playback
        if playback.standby and not playback.foreign:
            self.table.select_numbers([playback.standby])

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Leave the search field with Enter, Down or Esc; keep the hint as large as the list."""
        if watched is self._search and isinstance(event, QKeyEvent):
            escapes = event.key() == Qt.Key.Key_Escape and not event.modifiers()
            if event.type() == QEvent.Type.ShortcutOverride and escapes:
                event.accept()  # the first Esc ends the search, the next one is the stop panel's
                return True
            if event.type() != QEvent.Type.KeyPress:
                return False
            if escapes:
                self._search.clear()
            elif event.key() not in _KEYS_TO_LIST:
                return False
            self.table.setFocus(Qt.FocusReason.ShortcutFocusReason)
            if not self.table.currentIndex().isValid() and self.model.rows:
                self.table.selectRow(0)
            return True
        if event.type() == QEvent.Type.Resize and watched is self.table.viewport():
            self._empty.resize(self.table.viewport().size())
        return False

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Leave the number of cues out where the buttons need its room."""
        super().resizeEvent(event)
        self._count.setVisible(self.width() >= COUNT_PX)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802
        """Show the actions on the selected cues."""
        menu = QMenu(self)
        menu.addAction(self._go_to)
        menu.addSeparator()
        self.actions_.fill(menu)
        menu.addSeparator()
        menu.addMenu(self.columns)
        menu.popup(event.globalPos())
        menu.aboutToHide.connect(menu.deleteLater)

    def _make_search(self) -> QLineEdit:
        search = QLineEdit()
        search.setPlaceholderText("Search cues")
        search.setAccessibleName("Search cues")
        search.setToolTip(
            "Words in number, name, notes, group, colour or key  [Ctrl+F; Enter: to the list; "
            "Esc: ends the search]"
        )
        search.setClearButtonEnabled(True)
        search.textChanged.connect(self.model.set_query)
        search.installEventFilter(self)
        find = QAction("Search cues", self)
        find.setShortcut("Ctrl+F")
        find.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        find.triggered.connect(lambda _: self.search())
        self.addAction(find)
        return search

    def _make_hint(self) -> None:
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._empty.setStyleSheet(f"background: transparent; color: {theme.MUTED};")
        self._empty.setWordWrap(True)
        self.table.viewport().installEventFilter(self)

    def _make_bar(self) -> QHBoxLayout:
        self._go_to = QAction("Go to", self)
        self._go_to.setToolTip("Put the selected cue on standby  [Enter, or a double click]")
        self._go_to.triggered.connect(lambda _: self._go_to_current())
        go_to, add, edit, inspect = QToolButton(), QToolButton(), QToolButton(), QToolButton()
        go_to.setDefaultAction(self._go_to)
        add.setDefaultAction(self.actions_.edits["add"])
        edit.setText("Edit")
        edit.setToolTip("What can be done to the selected cues")
        edit.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(edit)
        self.actions_.fill(menu)
        edit.setMenu(menu)
        self._inspect = QAction("Inspector", self)
        self._inspect.setCheckable(True)
        self._inspect.setShortcut("Ctrl+I")
        self._inspect.setToolTip("All fields of the selected cues, below the list  [Ctrl+I]")
        self._inspect.toggled.connect(self.inspector.setVisible)
        self.inspector.hide()
        inspect.setDefaultAction(self._inspect)
        self._count.setStyleSheet(f"color: {theme.MUTED};")
        bar = QHBoxLayout()
        bar.setSpacing(theme.GAP)
        bar.addWidget(self._search, 1)
        bar.addWidget(self._count)
        for button in (go_to, add, edit, inspect):
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            button.setAccessibleName(button.text())
            bar.addWidget(button)
        return bar

    def _connect(self) -> None:
        table, actions = self.table, self.actions_
        table.went_to.connect(self._caller.go_to)
        table.dropped.connect(actions.move_to)
        table.locked.connect(lambda: self._caller.refused.emit(LOCKED))
        table.chosen.connect(lambda: self.inspector.show_cues(table.selected_numbers()))
        actions.select.connect(table.select_numbers)
        actions.rename.connect(table.edit_cell)
        self.model.modelReset.connect(self._rows_changed)
        self._context.document.changed.connect(self.inspector.refresh)
        self._context.document.opened.connect(self._opened)
        self._context.lock.changed.connect(self._take_lock)
        self._context.link.connected_changed.connect(self._go_to.setEnabled)
        self._go_to.setEnabled(self._context.link.connected)
        self._caller.went.connect(self._expect)
        self._caller.cues_changed.connect(lambda _: self._follow())

    def _go_to_current(self) -> None:
        numbers = self.table.selected_numbers()
        if numbers:
            self._caller.go_to(numbers[0])

    def _expect(self) -> None:
        self._expected = self._caller.playback.standby

    def _follow(self) -> None:
        """After a GO, bring the cue that comes on standby and the one after it into sight.

        A search that hides another cue on standby ends, unless it is being typed.
        """
        playback = self._caller.playback
        standby, self._standby = self._standby, playback.standby
        if playback.standby not in ("", standby) and not playback.foreign:
            hidden = self.model.row_of(playback.standby) is None
            if hidden and not self._search.hasFocus():
                self._search.clear()
        if self._expected is None or playback.standby == self._expected:
            return
        self._expected = None
        for number in (playback.following, playback.standby):
            row = self.model.row_of(number)
            if row is not None:
                self.table.scrollTo(self.model.index(row, 0))

    def _opened(self) -> None:
        self._search.clear()
        self.table.scrollToTop()
        if self.model.rows:
            self.table.selectRow(0)

    def _take_lock(self, locked: bool) -> None:
        self.table.set_editing(not locked)
        self.inspector.setEnabled(not locked)
        self.inspector.setVisible(self._inspect.isChecked() and not locked)
        self._inspect.setEnabled(not locked)

    def _rows_changed(self) -> None:
        shown = sum(not row.is_header for row in self.model.rows)
        cues = len(self._context.document.show.cues)
        searching = bool(self._search.text().strip())
        words = f"{cues} cue{'' if cues == 1 else 's'}"
        self._count.setText(f"{shown} of {words}" if searching else words)
        self._empty.setVisible(not self.model.rows)
        self._empty.setText(
            "No cue holds these words." if cues else "No cues yet: press Ins to add the first."
        )
