"""The window's sheets that belong to no panel: manual, keys, preferences, about."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

from app.console.context.context import Context
from app.console.files.chooser import ChooserSheet
from app.console.help.about import AboutSheet
from app.console.help.manual import ManualSheet
from app.console.help.shortcuts import KeyLine, ShortcutsSheet, actions_of, key_lines
from app.console.preferences.sheet import PreferencesSheet
from app.console.toolkit.sheet import SheetHost

KEYS = (  # taken by panels themselves
    KeyLine("Stop", "F12", "STOP: every joint goes limp and damped; works everywhere"),
    KeyLine("Stop", "Esc", "Cancel the clip; once more within 3 s: hold"),
    KeyLine("Show", "Space", "GO: start the cue on standby"),
    KeyLine(
        "Show", "Enter", "In the cue list: put the selected cue on standby; on a button: press"
    ),
    KeyLine("Show", "[  ]  Pause", "Pause; resume; either"),
    KeyLine("By hand", "Shift + arrows", "On the walk pad: walk while Shift is held"),
    KeyLine("By hand", "Ctrl + Shift + arrows", "On the walk pad: run, if the robot runs"),
    KeyLine("By hand", "Shift + PgUp", "On the walk pad: jump, if the robot jumps"),
    KeyLine("Gestures", "1 to 9", "Play the favourite of this place"),
)


class WindowHelp(QObject):
    """Opens the sheets."""

    def __init__(self, window: QMainWindow, context: Context, sheets: SheetHost) -> None:
        super().__init__(window)
        self._window, self._context, self._sheets = window, context, sheets

    def fill(self, menu: QMenu) -> None:
        """Add the help actions to a menu."""
        for text, key, act in (
            ("Manual", "F1", self.show_manual),
            ("Keys", "Ctrl+F1", self.show_keys),
            ("About Footlight", "", self.show_about),
        ):
            action = QAction(text, self._window)
            action.setShortcut(QKeySequence(key))
            action.triggered.connect(_plain(act))
            menu.addAction(action)

    def show_manual(self) -> None:
        """Open the operator's manual."""
        self._sheets.show_sheet(ManualSheet(self._context.notices))

    def show_keys(self) -> None:
        """Open the page of keys."""
        lines = key_lines(actions_of(self._window), KEYS)
        self._sheets.show_sheet(ShortcutsSheet(lines, self._context.notices, self._choose_pdf))

    def show_preferences(self) -> None:
        """Open the preferences."""
        sound = self._context.link.sound
        devices = () if sound is None else sound.devices
        self._sheets.show_sheet(PreferencesSheet(self._context.preferences, devices))

    def show_about(self) -> None:
        """Open the page about this program and its parts."""
        self._sheets.show_sheet(AboutSheet())

    def _choose_pdf(self, then: Callable[[Path], None]) -> None:
        self._sheets.show_sheet(
            ChooserSheet("Print to", Path.home(), then, name="keys", suffix=".pdf")
        )


def _plain(act: Callable[[], None]) -> Callable[[bool], None]:
    return lambda _checked: act()
