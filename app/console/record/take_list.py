"""The list of takes, with a picture of each."""

import datetime
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QIcon, QKeyEvent, QPixmap
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from app.console.gestures.thumbnails import Thumbnails
from app.console.record.takes import TakeEntry
from app.console.toolkit import theme

PICTURE_PX = 44
PATH = Qt.ItemDataRole.UserRole
MODE = QHeaderView.ResizeMode
COLUMNS = ("Take", "Length", "Limbs", "When", "State")
YIELDING = "Limbs"  # the column that is cut where there is no room


class TakeList(QTreeWidget):
    """One row a take, the newest first.

    Signals:
        opened: a take shall become a motion: its entry.
        looked_at: another take is chosen: its entry, or None.
    """

    opened = Signal(object)
    looked_at = Signal(object)

    def __init__(self, thumbnails: Thumbnails, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._thumbnails = thumbnails
        self._entries: dict[Path, TakeEntry] = {}
        self._limbs: dict[str, str] = {}
        self.setObjectName("takes")
        self.setAccessibleName("Takes")
        self.setHeaderLabels(list(COLUMNS))
        self.setRootIsDecorated(False)
        self.setIconSize(QSize(PICTURE_PX, PICTURE_PX))
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setAlternatingRowColors(True)
        self.setUniformRowHeights(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        header = self.header()
        header.setStretchLastSection(False)
        for column, word in enumerate(COLUMNS):
            mode = MODE.Stretch if word == YIELDING else MODE.ResizeToContents
            header.setSectionResizeMode(column, mode)
        self.setMinimumHeight(PICTURE_PX + 40)
        self.itemDoubleClicked.connect(lambda item, _: self._open())
        self.currentItemChanged.connect(lambda item, _: self.looked_at.emit(self.current()))
        thumbnails.made.connect(self._take_picture)

    def current(self) -> TakeEntry | None:
        """Return the chosen take, or None."""
        item = self.currentItem()
        return None if item is None else self._entries.get(item.data(0, PATH))

    def fill(self, entries: tuple[TakeEntry, ...], limbs: dict[str, str]) -> None:
        """List takes; the chosen one stays chosen.

        Args:
            entries: the takes.
            limbs: title of each limb by its name.
        """
        chosen = self.current()
        self._entries, self._limbs = {entry.path: entry for entry in entries}, limbs
        self.blockSignals(True)
        self.clear()
        for entry in entries:
            sound = "" if entry.sound_s is None else " ♪"
            item = QTreeWidgetItem([entry.name + sound, *self._words(entry)])
            item.setData(0, PATH, entry.path)
            item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            heard = "" if entry.sound_s is None else f", with a sound of {entry.sound_s:.1f} s"
            item.setToolTip(0, entry.trouble or f"{entry.path}{heard}")
            item.setToolTip(2, item.text(2))
            self._picture(item, entry)
            self.addTopLevelItem(item)
            if chosen is not None and chosen.path == entry.path:
                self.setCurrentItem(item)
        self.blockSignals(False)
        first = self.topLevelItem(0)
        if self.currentItem() is None and first is not None:
            self.setCurrentItem(first)

    def choose(self, path: Path) -> None:
        """Choose a take, if it is listed."""
        for row in range(self.topLevelItemCount()):
            item = self.topLevelItem(row)
            if item is not None and item.data(0, PATH) == path:
                self.setCurrentItem(item)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Open the chosen take on Enter."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._open()
        else:
            super().keyPressEvent(event)

    def _open(self) -> None:
        entry = self.current()
        if entry is not None:
            self.opened.emit(entry)

    def _words(self, entry: TakeEntry) -> tuple[str, ...]:
        when = datetime.datetime.fromtimestamp(entry.changed_s)
        date = f"{when:%H:%M:%S}" if when.date() == datetime.date.today() else f"{when:%d %b %H:%M}"
        if entry.trouble:
            return "", "", date, f"{theme.BAD.mark} unreadable"
        limbs = ", ".join(self._limbs.get(name, name) for name in entry.limbs)
        if entry.head is not None and entry.head.backing_take:
            limbs += f" over {entry.head.backing_take}"
        state = f"{theme.GOOD.mark} whole" if entry.whole else f"{theme.WARN.mark} cut short"
        if entry.moved is not None:
            state = f"{theme.GOOD.mark} imported"
        if entry.markers:
            state += f", {entry.markers} marker{'s' if entry.markers > 1 else ''}"
        return f"{entry.duration_s:.1f} s", limbs, date, state

    def _picture(self, item: QTreeWidgetItem, entry: TakeEntry) -> None:
        image = None if entry.pose is None else self._thumbnails.of(entry.pose)
        if image is None:
            blank = QPixmap(PICTURE_PX, PICTURE_PX)
            blank.fill(Qt.GlobalColor.transparent)
            item.setIcon(0, QIcon(blank))
        else:
            item.setIcon(0, QIcon(QPixmap.fromImage(image)))

    def _take_picture(self, name: str) -> None:
        for row in range(self.topLevelItemCount()):
            item = self.topLevelItem(row)
            entry = None if item is None else self._entries.get(item.data(0, PATH))
            if item is not None and entry is not None and entry.name == name:
                self._picture(item, entry)
