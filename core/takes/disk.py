"""Room on the disk for a recording."""

import errno
import os
from pathlib import Path


def check_room(folder: Path, reserve_bytes: int) -> None:
    """Refuse to write where less than a reserve is free.

    Raises:
        OSError: the disk has no room.
    """
    room = os.statvfs(folder)
    if room.f_bavail * room.f_frsize < reserve_bytes:
        raise OSError(errno.ENOSPC, "no room left on the disk")
