"""The list of steps: switches, the menu of new ones, the parameters of the chosen one."""

from functools import partial

import msgspec
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QPushButton,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.console.motions import words
from app.console.motions.editor import Item, MotionEditor
from app.console.motions.key_form import KeyForm
from app.console.motions.keys import KeyEditor
from app.console.motions.step_form import StepForm
from shows.process.steps import Keys

WIDTH_PX = 230
LEAST_LIST_PX = 44
BUTTON_PX = 28
TIGHT = "padding: 4px 3px;"
LAYER = "Layer a gesture"
FIT = "Fit keys"


class StepList(QWidget):
    """The steps of the editor.

    Attributes:
        list: one row a step.
        add: the menu of new steps.
        clean: the button that adds what a raw take needs.
        form: the parameters of the chosen step.
        keys: the numbers of the chosen keys.

    Signals:
        asked: a new step of this name in the menu.
        chosen: the row of the chosen step; -1 for none.
    """

    asked = Signal(str)
    chosen = Signal(int)

    def __init__(
        self, editor: MotionEditor, keys: KeyEditor, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._editor = editor
        self.setFixedWidth(WIDTH_PX)
        self.list = _List()
        self.add, self.clean = QToolButton(), QPushButton("Clean up")
        self._up, self._down = QToolButton(), QToolButton()
        self._remove = QToolButton()
        self.form, self.keys = StepForm(), KeyForm(keys)
        self._scroll = QScrollArea()
        self._filling = False
        self._lay_out()
        self.list.itemChanged.connect(self._switch)
        self.list.currentRowChanged.connect(self._choose)
        self.list.removed.connect(self._drop)
        self.form.edited.connect(self._type)
        editor.changed.connect(self.fill)

    @property
    def row(self) -> int:
        """Row of the chosen step; -1 for none."""
        return self.list.currentRow()

    def _lay_out(self) -> None:
        self.list.setAccessibleName("Steps of the motion")
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.clean.setToolTip("Repair, trim the rest at both ends, smooth, slow to the limits")
        self.clean.setAccessibleName("Clean up the take")
        self.clean.setStyleSheet(TIGHT)
        menu = QMenu(self)
        for name in (*words.NEW, FIT, LAYER):
            menu.addAction(name).triggered.connect(partial(self._ask, name))
        self.add.setText("Add")
        self.add.setMenu(menu)
        self.add.setStyleSheet("padding: 4px 14px 4px 6px;")
        self.add.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.add.setAccessibleName("Add a step")
        row = QHBoxLayout()
        row.setSpacing(3)
        row.addWidget(self.clean, 1)
        row.addWidget(self.add)
        for button, mark, name, act in (
            (self._up, "▲", "Move the step up", lambda: self._move(-1)),
            (self._down, "▼", "Move the step down", lambda: self._move(1)),
            (self._remove, "✕", "Remove the step (Del)", self._drop),
        ):
            button.setText(mark)
            button.setAccessibleName(name)
            button.setToolTip(name)
            button.clicked.connect(act)
            button.setStyleSheet(TIGHT)
            button.setFixedWidth(BUTTON_PX)
            row.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(row)
        column.addWidget(self.list, 1)
        forms = QWidget()
        inside = QVBoxLayout(forms)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(3)
        inside.addWidget(self.keys)
        inside.addWidget(self.form)
        inside.addStretch(1)
        self.list.setMinimumHeight(LEAST_LIST_PX)
        self._scroll.setWidget(forms)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column.addWidget(self._scroll, 3)
        self._fill_form()

    def fill(self) -> None:
        """List the editor's steps; the chosen row stays chosen."""
        items, row = self._editor.state.items, self.row
        self._filling = True
        self.list.clear()
        for number, item in enumerate(items, 1):
            line = QListWidgetItem(f"{number}  {words.text(item.step)}")
            line.setFlags(line.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            line.setCheckState(Qt.CheckState.Checked if item.on else Qt.CheckState.Unchecked)
            self.list.addItem(line)
        self.list.setCurrentRow(min(row if row >= 0 else len(items) - 1, len(items) - 1))
        self._filling = False
        self._fill_form()
        for button in (self._up, self._down, self._remove):
            button.setEnabled(bool(items))

    def choose(self, row: int) -> None:
        """Choose a step."""
        self.list.setCurrentRow(row)

    def _choose(self, row: int) -> None:
        if not self._filling:
            self._fill_form()
            self.chosen.emit(row)

    def _fill_form(self) -> None:
        """Show the parameters of the chosen step."""
        items, row = self._editor.state.items, self.row
        step = items[row].step if 0 <= row < len(items) else None
        self.form.fill(step)
        self.keys.setVisible(isinstance(step, Keys))
        self._scroll.setVisible(step is not None and bool(words.FIELDS[type(step)]))

    def _type(self, name: str, value: object) -> None:
        """Take a parameter."""
        items, row = list(self._editor.state.items), self.row
        if not 0 <= row < len(items):
            return
        step = msgspec.structs.replace(items[row].step, **{name: value})
        items[row] = Item(step, items[row].on)
        if not self._editor.edit(f"change {name}", items, f"{row} {name}"):
            self._fill_form()

    def _ask(self, name: str, _checked: bool = False) -> None:
        self.asked.emit(name)

    def _switch(self, line: QListWidgetItem) -> None:
        if self._filling:
            return
        row, items = self.list.row(line), list(self._editor.state.items)
        items[row] = Item(items[row].step, line.checkState() == Qt.CheckState.Checked)
        if not self._editor.edit("switch a step", items):
            self.fill()

    def _move(self, way: int) -> None:
        items, row = list(self._editor.state.items), self.row
        if 0 <= row < len(items) and 0 <= row + way < len(items):
            items[row], items[row + way] = items[row + way], items[row]
            if self._editor.edit("move a step", items):
                self.choose(row + way)

    def _drop(self) -> None:
        items, row = list(self._editor.state.items), self.row
        if 0 <= row < len(items):
            del items[row]
            self._editor.edit("remove a step", items)


class _List(QListWidget):
    """The list; Del removes the chosen step."""

    removed = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Remove the chosen step on Del."""
        if event.key() == Qt.Key.Key_Delete:
            self.removed.emit()
        else:
            super().keyPressEvent(event)
