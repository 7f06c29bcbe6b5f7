"""A pty that a driver's port opens by a path, with virtual time: no byte is late by the machine."""

import array
import fcntl
import os
import pty
import select
import struct
import termios
import time
from pathlib import Path

from devices.real.port import Port

_TCGETS2 = 0x802C542A
_TERMIOS2 = struct.Struct("=4IB19s2I")
PATIENCE_S = 20.0  # real time that the kernel may take to move bytes


class Wire:
    """The far end of a port, which can be unplugged and plugged in again."""

    def __init__(self, path: Path, baud: int = 1_000_000) -> None:
        self.port = Port("test line", path, baud)
        self._path = path
        self._master = -1
        self._slave = -1
        self._read = 0  # bytes of those that the port has sent
        self.plug()

    def plug(self) -> None:
        self._master, slave = pty.openpty()
        self._path.unlink(missing_ok=True)
        self._path.symlink_to(os.ttyname(slave))
        self._slave = slave  # kept open, or the master would hang up before the port opens it
        self._read = self.port.bytes_out

    def unplug(self) -> None:
        self._path.unlink(missing_ok=True)
        os.close(self._slave)
        os.close(self._master)
        self._master = -1

    def speed(self) -> int:
        """Return the speed that the port has set [baud]."""
        told = fcntl.ioctl(self._slave, _TCGETS2, bytes(_TERMIOS2.size))
        speed: int = _TERMIOS2.unpack(told)[-1]
        return speed

    def arrive(self, data: bytes) -> None:
        """Let bytes arrive, and be there when the port is read next."""
        if self._master < 0 or self.port.descriptor < 0:
            return
        try:
            before = self._waiting()
        except OSError:  # the port has not yet met that it was unplugged
            return
        os.write(self._master, data)
        give_up_s = time.monotonic() + PATIENCE_S
        while self._waiting() < before + len(data):
            assert time.monotonic() < give_up_s, "the kernel keeps the bytes"
            time.sleep(0.0)

    def sent(self) -> bytes:
        """Return all that the port has sent since the last call."""
        if self._master < 0:
            return b""
        data = b""
        while self._read < self.port.bytes_out:
            ready, _, _ = select.select([self._master], [], [], PATIENCE_S)
            assert ready, "the kernel keeps the bytes"
            piece = os.read(self._master, 4096)
            self._read += len(piece)
            data += piece
        return data

    def close(self) -> None:
        self.port.close()
        if self._master >= 0:
            self.unplug()

    def _waiting(self) -> int:
        count = array.array("i", [0])
        fcntl.ioctl(self.port.descriptor, termios.FIONREAD, count)
        return count[0]
