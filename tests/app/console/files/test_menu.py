"""The menus ask the file desk, mark what is missing, and bring up their pages as sheets."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QMainWindow, QWidget
from pytestqt.qtbot import QtBot

from app.console.about import AboutSheet
from app.console.context import Context
from app.console.files.chooser import ChooserSheet
from app.console.files.desk import FileDesk
from app.console.files.menu import FileMenu
from app.console.files.publisher import Publisher
from app.console.help import ManualSheet
from app.console.help_menu import HelpMenu
from app.console.preferences_sheet import PreferencesSheet
from app.console.sheet import Sheet, SheetHost
from app.console.shortcuts_page import KeyLine, ShortcutsSheet
from tests.app.console.files.rig import saved


class Window(QMainWindow):
    """A window with the two menus."""

    def __init__(self, context: Context, folder: Path) -> None:
        super().__init__()
        area = QWidget()
        self.setCentralWidget(area)
        self.sheets = SheetHost(area)
        self.desk = FileDesk(context, self.sheets, folder / "state", folder / "config")
        self.publisher = Publisher(
            context.link, context.document, context.notices, folder / "stage"
        )
        preferences = context.preferences
        self.file = FileMenu(self.desk, self.publisher, self.sheets, preferences, self)
        keys = [KeyLine("Show", "Space", "GO")]
        self.help = HelpMenu(self, self.sheets, context.notices, keys)
        self.menuBar().addMenu(self.file)
        self.menuBar().addMenu(self.help)
        self.resize(1000, 700)

    def press(self, words: str) -> Sheet | None:
        """Trigger an action and return the sheet that came up."""
        for menu in (self.file, self.help):
            for action in menu.actions():
                if action.text().replace("&", "") == words:
                    action.trigger()
        return self.sheets.top


@pytest.fixture
def window(context: Context, tmp_path: Path, qtbot: QtBot) -> Iterator[Window]:
    found = Window(context, tmp_path)
    qtbot.addWidget(found)
    found.show()
    yield found
    while found.sheets.top is not None:
        found.sheets.top.dismiss()
    found.desk.shut_down()
    found.publisher.close()


def test_pages_come_up_as_sheets(window: Window) -> None:
    for words, kind in (
        ("Open…", ChooserSheet),
        ("Save as…", ChooserSheet),
        ("Preferences…", PreferencesSheet),
        ("Manual", ManualSheet),
        ("Keys", ShortcutsSheet),
        ("About", AboutSheet),
    ):
        sheet = window.press(words)
        assert isinstance(sheet, kind), words
        sheet.dismiss()


def test_every_action_says_what_it_does_and_its_key(window: Window) -> None:
    for menu in (window.file, window.help):
        for action in menu.actions():
            if action.menu() is None and not action.isSeparator():
                keys = action.shortcut().toString()
                assert len(action.toolTip()) > 10
                assert keys in action.toolTip()


def test_the_keys_of_the_menus_are_listed(window: Window) -> None:
    sheet = window.press("Keys")
    assert isinstance(sheet, ShortcutsSheet)
    groups = {}
    for row in range(sheet.list.topLevelItemCount()):
        item = sheet.list.topLevelItem(row)
        assert item is not None
        groups[item.text(0)] = item.childCount()
    assert groups == {"Show": 1, "File": 7, "Help": 2}


def test_a_missing_recent_show_is_marked(
    window: Window, context: Context, tmp_path: Path, qtbot: QtBot
) -> None:
    here, gone = saved(tmp_path / "here"), tmp_path / "gone"
    window.desk.recent.add(gone)
    window.desk.recent.add(here)
    qtbot.waitUntil(lambda: len(window.desk.recent.shows) == 2)
    first, second = window.file.recent.actions()[:2]
    assert first.isEnabled()
    assert not second.isEnabled()
    assert "missing" in second.text()
    qtbot.waitUntil(lambda: window.desk.robot.table is not None)
    with qtbot.waitSignal(window.desk.opened, timeout=5000):
        first.trigger()
    assert context.document.path == here
    window.file.recent.actions()[-1].trigger()
    qtbot.waitUntil(lambda: not window.file.recent.isEnabled())


def test_the_manual_turns_to_a_chapter(window: Window) -> None:
    window.help.open_manual("robot.md")
    sheet = window.sheets.top
    assert isinstance(sheet, ManualSheet)
    window.help.open_manual("shows.md")
    assert window.sheets.top is sheet
    assert sheet.page.source().fileName() == "shows.md"
