"""Reading files within a bound, and saving them so that a power cut leaves old or new."""

import os
import tempfile
from pathlib import Path

from shows.errors import ShowError


def read_capped(path: Path, limit_bytes: int, label: str) -> bytes:
    """Return a file's bytes; refuse one that is not a plain file or is larger than the limit.

    Raises:
        ShowError: missing, unreadable, not a file, or too large.
    """
    try:
        if not path.is_file():
            missing = "is not a file" if path.exists() else "does not exist"
            raise ShowError(label, "", missing, "check the name and the folder")
        with path.open("rb") as stream:
            data = stream.read(limit_bytes + 1)
    except (OSError, ValueError) as error:
        raise ShowError(
            label, "", f"cannot be read ({_why(error)})", "check the file and its permissions"
        ) from error
    if len(data) > limit_bytes:
        raise ShowError(
            label, "", f"is larger than {limit_bytes / 2**20:.0f} MiB", "split or shorten it"
        )
    return data


def write_atomically(path: Path, data: bytes) -> None:
    """Replace a file by new bytes: afterwards it is wholly the old or wholly the new one.

    Raises:
        ShowError: the disk or the permissions refused; the old file is untouched.
    """
    commit([stage(path, data)])


def stage(path: Path, data: bytes) -> tuple[Path, Path]:
    """Write bytes, synced, beside a file's name; return (temporary, final) for `commit`.

    Raises:
        ShowError: the disk or the permissions refused; nothing is left behind.
    """
    temporary: Path | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name[:60]}.", dir=path.parent)
        temporary = Path(name)
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fchmod(stream.fileno(), 0o644)
            os.fsync(stream.fileno())
    except OSError as error:
        discard([] if temporary is None else [(temporary, path)])
        raise _unsaved(path, error) from error
    return temporary, path


def commit(staged: list[tuple[Path, Path]]) -> None:
    """Rename staged files into place, in order, and sync their folders.

    Raises:
        ShowError: a rename failed, and the files from that one on are the old ones; or a folder
            could not be synced, and all are the new ones.
    """
    for done, (temporary, path) in enumerate(staged):
        try:
            os.replace(temporary, path)
        except OSError as error:
            discard(staged[done:])
            raise _unsaved(path, error) from error
    for folder in {path.parent for _, path in staged}:
        try:
            handle = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
        except OSError as error:
            reason = f"was saved, but a power cut may undo it ({_why(error)})"
            raise ShowError(folder.name, "", reason, "check the disk and save again") from error


def discard(staged: list[tuple[Path, Path]]) -> None:
    """Remove staged files that will not be committed."""
    for temporary, _ in staged:
        temporary.unlink(missing_ok=True)


def _why(error: Exception) -> str:
    strerror = getattr(error, "strerror", None)
    return str(strerror or error)


def _unsaved(path: Path, error: OSError) -> ShowError:
    return ShowError(
        path.name, "", f"could not be saved ({_why(error)})", "the old file is untouched"
    )
