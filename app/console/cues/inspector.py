"""All fields of the selected cues, edited together."""

import math
from collections.abc import Callable, Sequence
from functools import partial

import msgspec
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QGridLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QScrollArea,
    QWidget,
)

from app.console.context.context import Context
from app.console.cues.cells import edit_text
from app.console.cues.delegate import CHOICES
from app.console.cues.model import CueModel
from app.console.toolkit import theme
from shows.document import Cue

MIXED = "(several)"
LEAST_PX = 56  # two rows of fields; the others can be scrolled to
NOTES_PX = 42  # two lines
LOW = """
QLineEdit, QComboBox { min-height: 18px; padding: 1px 6px; }
QLineEdit:focus, QComboBox:focus { padding: 0 5px; }
QPlainTextEdit { padding: 0 4px; }
"""
"""The list above needs the height more."""
_STANCES = {"any": "any", "standing": "standing", "walking": "walking"}
_LINES = (  # field, label, tip
    ("number", "Number", "Letters, digits and points; every cue has its own"),
    ("name", "Name", "What it is"),
    ("group", "Group", "Neighbours of one group stand under one header"),
    ("pre_wait_s", "Pre-wait", "From GO to its start: 4.5 or 1:04.5"),
    ("post_wait_s", "Post-wait", "From its start or end to the next cue"),
    ("hotkey", "Key", "A key that fires it: a letter, Shift and a letter, or F3 and on"),
    ("safe_points_s", "Safe points", "Times at which it may end early: 0, 3.5; the robot stands"),
    ("next", "Next cue", "Number of the cue that comes next; empty: the one below"),
)
_TEXTS = (
    ("notes", "Notes", "For the operator's eyes"),
    ("script", "Script", "Its words and stage directions, for the operator to follow"),
)
_CHOICES = (
    ("continue_mode", "Continues", CHOICES["continue_mode"]),
    ("armed", "Armed", CHOICES["armed"]),
    ("entry_stance", "Starts", _STANCES),
    ("exit_stance", "Ends", _STANCES),
    ("colour", "Colour", CHOICES["colour"]),
)
_ORDER = (
    "number", "name", "group", "pre_wait_s", "post_wait_s", "hotkey",
    "continue_mode", "armed", "next", "entry_stance", "exit_stance", "safe_points_s", "colour",
)  # fmt: skip
NARROW_PX = 560  # below this width two fields stand side by side, not three


