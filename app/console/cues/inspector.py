"""All fields of the selected cues, edited together."""

from collections.abc import Callable, Sequence

import msgspec
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QGridLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QWidget,
)

from app.console.context.context import Context
from app.console.cues.cells import edit_text
from app.console.cues.delegate import CHOICES
from app.console.cues.model import CueModel
from app.console.toolkit import theme
from shows.document import Cue

MIXED = "(several)"
NOTES_PX = 42  # two lines
LOW = """
QLineEdit, QComboBox { min-height: 18px; padding: 1px 6px; }
QLineEdit:focus, QComboBox:focus { padding: 0 5px; }
QPlainTextEdit { padding: 0 4px; }
"""
"""The list above needs the height more."""
_STANCES = {"any": "any", "standing": "standing", "walking": "walking"}
_LINES = (  # field, label, tip, row, column
    ("number", "Number", "Letters, digits and points; every cue has its own", 0, 0),
    ("name", "Name", "What it is", 0, 2),
    ("group", "Group", "Neighbours of one group stand under one header", 0, 4),
    ("pre_wait_s", "Pre-wait", "From GO to its start: 4.5 or 1:04.5", 1, 0),
    ("post_wait_s", "Post-wait", "From its start or end to the next cue", 1, 2),
    ("hotkey", "Key", "A key that fires it: a letter, Shift and a letter, or F3 and on", 1, 4),
    ("next", "Next cue", "Number of the cue that comes next; empty: the one below", 2, 4),
)
_CHOICES = (
    ("continue_mode", "Continues", CHOICES["continue_mode"], 2, 0),
    ("armed", "Armed", CHOICES["armed"], 2, 2),
    ("entry_stance", "Starts", _STANCES, 3, 0),
    ("exit_stance", "Ends", _STANCES, 3, 2),
    ("colour", "Colour", CHOICES["colour"], 3, 4),
)


class CueInspector(QWidget):
    """A form; each field is one edit, which the document can undo."""

    def __init__(self, context: Context, model: CueModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("cue_inspector")
        self._document, self._model = context.document, model
        self._numbers: tuple[str, ...] = ()
        self._lines: dict[str, QLineEdit] = {}
        self._choices: dict[str, QComboBox] = {}
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 2, 0, 2)
        self._grid.setHorizontalSpacing(theme.GAP)
        self._grid.setVerticalSpacing(2)
        self.setStyleSheet(LOW)
        for field, label, tip, row, column in _LINES:
            line = QLineEdit()
            line.editingFinished.connect(self._committer(field))
            line.setMinimumWidth(60)
            self._lines[field] = line
            self._place(line, label, tip, row, column)
        for field, label, words, row, column in _CHOICES:
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
            self._place(choice, label, label, row, column)
        self._notes = QPlainTextEdit()
        self._notes.setTabChangesFocus(True)
        self._notes.setFixedHeight(NOTES_PX)
        self._notes.document().setDocumentMargin(2)
        self._notes.textChanged.connect(self._take_notes)
        self._place(self._notes, "Notes", "For the operator's eyes", 4, 0, 5)
        for column, share in ((1, 5), (3, 5), (5, 4)):  # a name is longer
            self._grid.setColumnStretch(column, share)
        self.refresh()

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
        text = _common(cues, "notes")
        self._notes.setEnabled(len(cues) == 1)
        self._notes.setPlaceholderText(MIXED if text is None else "")
        if self._notes.toPlainText() != (text or ""):
            self._notes.blockSignals(True)
            self._notes.setPlainText(text or "")
            self._notes.blockSignals(False)

    def setVisible(self, visible: bool) -> None:  # noqa: N802
        """Catch up with the document when it is shown."""
        super().setVisible(visible)
        if visible:
            self.refresh()

    def _place(
        self, widget: QWidget, label: str, tip: str, row: int, column: int, span: int = 1
    ) -> None:
        title = QLabel(label)
        title.setStyleSheet(f"color: {theme.MUTED};")
        title.setBuddy(widget)
        widget.setAccessibleName(f"{label} of the selected cues")
        widget.setToolTip(tip)
        alignment = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        self._grid.addWidget(title, row, column, alignment)
        self._grid.addWidget(widget, row, column + 1, 1, span)

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

    def _take_notes(self) -> None:
        """Edit the notes while they are typed: all typing in a row is undone at once."""
        if len(self._numbers) != 1:
            return
        number, show = self._numbers[0], self._document.show
        text = self._notes.toPlainText()[:10_000]
        cues = tuple(
            msgspec.structs.replace(cue, notes=text) if cue.number == number else cue
            for cue in show.cues
        )
        after = msgspec.structs.replace(show, cues=cues)
        self._document.edit(f"change the notes of cue {number}", after, f"notes {number}")


def _common(cues: Sequence[Cue], field: str) -> str | None:
    """Return the text of a field on which all agree; None where they differ."""
    texts = {edit_text(cue, field) for cue in cues}
    if not texts:
        return ""
    return texts.pop() if len(texts) == 1 else None
