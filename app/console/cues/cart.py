"""The cart: a grid of pads for improvised shows; a press fires a cue, wherever the standby is."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.console.context.context import Context
from app.console.cues.caller import Caller
from app.console.cues.cells import seconds_text
from app.console.cues.lengths import Lengths
from app.console.cues.model import VERDICT_WORDS, state_text
from app.console.cues.pads import ALL, Page, cues_of, groups_of, page_of
from app.console.cues.playback import IDLE, CueState
from app.console.cues.verdicts import CueVerdict
from app.console.toolkit import theme
from shows.document import Cue

PAD = QSize(128, 84)
_ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


class Pad(QAbstractButton):
    """One cue to press: its number, name, key, length and state.

    Attributes:
        stamp_ms: time stamp of the press that is being told; 0 where a key clicked it [ms].
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumSize(PAD)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._cue: Cue | None = None
        self._state, self._verdict = IDLE, CueVerdict("unknown", "")
        self._length_s: float | None = None
        self.stamp_ms = 0

    @property
    def number(self) -> str:
        """Number of its cue."""
        return "" if self._cue is None else self._cue.number

    def show_cue(
        self, cue: Cue, state: CueState, verdict: CueVerdict, length_s: float | None
    ) -> None:
        """Take what to show."""
        picture = (cue, state, verdict, length_s)
        if picture == (self._cue, self._state, self._verdict, self._length_s):
            return
        self._cue, self._state, self._verdict, self._length_s = picture
        key = f"  [{cue.hotkey}]" if cue.hotkey else ""
        armed = "" if cue.armed else "; it is disarmed and would be passed over"
        words = VERDICT_WORDS[verdict.kind][1]
        self.setToolTip(f"Fire cue {cue.number} {cue.name}{armed}{key}\n{words}: {verdict.reason}")
        self.setAccessibleName(f"Fire cue {cue.number} {cue.name} {state_text(state)}")
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Keep the time stamp while the press is told."""
        self.stamp_ms = event.timestamp()
        super().mousePressEvent(event)
        self.stamp_ms = 0

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Leave the keys to the cart, which has the places of its pads."""
        event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Draw the pad."""
        cue, state = self._cue, self._state
        if cue is None:
            return
        painter = QPainter(self)
        box = self.rect().adjusted(1, 1, -2, -2)
        live = self.isEnabled() and cue.armed
        painter.fillRect(box, QColor(theme.LINE if self.isDown() else theme.RAISED))
        painter.fillRect(QRect(box.left(), box.top(), box.width(), 6),
                         QColor(theme.CUE_COLOURS[cue.colour]))  # fmt: skip
        if state.share is not None:
            width = round(box.width() * state.share)
            painter.fillRect(
                QRect(box.left(), box.bottom() - 21, width, 22), QColor(theme.PROGRESS)
            )
        edge, pen = theme.LINE, 1
        if state.run:
            edge, pen = theme.BUSY.colour, 3
        elif state.standby:
            edge, pen = theme.GOOD.colour, 2
        painter.setPen(QPen(QColor(edge), pen))
        painter.drawRect(box)
        if self.hasFocus():
            painter.setPen(QPen(QColor(theme.TEXT), 1, Qt.PenStyle.DashLine))
            painter.drawRect(box.adjusted(4, 4, -4, -4))
        text = theme.TEXT if live else theme.MUTED
        inner = box.adjusted(8, 10, -8, -3)
        line = Qt.AlignmentFlag.AlignTop
        left, right = line | Qt.AlignmentFlag.AlignLeft, line | Qt.AlignmentFlag.AlignRight
        painter.setPen(QColor(text))
        painter.setFont(theme.font(theme.LARGE_PX, bold=True))
        painter.drawText(inner, left, cue.number)
        painter.setFont(theme.font(theme.SMALL_PX, bold=True))
        if cue.hotkey:
            painter.setPen(QColor(theme.MUTED))
            painter.drawText(inner, right, f"[{cue.hotkey}]")
        painter.setPen(QColor(text))
        painter.setFont(theme.font())
        name = painter.fontMetrics().elidedText(
            cue.name, Qt.TextElideMode.ElideRight, inner.width()
        )
        painter.drawText(inner.adjusted(0, 25, 0, 0), left, name)
        painter.setFont(theme.font(theme.SMALL_PX, bold=bool(state.run or state.standby)))
        word, colour = self._word()
        foot = inner.adjusted(0, inner.height() - 17, 0, 0)
        painter.setPen(QColor(colour))
        painter.drawText(foot, left, word)
        if not state.run:
            painter.setPen(QColor(theme.MUTED))
            painter.drawText(foot, right, seconds_text(self._length_s))

    def _word(self) -> tuple[str, str]:
        """Return the text of the pad's last line, and its colour."""
        cue, state, verdict = self._cue, self._state, self._verdict
        if state.run:
            return state_text(state), theme.TEXT
        if cue is not None and not cue.armed:
            return "○ disarmed", theme.WARN.colour
        if verdict.kind == "refused":
            return f"{theme.BAD.mark} refused", theme.BAD.colour
        if state.standby:
            return f"{theme.GOOD.mark} STANDBY", theme.GOOD.colour
        return ("→ next", theme.MUTED) if state.next else ("", theme.MUTED)