class CueInspector(QScrollArea):
    """A form; each field is one edit, which the document can undo."""

    def __init__(self, context: Context, model: CueModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("cue_inspector")
        self._document, self._model = context.document, model
        self._numbers: tuple[str, ...] = ()
        self._lines: dict[str, QLineEdit] = {}
        self._choices: dict[str, QComboBox] = {}
        self.setWidgetResizable(True)
        self.setMinimumHeight(LEAST_PX)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        form = QWidget()
        self.setWidget(form)
        self._fields: dict[str, tuple[QLabel, QWidget]] = {}
        self._columns = 0
        self._grid = QGridLayout(form)
        self._grid.setContentsMargins(0, 2, 0, 2)
        self._grid.setHorizontalSpacing(theme.GAP)
        self._grid.setVerticalSpacing(2)
        self.setStyleSheet(LOW)
        for field, label, tip in _LINES:
            line = QLineEdit()
            line.editingFinished.connect(self._committer(field))
            line.setMinimumWidth(60)
            self._lines[field] = line
            self._name(field, line, label, tip)
        for field, label, words in _CHOICES:
            choice = QComboBox()
            for value, word in words.items():
                choice.addItem(word, value)
            choice.activated.connect(self._committer(field))
            choice.setSizeAdjustPolicy(
                QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
            )
            choice.setMinimumContentsLength(8)
            choice.setMinimumWidth(84)  # or the inspector would take room from the docks
            self._choices[field] = choice
            self._name(field, choice, label, label)
        self._texts: dict[str, QPlainTextEdit] = {}
        for field, label, tip in _TEXTS:
            text = QPlainTextEdit()
            text.setTabChangesFocus(True)
            text.setFixedHeight(NOTES_PX)
            text.document().setDocumentMargin(2)
            text.textChanged.connect(partial(self._take_text, field))
            self._texts[field] = text
            self._name(field, text, label, tip)
        self._arrange(3)
        self.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Put as many fields side by side as can be read."""
        super().resizeEvent(event)
        self._arrange(2 if self.width() < NARROW_PX else 3)

    def sizeHint(self) -> QSize:  # noqa: N802
        """Return the size of the whole form."""
        return self._grid.sizeHint()

    def show_cues(self, numbers: Sequence[str]) -> None:
        """Show these cues; a field in which they differ says so."""
        self._commit_focused()
        self._numbers = tuple(numbers)
        self.refresh()

    def refresh(self) -> None:
        """Show the document; text that is being typed stays."""
        if self.isHidden():
            return
        chosen = set(self._numbers)
        cues = [cue for cue in self._document.show.cues if cue.number in chosen]
        for field, line in self._lines.items():
            line.setEnabled(bool(cues) and (field not in ("number", "hotkey") or len(cues) == 1))
            if not (line.hasFocus() and line.isModified()):
                text = _common(cues, field)
                line.setText("" if text is None else text)
                line.setCursorPosition(0)  # of a long name the beginning is seen
                line.setPlaceholderText(MIXED if text is None else "")
        for field, choice in self._choices.items():
            choice.setEnabled(bool(cues))
            text = _common(cues, field)
            choice.setPlaceholderText(MIXED)
            choice.setCurrentIndex(-1 if text is None else choice.findData(text))
        for field, edit in self._texts.items():
            common = _common(cues, field)
            edit.setEnabled(bool(cues))
            edit.setPlaceholderText(MIXED if common is None else "")
            if edit.toPlainText() != (common or ""):
                edit.blockSignals(True)
                edit.setPlainText(common or "")
                edit.blockSignals(False)

    def setVisible(self, visible: bool) -> None:  # noqa: N802
        """Catch up with the document when it is shown."""
        super().setVisible(visible)
        if visible:
            self.refresh()

    def _name(self, field: str, widget: QWidget, label: str, tip: str) -> None:
        title = QLabel(label)
        title.setStyleSheet(f"color: {theme.MUTED};")
        title.setBuddy(widget)
        widget.setAccessibleName(f"{label} of the selected cues")
        widget.setToolTip(tip)
        self._fields[field] = title, widget

    def _arrange(self, columns: int) -> None:
        """Put so many fields side by side, and the notes below."""
        if columns == self._columns:
            return
        self._columns = columns
        grid, alignment = self._grid, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for place, field in enumerate(_ORDER):
            title, widget = self._fields[field]
            row, column = divmod(place, columns)
            grid.addWidget(title, row, 2 * column, alignment)
            grid.addWidget(widget, row, 2 * column + 1)
        below = math.ceil(len(_ORDER) / columns)
        for row, field in enumerate(self._texts, below):
            title, widget = self._fields[field]
            grid.addWidget(title, row, 0, alignment)
            grid.addWidget(widget, row, 1, 1, 2 * columns - 1)
        for column in range(3):
            grid.setColumnStretch(2 * column + 1, (5, 5, 4)[column] if column < columns else 0)

    def _committer(self, field: str) -> Callable[..., None]:
        return lambda *_: self._commit(field)

    def _commit_focused(self) -> None:
        for field, line in self._lines.items():
            if line.hasFocus() and line.isModified():
                self._commit(field)

    def _commit(self, field: str) -> None:
        """Edit the document from a field; a refused value leaves the field unchanged."""
        if not self._numbers:
            return
        if field in self._choices:
            text = str(self._choices[field].currentData())
        else:
            line = self._lines[field]
            if not line.isModified():
                return
            text = line.text()
            line.setModified(False)
        numbers = self._numbers
        if field == "number" and self._model.change(numbers, field, text):
            self._numbers = (text.strip(),)
        elif field != "number":
            self._model.change(numbers, field, text)
        self.refresh()

    def _take_text(self, field: str) -> None:
        """Edit a text of all cues while it is typed: all typing in a row is undone at once."""
        numbers, show = set(self._numbers), self._document.show
        if not numbers:
            return
        text = self._texts[field].toPlainText()[:10_000]
        cues = tuple(
            msgspec.structs.replace(cue, **{field: text}) if cue.number in numbers else cue
            for cue in show.cues
        )
        after = msgspec.structs.replace(show, cues=cues)
        who = ", ".join(self._numbers[:3])
        self._document.edit(f"change the {field} of cue {who}", after, f"{field} {who}")


def _common(cues: Sequence[Cue], field: str) -> str | None:
    """Return the text of a field on which all agree; None where they differ."""
    texts = {edit_text(cue, field) for cue in cues}
    if not texts:
        return ""
    return texts.pop() if len(texts) == 1 else None
