"""How a row of the cue list is drawn, and what edits its cells."""

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    Qt,
)
from PySide6.QtGui import QBrush, QColor, QFontMetrics, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QComboBox,
    QLineEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.console.cues.cells import COLUMNS, CONTINUE_WORDS, Key
from app.console.cues.model import VERDICT_WORDS, CueModel
from app.console.toolkit import theme
from app.console.toolkit.sheet import OWNS_KEYS

PADDING = 6
STRIPE = 5
MANY = 5000  # texts whose shortened form is remembered
CHOICES: dict[str, dict[str, str]] = {
    "continue_mode": dict(CONTINUE_WORDS),
    "armed": {"True": "armed", "False": "off: passed over"},
    "colour": {name: name for name in theme.CUE_COLOURS},
}
"""Columns in which one of a few values is chosen: value to its word."""

_ROWS = QColor(theme.SURFACE), QColor(theme.STRIPED)
_SELECTED, _HEADER = QColor(theme.SELECTED), QColor(theme.RAISED)
_CHOSEN = QColor(255, 255, 255, 20)
_STANDBY, _PROGRESS = QColor(theme.STANDBY), QColor(theme.PROGRESS)
_TEXT, _MUTED, _ACCENT = QColor(theme.TEXT), QColor(theme.MUTED), QColor(theme.ACCENT)
_COLOURS = {name: QColor(colour) for name, colour in theme.CUE_COLOURS.items()}
_TONES = {kind: QColor(tone.colour) for kind, (tone, _) in VERDICT_WORDS.items()}
_GOOD, _BUSY, _WARN = (QColor(t.colour) for t in (theme.GOOD, theme.BUSY, theme.WARN))

_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_IS_SELECTED = QStyle.StateFlag.State_Selected.value
_HAS_FOCUS = QStyle.StateFlag.State_HasFocus.value

Index = QModelIndex | QPersistentModelIndex


