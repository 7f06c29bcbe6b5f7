"""The file desk: opens, saves and recovers shows, and asks before unsaved edits are discarded."""

from collections.abc import Callable
from pathlib import Path

import msgspec
from PySide6.QtCore import QMimeData, QObject, QTimer, Signal

from app.console.context.context import Context
from app.console.context.document import EMPTY, State
from app.console.files import saver
from app.console.files.background import Background
from app.console.files.chooser import ChooserSheet
from app.console.files.journal import Leftover, others_with
from app.console.files.keeper import Keeper
from app.console.files.places import Places, dropped
from app.console.files.recent import RecentShows
from app.console.files.recovery import Recovered, RecoveryOffers, describe, recover
from app.console.files.robot import RobotMemory
from app.console.files.saver import Read
from app.console.files.snapshot import files_of
from app.console.files.writer import ShowWriter, sentence_of
from app.console.toolkit.sheet import SheetHost
from core.link.hello import Hello

MAX_WARNINGS = 5
NOTHING_LEFT = (
    "Nothing to recover",
    "No console ended with unsaved edits, and nothing is put aside.",
)


class FileDesk(QObject):
    """Owns the way of the document from files and to files.

    Attributes:
        robot: the joints of the robot; a show is checked against them.
        recent: shows that were opened lately.
        keeper: the journal.

    Signals:
        busy_changed: the work in progress ("opening gala"); empty when it ends.
        opened: a show was opened from a file or recovered.
        failed: a show could not be opened or saved, with the reason in one sentence.
        saved: the document was saved.
        may_close: the operator has answered; the window may be closed now.
    """

    busy_changed = Signal(str)
    opened = Signal()
    failed = Signal(str)
    saved = Signal()
    may_close = Signal()

    def __init__(
        self,
        context: Context,
        sheets: SheetHost,
        state: Path,
        config: Path,
        library: Path | None = None,
        parent: QObject | None = None,
    ) -> None:
        """Build the desk.

        Args:
            context: the console's shared parts.
            sheets: shows the questions.
            state: the user's folder for the journal.
            config: the user's folder for the last description of the robot.
            library: a folder with sample shows, which are read-only.
            parent: the window.
        """
        super().__init__(parent)
        self.robot = RobotMemory(config / "robot.json")
        self.recent = RecentShows(context.preferences, self)
        self.journals = state / "journal"
        self.keeper = Keeper(context.document, context.notices, self.journals, self)
        self._context, self._document, self._sheets = context, context.document, sheets
        self._places = Places(self.recent, library)
        self._offers = RecoveryOffers(self.journals, sheets, context.notices, self._recover)
        self._background = Background(self)
        self._memory = Background(self)
        self._writer = ShowWriter(
            context, sheets, self._places, self.keeper, self.robot, self._background, self
        )
        self._writer.busy_changed.connect(self.busy_changed)
        self._writer.failed.connect(self._fail)
        self._writer.saved.connect(self.saved)
        self._waiting: Callable[[], None] | None = None  # until the robot is known
        self._opening = False
        self._leaving = False
        context.link.hello_changed.connect(self._hear)
        if context.link.hello is not None:
            self._hear(context.link.hello)

    @property
    def title(self) -> str:
        """The document's name for the window, with a mark if it is not saved."""
        path = self._document.path
        name = self._document.show.name if path is None else path.stem
        return f"{'● ' if self._document.dirty else ''}{name}"

    def new(self) -> None:
        """Begin an empty show."""
        if self._may_change("begin a new show"):
            self.guard("begin a new show", self._begin)

    def choose(self) -> None:
        """Let the operator choose a show to open."""
        if self._may_change("open another show"):
            self.guard("open another show", self._choose)

    def open(self, path: Path) -> None:
        """Open a show; ask first about unsaved edits of the open one."""
        if self._may_change("open another show"):
            self.guard(f"open {path.name}", lambda: self.read(path))

    def can_drop(self, mime: QMimeData) -> bool:
        """Tell whether the object dragged over the window may be a show."""
        return dropped(mime) is not None

    def drop(self, mime: QMimeData) -> bool:
        """Open the object dropped on the window; return whether it may be a show."""
        path = dropped(mime)
        if path is not None:
            QTimer.singleShot(0, self, lambda: self.open(path))  # the drag ends first
        return path is not None

    def save(self) -> None:
        """Save the document to its file; a new one asks for a path."""
        self._writer.save(lambda: None)

    def save_as(self) -> None:
        """Save the document at another place."""
        self._writer.save_as(lambda: None)

    def close(self) -> bool:
        """Tell whether the window may close now; else ask, and emit `may_close` when it may."""
        if self._leaving or not (self._document.dirty or self._writer.saving):
            return True
        if self._writer.saving:
            self._context.notices.say("the show is being saved: close the window after that")
            return False
        self.guard("close the console", self._leave)
        return False

    def shut_down(self) -> None:
        """End all work; edits neither saved nor given up stay in the journal."""
        self.keeper.close(keep=self._document.dirty and not self._leaving)
        for background in (self._background, self._memory):
            background.finish()
        self.recent.close()
        self._offers.release()

    def guard(self, deed: str, then: Callable[[], None]) -> None:
        """Do something that gives up the document; ask first if it has unsaved edits.

        Args:
            deed: the action in words: "open another show".
            then: does it.
        """
        if not self._document.dirty:
            then()
            return
        name = self._document.show.name if self._document.path is None else self._document.path.name
        self._sheets.ask(
            f"Save {name} first?",
            f"{name} has changes that are not saved. Shall they be saved before you {deed}?",
            {"Save": lambda: self._writer.save(then), "Don't save": then},
        )

    def offer_recovery(self) -> None:
        """Look for documents of consoles that ended without saving, and offer them."""
        self._background.run(self._offers.left, self._offers.offer, self._not_opened)

    def offer_all(self) -> None:
        """Offer also documents that were put aside, or chosen and not opened."""
        self._offers.give_back()

        def found(all_of_them: list[Leftover]) -> None:
            if not all_of_them and not self._offers.shown:
                self._sheets.ask(*NOTHING_LEFT, {"Close": lambda: None}, cancel=False)
            self._offers.offer(all_of_them)

        self._background.run(self._offers.left_and_kept, found, self._not_opened)

    def read(self, path: Path) -> None:
        """Read a show in the background; the open one stays until then."""
        self._read(path, self._document.state)

    def _read(self, path: Path, given_up: State) -> None:
        """Read a show in place of the document, unless its state is no longer `given_up`."""
        table = self.robot.table
        if table is None:
            self._waiting = lambda: self._read(path, given_up)
            self._busy(f"waiting for the core: {path.name} opens as soon as the robot is known")
            return
        if self._opening:
            self._context.notices.say("another show is being opened", "warning")
            return
        self._opening = True
        self._busy(f"opening {path.name}")
        self._background.run(
            lambda: saver.read(path, table),
            lambda found: self._take(found, given_up),
            self._not_opened,
        )

    def _begin(self) -> None:
        self._writer.on_disk = frozenset()
        self.keeper.stamp = None
        empty = msgspec.structs.replace(EMPTY, robot=self.robot.name)
        self._document.open(empty, None, {}, {})
        self.opened.emit()

    def _choose(self) -> None:
        places = self._places
        folder = places.folder(self._document.path)
        sheet = ChooserSheet("Open a show", folder, self.read, shortcuts=places.shortcuts())
        self._sheets.show_sheet(sheet)

    def _take(self, found: Read, given_up: State) -> None:
        self._opening = False
        self._busy("")
        if self._edited_since(given_up, found.path.name):
            return
        loaded, notices = found.loaded, self._context.notices
        own = set(loaded.motions) - {motion.name for motion in found.borrowed}
        self._writer.on_disk = files_of(own, loaded.poses)
        self.keeper.stamp = found.stamp
        self._document.open(
            loaded.show,
            found.path,
            loaded.motions,
            loaded.audio,
            loaded.folder,
            found.borrowed,
            poses=loaded.poses,
        )
        self.recent.add(found.path)
        notices.say(f"{found.path.name} is open: {len(loaded.show.cues)} cues")
        for text in loaded.warnings[:MAX_WARNINGS]:
            notices.say(text, "warning")
        if len(loaded.warnings) > MAX_WARNINGS:
            more = len(loaded.warnings) - MAX_WARNINGS
            notices.say(f"{found.path.name}: {more} more warnings of this kind", "warning")
        for pid in others_with(self.journals, found.path):
            text = f"{found.path.name} is open in another console too (process {pid})"
            notices.say(f"{text}: save in one of them only", "warning")
        self.opened.emit()

    def _edited_since(self, given_up: State, name: str) -> bool:
        """Tell whether the document was edited while another show was opened; if so, say it."""
        if not self._document.dirty or self._document.state == given_up:
            return False
        self._fail(f"{name} was not opened: the open show was edited meanwhile; open it again")
        return True

    def _not_opened(self, error: Exception) -> None:
        self._opening = False
        self._busy("")
        self._fail(f"{sentence_of(error)}; the open show stays")

    def _recover(self, leftover: Leftover) -> None:
        def read() -> None:
            self._read_leftover(leftover, self._document.state)

        self.guard("open the recovered one", read)

    def _read_leftover(self, leftover: Leftover, given_up: State) -> None:
        table = self.robot.table
        if table is None:
            self._waiting = lambda: self._read_leftover(leftover, given_up)
            self._busy("waiting for the core: the show opens as soon as the robot is known")
            return
        self._busy("opening the recovered show")
        self._background.run(
            lambda: recover(leftover, table),
            lambda found: self._take_recovered(found, given_up),
            self._not_opened,
        )

    def _take_recovered(self, found: Recovered, given_up: State) -> None:
        self._busy("")
        entry, leftover, notices = found.entry, found.leftover, self._context.notices
        if self._edited_since(given_up, "the recovered show"):
            return
        self._offers.forget()
        self._writer.on_disk = frozenset()
        self.keeper.stamp = entry.stamp if found.path is not None else None
        folder = None if entry.folder is None else Path(entry.folder)

        def safe() -> None:
            if not found.faults:
                self._background.run(leftover.remove, lambda _: None, lambda _: None)

        self._document.open(
            entry.show,
            found.path,
            found.motions,
            found.audio,
            folder,
            found.borrowed,
            saved=False,
            poses=found.poses,
        )
        self.keeper.write(safe)
        for text in found.faults:
            notices.say(text, "warning")
        if found.faults:
            notices.say(f"the journal stays in {leftover.folder}", "warning")
        name, when, _ = describe(leftover)
        notices.say(f"{name} is recovered from {when}, not saved: save it")
        self.opened.emit()

    def _hear(self, hello: Hello) -> None:
        """Take the robot's joints, and open the show that waits for them."""
        if not self.robot.take(hello):
            return
        self._memory.run(
            lambda: self.robot.keep(hello),
            lambda _: None,
            lambda error: self._context.notices.say(str(error), "warning"),
        )
        if self._waiting is not None:
            waiting, self._waiting = self._waiting, None
            waiting()

    def _leave(self) -> None:
        self._leaving = True
        self.may_close.emit()

    def _may_change(self, deed: str) -> bool:
        """Tell whether another show may be opened; else say why not."""
        status = self._context.link.status
        running = self._context.link.connected and status is not None and status.running_cues
        if self._context.lock.locked:
            self._fail(f"locked for the show: switch to EDIT to {deed}")
        elif running and status is not None:
            cue = status.running_cues[0]
            self._fail(f"cue {cue} is running: wait for its end or cancel it to {deed}")
        elif self._writer.saving:
            self._fail(f"the show is being saved: {deed} after that")
        else:
            return True
        return False

    def _busy(self, text: str) -> None:
        self.busy_changed.emit(text)

    def _fail(self, text: str) -> None:
        self._context.notices.say(text, "error")
        self.failed.emit(text)
