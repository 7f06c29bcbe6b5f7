"""Alarms that say what to do: calm rows, the worst first, above everything that moves."""

import time
from functools import partial
from html import escape

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QLabel, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from app.console.context.context import Context
from app.console.stop.buttons import EnterButton
from app.console.toolkit import theme
from app.console.top.alarm_book import AlarmBook, AlarmRow, Key
from app.console.top.readings import action_tone
from core.link import wording

ACKNOWLEDGE_KEY = "Ctrl+K"
UPDATE_MS = 1000  # a text changes, and a row goes, no more often
LASTS = "The fault is over; what it led to lasts until you act. "
FALLEN = "Put back (F9) sets it on its feet; the show stays as it is."
ROWS = 3  # that are seen at once
ROW_PX = 38

LIMP = frozenset({"OFF", "DAMPED"})


class _Row(QWidget):
    """One alarm that is not acknowledged."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._word, self._text = QLabel(), QLabel()
        self._word.setFixedWidth(132)
        self._text.setWordWrap(True)
        self._text.setTextFormat(Qt.TextFormat.RichText)
        self._text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.button = EnterButton("Acknowledge")
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.button.setToolTip(
            f"You have seen it; it becomes small until it is over. Key for all: {ACKNOWLEDGE_KEY}."
        )
        self.button.setStyleSheet("padding: 0 8px;")
        self.setMinimumHeight(ROW_PX)
        line = QHBoxLayout(self)
        line.setContentsMargins(theme.GAP, 1, theme.GAP, 1)
        line.addWidget(self._word)
        line.addWidget(self._text, 1)
        line.addWidget(self.button)

    def tell(self, row: AlarmRow, simulated: bool) -> None:
        """Show the present state of an alarm, with the actions that this robot allows."""
        tone = theme.IDLE if row.over else action_tone(row.alarm.action)
        self._word.setText(f"{tone.mark} {row.alarm.action}{' (over)' if row.over else ''}")
        self._word.setStyleSheet(f"color: {tone.colour}; font-weight: bold;")
        lasts = LASTS if row.alarm.over and not row.over else ""
        said, known = row.alarm, wording.fault(row.alarm.flag, row.alarm.action)
        advice = FALLEN if simulated and said.flag == "FALLEN" else wording.advice(known)
        advice = escape(f"{lasts}{advice}")
        text = wording.alarm(said)
        self._text.setText(f"<b>{escape(text)}</b> &nbsp; {advice}")
        self.button.setAccessibleName(f"Acknowledge: {text}")


class AlarmsPanel(QWidget):
    """Shows the core's alarms; one row is always theirs, so that nothing below moves for one.

    Attributes:
        rows: the alarms, the worst first.
        count: how many, in words.
        seen: the acknowledged ones, in one line.
    """

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("alarms")
        self.setAccessibleName("Alarms")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.rows: tuple[AlarmRow, ...] = ()
        self._link, self._book = context.link, AlarmBook()
        self._shown: object = None
        self.count = QLabel()
        self.count.setStyleSheet(f"color: {theme.MUTED}; font-size: 13px;")
        self.seen = QLabel()
        self.seen.setWordWrap(True)
        self.seen.setStyleSheet(f"color: {theme.MUTED}; font-size: 13px;")
        self._calm = QLabel(f"{theme.GOOD.mark} No alarms")
        self._calm.setStyleSheet(f"color: {theme.MUTED}; padding: 0 {theme.GAP}px;")
        self._calm.setFixedHeight(ROW_PX)
        self._widgets: dict[Key, _Row] = {}
        self._list = QWidget()
        self._column = QVBoxLayout(self._list)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._scroll = QScrollArea()
        self._scroll.setWidget(self._list)
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        self._foot = QWidget()
        foot = QHBoxLayout(self._foot)
        foot.setContentsMargins(theme.GAP, 0, theme.GAP, 2)
        foot.setSpacing(theme.GAP * 2)
        foot.addWidget(self.count)
        foot.addWidget(self.seen, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._calm)
        column.addWidget(self._scroll)
        column.addWidget(self._foot)
        shortcut = QShortcut(QKeySequence(ACKNOWLEDGE_KEY), self)
        shortcut.setContext(Qt.ShortcutContext.ApplicationShortcut)
        shortcut.activated.connect(self.acknowledge_all)
        self._timer = QTimer(self)
        self._timer.setInterval(UPDATE_MS)
        self._timer.timeout.connect(self.refresh)
        self._timer.start()
        self._link.connected_changed.connect(self._on_connected)
        self._link.shown.connect(self._on_status)
        self.refresh()

    def acknowledge_all(self) -> None:
        """Make every alarm small."""
        self._book.acknowledge_all()
        self.refresh()

    def refresh(self) -> None:
        """Show the alarms of this moment; those of a lost core stay, marked as old."""
        status, connected, hello = self._link.status, self._link.connected, self._link.hello
        if status is not None and connected:
            self._book.update(status.alarms, time.monotonic(), status.mode in LIMP)
        rows = self._book.rows()
        simulated = hello is not None and hello.simulated
        shown = (rows, connected, simulated)
        if shown == self._shown:
            return
        self._shown, self.rows = shown, rows
        unseen = [row for row in rows if not row.acknowledged]
        self._place(unseen, simulated)
        self._scroll.setVisible(bool(unseen))
        self._scroll.setFixedHeight(ROW_PX * min(ROWS, max(1, len(unseen))))
        seen = [row for row in rows if row.acknowledged]
        words = [f"{action_tone(row.alarm.action).mark} {wording.alarm(row.alarm)}" for row in seen]
        self.seen.setText(f"acknowledged: {'  '.join(words)}" if words else "")
        age = "" if connected else " (as of the loss of the core)"
        plural = "" if len(rows) == 1 else "s"
        hint = f" · {ACKNOWLEDGE_KEY} acknowledges" if unseen else ""
        self.count.setText(f"{len(rows)} alarm{plural}, {len(unseen)} new{age}{hint}")
        self._calm.setVisible(not rows)
        self._foot.setVisible(bool(rows) and (len(unseen) != 1 or bool(seen) or not connected))

    def _place(self, rows: list[AlarmRow], simulated: bool) -> None:
        """Put rows in order; one that stays keeps its widget, and a press of its button."""
        keys = [row.key for row in rows]
        for key in [key for key in self._widgets if key not in keys]:
            widget = self._widgets.pop(key)
            self._column.removeWidget(widget)
            widget.hide()
            widget.deleteLater()
        for index, row in enumerate(rows):
            if row.key not in self._widgets:
                widget = _Row(self._list)
                widget.button.clicked.connect(partial(self._acknowledge, row.key))
                self._widgets[row.key] = widget
            widget = self._widgets[row.key]
            widget.tell(row, simulated)
            if self._column.indexOf(widget) != index:
                self._column.insertWidget(index, widget)

    def _acknowledge(self, key: Key) -> None:
        self._book.acknowledge(key)
        self.refresh()

    def _on_status(self) -> None:
        """Show a new alarm at once, and note those that may be gone at the next refresh."""
        status = self._link.status
        if status is None or not (status.alarms or self.rows):
            return
        self._book.update(status.alarms, time.monotonic(), status.mode in LIMP)
        known = {row.key for row in self.rows}
        if any((alarm.flag, alarm.action) not in known for alarm in status.alarms):
            self.refresh()

    def _on_connected(self, _connected: bool) -> None:
        self.refresh()
