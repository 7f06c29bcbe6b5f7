"""The Help menu: the manual, chapter by chapter, the keys, and what the program is made of."""

from collections.abc import Callable, Iterable
from pathlib import Path

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from app.console.about import AboutSheet
from app.console.files.chooser import ChooserSheet
from app.console.help import INDEX, MANUAL, ManualSheet, chapters
from app.console.notices import Notices
from app.console.sheet import SheetHost
from app.console.shortcuts_page import KeyLine, ShortcutsSheet, actions_of, key_lines


class HelpMenu(QMenu):
    """Brings up sheets; GO and the stop ladder go on working beside them."""

    def __init__(
        self,
        window: QWidget,
        sheets: SheetHost,
        notices: Notices,
        keys: Iterable[KeyLine] = (),
    ) -> None:
        """Build the menu.

        Args:
            window: owns the menu; its actions are listed among the keys.
            sheets: where pages come up.
            notices: is told what went wrong.
            keys: keys that panels take themselves, the stop ladder first.
        """
        super().__init__("&Help", window)
        self.setToolTipsVisible(True)
        self._window, self._sheets, self._notices = window, sheets, notices
        self._keys = tuple(keys)
        self._add("&Manual", "F1", "Read the manual", self.open_manual)
        part = QMenu("&Chapters", self)
        for chapter in chapters(MANUAL):
            if chapter.path.name != INDEX:
                name = chapter.path.name
                action = part.addAction(chapter.title)
                action.triggered.connect(lambda _=False, name=name: self.open_manual(name))
        self.addMenu(part)
        self._add("&Keys", "Ctrl+F1", "List every key of the console", self.open_keys)
        self.addSeparator()
        self._add("&About", "", "Version and licences", lambda: sheets.show_sheet(AboutSheet()))

    def open_manual(self, chapter: str = INDEX) -> None:
        """Show the manual at a chapter; a manual that is open already turns there."""
        sheet = self._sheets.top
        if isinstance(sheet, ManualSheet):
            sheet.open(chapter)
        else:
            self._sheets.show_sheet(ManualSheet(self._notices, chapter=chapter))

    def open_keys(self) -> None:
        """Show every key."""
        lines = key_lines(actions_of(self._window), self._keys)
        self._sheets.show_sheet(ShortcutsSheet(lines, self._notices, self._choose_pdf))

    def _choose_pdf(self, chosen: Callable[[Path], None]) -> None:
        self._sheets.show_sheet(
            ChooserSheet(
                "Print the keys to a PDF", Path.home(), chosen, "footlight_keys.pdf", ".pdf"
            )
        )

    def _add(self, text: str, keys: str, tip: str, act: Callable[[], object]) -> None:
        action = self.addAction(text)
        if keys:
            action.setShortcut(QKeySequence(keys))
            tip = f"{tip} ({keys})"
        action.setToolTip(tip)
        action.setStatusTip(tip)
        action.triggered.connect(lambda: act())
