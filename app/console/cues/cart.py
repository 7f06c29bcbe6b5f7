"""The cart: a grid of pads for improvised shows; a press fires a cue or a trigger at once."""

from PySide6.QtCore import QRect, QSize, Qt, Signal
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

from app.console.by_hand.controller_part import BUTTON_MARKS
from app.console.context.context import Context
from app.console.cues.caller import Caller
from app.console.cues.faces import Face, cue_face, trigger_face
from app.console.cues.lengths import Lengths
from app.console.cues.offers import offers_of
from app.console.cues.pads import ALL, TRIGGERS, Page, groups_of, items_of, page_of
from app.console.gestures.library import GestureLibrary
from app.console.toolkit import theme
from shows.document import Cue, Trigger
from shows.uses import use_of

PAD = QSize(128, 84)
_ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


class Pad(QAbstractButton):
    """One cue or trigger to press: its number or kind, name, key, length and state.

    Attributes:
        item: what a press fires.
        stamp_ms: time stamp of the press that is being told; 0 where a key clicked it [ms].
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumSize(PAD)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.item: Cue | Trigger | None = None
        self._face: Face | None = None
        self.stamp_ms = 0

    @property
    def number(self) -> str:
        """Number of its cue; empty for a trigger."""
        return self.item.number if isinstance(self.item, Cue) else ""

    def show_item(self, item: Cue | Trigger, face: Face) -> None:
        """Take what a press fires, and what to show."""
        self.item = item
        if face == self._face:
            return
        self._face = face
        self.setToolTip(face.tip)
        self.setAccessibleName(face.spoken)
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
        face = self._face
        if face is None:
            return
        painter = QPainter(self)
        box = self.rect().adjusted(1, 1, -2, -2)
        live = self.isEnabled() and face.live
        painter.fillRect(box, QColor(theme.LINE if self.isDown() else theme.RAISED))
        painter.fillRect(QRect(box.left(), box.top(), box.width(), 6), QColor(face.colour))
        if face.share is not None:
            width = round(box.width() * face.share)
            painter.fillRect(
                QRect(box.left(), box.bottom() - 21, width, 22), QColor(theme.PROGRESS)
            )
        thick = 3 if face.edge is theme.BUSY else 1 if face.edge is None else 2
        painter.setPen(QPen(QColor(theme.LINE if face.edge is None else face.edge.colour), thick))
        painter.drawRect(box)
        if self.hasFocus():
            painter.setPen(QPen(QColor(theme.TEXT), 1, Qt.PenStyle.DashLine))
            painter.drawRect(box.adjusted(4, 4, -4, -4))
        text = QColor(theme.TEXT if live else theme.MUTED)
        inner = box.adjusted(8, 10, -8, -3)
        line = Qt.AlignmentFlag.AlignTop
        left, right = line | Qt.AlignmentFlag.AlignLeft, line | Qt.AlignmentFlag.AlignRight
        is_cue = isinstance(self.item, Cue)
        painter.setPen(text if is_cue else QColor(theme.MUTED))
        size = theme.LARGE_PX if is_cue else theme.SMALL_PX
        painter.setFont(theme.font(size, bold=True))
        painter.drawText(inner, left, face.lead)
        painter.setFont(theme.font(theme.SMALL_PX, bold=True))
        painter.setPen(QColor(theme.MUTED))
        painter.drawText(inner, right, face.key)
        painter.setPen(text)
        painter.setFont(theme.font(bold=not is_cue))
        name = painter.fontMetrics().elidedText(
            face.name, Qt.TextElideMode.ElideRight, inner.width()
        )
        painter.drawText(inner.adjusted(0, 25, 0, 0), left, name)
        painter.setFont(theme.font(theme.SMALL_PX, bold=face.edge is not None))
        foot = inner.adjusted(0, inner.height() - 17, 0, 0)
        painter.setPen(QColor(face.foot_colour))
        painter.drawText(foot, left, face.foot)
        painter.setPen(QColor(theme.MUTED))
        painter.drawText(foot, right, face.note)


class CartPanel(QWidget):
    """Pads in pages; as many as there is room for.

    Signals:
        edit_asked: the triggers shall be edited.
    """

    edit_asked = Signal()

    def __init__(
        self,
        context: Context,
        caller: Caller,
        library: GestureLibrary,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("cart")
        self._context, self._caller, self._library = context, caller, library
        self._offers = offers_of(context.document, library)
        self._lengths = Lengths(context.document)
        self._pads: list[Pad] = []
        self._columns = 1
        self._page = Page((), 0, 1)
        self._group = QComboBox()
        self._before, self._after, self._pages = QToolButton(), QToolButton(), QLabel()
        self._edit = QToolButton()
        self._hint = QLabel("No cues and no triggers: add some, and each has its pad here.")
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
            if 0 <= place < len(self._page.items):
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
        self._group.setAccessibleName("Group that is on the pads")
        self._group.setToolTip("All cues and triggers, the triggers, or the cues of one group")
        self._edit.setText("Edit…")
        self._edit.setAccessibleName("Edit the triggers")
        self._edit.setToolTip("Phrases, gestures, hands and idle life on pads, keys and controller")
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
        for widget in (self._before, self._pages, self._after, self._edit):
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
        self._edit.clicked.connect(self.edit_asked)
        caller.cues_changed.connect(lambda _: self._refresh())
        caller.verdicts_changed.connect(self._refresh)
        self._context.document.changed.connect(self._take_document)
        self._library.changed.connect(self._take_offers)
        self._context.lock.changed.connect(lambda locked: self._edit.setEnabled(not locked))
        self._edit.setEnabled(not self._context.lock.locked)
        self._context.link.connected_changed.connect(lambda _: self._refresh())
        self._context.link.shown.connect(self._show_state)

    def _take_document(self) -> None:
        self._offers = offers_of(self._context.document, self._library)
        groups = groups_of(self._context.document.show)
        chosen = self._group.currentData() or ALL
        self._group.clear()
        self._group.addItem("All", ALL)
        self._group.addItem("Triggers", TRIGGERS)
        for group in groups:
            self._group.addItem(group, group)
        self._group.setCurrentIndex(max(0, self._group.findData(chosen)))
        self._show_page(self._page.number)

    def _take_offers(self) -> None:
        self._offers = offers_of(self._context.document, self._library)
        self._refresh()

    def _turn(self, step: int) -> None:
        self._show_page(self._page.number + step)

    def _show_page(self, number: int) -> None:
        items = items_of(self._context.document.show, self._group.currentData() or ALL)
        self._page = page_of(items, max(1, len(self._pads)), number)
        self._pages.setText(f"{self._page.number + 1} / {self._page.count}")
        self._before.setEnabled(self._page.number > 0)
        self._after.setEnabled(self._page.number < self._page.count - 1)
        self._hint.setVisible(not items)
        self._refresh()

    def _refresh(self) -> None:
        connected = self._context.link.connected
        items = self._page.items
        for i, pad in enumerate(self._pads):
            pad.setVisible(i < len(items))
            pad.setEnabled(connected)
            if i < len(items):
                pad.show_item(items[i], self._face_of(items[i]))

    def _show_state(self, _: object = None) -> None:
        """Show what the triggers' limbs do."""
        if self.isVisible() and any(isinstance(item, Trigger) for item in self._page.items):
            self._refresh()

    def _face_of(self, item: Cue | Trigger) -> Face:
        caller, link = self._caller, self._context.link
        if isinstance(item, Cue):
            state, verdict = caller.playback.of(item.number), caller.verdicts.of(item)
            return cue_face(item, state, verdict, self._lengths.of(item))
        use = use_of(item.use)
        sound = None if use is None else self._context.document.audio.get(use.phrase)
        return trigger_face(
            item,
            link.status if link.connected else None,
            self._offers.fault(item),
            BUTTON_MARKS[item.button] if item.button else "",
            None if sound is None else sound.duration_s,
        )

    def _fire(self, pad: Pad) -> None:
        if isinstance(pad.item, Trigger):
            self._caller.improvise(pad.item)
        else:
            self._caller.go(pad.number, stamp_ms=pad.stamp_ms)

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
            pad.pressed.connect(lambda pad=pad: self._fire(pad))
            self._pads.append(pad)
        for i, pad in enumerate(self._pads):
            self._grid.addWidget(pad, i // columns, i % columns)
        self._show_page(self._page.number)
