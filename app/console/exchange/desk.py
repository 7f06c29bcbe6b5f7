"""The desk of imports and exports: menus, dropped files, and where imported motions are kept."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QMimeData, QObject, QTimer, Signal

from app.console.context.context import Context
from app.console.exchange.export_sheet import ExportSheet, Source
from app.console.exchange.import_sheet import ImportSheet
from app.console.files.background import Background
from app.console.files.chooser import ChooserSheet
from app.console.files.snapshot import SHOW_FILE
from app.console.record.takes import imported_folder
from app.console.toolkit.sheet import Sheet
from shows.joints import JointTable
from shows.motion import Motion, save_motion

ENDINGS = (".bvh", ".csv", ".json")
LOCKED = "the show is locked: switch SHOW to EDIT"
NO_ROBOT = "no robot is known yet: start a core"


class ExchangeDesk(QObject):
    """Shows the sheets, and keeps what is imported.

    Signals:
        shown: the motion for the ghost; None for none.
        motion_asked: path of an imported motion that shall be edited.
    """

    shown = Signal(object)
    motion_asked = Signal(object)

    def __init__(
        self,
        context: Context,
        joints: Callable[[], JointTable | None],
        sources: Callable[[], list[Source]],
        show_sheet: Callable[[Sheet], object],
        parent: QObject | None = None,
    ) -> None:
        """Build the desk.

        Args:
            context: the console's shared parts.
            joints: returns the robot's joints; None before the first core.
            sources: returns the motions that can be exported, the likeliest first.
            show_sheet: shows a sheet over the window.
            parent: the window.
        """
        super().__init__(parent)
        self._context, self._joints, self._sources = context, joints, sources
        self._show_sheet = show_sheet
        self._background = Background(self)
        self._from = self._to = Path.home()

    def close(self) -> None:
        """Finish what is being kept."""
        self._background.finish()

    def choose(self) -> None:
        """Let the operator choose a file to import."""
        if self._may("imported"):
            first, *others = ENDINGS
            self._show_sheet(
                ChooserSheet(
                    "Import a motion", self._from, self.take, suffix=first, others=tuple(others)
                )
            )

    def take(self, path: Path) -> None:
        """Import a file."""
        joints = self._joints()
        if not self._may("imported") or joints is None:
            return
        self._from = path.parent
        sheet = ImportSheet(path, joints, self._keep)
        sheet.shown.connect(self.shown)
        self._show_sheet(sheet)

    def can_drop(self, mime: QMimeData) -> bool:
        """Tell whether the object dragged over the window may be a motion."""
        return _dropped(mime) is not None

    def drop(self, mime: QMimeData) -> bool:
        """Import the file dropped on the window; return whether it may be a motion."""
        path = _dropped(mime)
        if path is not None:
            QTimer.singleShot(0, self, lambda: self.take(path))  # the drag ends first
        return path is not None

    def export(self) -> None:
        """Let the operator export a motion."""
        joints, sources = self._joints(), self._sources()
        if not self._may("exported") or joints is None:
            return
        if not sources:
            self._say("nothing was exported: choose a gesture or a take first")
            return
        self._show_sheet(ExportSheet(sources, joints.robot, self._to, self._show_sheet, self._told))

    def _may(self, deed: str) -> bool:
        """Tell whether it is the time for it; else say why not."""
        bar = LOCKED if self._context.lock.locked else NO_ROBOT if self._joints() is None else ""
        if bar:
            self._say(f"nothing was {deed}: {bar}")
        return not bar

    def _keep(self, motion: Motion, file: str) -> None:
        """Keep an imported motion beside the takes, under a name that no other has."""
        folder = imported_folder(self._context.document.path)

        def done(path: Path) -> None:
            self._context.notices.say(f"{file} is imported as {path.stem}")
            self.motion_asked.emit(path)

        self._background.run(
            lambda: keep_beside(motion, folder),
            done,
            lambda error: self._say(f"{file} was not imported: {error}"),
        )

    def _told(self, path: Path, kind: str) -> None:
        self._to = path.parent
        self._context.notices.say(f"{path} is written: {kind}")

    def _say(self, words: str) -> None:
        self._context.notices.say(words, "warning")


def keep_beside(motion: Motion, folder: Path) -> Path:
    """Save a motion in a folder under a name that no other has, and return its file.

    Raises:
        ShowError: the disk refused.
    """
    number, name = 1, motion.name
    while (folder / f"{name}.json").exists():
        number += 1
        name = f"{motion.name[:56]}_{number}"
    path = folder / f"{name}.json"
    save_motion(replace(motion, name=name), path)
    return path


def _dropped(mime: QMimeData) -> Path | None:
    """Return the motion among dropped files; None if there is no single one."""
    paths = [Path(url.toLocalFile()) for url in mime.urls() if url.isLocalFile()]
    motions = [p for p in paths if p.suffix.lower() in ENDINGS and p.name != SHOW_FILE]
    return motions[0] if len(paths) == 1 and motions else None
