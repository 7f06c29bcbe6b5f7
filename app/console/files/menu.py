"""The File menu: every way in and out of the document, with its key."""

from collections.abc import Callable

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from app.console.files.desk import FileDesk
from app.console.files.publisher import Publisher
from app.console.preferences import PreferencesStore
from app.console.preferences_sheet import PreferencesSheet
from app.console.sheet import SheetHost


class FileMenu(QMenu):
    """Asks the file desk.

    Attributes:
        recent: the shows that were open lately; those that are missing are marked and greyed.
    """

    def __init__(
        self,
        desk: FileDesk,
        publisher: Publisher,
        sheets: SheetHost,
        preferences: PreferencesStore,
        window: QWidget,
    ) -> None:
        """Build the menu.

        Args:
            desk: does it.
            publisher: gives the core the document again.
            sheets: where the preferences come up.
            preferences: the settings.
            window: owns the menu, and is closed by Quit.
        """
        super().__init__("&File", window)
        self.setToolTipsVisible(True)
        self._desk = desk
        standard = QKeySequence.StandardKey
        self._add("&New show", standard.New, "Begin an empty show", desk.new)
        self._add("&Open…", standard.Open, "Open a show's folder or zip", desk.choose)
        self.recent = QMenu("Open &recent", self)
        self.recent.setToolTipsVisible(True)
        self.addMenu(self.recent)
        self._add("Re&cover…", None, "Open what a crashed console left", desk.offer_all)
        self.addSeparator()
        self._add("&Save", standard.Save, "Save the show where it lies", desk.save)
        keys = QKeySequence("Ctrl+Shift+S")
        self._add("Save &as…", keys, "Save the show at another place", desk.save_as)
        self.addSeparator()
        tip = "Give the core this version of the show at once, or again"
        self._add("Send &to core", QKeySequence("Ctrl+Return"), tip, publisher.publish)
        self.addSeparator()
        self._add(
            "&Preferences…",
            QKeySequence("Ctrl+,"),
            "Change how the console behaves",
            lambda: sheets.show_sheet(PreferencesSheet(preferences)),
        )
        self.addSeparator()
        tip = "Close the console; the core goes on"
        self._add("&Quit", QKeySequence("Ctrl+Q"), tip, window.close)
        desk.recent.changed.connect(self._list)
        self.recent.aboutToShow.connect(desk.recent.refresh)
        self._list()

    def _add(
        self,
        text: str,
        keys: QKeySequence | QKeySequence.StandardKey | None,
        tip: str,
        act: Callable[[], object],
    ) -> None:
        action = QAction(text, self)
        if keys is not None:
            action.setShortcut(QKeySequence(keys))
            tip = f"{tip} ({action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)})"
        action.setToolTip(tip)
        action.setStatusTip(tip)
        action.triggered.connect(lambda: act())
        self.addAction(action)

    def _list(self) -> None:
        self.recent.clear()
        for show in self._desk.recent.shows:
            action = self.recent.addAction(show.text.replace("&", "&&"))
            action.setEnabled(show.there)
            action.setToolTip(str(show.path))
            action.triggered.connect(lambda _=False, path=show.path: self._desk.open(path))
        if self._desk.recent.shows:
            self.recent.addSeparator()
            self.recent.addAction("Forget these").triggered.connect(self._desk.recent.forget)
        self.recent.setEnabled(bool(self._desk.recent.shows))
