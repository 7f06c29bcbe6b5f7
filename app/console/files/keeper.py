"""Keeps the journal of the open document: every edit is on the disk within seconds."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QTimer

from app.console.context.document import Document
from app.console.context.notices import Notices
from app.console.files.background import Background
from app.console.files.journal import Journal
from app.console.files.snapshot import snapshot_of

WRITE_MS = 1000  # after an edit; with the write itself well below the 5 s that may be lost
RETRY_MS = 3000


class Keeper(QObject):
    """Writes unsaved edits to the journal, in a thread beside the GUI.

    Attributes:
        stamp: of the file that the document was read from or saved to.
    """

    def __init__(
        self, document: Document, notices: Notices, root: Path, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.stamp: tuple[int, int] | None = None
        self._document, self._notices, self._root = document, notices, root
        self._background = Background(self)
        self._journal: Journal | None = None
        self._said = ""
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(lambda: self.write())
        document.changed.connect(self._note)
        document.opened.connect(self._begin)
        document.moved.connect(self._move)
        document.undo.cleanChanged.connect(self._note)
        self._begin()

    def write(self, then: Callable[[], None] | None = None) -> None:
        """Write the document down now, if anything of it is not saved.

        Args:
            then: is called when it is on the disk.
        """
        self._timer.stop()
        if not self._document.dirty:
            self._background.run(self._clear, self._well, self._ill)
            return
        snapshot, stamp = snapshot_of(self._document), self.stamp

        def work() -> None:
            self._open(snapshot.path).write(snapshot, stamp)

        def wrote(_: None) -> None:
            self._wrote()
            if then is not None:
                then()

        self._background.run(work, wrote, self._ill)

    def close(self, keep: bool = False) -> None:
        """Stop.

        Args:
            keep: leave unsaved edits to be recovered; otherwise they are saved, or were discarded.
        """
        self._timer.stop()
        if keep:
            self.write()
            self._background.run(self._release, self._well, self._ill)
        else:
            self._background.run(self._end, self._well, self._ill)
        self._background.finish()

    def _note(self) -> None:
        if not self._timer.isActive():
            self._timer.start(WRITE_MS)

    def _begin(self) -> None:
        """Leave the journal of the document that was open, and begin another."""
        self._timer.stop()
        path = self._document.path
        self._background.run(self._end, self._well, self._ill)
        self._background.run(lambda: self._open(path), self._well, self._ill)
        if self._document.dirty:
            self.write()

    def _move(self) -> None:
        path = self._document.path
        self._background.run(lambda: self._open(path).move(path), self._well, self._ill)

    def _open(self, path: Path | None) -> Journal:
        if self._journal is None:
            self._journal = Journal(self._root, path)
        return self._journal

    def _clear(self) -> None:
        if self._journal is not None:
            self._journal.clear()

    def _end(self) -> None:
        if self._journal is not None:
            self._journal.close()
            self._journal = None

    def _release(self) -> None:
        if self._journal is not None:
            self._journal.release()
            self._journal = None

    def _wrote(self) -> None:
        if self._said:
            self._said = ""
            self._notices.say("the journal is written again: edits are safe")

    def _well(self, _: object) -> None:
        """Report nothing."""

    def _ill(self, error: Exception) -> None:
        text = str(error)
        if text != self._said:
            self._said = text
            self._notices.say(text, "error")
        if self._document.dirty and not self._timer.isActive():
            self._timer.start(RETRY_MS)
