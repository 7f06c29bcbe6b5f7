"""Reading a show with all that belongs to it, and writing it back."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from app.console.files.snapshot import SHOW_FILE, Snapshot, all_audio, stamp_of
from shows import archive
from shows.audio import AudioInfo
from shows.errors import ShowError
from shows.joints import JointTable
from shows.motion import Motion
from shows.storage import LoadedShow, default_cache, load_show, save_show


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """A show as it was read.

    Attributes:
        loaded: the show with its motions and sounds.
        path: its folder or zip.
        borrowed: those of its motions that are the library's.
        stamp: identifies the file's version.
    """

    loaded: LoadedShow
    path: Path
    borrowed: tuple[Motion, ...]
    stamp: tuple[int, int] | None


@dataclass(frozen=True, slots=True, eq=False)
class Written:
    """A show as it was saved.

    Attributes:
        snapshot: the saved document.
        path: its folder or zip.
        folder: where its files lie now.
        audio: the files of its phrases there, by phrase.
        stamp: identifies the file's version.
        remark: a problem despite the save; empty without one.
    """

    snapshot: Snapshot
    path: Path
    folder: Path
    audio: dict[str, Path]
    stamp: tuple[int, int] | None
    remark: str = ""


def show_path(path: Path) -> Path:
    """Return the show that a path means: of a `show.json`, its folder."""
    path = path.absolute()
    return path.parent if path.name == SHOW_FILE else path


def read(path: Path, joints: JointTable) -> Read:
    """Read a show to edit it; faults of its content are among its warnings.

    Raises:
        ShowError: it cannot be read, in one sentence.
    """
    path = show_path(path)
    stamp = stamp_of(path)  # before it is read: a change meanwhile is then noticed
    loaded = load_show(path, joints, unfinished=True)
    borrowed = tuple(
        motion
        for name, motion in loaded.motions.items()
        if not (loaded.folder / "motions" / f"{name}.json").is_file()
    )
    return Read(loaded, path, borrowed, stamp)


def write(snapshot: Snapshot, path: Path, formerly: Iterable[str] = ()) -> Written:
    """Save a show as a folder or a zip.

    Args:
        snapshot: the document.
        path: the folder, or the zip if the name ends in `.zip`.
        formerly: files of its own motions and poses in the folder, see `Snapshot.files`; those
            that it has no more are removed.

    Raises:
        ShowError: the disk refused; the earlier file remains.
    """
    zipped = path.suffix == ".zip"
    sounds = all_audio(snapshot)
    if not zipped:
        sounds = {p: file for p, file in sounds.items() if file.parent != path / "audio"}
    repertoires = snapshot.repertoires()
    if not zipped:
        repertoires = {name: file for name, file in repertoires.items() if file != path / name}
    save_show(
        snapshot.show,
        path,
        snapshot.motions.values(),
        sounds,
        snapshot.poses.values(),
        repertoires,
    )
    remark = ""
    folder = path
    if zipped:
        folder = archive.unpack(path, path.name, default_cache())
    else:
        try:
            for file in set(formerly) - snapshot.files:
                (path / file).unlink(missing_ok=True)
        except OSError as error:
            remark = (
                f"{path.name}: a deleted motion or pose is still there ({error.strerror or error})"
            )
    audio = {p: folder / "audio" / f"{p}{file.suffix}" for p, file in snapshot.audio.items()}
    return Written(snapshot, path, folder, audio, stamp_of(path), remark)


def check_place(path: Path) -> None:
    """Refuse a place where a show cannot be saved, before anything is written.

    Raises:
        ShowError: its folder is missing, or something else is there.
    """
    if not path.parent.is_dir():
        raise ShowError(path.name, "", "has no folder to lie in", "choose another place")
    if path.suffix == ".zip":
        if path.is_dir():
            raise ShowError(path.name, "", "is a folder, not a zip", "choose another name")
        return
    if path.exists() and not path.is_dir():
        raise ShowError(path.name, "", "is a file, not a folder", "choose another name")
    if path.is_dir() and not (path / SHOW_FILE).is_file() and any(path.iterdir()):
        raise ShowError(path.name, "", "is a folder with other things in it", "choose another name")


def moved_audio(audio: dict[str, AudioInfo], written: Written) -> dict[str, AudioInfo]:
    """Return the phrases with the files that they have after saving."""
    return {
        phrase: AudioInfo(written.audio.get(phrase, info.path), info.duration_s)
        for phrase, info in audio.items()
    }
