"""The journal: unsaved edits, on disk within seconds, and found again after a crash.

Each document of each process has a folder of its own. A lock in it lives as long as the process;
a folder whose lock is free was left by a console that died.
"""

import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec

from app.console.files.snapshot import Snapshot, stamp_of
from shows.document import Show
from shows.errors import ShowError
from shows.files import read_capped, write_atomically
from shows.joints import JointTable
from shows.jsonfile import decode
from shows.motion import Motion, encode_motion, load_motion
from shows.pose import Pose, encode_pose, load_pose

Part = TypeVar("Part", Motion, Pose)

MAX_BYTES = 64 * 2**20
KEPT = "kept"  # declined recoveries
_LOCK, _OWNER = "lock", "owner.json"
_ENTRIES = ("entry-0.json", "entry-1.json")  # in turn: a torn one leaves the other


class Owner(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who writes a journal, and of what.

    Attributes:
        pid: the process.
        path: the document's folder or zip; None for one that was never saved.
    """

    pid: int
    path: str | None


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The document as it was when this was written.

    Attributes:
        schema: version of the form.
        sequence: the larger one is the later one.
        written_s: when, in seconds since 1970.
        show: the document.
        path: its folder or zip; None for one that was never saved.
        folder: where its files lie.
        stamp: of its file then, to detect a later save by another program.
        motions: its own motions: name to file in the journal.
        audio: phrase to file.
        poses: its poses: name to file in the journal.
    """

    schema: Literal[1]
    sequence: int
    written_s: float
    show: Show
    path: str | None
    folder: str | None
    stamp: tuple[int, int] | None
    motions: dict[str, str]
    audio: dict[str, str]
    poses: dict[str, str] = {}

    @staticmethod
    def complete(document: Any) -> bool:
        """Write what the show of an older program leaves out; return if anything is."""
        return isinstance(document, dict) and Show.complete(document.get("show"))

    @property
    def moved_on(self) -> bool:
        """The document's file was saved by another program since, or is missing."""
        return self.path is not None and stamp_of(Path(self.path)) != self.stamp


class Journal:
    """Writes one document's journal; for a worker thread.

    Attributes:
        folder: where it lies.
    """

    def __init__(self, root: Path, path: Path | None) -> None:
        """Make its folder and lock it.

        Raises:
            ShowError: the disk refused.
        """
        self._sequence = 0
        self._files: dict[Motion | Pose, str] = {}
        self._lock = -1
        try:
            root.mkdir(parents=True, exist_ok=True, mode=0o700)
            fresh = Path(tempfile.mkdtemp(prefix=".new.", dir=root))
            self._lock = os.open(fresh / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self.folder = root / f"{os.getpid()}-{time.time_ns()}"
            os.replace(fresh, self.folder)  # now it is visible, and already locked
        except OSError as error:
            self.release()
            raise _unwritten(root, error) from error
        self.move(path)

    def move(self, path: Path | None) -> None:
        """Note where the document lies.

        Raises:
            ShowError: the disk refused.
        """
        owner = Owner(os.getpid(), None if path is None else str(path))
        write_atomically(self.folder / _OWNER, msgspec.json.encode(owner))

    def write(self, snapshot: Snapshot, stamp: tuple[int, int] | None) -> None:
        """Write the document down; it is on the disk when this returns.

        Args:
            snapshot: the document.
            stamp: of the file that it was read from.

        Raises:
            ShowError: the disk refused, or the document is one that could not be read back.
        """
        self._sequence += 1
        motions = self._write_parts(snapshot.motions, "motions", encode_motion)
        poses = self._write_parts(snapshot.poses, "poses", encode_pose)
        self._files = {snapshot.motions[name]: file for name, file in motions.items()}
        self._files |= {snapshot.poses[name]: file for name, file in poses.items()}
        entry = Entry(
            schema=1,
            sequence=self._sequence,
            written_s=time.time(),
            show=snapshot.show,
            path=None if snapshot.path is None else str(snapshot.path),
            folder=None if snapshot.folder is None else str(snapshot.folder),
            stamp=stamp,
            motions=motions,
            audio={phrase: str(path) for phrase, path in snapshot.audio.items()},
            poses=poses,
        )
        data = msgspec.json.encode(entry)
        try:
            msgspec.json.decode(data, type=Entry)
        except (msgspec.MsgspecError, ValueError):
            decode(data, Entry, "the journal")  # slower, and reports the fault in a sentence
        write_atomically(self.folder / _ENTRIES[self._sequence % 2], data)

    def _write_parts(
        self, parts: Mapping[str, Part], folder: str, encode: Callable[[Part], bytes]
    ) -> dict[str, str]:
        """Write the parts that are not in the journal yet; return the file of each by name."""
        files = {}
        for name, part in parts.items():
            file = self._files.get(part)
            if file is None:
                file = f"{folder}/{self._sequence}/{name}.json"
                write_atomically(self.folder / file, encode(part))
            files[name] = file
        return files

    def clear(self) -> None:
        """Discard the entries: the document is saved."""
        for name in _ENTRIES:
            (self.folder / name).unlink(missing_ok=True)
        for part in ("motions", "poses"):
            shutil.rmtree(self.folder / part, ignore_errors=True)
        self._files = {}

    def close(self) -> None:
        """Remove the journal: nothing is left to recover."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.release()

    def release(self) -> None:
        """Release the journal as it is: the next start offers its contents."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1


class Leftover:
    """A journal whose console died, held by this process so that no other one offers it too.

    Attributes:
        folder: where it lies.
        entry: the newest entry that can be read; None if none can.
        fault: why a newer or the only entry cannot be read; empty if all can.
    """

    def __init__(self, folder: Path, lock: int) -> None:
        self.folder = folder
        self._lock = lock
        self.entry: Entry | None = None
        self.fault = ""
        found: list[Entry] = []
        for name in _ENTRIES:
            if (folder / name).exists():
                try:
                    data = read_capped(folder / name, MAX_BYTES, name)
                    found.append(decode(data, Entry, f"the journal {folder.name}"))
                except ShowError as error:
                    self.fault = str(error)
        if found:
            self.entry = max(found, key=lambda entry: entry.sequence)

    @property
    def holds(self) -> bool:
        """There is something in it, readable or not."""
        return self.entry is not None or bool(self.fault)

    def motions(self, joints: JointTable) -> tuple[dict[str, Motion], list[str]]:
        """Return the show's own motions, and a sentence for each that cannot be read."""
        motions: dict[str, Motion] = {}
        faults = []
        for name, file in {} if self.entry is None else self.entry.motions.items():
            try:
                motions[name] = load_motion(self.folder / file, joints)
            except ShowError as error:
                faults.append(str(error))
        return motions, faults

    def poses(self, joints: JointTable) -> tuple[dict[str, Pose], list[str]]:
        """Return the show's poses, and a sentence for each that cannot be read."""
        poses: dict[str, Pose] = {}
        faults = []
        for name, file in {} if self.entry is None else self.entry.poses.items():
            try:
                poses[name] = load_pose(self.folder / file, joints)
            except ShowError as error:
                faults.append(str(error))
        return poses, faults

    def keep(self) -> Path:
        """Put it aside, where nothing touches it, and return where.

        Raises:
            ShowError: the disk refused; it stays where it is, and is offered again.
        """
        if self.folder.parent.name == KEPT:
            self.release()
            return self.folder
        place = self.folder.parent / KEPT / self.folder.name
        try:
            place.parent.mkdir(exist_ok=True)
            os.replace(self.folder, place)
        except OSError as error:
            raise _unwritten(self.folder, error) from error
        finally:
            self.release()
        self.folder = place
        return place

    def remove(self) -> None:
        """Remove the journal: its document is open again, with a journal of its own."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.release()

    def release(self) -> None:
        """Let go of it; another start offers it again."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1


def leftovers(root: Path) -> list[Leftover]:
    """Return the journals of consoles that died, the newest first; empty ones are removed."""
    found = []
    for folder in _journals(root):
        lock = _free_lock(folder)
        if lock is None:
            continue
        leftover = Leftover(folder, lock)
        if leftover.holds:
            found.append(leftover)
        else:
            leftover.remove()
    found.sort(key=lambda left: 0.0 if left.entry is None else left.entry.written_s, reverse=True)
    return found


def others_with(root: Path, path: Path) -> list[int]:
    """Return the processes of other consoles that have this document open."""
    found = []
    for folder in _journals(root):
        try:
            owner = msgspec.json.decode((folder / _OWNER).read_bytes(), type=Owner)
        except (OSError, msgspec.MsgspecError, ValueError):
            continue
        if owner.path != str(path) or owner.pid == os.getpid():
            continue
        lock = _free_lock(folder)
        if lock is None:
            found.append(owner.pid)
        else:
            os.close(lock)
    return found


def _journals(root: Path) -> Iterator[Path]:
    try:
        folders = sorted(root.iterdir())
    except OSError:
        return
    for folder in folders:
        if folder.is_dir() and folder.name != KEPT and not folder.name.startswith("."):
            yield folder


def _free_lock(folder: Path) -> int | None:
    """Take a journal's lock if it is free."""
    try:
        lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:
        return None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        return None
    return lock


def _unwritten(path: Path, error: OSError) -> ShowError:
    return ShowError(
        "the journal",
        "",
        f"cannot be written to {path} ({error.strerror or error})",
        "save often, and free some space",
    )
