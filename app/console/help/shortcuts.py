"""Every key of the console on one page, made from the actions themselves; to copy and to print."""

import html
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QMarginsF
from PySide6.QtGui import (
    QAction,
    QGuiApplication,
    QKeySequence,
    QPageSize,
    QPdfWriter,
    QTextDocument,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDockWidget,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from app.console.context.notices import Notices
from app.console.toolkit import theme
from app.console.toolkit.sheet import Sheet

UNLISTED = "unlisted"
"""An action that has this property is told by a line of its panel, together with others."""


@dataclass(frozen=True, slots=True)
class KeyLine:
    """One line of the page.

    Attributes:
        group: where it belongs: "Show", "File".
        keys: the keys: "Space".
        words: their effect.
    """

    group: str
    keys: str
    words: str


def key_lines(
    actions: Iterable[tuple[str, QAction]], others: Iterable[KeyLine] = ()
) -> list[KeyLine]:
    """Return a line for each key that is no action, then for each action that has keys.

    Args:
        actions: group and action.
        others: keys that panels take themselves; those of the stop ladder should come first.
    """
    lines = list(others)
    for group, action in actions:
        keys = " or ".join(
            sequence.toString(QKeySequence.SequenceFormat.NativeText)
            for sequence in action.shortcuts()
        )
        words = (action.toolTip() or action.text()).replace("&", "").rstrip("…")
        line = KeyLine(group, keys, words.split(" (")[0].split("  [")[0])
        if keys and line not in lines:
            lines.append(line)
    groups = list(dict.fromkeys(line.group for line in lines))
    return sorted(lines, key=lambda line: groups.index(line.group))


def actions_of(window: QWidget) -> list[tuple[str, QAction]]:
    """Return every named action below a widget, with its menu or its panel as the group."""
    found: list[tuple[str, QAction]] = []
    for action in window.findChildren(QAction):
        if action.text() and not action.isSeparator() and action.menu() is None:
            if not action.property(UNLISTED):
                found.append((_group(action), action))
    return found


def _group(action: QAction) -> str:
    menus = [m for m in action.associatedObjects() if hasattr(m, "title")]
    if menus:
        title: str = menus[0].title()
        return title.replace("&", "")
    panel = action.parent()
    while panel is not None and not isinstance(panel, QDockWidget):
        panel = panel.parent()
    return "Show" if panel is None else panel.windowTitle()


def as_text(lines: Iterable[KeyLine]) -> str:
    """Return the page as plain text, one key a line."""
    found = list(lines)
    width = max((len(line.keys) for line in found), default=0)
    parts, group = [], None
    for line in found:
        if line.group != group:
            group = line.group
            parts.append(f"\n{group}")
        parts.append(f"  {line.keys:<{width}}  {line.words}")
    return "\n".join(parts).strip() + "\n"


def as_html(lines: Iterable[KeyLine]) -> str:
    """Return the page for printing, black on white."""
    rows, group = [], None
    for line in lines:
        if line.group != group:
            group = line.group
            rows.append(f"<tr><th colspan=2 align=left><br>{html.escape(group)}</th></tr>")
        keys, words = html.escape(line.keys), html.escape(line.words)
        rows.append(f"<tr><td><b>{keys}</b>&nbsp;&nbsp;</td><td>{words}</td></tr>")
    return f"<h2>Keys of the Footlight console</h2><table cellpadding=2>{''.join(rows)}</table>"


def print_pdf(lines: Iterable[KeyLine], path: Path) -> None:
    """Write the page as a PDF.

    Raises:
        OSError: the file cannot be written.
    """
    path.open("ab").close()  # a PDF writer that cannot write reports nothing
    writer = QPdfWriter(str(path))
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    writer.setPageMargins(QMarginsF(15, 15, 15, 15))
    document = QTextDocument()
    document.setHtml(as_html(lines))
    document.print_(writer)


class ShortcutsSheet(Sheet):
    """Lists the keys, filtered by the typed text.

    Attributes:
        filter_edit: words or a key to look for.
        list: the keys by group.
    """

    def __init__(
        self,
        lines: list[KeyLine],
        notices: Notices,
        choose_place: Callable[[Callable[[Path], None]], None],
    ) -> None:
        """Build the sheet.

        Args:
            lines: its lines.
            notices: reports the results of copying and printing.
            choose_place: lets the operator choose a PDF's place, and hands it on.
        """
        super().__init__("Keys", width=720, height=10_000, takes_keys=False)
        self._lines, self._notices, self._choose = lines, notices, choose_place
        self.filter_edit = QLineEdit()
        self.filter_edit.setPlaceholderText("Find a key or what it does")
        self.filter_edit.setClearButtonEnabled(True)
        self.filter_edit.setAccessibleName("Find a key")
        self.filter_edit.setToolTip("Shows only lines that hold these words")
        self.filter_edit.textChanged.connect(self._filter)
        self.body.addWidget(self.filter_edit)
        self.list = QTreeWidget()
        self.list.setHeaderLabels(["Keys", "What they do"])
        self.list.setAccessibleName("Keys")
        self.list.setToolTip("Every key of the console")
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.list.setRootIsDecorated(False)
        groups: dict[str, QTreeWidgetItem] = {}
        for line in lines:
            if line.group not in groups:
                groups[line.group] = QTreeWidgetItem([line.group])
                self.list.addTopLevelItem(groups[line.group])
            groups[line.group].addChild(QTreeWidgetItem([line.keys, line.words]))
        for item in groups.values():
            item.setFirstColumnSpanned(True)
            font = self.list.font()
            font.setBold(True)
            item.setFont(0, font)
        self.list.expandAll()
        self.list.resizeColumnToContents(0)
        self.list.setColumnWidth(0, self.list.columnWidth(0) + 2 * theme.GAP)
        self.body.addWidget(self.list, 1)
        self.add_button("Copy", self.copy, "Copy the page as text", left=True)
        self.add_button("Print to a PDF…", self.print_page, "Write the page as a PDF", left=True)
        self.add_button("Close", tip="Close the page")

    def first_focus(self) -> QWidget:
        """Return the list, which the arrow keys move."""
        return self.list

    def copy(self) -> None:
        """Put the page as text on the clipboard."""
        QGuiApplication.clipboard().setText(as_text(self._lines))
        self._notices.say(f"{len(self._lines)} keys are copied")

    def print_page(self) -> None:
        """Write the page as a PDF where the operator wants it."""
        self._choose(self._print)

    def _print(self, path: Path) -> None:
        try:
            print_pdf(self._lines, path)
        except OSError as error:
            reason = error.strerror or error
            self._notices.say(f"{path.name} could not be written: {reason}", "error")
        else:
            self._notices.say(f"the keys are in {path}")

    def _filter(self, words: str) -> None:
        wanted = words.lower()
        for row in range(self.list.topLevelItemCount()):
            group = self.list.topLevelItem(row)
            if group is None:
                continue
            seen = False
            for place in range(group.childCount()):
                item = group.child(place)
                if item is None:
                    continue
                fits = wanted in f"{item.text(0)} {item.text(1)}".lower()
                item.setHidden(not fits)
                seen = seen or fits
            group.setHidden(not seen)
