"""The list of the show's poses, with a picture each."""

from collections.abc import Mapping

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QIcon, QKeyEvent, QPixmap
from PySide6.QtWidgets import QAbstractItemView, QListWidget, QListWidgetItem, QWidget

from app.console.gestures.thumbnails import Thumbnails
from app.console.toolkit.name_line import NameLine
from shows.pose import Pose

PICTURE_PX = 52
NAME = Qt.ItemDataRole.UserRole


class PoseList(QListWidget):
    """Lists poses by title; several can be chosen, in any order.

    Signals:
        opened: name of the pose that the operator chose.
        renamed: name of a pose, and its new title.
    """

    opened = Signal(str)
    renamed = Signal(str, str)

    def __init__(self, thumbnails: Thumbnails, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._thumbnails = thumbnails
        self._poses: dict[str, Pose] = {}
        self.setAccessibleName("Poses of the show")
        self.setIconSize(QSize(PICTURE_PX, PICTURE_PX))
        self.setUniformItemSizes(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setToolTip("Click a pose to edit it; Ctrl+click chooses several; F2 renames")
        thumbnails.made.connect(self._take_picture)
        self.itemClicked.connect(self._open)

    def fill(self, poses: Mapping[str, Pose], search: str = "") -> None:
        """List the poses whose title or tags have every word that is searched."""
        chosen, current = set(self.chosen()), self.current()
        words = search.casefold().split()
        self._poses = {
            name: pose
            for name, pose in sorted(poses.items(), key=lambda item: item[1].label.casefold())
            if all(word in " ".join((pose.label, *pose.tags)).casefold() for word in words)
        }
        self.blockSignals(True)
        self.clear()
        for name, pose in self._poses.items():
            item = QListWidgetItem(pose.label)
            item.setData(NAME, name)
            limbs = len(pose.angles)
            item.setToolTip(f"{pose.label}: {pose.source}, {limbs} joints")
            self.addItem(item)
            self._picture(item, pose)
            item.setSelected(name in chosen)
            if name == current:
                self.setCurrentItem(item)
                item.setSelected(name in chosen)
        self.blockSignals(False)

    def chosen(self) -> tuple[str, ...]:
        """Return the names of the chosen poses, in the order of the list."""
        items = (self.item(row) for row in range(self.count()))
        return tuple(str(item.data(NAME)) for item in items if item and item.isSelected())

    def current(self) -> str:
        """Return the name of the current pose; empty without one."""
        item: QListWidgetItem | None = self.currentItem()
        return "" if item is None else str(item.data(NAME))

    def choose(self, name: str) -> None:
        """Choose one pose without opening it; none if it is not listed."""
        self.blockSignals(True)
        self.clearSelection()
        self.setCurrentRow(-1)
        for row in range(self.count()):
            item = self.item(row)
            if item is not None and item.data(NAME) == name:
                self.setCurrentItem(item)
        self.blockSignals(False)

    def edit_name(self) -> None:
        """Let the operator type another title for the current pose."""
        name = self.current()
        item: QListWidgetItem | None = self.currentItem()
        if item is None or name not in self._poses:
            return
        place = self.visualItemRect(item)
        place.setLeft(PICTURE_PX + 10)
        pose = self._poses[name]
        NameLine(
            self.viewport(),
            place,
            pose.label,
            f"Name of {pose.label}",
            lambda title: self.renamed.emit(name, title),
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Open the current pose again on Enter; Space is GO's."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._open(self.currentItem())
        elif event.key() == Qt.Key.Key_Space:
            event.ignore()
        else:
            before = self.current()
            super().keyPressEvent(event)
            if self.current() != before:
                self._open(self.currentItem())

    def _open(self, item: QListWidgetItem | None) -> None:
        """Open a pose; while several are chosen, none is opened."""
        if item is not None and len(self.chosen()) == 1:
            self.opened.emit(str(item.data(NAME)))

    def _picture(self, item: QListWidgetItem, pose: Pose) -> None:
        image = self._thumbnails.of(pose.still)
        if image is None:
            blank = QPixmap(PICTURE_PX, PICTURE_PX)
            blank.fill(Qt.GlobalColor.transparent)
            item.setIcon(QIcon(blank))
        else:
            item.setIcon(QIcon(QPixmap.fromImage(image)))

    def _take_picture(self, name: str) -> None:
        for row in range(self.count()):
            item = self.item(row)
            if item is not None and item.data(NAME) == name and name in self._poses:
                self._picture(item, self._poses[name])
