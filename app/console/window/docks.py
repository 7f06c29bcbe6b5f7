"""The window's movable part: panels as docks around the cue list, and where they were left."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QByteArray, QEvent, QSettings, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow, QWidget

VERSION = 7  # of the saved layout; another set of docks needs another number
NARROW_PX = 1250  # below this width panels share one column as tabs
ROWS = {"bottom": 0.28, "right": 0.33, "right second": 0.465}  # share of the height
LOW = 0.24  # "bottom" in a narrow window, where the pads need the height
WIDE = {"left": 0.20, "right": 0.38}  # share of the width
NARROW = {"right": 0.40}
STUDIO = {"right": 0.40}
STUDIO_ROWS = {"top": 0.38, "bottom": 0.37}
SMALL_PX = 90  # height of a panel that shows a single line
SETTLED_MS = 150  # after the last change of the window's size
LAST = 0.34  # share of the width for "bottom second"
AREAS = {
    "left": Qt.DockWidgetArea.LeftDockWidgetArea,
    "right": Qt.DockWidgetArea.RightDockWidgetArea,
    "bottom": Qt.DockWidgetArea.BottomDockWidgetArea,
    "top": Qt.DockWidgetArea.TopDockWidgetArea,
}


@dataclass(frozen=True, slots=True)
class Dock:
    """One panel that can be moved.

    Attributes:
        name: in the saved layout.
        title: above it.
        panel: its content.
        wide: its area in a wide window; those of one area are tabs, "right second" lies
            below "right", "bottom second" beside "bottom".
        narrow: its area in a narrow one.
        key: brings it to the front.
        studio: its area in the arrangement for recording.
    """

    name: str
    title: str
    panel: QWidget
    wide: str
    narrow: str
    key: str
    studio: str


class Docks(QMainWindow):
    """Owns the docks; a part of the window, so that no dock covers its neighbours.

    Docks can be moved and closed but not torn off: a floating window could cover STOP.

    Attributes:
        bringers: bring a panel to the front, one each, for the View menu.
        studio: the panels are arranged for recording, without the cue list.

    Signals:
        studio_changed: the arrangement for recording begins or ends.
        seen_changed: name of a panel, and whether it is in front; one behind others counts as
            visible for Qt.
    """

    studio_changed = Signal(bool)
    seen_changed = Signal(str, bool)

    def __init__(
        self, centre: QWidget, docks: Sequence[Dock], place: Path, parent: QWidget | None = None
    ) -> None:
        """Put everything where it was left.

        Args:
            centre: the widget between the docks.
            docks: the panels.
            place: file of the layout.
            parent: the window.
        """
        super().__init__(parent, Qt.WindowType.Widget)
        self.setObjectName("docks")
        self.setDockNestingEnabled(True)
        self.setCorner(Qt.Corner.TopRightCorner, Qt.DockWidgetArea.RightDockWidgetArea)
        self.studio = False
        self.setCentralWidget(centre)
        self._settings = QSettings(str(place), QSettings.Format.IniFormat)
        self._docks = {dock.name: self._make(dock) for dock in docks}
        self._table = tuple(docks)
        self._splits: dict[tuple[int, int], QByteArray] = {}  # by the size of the window
        self._settled = QTimer(self, singleShot=True, interval=SETTLED_MS)
        self._settled.timeout.connect(self._take_split)
        self.tabifiedDockWidgetActivated.connect(lambda _: self._note())
        self.bringers = [self._action(dock) for dock in docks]

    def _make(self, dock: Dock) -> QDockWidget:
        widget = QDockWidget(dock.title, self)
        widget.setObjectName(dock.name)
        widget.setWidget(dock.panel)
        widget.visibilityChanged.connect(lambda seen: None if seen else _let_go(widget))
        widget.visibilityChanged.connect(lambda seen: self.seen_changed.emit(dock.name, seen))
        widget.setFeatures(
            QDockWidget.DockWidgetFeature.DockWidgetMovable
            | QDockWidget.DockWidgetFeature.DockWidgetClosable
        )
        return widget

    def _action(self, dock: Dock) -> QAction:
        action = QAction(dock.title, self)
        action.setShortcut(QKeySequence(dock.key))
        action.setToolTip(f"Bring {dock.title} to the front ({dock.key})")
        action.triggered.connect(lambda: self.bring(dock.name))
        return action

    @property
    def widgets(self) -> tuple[QDockWidget, ...]:
        """The docks, in the order in which they were given."""
        return tuple(self._docks.values())

    def bring(self, name: str) -> None:
        """Show a panel, in front of those that share its place, and give it the keyboard."""
        widget = self._docks[name]
        widget.show()
        widget.raise_()
        panel = widget.widget()
        if panel is not None:
            panel.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._note()

    def restore(self) -> None:
        """Put the docks where they were left in a window of this width, or where they belong."""
        self._settings.beginGroup(self._group)
        studio = self._settings.value("studio", "") == "true"
        state = self._settings.value("docks")
        self._settings.endGroup()
        self._set_studio(studio)
        if state is None or not self.restoreState(state, VERSION):
            self.arrange(studio)
        self._note()

    def arrange(self, studio: bool = False) -> None:
        """Put the docks where they belong in a window of this width.

        Args:
            studio: for recording: the stage takes the place of the cue list.
        """
        self._set_studio(studio)
        width = self.width()
        narrow = width < NARROW_PX
        first: dict[str, QDockWidget] = {}
        tabs: list[tuple[str, str, QDockWidget]] = []
        for dock in self._table:
            place, widget = dock.narrow if narrow else dock.wide, self._docks[dock.name]
            place = dock.studio if studio else place
            area, _, second = place.partition(" ")
            widget.show()
            if place in first:
                tabs.append((place, area, widget))
                continue
            self.addDockWidget(AREAS[area], widget)
            if second:
                way = Qt.Orientation.Horizontal if area == "bottom" else Qt.Orientation.Vertical
                self.splitDockWidget(first[area], widget, way)
            first[place] = widget
        for place, area, widget in tabs:  # Qt splits no dock that has tabs
            self.addDockWidget(AREAS[area], widget)
            self.tabifyDockWidget(first[place], widget)
        for widget in first.values():
            widget.raise_()
        shares = STUDIO if studio else NARROW if narrow else WIDE
        columns = [place for place in shares if place in first]
        self.resizeDocks(
            [first[place] for place in columns],
            [int(shares[place] * width) for place in columns],
            Qt.Orientation.Horizontal,
        )
        heights = STUDIO_ROWS if studio else ROWS | ({"bottom": LOW} if narrow else {})
        rows = [(place, share) for place, share in heights.items() if place in first]
        self.resizeDocks(
            [first[place] for place, _ in rows],
            [int(share * self.height()) for _, share in rows],
            Qt.Orientation.Vertical,
        )

        if "bottom second" in first:
            self.resizeDocks(
                [first["bottom"], first["bottom second"]],
                [int((1.0 - LAST) * width), int(LAST * width)],
                Qt.Orientation.Horizontal,
            )
        self._splits = {}  # tabs that came to the front meanwhile have noted unfinished splits
        self._settled.start()

    def _set_studio(self, studio: bool) -> None:
        if studio is not self.studio:
            self.studio = studio
            self.studio_changed.emit(studio)

    def shrink(self, name: str) -> None:
        """Give a panel the least height, and the rest to the panel above or below it."""
        self.resizeDocks([self._docks[name]], [SMALL_PX], Qt.Orientation.Vertical)
        self._note()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Look for the split of this size once it has come to rest."""
        super().resizeEvent(event)
        self._settled.start()

    def event(self, event: QEvent) -> bool:
        """Note the split that the operator has made by dragging."""
        done = super().event(event)
        if event.type() == QEvent.Type.MouseButtonRelease:
            self._note()
        return done

    def _note(self) -> None:
        """Note that the operator, or the program, has chosen how this size is split."""
        self._splits = {self._size: self.saveState(VERSION)}

    @property
    def _size(self) -> tuple[int, int]:
        return self.width(), self.height()

    def _take_split(self) -> None:
        """Split a size as it was split before: a window that was small for a while comes back."""
        split = self._splits.get(self._size)
        if split is None:
            self._splits[self._size] = self.saveState(VERSION)
        elif split != self.saveState(VERSION):
            self.restoreState(split, VERSION)

    def keep(self) -> None:
        """Remember where the docks are in a window of this width."""
        self._settings.beginGroup(self._group)
        self._settings.setValue("docks", self.saveState(VERSION))
        self._settings.setValue("studio", "true" if self.studio else "")
        self._settings.endGroup()
        self._settings.sync()

    @property
    def _group(self) -> str:
        """Name of the settings of this width: docks of a wide window cover each other in others."""
        return "narrow" if self.width() < NARROW_PX else "wide"


def _let_go(dock: QDockWidget) -> None:
    """Take the keys from a panel that another one covers: nothing unseen may act on them."""
    focus = QApplication.focusWidget()
    if focus is not None and dock.isAncestorOf(focus):
        focus.clearFocus()
