"""The page lists what the window's actions say, and can be taken along."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QDockWidget, QMainWindow
from pytestqt.qtbot import QtBot

from app.console.context.notices import Notices
from app.console.help.shortcuts import (
    UNLISTED,
    KeyLine,
    ShortcutsSheet,
    actions_of,
    as_html,
    as_text,
    key_lines,
    print_pdf,
)
from core.link.event import Event

GO = KeyLine("Show", "Space", "GO")


def window(qtbot: QtBot) -> QMainWindow:
    found = QMainWindow()
    qtbot.addWidget(found)
    menu = found.menuBar().addMenu("&File")
    save = QAction("&Save", found)
    save.setShortcut("Ctrl+S")
    save.setToolTip("Save the show (Ctrl+S)")
    menu.addAction(save)
    again = QAction("Save &as…", found)
    again.setShortcuts([QKeySequence("Ctrl+Shift+S"), QKeySequence("F12")])
    menu.addAction(again)
    menu.addSeparator()
    menu.addAction(QAction("No key", found))
    menu.addMenu("Recent")
    return found


def test_every_action_with_a_key_is_a_line(qtbot: QtBot) -> None:
    of = window(qtbot)
    lines = key_lines(actions_of(of), [GO])
    assert lines == [
        GO,
        KeyLine("File", "Ctrl+S", "Save the show"),
        KeyLine("File", "Ctrl+Shift+S or F12", "Save as"),
    ]
    assert as_text(lines).splitlines()[:2] == ["Show", "  Space                GO"]
    assert "<b>Ctrl+S</b>" in as_html(lines)


def test_the_page_is_filtered_and_copied(qtbot: QtBot) -> None:
    of = window(qtbot)
    lines = key_lines(actions_of(of), [GO])
    sheet = ShortcutsSheet(lines, Notices(), lambda then: None)
    qtbot.addWidget(sheet)
    sheet.filter_edit.setText("shift")
    show, file = sheet.list.topLevelItem(0), sheet.list.topLevelItem(1)
    assert show is not None
    assert file is not None
    assert show.isHidden()
    hidden = [item.isHidden() for i in range(2) if (item := file.child(i)) is not None]
    assert hidden == [True, False]
    sheet.copy()
    assert QGuiApplication.clipboard().text() == as_text(lines)


def test_it_is_printed_or_told_why_not(qtbot: QtBot, tmp_path: Path) -> None:
    notices, said = Notices(), list[Event]()
    notices.said.connect(said.append)
    places = [tmp_path / "keys.pdf", tmp_path / "nowhere" / "keys.pdf"]

    def choose(then: Callable[[Path], None]) -> None:
        then(places.pop(0))

    sheet = ShortcutsSheet([GO], notices, choose)
    qtbot.addWidget(sheet)
    sheet.print_page()
    assert (tmp_path / "keys.pdf").read_bytes().startswith(b"%PDF")
    sheet.print_page()
    assert [event.severity for event in said] == ["info", "error"]
    print_pdf([GO], tmp_path / "again.pdf")


def test_keys_that_are_told_together_are_told_once_and_a_panel_is_a_group(qtbot: QtBot) -> None:
    of = window(qtbot)
    dock = QDockWidget("Gestures", of)
    for place in (1, 2):
        action = QAction(f"Favourite {place}", dock)
        action.setShortcut(str(place))
        action.setProperty(UNLISTED, True)
    search = QAction("Search gestures", dock)
    search.setShortcut("Ctrl+G")
    search.setToolTip("Search gestures  [Ctrl+G]")
    together = KeyLine("Gestures", "1 to 9", "Play the favourite of this place")
    lines = key_lines(actions_of(of), [GO, together])
    assert lines[1:3] == [together, KeyLine("Gestures", "Ctrl+G", "Search gestures")]
    groups = [line.group for line in lines]
    assert groups == sorted(groups, key=groups.index)
