"""The show that is being edited: one immutable document at a time, and how it came about."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TypeAlias

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from shows.audio import AudioInfo
from shows.document import Show
from shows.motion import Motion

EMPTY = Show(name="Untitled")
State: TypeAlias = tuple[Show, Mapping[str, Motion]]


class _Edit(QUndoCommand):
    """One edit: the document before and after; edits of one key in a row are one."""

    def __init__(
        self,
        document: "Document",
        text: str,
        after: Show,
        key: str,
        motions: Mapping[str, Motion] | None,
    ) -> None:
        super().__init__(text)
        self._document = document
        self._before, self._after = document.show, after
        self._motions_before = document.motions
        self._motions_after = document.motions if motions is None else dict(motions)
        self.key = key

    def redo(self) -> None:
        """Take the document after the edit."""
        self._document.put(self._after, self._motions_after)

    def undo(self) -> None:
        """Take the document before the edit."""
        self._document.put(self._before, self._motions_before)

    def id(self) -> int:
        """Return the key that edits must share to be merged; -1 for none."""
        return 1 if self.key else -1

    def mergeWith(self, other: QUndoCommand) -> bool:  # noqa: N802
        """Take a later edit of the same key into this one."""
        if not isinstance(other, _Edit) or other.key != self.key:
            return False
        self._after, self._motions_after = other._after, other._motions_after
        return True


class Document(QObject):
    """Owns the show that is open.

    Attributes:
        show: the document; frozen, replaced as a whole by every edit.
        path: its folder or zip; None for one that was never saved.
        folder: where its files lie; of a zip, where it was unpacked; None for a new one.
        motions: its own motions and those it borrows from the library, by name; replaced as a
            whole, never changed in place.
        borrowed: those of the motions that are the library's and are not saved with the show.
        audio: its phrases, by name.
        undo: every edit since it was opened; clean where it is saved.

    Signals:
        changed: the document is another one, by an edit, undo, redo or opening.
        opened: another show was opened; the playhead and selections start afresh.
        moved: it is saved at another place.
    """

    changed = Signal()
    opened = Signal()
    moved = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.show: Show = EMPTY
        self.path: Path | None = None
        self.folder: Path | None = None
        self.motions: dict[str, Motion] = {}
        self.borrowed: frozenset[Motion] = frozenset()
        self.audio: dict[str, AudioInfo] = {}
        self.undo = QUndoStack(self)

    @property
    def dirty(self) -> bool:
        """Whether something is not saved."""
        return not self.undo.isClean()

    @property
    def state(self) -> State:
        """The show with its motions; the same again if nothing of it was edited."""
        return self.show, self.motions

    @property
    def own_motions(self) -> dict[str, Motion]:
        """The motions that are saved with the show, by name."""
        return {n: motion for n, motion in self.motions.items() if motion not in self.borrowed}

    def edit(
        self,
        text: str,
        after: Show,
        key: str = "",
        motions: Mapping[str, Motion] | None = None,
    ) -> None:
        """Replace the document, with a way back.

        Args:
            text: name of the edit, for the Edit menu: "rename cue 3".
            after: the document after it.
            key: edits of one key in a row (a value that is dragged) are undone at once.
            motions: all its motions after it; None leaves them as they are.
        """
        if after != self.show or (motions is not None and dict(motions) != self.motions):
            self.undo.push(_Edit(self, text, after, key, motions))

    def borrow(self, motion: Motion) -> None:
        """Take a motion of the library for clips that will play it; a save leaves it out."""
        self.borrowed |= {motion}
        self.put(self.show, {**self.motions, motion.name: motion})

    def add_sound(self, phrase: str, sound: AudioInfo) -> None:
        """Take a sound of another place; a save copies it to the show's folder."""
        self.audio = {**self.audio, phrase: sound}
        self.changed.emit()

    def open(
        self,
        show: Show,
        path: Path | None,
        motions: Mapping[str, Motion],
        audio: Mapping[str, AudioInfo],
        folder: Path | None = None,
        borrowed: Iterable[Motion] = (),
        saved: bool = True,
    ) -> None:
        """Take another show.

        Args:
            show: the document.
            path: its folder or zip.
            motions: its own motions and the borrowed ones.
            audio: its phrases.
            folder: where its files lie; by default the path.
            borrowed: those of the motions that are the library's.
            saved: it is as its file is; False for one that was recovered.
        """
        self.undo.clear()
        self.path = path
        self.folder = path if folder is None else folder
        self.motions, self.audio = dict(motions), dict(audio)
        self.borrowed = frozenset(borrowed)
        self.show = show
        if not saved:
            self.undo.resetClean()
        self.changed.emit()
        self.opened.emit()

    def put(self, show: Show, motions: dict[str, Motion]) -> None:
        """Take a document that undo, redo or an edit has made."""
        self.show, self.motions = show, motions
        self.changed.emit()

    def move(self, path: Path, folder: Path, audio: Mapping[str, AudioInfo]) -> None:
        """Take the place where it was saved, and its phrases there."""
        self.path, self.folder = path, folder
        self.audio = dict(audio)
        self.moved.emit()