class CueDelegate(QStyledItemDelegate):
    """Draws a cell from the model itself: one call, where roles would take ten."""

    def __init__(self, model: CueModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._plain, self._bold = theme.font(), theme.font(bold=True)
        self._metrics = QFontMetrics(self._plain), QFontMetrics(self._bold)
        self._fitting: dict[tuple[str, int, bool], str] = {}

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw one cell."""
        row, column = index.row(), index.column()
        rect: QRect = option.rect
        flags: int = option.state.value
        selected = bool(flags & _IS_SELECTED)
        if self._model.rows[row].is_header:
            self._paint_header(painter, rect, row, selected)
        else:
            self._paint_cue(painter, rect, row, column, selected)
        if flags & _HAS_FOCUS:
            painter.setPen(QPen(_ACCENT, 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(rect.adjusted(0, 0, -1, -1))

    def _paint_header(self, painter: QPainter, rect: QRect, row: int, selected: bool) -> None:
        painter.fillRect(rect, _SELECTED if selected else _HEADER)
        mark = "▸" if self._model.is_folded(row) else "▾"
        text = f"{mark} {self._model.header_text(row)}"
        self._write(painter, rect.adjusted(PADDING, 0, -PADDING, 0), text, _TEXT, bold=True)

    def _paint_cue(
        self, painter: QPainter, rect: QRect, row: int, column: int, selected: bool
    ) -> None:
        model = self._model
        cue, state, key = model.cue(row), model.state(row), COLUMNS[column].key
        ground = _STANDBY if state.standby else _ROWS[row % 2]
        painter.fillRect(rect, ground)
        if selected:  # a frame: the ground is for the cue on standby
            painter.fillRect(rect, _CHOSEN)
            painter.setPen(QPen(_ACCENT, 1))
            painter.drawLine(rect.topLeft(), rect.topRight())
            painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        inner = rect.adjusted(PADDING, 0, -PADDING, 0)
        colour, bold = _TEXT if cue.armed else _MUTED, False
        if key == "state":
            painter.fillRect(QRect(rect.left(), rect.top(), STRIPE, rect.height() - 1),
                             _COLOURS[cue.colour])  # fmt: skip
            inner.setLeft(rect.left() + STRIPE + PADDING)
            if state.share is not None:
                width = round((rect.width() - STRIPE) * state.share)
                painter.fillRect(
                    QRect(rect.left() + STRIPE, rect.top() + 3, width, rect.height() - 6), _PROGRESS
                )
            bold = state.standby or bool(state.run)
            colour = _TEXT if state.run else _GOOD if state.standby else _MUTED
        elif key == "verdict":
            colour = _TONES[model.verdict(row).kind]
        elif key == "colour" and cue.colour != "none":
            painter.fillRect(
                QRect(inner.left(), rect.center().y() - 5, 10, 10), QBrush(_COLOURS[cue.colour])
            )
            inner.setLeft(inner.left() + 16)
        elif key == "armed":
            colour = _TEXT if cue.armed else _WARN
        elif key in ("number", "name"):
            bold = state.standby or bool(state.run)
        elif key != "duration":
            colour = _MUTED
        self._write(painter, inner, model.text(row, column), colour, bold, COLUMNS[column].right)

    def _write(
        self, painter: QPainter, rect: QRect, text: str, colour: QColor, bold: bool = False,
        right: bool = False,
    ) -> None:  # fmt: skip
        if not text:
            return
        asked = (text, rect.width(), bold)
        fitting = self._fitting.get(asked)
        if fitting is None:
            if len(self._fitting) > MANY:
                self._fitting.clear()
            fitting = self._metrics[bold].elidedText(
                text, Qt.TextElideMode.ElideRight, rect.width()
            )
            self._fitting[asked] = fitting
        painter.setFont(self._bold if bold else self._plain)
        painter.setPen(colour)
        painter.drawText(rect, _RIGHT if right else _LEFT, fitting)

    # Editing

    def createEditor(  # noqa: N802
        self, parent: QWidget, option: QStyleOptionViewItem, index: Index
    ) -> QWidget:
        """Return a line of text, or a choice where there are few values."""
        key: Key = COLUMNS[index.column()].key
        editor: QComboBox | QLineEdit
        if key in CHOICES and not self._model.rows[index.row()].is_header:
            editor = QComboBox(parent)
            editor.setProperty(OWNS_KEYS, True)
            for value, word in CHOICES[key].items():
                editor.addItem(word, value)
            editor.activated.connect(lambda _: self._finish(editor))
        else:
            editor = QLineEdit(parent)
        editor.setAccessibleName(f"{COLUMNS[index.column()].title} of the cue")
        return editor

    def setEditorData(self, editor: QWidget, index: Index) -> None:  # noqa: N802
        """Fill the editor with what the cell holds; what was typed meanwhile stays.

        Qt asks again whenever the row changes, as its verdict and its progress do at any time.
        """
        value = str(index.data(Qt.ItemDataRole.EditRole))
        if isinstance(editor, QComboBox):
            editor.setCurrentIndex(max(0, editor.findData(value)))
        elif isinstance(editor, QLineEdit) and not editor.isModified():
            editor.setText(value)
            editor.selectAll()

    def setModelData(  # noqa: N802
        self, editor: QWidget, model: QAbstractItemModel, index: Index
    ) -> None:
        """Hand what was typed to the model, which refuses what is wrong."""
        before = str(index.data(Qt.ItemDataRole.EditRole))
        value = before
        if isinstance(editor, QComboBox):
            value = str(editor.currentData())
        elif isinstance(editor, QLineEdit):
            value = editor.text()
        if value != before:
            model.setData(index, value)

    def updateEditorGeometry(  # noqa: N802
        self, editor: QWidget, option: QStyleOptionViewItem, index: Index
    ) -> None:
        """Let a choice be as wide as its words."""
        rect: QRect = option.rect
        if isinstance(editor, QComboBox):
            rect.setWidth(max(rect.width(), editor.sizeHint().width()))
        editor.setGeometry(rect)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Let Enter end a choice; Qt leaves it open."""
        if (
            isinstance(watched, QComboBox)
            and event.type() == QEvent.Type.KeyPress
            and isinstance(event, QKeyEvent)
            and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        ):
            self._finish(watched)
            return True
        return super().eventFilter(watched, event)

    def _finish(self, editor: QWidget) -> None:
        self.commitData.emit(editor)
        self.closeEditor.emit(editor)
