"""A serial line whose other end the test holds: a pty, with a name that can be taken away.

A busy machine passes bytes from one end of a pty to the other when it has time: both ends wait
until they are there, so that the test's own time is the only one.
"""

import fcntl
import os
import struct
import termios
import time
from collections.abc import Callable
from pathlib import Path

from devices.real.port import Port

PATIENCE_S = 20.0


class Line:
    """The far end of a line.

    Attributes:
        port: the near end, as a driver has it.
    """

    def __init__(self, folder: Path, name: str = "line", baud: int = 420_000) -> None:
        self._path = folder / name
        self._master = -1
        self._heard = 0
        self.plug()
        self.port = Port(name, self._path, baud)

    def plug(self) -> None:
        """Let the line be there."""
        self._master, slave = os.openpty()
        os.set_blocking(self._master, False)
        self._path.symlink_to(os.ttyname(slave))
        os.close(slave)

    def pull(self) -> None:
        """Take the line away, and what was under way."""
        os.close(self._master)
        self._path.unlink()
        self._heard = self.port.bytes_out

    def send(self, data: bytes) -> None:
        """Put bytes on the line; return once the near end could read them."""
        near = self.port.descriptor
        due = _waiting(near) + len(data) if near >= 0 else 0
        assert os.write(self._master, data) == len(data)
        if near >= 0:
            _wait_for(lambda: _waiting(near) >= due)

    def heard(self) -> bytes:
        """Return all that came from the near end."""
        due = self.port.bytes_out - self._heard
        _wait_for(lambda: _waiting(self._master) >= due)
        self._heard += due
        return os.read(self._master, due) if due else b""


def _waiting(descriptor: int) -> int:
    """Return how many bytes can be read at once."""
    count: int = struct.unpack("i", fcntl.ioctl(descriptor, termios.FIONREAD, bytes(4)))[0]
    return count


def _wait_for(there: Callable[[], bool]) -> None:
    end_s = time.monotonic() + PATIENCE_S
    while not there():
        assert time.monotonic() < end_s, "the pty did not pass the bytes on"
        time.sleep(0.0005)
