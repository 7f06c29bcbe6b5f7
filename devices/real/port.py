"""One serial line, which may be unplugged and plugged in again at any time."""

import contextlib
import errno
import os
import select
from pathlib import Path

import serial

from devices.interface import Trouble
from devices.real import tty

RETRY_S = 0.2  # between attempts to open
CHUNK = 4096  # bytes a read takes at most: all that a terminal keeps
LATENCY_MS = 1  # an adapter may hold replies back so long
BAUD_ERROR = 0.02  # relative; more garbles bytes
SYSFS = Path("/sys/class/tty")

_WHY = {
    errno.ENOENT: "unplugged; check the adapter's USB plug",
    errno.EACCES: "may not be opened; let the udev rules be installed for this user",
    errno.EBUSY: "in use by another program; end that",
    errno.EAGAIN: "in use by another program; end that",  # it holds the lock
    errno.ENOTTY: "no serial line; correct the port's path",
}
_GONE = {errno.ENODEV, errno.ENXIO, errno.EIO}  # the link is there, the device is not


class Port:
    """A serial line by its path. No method waits or raises.

    It is opened by the first read and, after a hang-up, by itself as soon as its path is there
    again. The path is followed anew each time: what is plugged in may have another name.

    Attributes:
        device: what hangs on it, as the technician calls it.
        path: of the line.
        baud: its speed.
        descriptor: of the open file, -1 while it is closed.
        openings: how often it was opened; whoever configures devices on it looks here.
        bytes_in: bytes read.
        bytes_out: bytes written.
        refused: writes that the line had no room for, whole or in part.
    """

    def __init__(self, device: str, path: Path, baud: int, sysfs: Path = SYSFS) -> None:
        self.device = device
        self.path = path
        self.baud = baud
        self.descriptor = -1
        self.openings = 0
        self.bytes_in = 0
        self.bytes_out = 0
        self.refused = 0
        self._sysfs = sysfs
        self._retry_s = -1.0
        self._closed = False
        self._line: serial.Serial | None = None
        self._poller = select.poll()
        self._troubles: tuple[Trouble, ...] = ()

    def read(self, now_s: float, awaited: bool = False) -> bytes:
        """Return what came since the last read, at most CHUNK bytes; open the line if it is due.

        Args:
            now_s: the time [s].
            awaited: bytes should be there, so that nobody need ask whether they are.
        """
        if self.descriptor < 0:
            self._try(now_s)
            return b""
        if not awaited and not self._poller.poll(0):  # half the cost of an error that says so
            return b""
        try:
            data = os.read(self.descriptor, CHUNK)
        except BlockingIOError:
            return b""
        except OSError as error:
            self._lose(error.errno or errno.EIO, now_s)
            return b""
        if not data:  # configured so that this is a hang-up
            self._lose(errno.EIO, now_s)
        self.bytes_in += len(data)
        return data

    def write(self, data: bytes | bytearray | memoryview) -> bool:
        """Send bytes; return whether the line took them all. What it did not take is dropped."""
        if self.descriptor < 0:
            return False
        try:
            taken = os.write(self.descriptor, data)
        except OSError:  # no room, or a hang-up, which the next read meets too
            taken = 0
        self.bytes_out += taken
        if taken == len(data):
            return True
        self.refused += 1
        return False

    def retune(self, baud: int) -> None:
        """Change the open line's speed until it is opened again; what waits in it is dropped."""
        if self._line is not None:
            with contextlib.suppress(OSError):  # a hang-up, which the next read meets too
                tty.set_baud(self._line, baud)

    def troubles(self) -> tuple[Trouble, ...]:
        """Return what is wrong with the line."""
        return self._troubles

    def close(self) -> None:
        """Give the line up for good."""
        self._closed = True
        self._release()

    def _release(self) -> None:
        self.descriptor = -1
        if self._line is not None:
            self._poller = select.poll()
            with contextlib.suppress(OSError):
                self._line.close()
            self._line = None

    def _lose(self, number: int, now_s: float) -> None:
        self._release()
        self._retry_s = now_s + RETRY_S
        self._tell(number)

    def _try(self, now_s: float) -> None:
        if self._closed or now_s < self._retry_s:
            return
        self._retry_s = now_s + RETRY_S
        try:
            self._line = tty.open_line(self.path, self.baud)
            self.descriptor = self._line.fileno()
            baud = tty.actual_baud(self.descriptor)
        except OSError as error:
            self._release()
            self._tell(error.errno or errno.EIO)
            return
        self._poller.register(self.descriptor, select.POLLIN)
        self.openings += 1
        self._troubles = ()
        if abs(baud - self.baud) > BAUD_ERROR * self.baud:
            text = f"runs at {baud} baud instead of {self.baud}; use an adapter that can do that"
            self._troubles += (Trouble(self.device, text, grave=True),)
        timer_ms = tty.latency_timer_ms(self.path, self._sysfs)
        if timer_ms > LATENCY_MS:
            text = (
                f"its adapter holds replies back for {timer_ms} ms;"
                f" set its latency timer to {LATENCY_MS} ms by the udev rules"
            )
            self._troubles += (Trouble(self.device, text),)

    def _tell(self, number: int) -> None:
        number = errno.ENOENT if number in _GONE else number
        text = _WHY.get(number) or f"cannot be opened ({os.strerror(number)}); replace the adapter"
        self._troubles = (Trouble(self.device, text, grave=True),)
