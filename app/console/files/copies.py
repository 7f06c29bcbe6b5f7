"""Working copies: the core plays the document as it is edited, which no file may hold yet."""

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path

from app.console.files.snapshot import SHOW_FILE, Snapshot
from shows.errors import ShowError
from shows.motion import Motion, encode_motion
from shows.storage import encode_show

KEPT = 8
_FRESH = ".making."


class WorkingCopies:
    """Show folders that are named by their content, so that one content has one path.

    A console that was restarted with the same document thus knows the copy that the core has.

    Attributes:
        root: where they lie.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._encoded: dict[Motion, bytes] = {}

    def make(self, snapshot: Snapshot, in_use: str = "") -> Path:
        """Return the folder of a copy, made unless it is there; older ones make room.

        Args:
            snapshot: the document.
            in_use: the folder that the core plays from; it stays.

        Raises:
            ShowError: the document cannot be written, or the disk refused.
        """
        files = self._files(snapshot)
        digest = hashlib.sha256()
        for name, data in sorted(files.items()):
            digest.update(f"{name} {len(data)} ".encode() + data)
        for phrase, path in sorted(snapshot.audio.items()):
            digest.update(f"{phrase} {path} {_stat(path)} ".encode())
        repertoires = snapshot.repertoires()
        for name, path in sorted(repertoires.items()):
            digest.update(f"{name} {path} {_stat(path)} ".encode())
        place = self.root / digest.hexdigest()[:24]
        folder = place / snapshot.label
        try:
            linked = {f"audio/{p}{file.suffix}": file for p, file in snapshot.audio.items()}
            linked |= repertoires
            if not _holds(folder, files, linked):
                self._write(place, folder.name, files, linked)
            os.utime(place)
            self._forget({place.name, Path(in_use).parent.name})
        except OSError as error:
            raise ShowError(
                snapshot.label,
                "",
                f"could not be copied for the core ({error.strerror or error})",
                f"free some space in {self.root}",
            ) from error
        return folder

    def _files(self, snapshot: Snapshot) -> dict[str, bytes]:
        motions = snapshot.motions.values()
        self._encoded = {m: self._encoded.get(m) or encode_motion(m) for m in motions}
        files = {f"motions/{m.name}.json": data for m, data in self._encoded.items()}
        files[SHOW_FILE] = encode_show(snapshot.show)
        return files

    def _write(
        self, place: Path, name: str, files: dict[str, bytes], linked: dict[str, Path]
    ) -> None:
        self.root.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(prefix=_FRESH, dir=self.root))
        try:
            folder = fresh / name
            for part in ("motions", "audio"):
                (folder / part).mkdir(parents=True)
            for file, data in files.items():
                (folder / file).write_bytes(data)
            for file, path in linked.items():
                (folder / file).parent.mkdir(parents=True, exist_ok=True)
                _link(path, folder / file)
            shutil.rmtree(place, ignore_errors=True)  # a damaged one
            os.replace(fresh, place)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)

    def _forget(self, used: set[str]) -> None:
        """Keep the newest copies, and those that are used."""
        places = [path for path in self.root.iterdir() if path.name not in used]
        places.sort(key=lambda path: path.stat().st_mtime, reverse=True)
        for path in places[KEPT:]:
            shutil.rmtree(path, ignore_errors=True)


def _holds(folder: Path, files: dict[str, bytes], linked: Iterable[str]) -> bool:
    """Tell whether a copy is whole: a power cut may have left its name alone."""
    try:
        same = all((folder / name).read_bytes() == data for name, data in files.items())
    except OSError:
        return False
    return same and all((folder / name).is_file() for name in linked)


def _link(source: Path, target: Path) -> None:
    """Make a file appear in the copy without copying it, if the disk can."""
    try:
        os.link(source, target)
    except OSError:  # another disk, or one without links
        try:
            os.symlink(source, target)
        except OSError:
            shutil.copyfile(source, target)


def _stat(path: Path) -> str:
    try:
        found = path.stat()
    except OSError:
        return "missing"
    return f"{found.st_mtime_ns} {found.st_size}"
