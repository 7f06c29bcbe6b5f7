"""The document at one moment, for work beside the GUI thread."""

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from app.console.context.document import Document
from shows.audio import ENDINGS
from shows.document import Show
from shows.motion import Motion
from shows.pose import Pose
from shows.repertoire_files import repertoire_files

SHOW_FILE = "show.json"
_ODD = re.compile(r"[^\w. -]+")


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """All of a document that is worth keeping.

    Attributes:
        show: the document.
        path: its folder or zip; None for one that was never saved.
        folder: where its files lie; None for a new one.
        motions: its own motions, by name.
        audio: the files of its phrases, by phrase.
        poses: its poses, by name.
    """

    show: Show
    path: Path | None
    folder: Path | None
    motions: dict[str, Motion]
    audio: dict[str, Path]
    poses: Mapping[str, Pose] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """What to call it where a file's name is wanted."""
        name = self.show.name if self.path is None else self.path.stem
        return _ODD.sub("_", name).strip(". ")[:60] or "show"

    @property
    def files(self) -> frozenset[str]:
        """The files of its own motions and of its poses, relative to the show's folder."""
        return files_of(self.motions, self.poses)

    def repertoires(self) -> dict[str, Path]:
        """Return the files of its repertoires as they are on the disk, by their names in it."""
        return {} if self.folder is None else repertoire_files(self.folder)


def snapshot_of(document: Document) -> Snapshot:
    """Return the document as it is now."""
    audio = {phrase: info.path for phrase, info in document.audio.items()}
    return Snapshot(
        document.show,
        document.path,
        document.folder,
        document.own_motions,
        audio,
        document.poses,
    )


def files_of(motions: Iterable[str], poses: Iterable[str]) -> frozenset[str]:
    """Return the files of motions and poses by their names, relative to the show's folder."""
    return frozenset(f"motions/{name}.json" for name in motions) | frozenset(
        f"poses/{name}.json" for name in poses
    )


def all_audio(snapshot: Snapshot) -> dict[str, Path]:
    """Return every sound that belongs to a document, also those without a cue."""
    found: dict[str, Path] = {}
    if snapshot.folder is not None:
        for ending in reversed(ENDINGS):  # the first of them goes before the others
            for path in sorted((snapshot.folder / "audio").glob(f"*{ending}")):
                found[path.stem] = path
    return found | snapshot.audio


def stamp_of(path: Path) -> tuple[int, int] | None:
    """Return the stamp of a show's file: its time [ns] and its size [bytes]."""
    try:
        found = os.stat(path / SHOW_FILE if path.is_dir() else path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
