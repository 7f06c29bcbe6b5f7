"""The takes of the open show: where they are, and a summary of each."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

from app.console.context.context import Context
from app.console.files.background import Background
from shows.audio import audio_info
from shows.errors import ShowError
from shows.folders import LIBRARY, user_folder
from shows.joints import Floats
from shows.motion import Motion
from shows.take import ENDING, Take, TakeHead, read_take
from shows.take_sound import sound_path

LOOK_MS = 2000
MOST_TAKES = 500


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
    if show is not None and LIBRARY in show.parents:
        return user_folder("XDG_STATE_HOME", ".local/state") / "takes" / show.name
    if show is None:
        return user_folder("XDG_STATE_HOME", ".local/state") / "takes"
    if show.suffix.lower() == ".zip":
        return show.with_name(f"{show.stem}.takes")
    return show / "takes"


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
        self._document = context.document
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
            folder = self.folder
            self._background.run(lambda: _scan(folder, known), self._take, lambda error: None)

    def close(self) -> None:
        """Stop looking."""
        self._timer.stop()
        self._background.close()

    def _take(self, entries: tuple[TakeEntry, ...]) -> None:
        if entries != self.entries:
            self.entries = entries
            self.changed.emit()


def _scan(folder: Path, known: Mapping[Path, TakeEntry]) -> tuple[TakeEntry, ...]:
    """Return the takes of a folder, reading those that changed."""
    found: list[TakeEntry] = []
    for path in sorted(folder.glob(f"*{ENDING}"))[:MOST_TAKES]:
        try:
            changed_s = path.stat().st_mtime
        except OSError:
            continue  # gone
        old = known.get(path)
        found.append(old if old and old.changed_s == changed_s else _read(path, changed_s))
    return tuple(sorted(found, key=lambda entry: -entry.changed_s))


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
    names = take.head.joint_names
    away: Floats = np.abs(take.positions - take.positions[0]).sum(axis=1)
    pose = take.positions[int(away.argmax())]
    return Motion(take.name, names, 10.0, np.array([pose, pose]))
