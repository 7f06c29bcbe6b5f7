"""Writes the document to its file in the background, and asks for a path if it has none."""

from collections.abc import Callable
from pathlib import Path

import msgspec
from PySide6.QtCore import QObject, Signal

from app.console.context.context import Context
from app.console.context.document import EMPTY
from app.console.files import saver
from app.console.files.background import Background
from app.console.files.chooser import ChooserSheet
from app.console.files.keeper import Keeper
from app.console.files.places import Places
from app.console.files.robot import RobotMemory
from app.console.files.saver import Written
from app.console.files.snapshot import snapshot_of, stamp_of
from app.console.toolkit.sheet import SheetHost
from shows.errors import ShowError

MAX_NAME = 200  # letters of a show's name


class ShowWriter(QObject):
    """Saves the document, one save at a time.

    Attributes:
        saving: a save is in progress.
        on_disk: files of motions and poses in the document's folder; those no longer in the
            document are removed by the next save.

    Signals:
        busy_changed: the work in progress ("saving gala"); empty when it ends.
        failed: the document could not be saved, with the reason in one sentence.
        saved: the document was saved.
    """

    busy_changed = Signal(str)
    failed = Signal(str)
    saved = Signal()

    def __init__(
        self,
        context: Context,
        sheets: SheetHost,
        places: Places,
        keeper: Keeper,
        robot: RobotMemory,
        background: Background,
        parent: QObject,
    ) -> None:
        """Build the writer.

        Args:
            context: the console's shared parts.
            sheets: shows the questions.
            places: offered folders, and the read-only sample shows.
            keeper: the journal; holds the stamp of the document's file.
            robot: gives a new show the name of its robot.
            background: runs the writing.
            parent: owner of the object.
        """
        super().__init__(parent)
        self.saving = False
        self.on_disk: frozenset[str] = frozenset()
        self._context, self._document, self._sheets = context, context.document, sheets
        self._places, self._keeper, self._robot = places, keeper, robot
        self._background = background

    def save(self, then: Callable[[], None]) -> None:
        """Save the document to its file, then call `then`; a new one asks for a path."""
        path = self._document.path
        if path is None or self._places.is_sample(path):
            self.save_as(then)
        elif self._keeper.stamp is not None and stamp_of(path) != self._keeper.stamp:
            self._sheets.ask(
                f"{path.name} was changed by somebody else",
                "Its file is not the one that was opened. Saving here overwrites the other "
                "changes.",
                {
                    "Save as…": lambda: self.save_as(then),
                    "Write over it": lambda: self._write(path, then),
                },
            )
        else:
            self._write(path, then)

    def save_as(self, then: Callable[[], None]) -> None:
        """Ask for a place, save the document there, then call `then`."""
        path = self._document.path
        name = snapshot_of(self._document).label if path is None else path.name
        sheet = ChooserSheet(
            "Save the show as",
            self._places.folder(path),
            lambda chosen: self._write_new(chosen, then),
            name=name,
            shortcuts=self._places.shortcuts(),
            check=saver.check_place,
        )
        self._sheets.show_sheet(sheet)

    def _write_new(self, path: Path, then: Callable[[], None]) -> None:
        """Save at another place; a new show takes the missing names of its file and robot."""
        document = self._document
        if document.path is None and not self.saving and not self._context.lock.locked:
            show = document.show
            unnamed = show.name == EMPTY.name
            name = path.name.removesuffix(".zip")[:MAX_NAME] if unnamed else show.name
            robot = show.robot or self._robot.name
            document.edit("name the show", msgspec.structs.replace(show, name=name, robot=robot))
        self._write(path, then)

    def _write(self, path: Path, then: Callable[[], None]) -> None:
        if self.saving:
            self._context.notices.say("the show is being saved already")
            return
        self.saving = True
        snapshot, formerly = snapshot_of(self._document), self.on_disk
        if path != snapshot.path:
            formerly = frozenset()
        self.busy_changed.emit(f"saving {path.name}")

        def done(written: Written) -> None:
            self._take(written)
            then()

        self._background.run(lambda: saver.write(snapshot, path, formerly), done, self._not_saved)

    def _take(self, written: Written) -> None:
        self.saving = False
        self.busy_changed.emit("")
        document, snapshot = self._document, written.snapshot
        self.on_disk = snapshot.files
        self._keeper.stamp = written.stamp
        same = (
            document.show is snapshot.show
            and document.own_motions == snapshot.motions
            and document.poses == snapshot.poses
        )
        if same:
            document.undo.setClean()
        else:
            document.undo.resetClean()  # edited while it was written
        document.move(written.path, written.folder, saver.moved_audio(document.audio, written))
        self._places.recent.add(written.path)
        self._context.notices.say(written.remark or f"{written.path.name} is saved")
        self.saved.emit()

    def _not_saved(self, error: Exception) -> None:
        self.saving = False
        self.busy_changed.emit("")
        self.failed.emit(f"{sentence_of(error)}; your edits are still here and in the journal")


def sentence_of(error: Exception) -> str:
    """Return an error as one sentence for the operator."""
    if isinstance(error, ShowError):
        return str(error)
    return f"this went wrong: {error!r}; it is a defect, please report it"
