"""Reads the key that a robot and its handset share."""

import os
import stat
from pathlib import Path

from devices.errors import DeviceError
from devices.families.native_handset.wire import KEY_SIZE

_MOST_KEY_BYTES = 2 * KEY_SIZE + 2  # hexadecimal digits and the end of the line


def read_key(path: Path) -> bytes:
    """Return the key in a file of 64 hexadecimal digits, which only its owner may read.

    Raises:
        DeviceError: it cannot be read, others may read or change it, or it holds no key.
    """
    device = "native handset"
    try:
        with path.open("rb") as stream:
            facts = os.fstat(stream.fileno())
            raw = stream.read(_MOST_KEY_BYTES + 1) if stat.S_ISREG(facts.st_mode) else b""
    except OSError as error:
        raise DeviceError(
            device,
            f"its key {path} cannot be read ({error.strerror}); pair handset and robot by cable,"
            " and make the core's user the owner of its file",
        ) from error
    if facts.st_mode & 0o077 or facts.st_uid not in (0, os.geteuid()):
        raise DeviceError(
            device,
            f"others may read or change its key {path}; make the core's user its owner,"
            " with mode 0600, and pair handset and robot anew, for the key may be known",
        )
    try:
        key = bytes.fromhex(raw.decode("ascii").strip())
    except ValueError:
        key = b""
    if len(key) != KEY_SIZE or len(raw) > _MOST_KEY_BYTES:
        raise DeviceError(
            device,
            f"its key {path} is not {2 * KEY_SIZE} hexadecimal digits; pair it by cable again",
        )
    return key
