"""The operator's own layout of the handset: one checked file a robot, in the settings' folder."""

from pathlib import Path

import msgspec

from core.link.handset import HandsetMap
from shows.errors import ShowError
from shows.files import read_capped, write_atomically
from shows.folders import user_folder
from shows.jsonfile import decode

MAX_BYTES = 2**16


def kept_path(robot: str) -> Path:
    """Return where a robot's layout is kept."""
    return user_folder("XDG_CONFIG_HOME", ".config") / "robots" / robot / "handset.json"


def keep(path: Path, layout: HandsetMap | None) -> None:
    """Keep a layout, or with None forget the one that was kept.

    Raises:
        ShowError: the disk refused; what was kept stays.
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
    """Return the saved layout or None, and why a saved one cannot be used, empty if it can."""
    if not path.exists():
        return None, ""
    try:
        return decode(read_capped(path, MAX_BYTES, str(path)), HandsetMap, str(path)), ""
    except ShowError as error:
        return None, str(error)
