"""The show that is being edited: one immutable document at a time, and how it came about."""

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from shows.audio import AudioInfo
from shows.document import Show
from shows.motion import Motion

EMPTY = Show(name="Untitled")


class _Edit(QUndoCommand):
    """One edit: the document before and after; edits of one key in a row are one."""

    def __init__(
        self, document: "Document", text: str, after: Show, key: str, motions: Mapping[str, Motion]
    ) -> None:
        super().__init__(text)
        self._document = document
        self._before, self._after = document.show, after
        self._motions_before, self._motions_after = document.motions, dict(motions)
        self.key = key

    def redo(self) -> None:
        """Take the document after the edit."""
        self._document.put(self._after, self._motions_after)

    def undo(self) -> None:
        """Take the document before the edit."""
        self._document.put(self._before, self._motions_before)

    def id(self) -> int:
        """Return what edits must have in common to become one; -1 for none."""
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
        motions: its own motions and those it borrows from the library, by name.
        audio: its phrases, by name.
        undo: every edit since it was opened; clean where it is saved.

    Signals:
        changed: the document is another one, by an edit, undo, redo or opening.
        opened: another show was opened; the playhead and selections start afresh.
    """

    changed = Signal()
    opened = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.show: Show = EMPTY
        self.path: Path | None = None
        self.motions: dict[str, Motion] = {}
        self.audio: dict[str, AudioInfo] = {}
        self.undo = QUndoStack(self)

    @property
    def dirty(self) -> bool:
        """Whether something is not saved."""
        return not self.undo.isClean()

    def edit(
        self,
        text: str,
        after: Show,
        key: str = "",
        motions: Mapping[str, Motion] | None = None,
    ) -> None:
        """Replace the document, with a way back.

        Args:
            text: what the edit is, for the Edit menu: "rename cue 3".
            after: the document after it.
            key: edits of one key in a row (a value that is dragged) are undone at once.
            motions: all motions after it; None: they stay as they are.
        """
        motions = self.motions if motions is None else motions
        if after != self.show or motions != self.motions:
            self.undo.push(_Edit(self, text, after, key, motions))

    def open(
        self,
        show: Show,
        path: Path | None,
        motions: Mapping[str, Motion],
        audio: Mapping[str, AudioInfo],
    ) -> None:
        """Take another show."""
        self.undo.clear()
        self.path = path
        self.motions, self.audio = dict(motions), dict(audio)
        self.show = show
        self.changed.emit()
        self.opened.emit()

    def put(self, show: Show, motions: dict[str, Motion]) -> None:
        """Take a document that undo, redo or an edit has made."""
        self.show, self.motions = show, motions
        self.changed.emit()
