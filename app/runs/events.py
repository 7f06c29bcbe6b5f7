"""The events of a run in a list: filtered, and one click away."""

import bisect

from PySide6.QtCore import QTimer
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.console.toolkit import theme
from app.console.toolkit.theme import Tone
from app.runs.digest import ALARM
from app.runs.playback import Playback, clock_text
from app.runs.run import Run
from app.runs.source import Noted

TONES: dict[int, Tone] = {2: theme.IDLE, 3: theme.WARN, 4: theme.BAD}
KINDS = (("All events", 0), ("Warnings and errors", ALARM), ("Errors", ALARM + 1))
LOOK_MS = 300
AFTER_S = 1e-3  # the next event is at least so much later


class Events(QWidget):
    """Lists the events; a click moves the playhead there.

    Attributes:
        list: the lines.
    """

    def __init__(self, run: Run, playback: Playback) -> None:
        super().__init__()
        self._run, self._playback = run, playback
        self._shown: list[Noted] = []
        self._seen = 0
        self.list = QTreeWidget()
        self.list.setAccessibleName("Events")
        self.list.setHeaderLabels(["Time", "Who", "What"])
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setAlternatingRowColors(True)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.list.setColumnWidth(0, 96)
        self.list.setColumnWidth(1, 96)
        self.list.header().setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
        self.list.itemClicked.connect(self._go)
        self.list.itemActivated.connect(self._go)
        self.kind, self.search = QComboBox(), QLineEdit()
        self.kind.setAccessibleName("Kinds of events")
        for text, least in KINDS:
            self.kind.addItem(text, least)
        self.search.setPlaceholderText("Search")
        self.search.setAccessibleName("Search the events")
        self.search.setClearButtonEnabled(True)
        self._count = QLabel()
        self._count.setStyleSheet(f"color: {theme.MUTED};")
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.kind)
        row.addWidget(self.search, 1)
        row.addWidget(self._count)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.GAP, 2, theme.GAP, 4)
        column.setSpacing(4)
        column.addLayout(row)
        column.addWidget(self.list, 1)
        self.kind.currentIndexChanged.connect(self._refill)
        self.search.textChanged.connect(self._refill)
        self._timer = QTimer(self, interval=LOOK_MS)
        self._timer.timeout.connect(self._look)
        self._timer.start()
        playback.moved.connect(self._follow)
        self._look()

    def next(self, alarms: bool) -> None:
        """Go to the next event, or the next alarm."""
        after_s = self._playback.time_s + AFTER_S
        found = [event.time_s for event in self._jumps(alarms) if event.time_s > after_s]
        self._jump(found[:1])

    def previous(self, alarms: bool) -> None:
        """Go to the event, or the alarm, before."""
        before_s = self._playback.time_s - AFTER_S
        found = [event.time_s for event in self._jumps(alarms) if event.time_s < before_s]
        self._jump(found[-1:])

    def _jumps(self, alarms: bool) -> list[Noted]:
        digest = self._run.digest
        return digest.alarms() if alarms else list(digest.events)

    def _jump(self, found: list[float]) -> None:
        for time_s in found:
            self._playback.stand()
            self._playback.go(time_s)

    def _look(self) -> None:
        """Add the events that the digest has found since."""
        digest = self._run.digest
        if len(digest.events) != self._seen:
            new = digest.events[self._seen :]
            self._seen += len(new)
            self._append([event for event in new if self._admits(event)])
        if digest.done:
            self._timer.stop()

    def _refill(self) -> None:
        self.list.clear()
        self._shown.clear()
        self._append([e for e in self._run.digest.events[: self._seen] if self._admits(e)])

    def _admits(self, event: Noted) -> bool:
        wanted = self.search.text().casefold()
        return event.severity >= int(self.kind.currentData()) and (
            wanted in event.text.casefold() or wanted in event.actor.casefold()
        )

    def _append(self, events: list[Noted]) -> None:
        items = []
        for event in events:
            tone = TONES.get(event.severity, theme.IDLE)
            what = f"{tone.mark} {event.text}"
            item = QTreeWidgetItem([clock_text(event.time_s), event.actor, what])
            item.setForeground(0, QColor(theme.MUTED))
            if event.severity >= ALARM:
                item.setForeground(2, QColor(tone.colour))
            item.setToolTip(2, event.text)
            items.append(item)
        self._shown += events
        self.list.addTopLevelItems(items)
        self._count.setText(f"{len(self._shown)} of {self._seen}")

    def _go(self, item: QTreeWidgetItem) -> None:
        event = self._shown[self.list.indexOfTopLevelItem(item)]
        self._playback.stand()
        self._playback.go(event.time_s)

    def _follow(self) -> None:
        """Select the last event before the playhead."""
        at = bisect.bisect_right(self._shown, self._playback.time_s + AFTER_S, key=_time) - 1
        item = self.list.topLevelItem(at) if at >= 0 else None
        if item is not None and item is not self.list.currentItem():
            self.list.setCurrentItem(item)
            self.list.scrollToItem(item, QAbstractItemView.ScrollHint.EnsureVisible)


def _time(event: Noted) -> float:
    return event.time_s
