"""A serial line whose other end the test holds: a pty, with a name that can be taken away."""

import os
from pathlib import Path

from devices.real.port import Port


class Line:
    """The far end of a line.

    Attributes:
        port: the near end, as a driver has it.
    """

    def __init__(self, folder: Path, name: str = "line", baud: int = 420_000) -> None:
        self._path = folder / name
        self._master = -1
        self.plug()
        self.port = Port(name, self._path, baud)

    def plug(self) -> None:
        """Let the line be there."""
        self._master, slave = os.openpty()
        os.set_blocking(self._master, False)
        self._path.symlink_to(os.ttyname(slave))
        os.close(slave)

    def pull(self) -> None:
        """Take the line away."""
        os.close(self._master)
        self._path.unlink()

    def send(self, data: bytes) -> None:
        """Put bytes on the line."""
        assert os.write(self._master, data) == len(data)

    def heard(self) -> bytes:
        """Return what came from the near end."""
        try:
            return os.read(self._master, 65536)
        except (BlockingIOError, OSError):
            return b""
