"""What both handsets' drivers have: counts within a second, and the key's file."""

import os
import stat
from pathlib import Path

from devices.errors import DeviceError
from devices.families.native_handset.wire import KEY_SIZE
from devices.interface import Trouble

BUTTONS = 10
_MOST_KEY_BYTES = 2 * KEY_SIZE + 2  # hexadecimal digits and the end of the line


class Window:
    """Counts within whole seconds.

    Attributes:
        last: count of the last whole second.
        now: count of the present one.
    """

    __slots__ = ("last", "now", "_began_s")

    def __init__(self) -> None:
        self.last = self.now = 0
        self._began_s = 0.0

    def advance(self, now_s: float) -> None:
        """Go on to a time [s]."""
        elapsed_s = now_s - self._began_s
        if 0.0 <= elapsed_s < 1.0:
            return
        self.last = self.now if 0.0 <= elapsed_s < 2.0 else 0
        self.now = 0
        self._began_s = now_s


def bearable(troubles: tuple[Trouble, ...]) -> tuple[Trouble, ...]:
    """Return a line's troubles as a handset's: its silence is judged by its age alone."""
    return tuple(Trouble(trouble.device, trouble.text) for trouble in troubles)


def read_key(path: Path) -> bytes:
    """Return the key in a file of 64 hexadecimal digits, which nobody else may read.

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
            " and let its file be the own of whom the core runs as",
        ) from error
    if facts.st_mode & 0o077 or facts.st_uid not in (0, os.geteuid()):
        raise DeviceError(
            device,
            f"others may read or change its key {path}; make it the own of whom the core runs as,"
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