class CartPanel(QWidget):
    """Pads in pages; as many as there is room for."""

    def __init__(self, context: Context, caller: Caller, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("cart")
        self._context, self._caller = context, caller
        self._lengths = Lengths(context.document)
        self._pads: list[Pad] = []
        self._columns = 1
        self._page = Page((), 0, 1)
        self._group = QComboBox()
        self._before, self._after, self._pages = QToolButton(), QToolButton(), QLabel()
        self._hint = QLabel("No cues: add some to the list, and each has its pad here.")
        self._grid = QGridLayout()
        self._lay_out()
        self._connect()
        self._take_document()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Move about with the arrows, turn pages with Page Up and Page Down."""
        key = Qt.Key(event.key())
        focus = self.focusWidget()
        if key in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            self._turn(-1 if key == Qt.Key.Key_PageUp else 1)
        elif key in _ARROWS and isinstance(focus, Pad):
            dx, dy = _ARROWS[key]
            place = self._pads.index(focus) + dx + dy * self._columns
            if 0 <= place < len(self._page.cues):
                self._pads[place].setFocus(Qt.FocusReason.TabFocusReason)
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Show as many pads as fit."""
        super().resizeEvent(event)
        self._fit()

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Return room for four pads."""
        return QSize(2 * PAD.width() + 4 * theme.GAP, 2 * PAD.height() + 9 * theme.GAP)

    def _lay_out(self) -> None:
        self._group.setAccessibleName("Group whose cues are on the pads")
        self._group.setToolTip("All cues, or those of one group")
        for button, text, tip in (
            (self._before, "◂", "The pads before  [Page Up]"),
            (self._after, "▸", "More pads  [Page Down]"),
        ):
            button.setText(text)
            button.setToolTip(tip)
            button.setAccessibleName(tip.partition("  ")[0])
        self._pages.setStyleSheet(f"color: {theme.MUTED};")
        self._hint.setStyleSheet(f"color: {theme.MUTED};")
        self._hint.setWordWrap(True)
        head = QHBoxLayout()
        head.setSpacing(theme.GAP)
        head.addWidget(self._group, 1)
        for widget in (self._before, self._pages, self._after):
            head.addWidget(widget)
        self._grid.setSpacing(theme.GAP)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.GAP, theme.GAP, theme.GAP, theme.GAP)
        layout.addLayout(head)
        layout.addWidget(self._hint)
        layout.addLayout(self._grid)
        layout.addStretch(1)

    def _connect(self) -> None:
        caller = self._caller
        self._group.activated.connect(lambda _: self._show_page(0))
        self._before.clicked.connect(lambda: self._turn(-1))
        self._after.clicked.connect(lambda: self._turn(1))
        caller.cues_changed.connect(lambda _: self._refresh())
        caller.verdicts_changed.connect(self._refresh)
        self._context.document.changed.connect(self._take_document)
        self._context.link.connected_changed.connect(lambda _: self._refresh())

    def _take_document(self) -> None:
        groups = groups_of(self._context.document.show)
        chosen = self._group.currentData() or ALL
        self._group.clear()
        self._group.addItem("All cues", ALL)
        for group in groups:
            self._group.addItem(group, group)
        self._group.setCurrentIndex(max(0, self._group.findData(chosen)))
        self._show_page(self._page.number)

    def _turn(self, step: int) -> None:
        self._show_page(self._page.number + step)

    def _show_page(self, number: int) -> None:
        cues = cues_of(self._context.document.show, self._group.currentData() or ALL)
        self._page = page_of(cues, max(1, len(self._pads)), number)
        self._pages.setText(f"{self._page.number + 1} / {self._page.count}")
        self._before.setEnabled(self._page.number > 0)
        self._after.setEnabled(self._page.number < self._page.count - 1)
        self._hint.setVisible(not cues)
        self._refresh()

    def _refresh(self) -> None:
        connected = self._context.link.connected
        caller = self._caller
        for i, pad in enumerate(self._pads):
            pad.setVisible(i < len(self._page.cues))
            pad.setEnabled(connected)
            if i < len(self._page.cues):
                cue = self._page.cues[i]
                pad.show_cue(
                    cue, caller.playback.of(cue.number), caller.verdicts.of(cue),
                    self._lengths.of(cue),
                )  # fmt: skip

    def _fit(self) -> None:
        """Make pads for the room there is."""
        room = self.size() - QSize(theme.GAP, 6 * theme.GAP)
        columns = max(1, room.width() // (PAD.width() + theme.GAP))
        rows = max(1, room.height() // (PAD.height() + theme.GAP))
        if (columns, columns * rows) == (self._columns, len(self._pads)):
            return
        self._columns = columns
        while len(self._pads) > columns * rows:
            self._pads.pop().deleteLater()
        while len(self._pads) < columns * rows:
            pad = Pad(self)
            pad.pressed.connect(lambda pad=pad: self._caller.go(pad.number, stamp_ms=pad.stamp_ms))
            self._pads.append(pad)
        for i, pad in enumerate(self._pads):
            self._grid.addWidget(pad, i // columns, i % columns)
        self._show_page(self._page.number)
