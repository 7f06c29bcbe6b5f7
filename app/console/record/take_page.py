"""The page of Record with the takes: what can be made of one, deleting and bringing back."""

import os
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QVBoxLayout, QWidget

from app.console.gestures.thumbnails import Thumbnails
from app.console.record.take_list import TakeList
from app.console.record.takes import TakeLibrary
from app.console.toolkit import theme
from shows.take_sound import sound_path

TO_TIMELINE = "To timeline"
SHORT = {"Undelete": "↶"}  # of buttons whose words have no room
DELETED = ".deleted"  # ending of a take that can be brought back


class TakePage(QWidget):
    """Lists the takes of the show, and asks for what shall be made of one.

    Attributes:
        list: the takes.

    Signals:
        motion_asked: path of a take that shall become a motion.
        walk_asked: path of a take whose walking shall be on the timeline.
        sound_asked: path of a take whose sound shall be on the timeline.
        said: why something was not done.
    """

    motion_asked = Signal(object)
    walk_asked = Signal(object)
    sound_asked = Signal(object)
    said = Signal(str)

    def __init__(
        self, takes: TakeLibrary, thumbnails: Thumbnails, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._takes = takes
        self._deleted: list[Path] = []
        self._restored: Path | None = None  # shall be chosen in the list
        self._buttons: dict[str, QPushButton] = {}
        self.list = TakeList(thumbnails)
        self._lay_out()
        self.list.opened.connect(lambda entry: self.motion_asked.emit(entry.path))

    def close_page(self) -> None:
        """Forget the takes that were deleted."""
        for path in self._deleted:
            path.unlink(missing_ok=True)
            _aside(sound_path(_back(path))).unlink(missing_ok=True)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, theme.GAP, 0, 0)
        column.setSpacing(theme.GAP)
        column.addWidget(self.list, 1)
        row = QHBoxLayout()
        row.setSpacing(4)
        menu = QMenu(self)
        for word, tip, act in (
            ("Walk", "Put the take's walking on the timeline", self._walk),
            ("Sound", "Put the take's sound on the timeline", self._sound),
        ):
            action = menu.addAction(word)
            action.setToolTip(tip)
            action.triggered.connect(lambda _=False, act=act: act())
        menu.setToolTipsVisible(True)
        for word, tip, then in (
            ("Make a motion", "Edit the chosen take: trim, smooth, keys, save (Enter)", self._open),
            (TO_TIMELINE, "Put the walking or the sound of the take on the timeline", menu),
            ("Delete", "Delete the chosen take; Undelete brings it back", self._delete),
            ("Undelete", "Undelete: bring back the take that was deleted last", self._undelete),
        ):
            button = QPushButton(SHORT.get(word, word))
            button.setToolTip(tip)
            button.setAccessibleName(f"{word} (take)")
            if isinstance(then, QMenu):
                button.setMenu(then)
            else:
                button.clicked.connect(then)
            row.addWidget(button, 1 if word == "Make a motion" else 0)
            self._buttons[word] = button
        column.addLayout(row)

    def fill(self, titles: dict[str, str], chosen: Path | None) -> None:
        """List the takes.

        Args:
            titles: title of each limb by its name.
            chosen: a take that shall be chosen; None for the one that is.
        """
        self.list.fill(self._takes.entries, titles)
        chosen, self._restored = self._restored or chosen, None
        if chosen is not None:
            self.list.choose(chosen)
        for word in ("Make a motion", TO_TIMELINE, "Delete"):
            self._buttons[word].setEnabled(bool(self._takes.entries))
        self._buttons["Undelete"].setEnabled(bool(self._deleted))

    def _open(self) -> None:
        entry = self.list.current()
        if entry is not None:
            self.motion_asked.emit(entry.path)

    def _walk(self) -> None:
        entry = self.list.current()
        if entry is not None:
            self.walk_asked.emit(entry.path)

    def _sound(self) -> None:
        entry = self.list.current()
        if entry is not None and entry.sound_s is None:
            self.said.emit(f"{entry.name} has no sound: choose a microphone for the next take")
        elif entry is not None:
            self.sound_asked.emit(entry.path)

    def _delete(self) -> None:
        """Put the chosen take aside; it is deleted for good when the console ends."""
        entry = self.list.current()
        if entry is None:
            return
        aside, sound = _aside(entry.path), sound_path(entry.path)
        try:
            os.replace(entry.path, aside)
            if sound.exists():
                os.replace(sound, _aside(sound))
        except OSError as error:
            self.said.emit(f"{entry.path.name} was not deleted ({error.strerror})")
            return
        self._deleted.append(aside)
        self._takes.look()

    def _undelete(self) -> None:
        path = _back(self._deleted[-1])
        sound = sound_path(path)
        try:
            if _aside(sound).exists():
                _bring_back(sound)
            _bring_back(path)
        except OSError as error:
            self.said.emit(f"{path.name} was not brought back ({error.strerror})")
            return
        self._deleted.pop()
        self._restored = path
        self._takes.look()


def _aside(path: Path) -> Path:
    """Return where a deleted file waits."""
    return path.with_name(path.name + DELETED)


def _back(aside: Path) -> Path:
    """Return where a deleted file was."""
    return aside.with_name(aside.name.removesuffix(DELETED))


def _bring_back(path: Path) -> None:
    """Put a deleted file back.

    Raises:
        OSError: another file has its name by now, or the disk refused.
    """
    aside = _aside(path)
    os.link(aside, path)  # unlike a rename, it replaces nothing
    aside.unlink()
