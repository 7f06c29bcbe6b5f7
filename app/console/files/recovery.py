"""Recovery of a crashed console's documents: read from journals, and offered in a sheet."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QTreeWidget, QTreeWidgetItem, QWidget

from app.console.context.notices import Notices
from app.console.files.journal import KEPT, Entry, Leftover, leftovers
from app.console.toolkit import theme
from app.console.toolkit.sheet import Sheet, SheetHost
from shows.audio import AudioInfo, audio_info
from shows.document import GestureClip, Show
from shows.errors import ShowError
from shows.folders import gesture_folders
from shows.gestures import find_gesture
from shows.joints import JointTable
from shows.motion import Motion, load_motion
from shows.pose import Pose


@dataclass(frozen=True, slots=True, eq=False)
class Recovered:
    """A document out of a journal.

    Attributes:
        leftover: the journal.
        entry: the newest entry.
        path: its folder or zip; None where it must be saved elsewhere.
        motions: its own motions and the borrowed ones, by name.
        borrowed: those that are the library's.
        audio: its phrases.
        faults: a sentence for each part that cannot be read.
        poses: its poses, by name.
    """

    leftover: Leftover
    entry: Entry
    path: Path | None
    motions: dict[str, Motion]
    borrowed: tuple[Motion, ...]
    audio: dict[str, AudioInfo]
    faults: tuple[str, ...]
    poses: dict[str, Pose] = field(default_factory=dict)


def recover(
    leftover: Leftover, joints: JointTable, gestures: Sequence[Path] | None = None
) -> Recovered:
    """Read a document from a journal; unreadable entries are left out and reported.

    Raises:
        ShowError: nothing of it can be read.
    """
    entry = leftover.entry
    if entry is None:
        raise ShowError("the journal", "", leftover.fault, f"it is kept in {leftover.folder}")
    motions, faults = leftover.motions(joints)
    poses, more = leftover.poses(joints)
    faults += more
    borrowed = []
    folders = gesture_folders(joints.robot) if gestures is None else gestures
    for name in sorted(_motion_names(entry.show) - motions.keys()):
        path = find_gesture(name, folders)
        try:
            if path is not None:
                motions[name] = load_motion(path, joints)
                borrowed.append(motions[name])
        except ShowError as error:
            faults.append(str(error))
    audio = {}
    for phrase, sound in entry.audio.items():
        try:
            audio[phrase] = audio_info(Path(sound), Path(sound).name)
        except ShowError as error:
            faults.append(str(error))
    place = None if entry.path is None else Path(entry.path)
    if entry.moved_on and place is not None:
        faults.append(f"{place.name} was changed since: the recovered show is saved elsewhere")
        place = None
    return Recovered(leftover, entry, place, motions, tuple(borrowed), audio, tuple(faults), poses)


def describe(leftover: Leftover) -> tuple[str, str, str]:
    """Return the name, the time and the contents of an entry, as text."""
    entry = leftover.entry
    if entry is None:
        return leftover.folder.name, "?", f"cannot be read: {leftover.fault}"
    name = entry.show.name if entry.path is None else Path(entry.path).name
    written = datetime.fromtimestamp(entry.written_s)
    day = "" if written.date() == datetime.now().date() else f"{written:%Y-%m-%d} "
    where = "never saved" if entry.path is None else str(Path(entry.path).parent)
    cues = len(entry.show.cues)
    return name, f"{day}{written:%H:%M}", f"{cues} cue{'' if cues == 1 else 's'}, {where}"


class RecoverySheet(Sheet):
    """Lists the recoverable documents; those that are not opened are put aside, never deleted.

    Attributes:
        list: one line a document.
    """

    def __init__(
        self,
        found: list[Leftover],
        chosen: Callable[[Leftover], None],
        notices: Notices,
    ) -> None:
        """Build the sheet.

        Args:
            found: journals, held by this process.
            chosen: receives the one to open, and owns it.
            notices: reports where the others are put.
        """
        first, when, _ = describe(found[0])
        many = f" and {len(found) - 1} more" if len(found) > 1 else ""
        super().__init__(f"Recovered from {when}, not saved: {first}{many}", width=680, height=360)
        self._found, self._chosen, self._notices = list(found), chosen, notices
        self.add_text(
            "The console ended without saving. Open what it had written down, or put it aside: "
            "File, Recover offers it again at any time."
        )
        self.list = QTreeWidget()
        self.list.setHeaderLabels(["Show", "Written", "What"])
        self.list.setRootIsDecorated(False)
        self.list.setAccessibleName("Recovered shows")
        self.list.setToolTip("Enter opens the marked line")
        self.list.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        for leftover in found:
            item = QTreeWidgetItem(list(describe(leftover)))
            item.setData(0, Qt.ItemDataRole.UserRole, leftover)
            if leftover.entry is None:
                item.setText(0, f"{theme.BAD.mark} {item.text(0)}")
            self.list.addTopLevelItem(item)
            if leftover is found[0]:
                self.list.setCurrentItem(item)
        for column in range(2):
            self.list.resizeColumnToContents(column)
        self.list.itemActivated.connect(self.open)
        self.body.addWidget(self.list, 1)
        self.add_button("Put aside", tip="Keep the files, and open nothing")
        self.add_button("Open", self.open, "Open the marked show as it was written", chief=True)
        self.closed.connect(self._put_aside)

    def first_focus(self) -> QWidget:
        """Return the list."""
        return self.list

    def open(self) -> None:
        """Open the marked show, and put the others aside."""
        item = self.list.currentItem()
        leftover = None if item is None else item.data(0, Qt.ItemDataRole.UserRole)
        if not isinstance(leftover, Leftover) or leftover.entry is None:
            return
        self._found.remove(leftover)
        self.dismiss()
        self._chosen(leftover)

    def release(self) -> None:
        """Let go of all: the next start offers them again."""
        for leftover in self._found:
            leftover.release()
        self._found = []

    def _put_aside(self) -> None:
        for leftover in self._found:
            try:
                place = leftover.keep()
            except ShowError as error:
                self._notices.say(str(error), "error")
            else:
                if leftover.fault:
                    self._notices.say(f"{leftover.fault}; it is kept in {place}", "warning")
        if self._found:
            self._notices.say("the recovered shows are put aside: File, Recover offers them")
        self._found = []


class RecoveryOffers:
    """Owns the offered journals: this process holds them until they are answered.

    Args:
        journals: where they lie.
        sheets: where they are offered.
        notices: reports the journals that are put aside.
        open_one: gets the chosen one; then `forget` if it was opened.
    """

    def __init__(
        self,
        journals: Path,
        sheets: SheetHost,
        notices: Notices,
        open_one: Callable[[Leftover], None],
    ) -> None:
        self._journals, self._sheets, self._notices = journals, sheets, notices
        self._open_one = open_one
        self._sheet: RecoverySheet | None = None
        self._chosen: Leftover | None = None  # and not yet open

    @property
    def shown(self) -> bool:
        """Whether something is offered now."""
        return self._sheet is not None

    def left(self) -> list[Leftover]:
        """Return the journals of consoles that died; for a worker thread."""
        return leftovers(self._journals)

    def left_and_kept(self) -> list[Leftover]:
        """Return the opened document and those put aside; for a worker thread."""
        return leftovers(self._journals) + leftovers(self._journals / KEPT)

    def offer(self, found: list[Leftover]) -> None:
        """Offer journals, unless some are offered already."""
        if not found or self._sheet is not None:
            for leftover in found:
                leftover.release()
            return
        self._sheet = RecoverySheet(found, self._choose, self._notices)
        self._sheet.closed.connect(self._closed)
        self._sheets.show_sheet(self._sheet)

    def give_back(self) -> None:
        """Let go of one that was chosen and not opened after all."""
        if self._chosen is not None:
            self._chosen.release()
        self.forget()

    def forget(self) -> None:
        """Take that the chosen one is open."""
        self._chosen = None

    def release(self) -> None:
        """Let go of all that is offered: the next start offers it again."""
        if self._sheet is not None:
            self._sheet.release()

    def _choose(self, leftover: Leftover) -> None:
        self._chosen = leftover
        self._open_one(leftover)

    def _closed(self) -> None:
        self._sheet = None


def _motion_names(show: Show) -> set[str]:
    clips = (clip for cue in show.cues for clip in cue.clips())
    return {clip.motion for clip in clips if isinstance(clip, GestureClip)}
