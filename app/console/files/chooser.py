"""Choosing a show's place, in a sheet of its own: no dialog window that could cover STOP."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal, TypeAlias

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from app.console.files.background import Background
from app.console.files.snapshot import SHOW_FILE
from app.console.toolkit import theme
from app.console.toolkit.sheet import Sheet, on_key

Kind: TypeAlias = Literal["show", "zip", "folder", "file"]
WORDS: dict[Kind, str] = {"show": "show", "zip": "show, one file", "folder": "folder", "file": ""}
MARKS: dict[Kind, str] = {"show": "▶", "zip": "▣", "folder": "▸", "file": "·"}
MAX_ENTRIES = 5000


@dataclass(frozen=True, slots=True)
class Place:
    """One line of a folder.

    Attributes:
        path: where it is.
        kind: its kind.
        changed_s: when it was changed, in seconds since 1970.
    """

    path: Path
    kind: Kind
    changed_s: float


def places_in(folder: Path, *suffixes: str) -> list[Place]:
    """Return the entries of a folder that an operator may choose: shows, zips and folders.

    Args:
        folder: where to look.
        suffixes: the files to be listed.

    Raises:
        OSError: the folder cannot be read.
    """
    found: list[Place] = []
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith(".") or len(found) >= MAX_ENTRIES:
                continue
            path = Path(entry.path)
            try:
                changed_s = entry.stat().st_mtime
                if entry.is_dir():
                    show = (path / SHOW_FILE).is_file()
                    found.append(Place(path, "show" if show else "folder", changed_s))
                elif path.suffix.lower() in suffixes:
                    kind: Kind = "zip" if path.suffix == ".zip" else "file"
                    found.append(Place(path, kind, changed_s))
            except OSError:
                continue  # gone, or a broken link
    found.sort(key=lambda place: (place.kind == "folder", place.path.name.lower()))
    return found


class ChooserSheet(Sheet):
    """Lists a folder and lets the operator pick a show in it, or a name to save as.

    Attributes:
        folder: the listed folder.
        list: its lines.
        path_edit: the folder, to be typed.
        name_edit: the name to save as; None when a show is opened.
        problem: why the choice cannot be taken.
    """

    def __init__(
        self,
        title: str,
        folder: Path,
        chosen: Callable[[Path], None],
        name: str | None = None,
        suffix: str = ".zip",
        others: tuple[str, ...] = (),
        shortcuts: dict[str, Path] | None = None,
        check: Callable[[Path], None] | None = None,
    ) -> None:
        """Build the sheet.

        Args:
            title: purpose of the choice.
            folder: where to begin.
            chosen: gets the path.
            name: proposed to save as; None chooses something that is there.
            suffix: of the files that are listed, and of one that is saved.
            others: suffixes of more files that are listed.
            shortcuts: folders that are one click away.
            check: raises an exception with the reason if a path cannot be saved to.
        """
        super().__init__(title, width=760, height=560)
        self.folder = folder
        self.name_edit: QLineEdit | None = None
        self._chosen, self._check, self._suffix = chosen, check, suffix
        self._listed = (suffix, *others)
        self._background = Background(self)
        self._replace = Path()
        self.body.addLayout(self._build_top(shortcuts or {}))
        self.list = QTreeWidget()
        self.list.setHeaderLabels(["Name", "Kind", "Changed"])
        self.list.setRootIsDecorated(False)
        self.list.setAlternatingRowColors(True)
        self.list.setUniformRowHeights(True)
        self.list.setAccessibleName("Folder contents")
        self.list.setToolTip("Enter or double-click takes a line, Backspace goes one folder up")
        on_key(self.list, (Qt.Key.Key_Backspace,), self.up)
        self.list.itemActivated.connect(self._activate)
        self.list.currentItemChanged.connect(self._picked)
        self.list.itemClicked.connect(lambda _: self.path_edit.setModified(False))
        self.body.addWidget(self.list, 1)
        self._zipped: QCheckBox | None = None
        if name is not None:
            self.body.addLayout(self._build_name(name))
        self.problem = self.add_text("")
        self.problem.setStyleSheet(f"color: {theme.WARN.colour};")
        self.add_button("Cancel", tip="Choose nothing")
        self._take = self.add_button(
            "Open" if name is None else "Save", self.take, "Take this choice", chief=True
        )
        self.closed.connect(self._background.close)
        self.go(folder)

    def _build_top(self, shortcuts: dict[str, Path]) -> QHBoxLayout:
        row = QHBoxLayout()
        up = QPushButton("▲ Up")
        up.setToolTip("One folder up (Backspace in the list)")
        up.setAccessibleName("One folder up")
        up.clicked.connect(self.up)
        row.addWidget(up)
        for words, path in shortcuts.items():
            button = QPushButton(words)
            button.setToolTip(str(path))
            button.setAccessibleName(f"Go to {words}")
            button.clicked.connect(lambda _=False, path=path: self.go(path))
            row.addWidget(button)
        self.path_edit = QLineEdit()
        self.path_edit.setAccessibleName("Folder or show")
        self.path_edit.setToolTip("Type or paste a path, then Enter")
        on_key(self.path_edit, (Qt.Key.Key_Return, Qt.Key.Key_Enter), self._typed)
        row.addWidget(self.path_edit, 1)
        return row

    def _build_name(self, name: str) -> QHBoxLayout:
        row = QHBoxLayout()
        label = QLabel("Name")
        self.name_edit = QLineEdit(name.removesuffix(self._suffix))
        self.name_edit.setAccessibleName("Name to save as")
        self.name_edit.setToolTip("The folder's or file's name")
        self.name_edit.textChanged.connect(self._renamed)
        label.setBuddy(self.name_edit)
        row.addWidget(label)
        row.addWidget(self.name_edit, 1)
        if self._suffix == ".zip":
            self._zipped = QCheckBox("as one file (.zip)")
            self._zipped.setToolTip("One file is easier to carry; a folder is faster to save")
            self._zipped.setAccessibleName("Save as one zip file")
            self._zipped.setChecked(name.endswith(".zip"))
            self._zipped.toggled.connect(self._renamed)
            row.addWidget(self._zipped)
        return row

    def first_focus(self) -> QWidget:
        """Return the name, or the list."""
        if self.name_edit is not None:
            self.name_edit.selectAll()
            return self.name_edit
        return self.list

    def go(self, folder: Path) -> None:
        """List a folder."""
        listed = self._listed
        self._say("")
        self._background.run(
            lambda: (folder, places_in(folder, *listed)),
            lambda found: self._fill(*found),
            lambda error: self._say(f"{folder} cannot be read: {_why(error)}"),
        )

    def up(self) -> None:
        """List the folder above."""
        self.go(self.folder.parent)

    def take(self) -> None:
        """Accept the choice, or report why it cannot be accepted."""
        if self.path_edit.isModified():  # typed since the list was touched: this is meant
            self._typed()
            return
        if self.name_edit is None:
            place = self._current()
            if place is None:
                self._typed()
            elif place.kind == "folder":
                self.go(place.path)
            else:
                self._done(place.path)
            return
        name = self.name_edit.text().strip()
        if not name or "/" in name or name.startswith("."):
            self._say("A name has no / and does not begin with a point.")
            return
        zipped = self._zipped is None or self._zipped.isChecked()
        path = self.folder / (name.removesuffix(self._suffix) + (self._suffix if zipped else ""))
        try:
            if self._check is not None:
                self._check(path)
        except OSError as error:
            self._say(f"{name[:40]} cannot be saved here: {_why(error)}. Choose another name.")
            return
        except Exception as error:
            self._say(str(error))
            return
        if path.exists() and path != self._replace:
            self._replace = path
            self._say(f"{path.name} is there already: press Replace to write over it.")
            self._take.setText("Replace")
            return
        self._done(path)

    def _done(self, path: Path) -> None:
        self.dismiss()
        self._chosen(path)

    def _fill(self, folder: Path, places: list[Place]) -> None:
        self.folder = folder
        self.path_edit.setText(str(folder))
        self.list.clear()
        items = []
        for place in places:
            changed = datetime.fromtimestamp(place.changed_s).strftime("%Y-%m-%d %H:%M")
            words = (f"{MARKS[place.kind]}  {place.path.name}", WORDS[place.kind], changed)
            item = QTreeWidgetItem(list(words))
            item.setData(0, Qt.ItemDataRole.UserRole, place)
            items.append(item)
        self.list.addTopLevelItems(items)
        self.list.setColumnWidth(0, 420)
        self.list.setColumnWidth(1, 120)
        if not items and self.name_edit is None:
            what = "show" if self._suffix == ".zip" else "such file"
            self._say(f"There is no {what} and no folder here.")
        elif self.name_edit is None:
            self.list.setCurrentItem(items[0])

    def _current(self) -> Place | None:
        item = self.list.currentItem()
        return None if item is None else _place(item)

    def _activate(self, item: QTreeWidgetItem) -> None:
        place = _place(item)
        if place.kind == "folder":
            self.go(place.path)
        elif self.name_edit is None:
            self._done(place.path)

    def _picked(self, item: QTreeWidgetItem | None) -> None:
        """Saving: take a line's name, so that it is replaced."""
        self.path_edit.setModified(False)
        if item is None or self.name_edit is None:
            return
        place = _place(item)
        if place.kind != "folder":
            self.name_edit.setText(place.path.name.removesuffix(self._suffix))
            if self._zipped is not None:
                self._zipped.setChecked(place.kind == "zip")

    def _renamed(self) -> None:
        self._replace = Path()
        self._take.setText("Save")
        self._say("")

    def _typed(self) -> None:
        path = Path(self.path_edit.text().strip()).expanduser()
        if path.is_dir() and not (path / SHOW_FILE).is_file():
            self.go(path)
        elif self.name_edit is None and path.exists():
            self._done(path)
        else:
            what = "show and no folder" if self.name_edit is None else "folder"
            self._say(f"There is no {what} {path}: type another one, or choose from the list.")

    def _say(self, text: str) -> None:
        self.problem.setText(text)
        self.problem.setVisible(bool(text))


def _place(item: QTreeWidgetItem) -> Place:
    place = item.data(0, Qt.ItemDataRole.UserRole)
    assert isinstance(place, Place)
    return place


def _why(error: Exception) -> str:
    return str(getattr(error, "strerror", None) or error)
