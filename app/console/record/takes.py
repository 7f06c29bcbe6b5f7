"""The takes of the open show: where they are, and a summary of each."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

from app.console.context.context import Context
from app.console.files.background import Background
from app.console.files.robot import joint_table
from shows.audio import audio_info
from shows.errors import ShowError
from shows.folders import LIBRARY, user_folder
from shows.joints import Floats, JointTable
from shows.motion import Motion, limbs_of, load_raw_motion
from shows.take import ENDING, Take, TakeHead, read_take
from shows.take_sound import sound_path

LOOK_MS = 2000
MOST_TAKES = 500
IMPORTED = "imported"  # folder of motions of other programs, beside the takes


@dataclass(frozen=True, slots=True, eq=False)
class TakeEntry:
    """A take in the list.

    Attributes:
        path: its file.
        changed_s: time of its last change, since 1970 [s].
        head: its description; None if it cannot be read.
        duration_s: [s].
        markers: number of markers.
        whole: it was ended, and not cut short.
        pose: two equal samples of all joints at its most different pose; None without samples.
        sound_s: length of its sound [s]; None without one that can be played.
        trouble: why it cannot be read; empty if it can.
        moved: limbs that an imported motion moves; None for a take.
    """

    path: Path
    changed_s: float
    head: TakeHead | None = None
    duration_s: float = 0.0
    markers: int = 0
    whole: bool = False
    pose: Motion | None = None
    sound_s: float | None = None
    trouble: str = ""
    moved: tuple[str, ...] | None = None

    @property
    def limbs(self) -> tuple[str, ...]:
        """The limbs that it is about."""
        return self.moved or (() if self.head is None else self.head.limbs)

    @property
    def name(self) -> str:
        """The name of its file without ending."""
        return self.path.stem


def takes_folder(show: Path | None) -> Path:
    """Return where the takes of a show are.

    Those of a show that was never saved, and of one of the program's own, are in the user's folder.

    Args:
        show: the show's folder or zip file.
    """
    if show is None:
        return user_folder("XDG_STATE_HOME", ".local/state") / "takes"
    show = Path(os.path.abspath(show))  # the core has another working directory
    if LIBRARY in show.parents:
        return user_folder("XDG_STATE_HOME", ".local/state") / "takes" / show.name
    if show.suffix.lower() == ".zip":
        return show.with_name(f"{show.stem}.takes")
    return show / "takes"


def imported_folder(show: Path | None) -> Path:
    """Return where the motions of other programs are, beside the takes of a show."""
    return takes_folder(show) / IMPORTED


def next_path(folder: Path, word: str) -> Path:
    """Return the path of a new take, named after what it is about and numbered."""
    stem = "".join(c if c.isalnum() and c.isascii() else "_" for c in word.lower()).strip("_")
    stem = stem if stem[:1].isalpha() else f"take_{stem}".rstrip("_")
    number = 1
    path = folder / f"{stem}_{number}{ENDING}"
    while path.exists() or sound_path(path).exists():
        number += 1
        path = folder / f"{stem}_{number}{ENDING}"
    return path


class TakeLibrary(QObject):
    """Lists the takes of the open show, and reads new ones in a thread.

    Attributes:
        entries: the takes, the newest first.

    Signals:
        changed: the takes changed.
    """

    changed = Signal()

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.entries: tuple[TakeEntry, ...] = ()
        self._document, self._link = context.document, context.link
        self._background = Background(self)
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_MS)
        self._timer.timeout.connect(self.look)
        self._timer.start()
        context.document.opened.connect(self.look)
        context.document.moved.connect(self.look)

    @property
    def folder(self) -> Path:
        """Where new takes are written."""
        return takes_folder(self._document.path)

    def look(self) -> None:
        """Look for new and changed takes."""
        if not self._background.busy:
            known = {entry.path: entry for entry in self.entries}
            folder, hello = self.folder, self._link.hello
            joints = None if hello is None else joint_table(hello)
            self._background.run(
                lambda: _scan(folder, known, joints), self._take, lambda error: None
            )

    def close(self) -> None:
        """Stop looking."""
        self._timer.stop()
        self._background.close()

    def _take(self, entries: tuple[TakeEntry, ...]) -> None:
        if entries != self.entries:
            self.entries = entries
            self.changed.emit()


def _scan(
    folder: Path, known: Mapping[Path, TakeEntry], joints: JointTable | None
) -> tuple[TakeEntry, ...]:
    """Return the takes and the imported motions of a folder, reading those that changed."""
    found: list[TakeEntry] = []
    paths = sorted(folder.glob(f"*{ENDING}"))
    paths += sorted((folder / IMPORTED).glob("*.json")) if joints is not None else []
    for path in paths[:MOST_TAKES]:
        try:
            changed_s = path.stat().st_mtime
        except OSError:
            continue  # gone
        old = known.get(path)
        if old is None or old.changed_s != changed_s:
            if joints is not None and path.suffix != ENDING:
                old = _imported(path, changed_s, joints)
            else:
                old = _read(path, changed_s)
        found.append(old)
    return tuple(sorted(found, key=lambda entry: -entry.changed_s))


def _imported(path: Path, changed_s: float, joints: JointTable) -> TakeEntry:
    try:
        motion = load_raw_motion(path, joints)
    except ShowError as error:
        return TakeEntry(path, changed_s, trouble=str(error))
    return TakeEntry(
        path,
        changed_s,
        duration_s=motion.duration_s,
        markers=len(motion.markers),
        whole=True,
        pose=_farthest(path.stem, motion.joint_names, motion.positions),
        moved=limbs_of(motion, False, joints),
    )


def _read(path: Path, changed_s: float) -> TakeEntry:
    try:
        take = read_take(path)
    except ShowError as error:
        return TakeEntry(path, changed_s, trouble=str(error))
    return TakeEntry(
        path,
        changed_s,
        take.head,
        take.duration_s,
        len(take.markers),
        take.whole,
        _pose(take),
        _sound_s(path),
    )


def _sound_s(path: Path) -> float | None:
    """Return the length of a take's sound [s]; None without one that can be played."""
    found = sound_path(path)
    try:
        return audio_info(found, found.name).duration_s if found.exists() else None
    except ShowError:
        return None


def _pose(take: Take) -> Motion | None:
    """Return the pose that differs most from the first, as a motion of two samples."""
    if not len(take.positions):
        return None
    return _farthest(take.name, take.head.joint_names, take.positions)


def _farthest(name: str, joint_names: tuple[str, ...], positions: Floats) -> Motion:
    away: Floats = np.abs(positions - positions[0]).sum(axis=1)
    pose = positions[int(away.argmax())]
    return Motion(name, joint_names, 10.0, np.array([pose, pose]))
