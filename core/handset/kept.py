"""The operator's saved layout of the handset: one file for each robot, in the settings folder."""

from pathlib import Path

import msgspec

from core.link.handset import HandsetMap
from shows.errors import ShowError
from shows.files import read_capped, write_atomically
from shows.folders import user_folder
from shows.jsonfile import decode

MAX_BYTES = 2**16


def kept_path(robot: str) -> Path:
    """Return the path of a robot's saved layout."""
    return user_folder("XDG_CONFIG_HOME", ".config") / "robots" / robot / "handset.json"


def keep(path: Path, layout: HandsetMap | None) -> None:
    """Save a layout; None deletes the saved one.

    Raises:
        ShowError: the disk refused; the saved layout stays.
    """
    if layout is not None:
        data = msgspec.json.format(msgspec.json.encode(layout), indent=1) + b"\n"
        write_atomically(path, data)
        return
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise ShowError(path.name, "", f"could not be removed ({error})", "remove it") from error


def read_kept(path: Path) -> tuple[HandsetMap | None, str]:
    """Return the saved layout or None, and the reason why a saved one cannot be used, or empty."""
    if not path.exists():
        return None, ""
    try:
        return decode(read_capped(path, MAX_BYTES, str(path)), HandsetMap, str(path)), ""
    except ShowError as error:
        return None, str(error)
