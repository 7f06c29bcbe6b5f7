"""The show that is being edited: one immutable document at a time, and how it came about."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TypeAlias

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from shows.audio import AudioInfo
from shows.document import Show
from shows.motion import Motion
from shows.pose import Pose

EMPTY = Show(name="Untitled")
State: TypeAlias = tuple[Show, Mapping[str, Motion], Mapping[str, Pose]]


class _Edit(QUndoCommand):
    """One edit: the document before and after; edits of one key in a row are one."""

    def __init__(
        self,
        document: "Document",
        text: str,
        after: Show,
        key: str,
        motions: Mapping[str, Motion] | None,
        poses: Mapping[str, Pose] | None,
    ) -> None:
        super().__init__(text)
        self._document = document
        self._before = document.state
        self._after: State = (
            after,
            document.motions if motions is None else dict(motions),
            document.poses if poses is None else dict(poses),
        )
        self.key = key

    @property
    def changes(self) -> bool:
        """Whether the document is another one after it."""
        return self._after != self._before

    def redo(self) -> None:
        """Take the document after the edit."""
        self._document.put(*self._after)

    def undo(self) -> None:
        """Take the document before the edit."""
        self._document.put(*self._before)

    def id(self) -> int:
        """Return the key that edits must share to be merged; -1 for none."""
        return 1 if self.key else -1

    def mergeWith(self, other: QUndoCommand) -> bool:  # noqa: N802
        """Take a later edit of the same key into this one."""
        if not isinstance(other, _Edit) or other.key != self.key:
            return False
        self._after = other._after
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
        poses: its poses, by name; replaced as a whole, never changed in place.
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
        self.motions: Mapping[str, Motion] = {}
        self.borrowed: frozenset[Motion] = frozenset()
        self.poses: Mapping[str, Pose] = {}
        self.audio: dict[str, AudioInfo] = {}
        self.undo = QUndoStack(self)

    @property
    def dirty(self) -> bool:
        """Whether something is not saved."""
        return not self.undo.isClean()

    @property
    def state(self) -> State:
        """The show with its motions and poses; the same again if nothing of it was edited."""
        return self.show, self.motions, self.poses

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
        poses: Mapping[str, Pose] | None = None,
    ) -> None:
        """Replace the document, with a way back.

        Args:
            text: name of the edit, for the Edit menu: "rename cue 3".
            after: the document after it.
            key: edits of one key in a row (a value that is dragged) are undone at once.
            motions: all its motions after it; None leaves them as they are.
            poses: all its poses after it; None leaves them as they are.
        """
        edit = _Edit(self, text, after, key, motions, poses)
        if edit.changes:
            self.undo.push(edit)

    def borrow(self, motion: Motion) -> None:
        """Take a motion of the library for clips that will play it; a save leaves it out."""
        self.borrowed |= {motion}
        self.put(self.show, {**self.motions, motion.name: motion}, self.poses)

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
        poses: Mapping[str, Pose] | None = None,
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
            poses: its poses; by default none.
        """
        self.undo.clear()
        self.path = path
        self.folder = path if folder is None else folder
        self.motions, self.audio = dict(motions), dict(audio)
        self.poses = dict(poses or {})
        self.borrowed = frozenset(borrowed)
        self.show = show
        if not saved:
            self.undo.resetClean()
        self.changed.emit()
        self.opened.emit()

    def put(self, show: Show, motions: Mapping[str, Motion], poses: Mapping[str, Pose]) -> None:
        """Take a document that undo, redo or an edit has made."""
        self.show, self.motions, self.poses = show, motions, poses
        self.changed.emit()

    def move(self, path: Path, folder: Path, audio: Mapping[str, AudioInfo]) -> None:
        """Take the place where it was saved, and its phrases there."""
        self.path, self.folder = path, folder
        self.audio = dict(audio)
        self.moved.emit()
