"""One serial line, which may be unplugged and plugged in at any time."""

import contextlib
import errno
import os
import select
from pathlib import Path

import serial

from devices.interface import Trouble
from devices.real import tty

RETRY_S = 0.2  # between attempts to open
CHUNK = 4096  # most bytes of a read: the buffer of a terminal
LATENCY_MS = 1  # longest time for which an adapter may hold replies back
BAUD_ERROR = 0.02  # relative; a larger error garbles bytes
SYSFS = Path("/sys/class/tty")

_WHY = {
    errno.ENOENT: "unplugged; check the adapter's USB plug",
    errno.EACCES: "may not be opened; install the udev rules for this user",
    errno.EBUSY: "in use by another program; end that program",
    errno.EAGAIN: "in use by another program; end that program",  # that program holds the lock
    errno.ENOTTY: "no serial line; correct the port's path",
}
_GONE = {errno.ENODEV, errno.ENXIO, errno.EIO}  # the link exists, the device does not


class Port:
    """A serial line by its path. No method waits or raises.

    The first read opens it; after a hang-up it reopens as soon as its path exists again. The path
    is
    resolved each time, because a device may return under another name.

    Attributes:
        device: the technician's name of the device on the line.
        path: path of the line.
        baud: speed of the line.
        descriptor: descriptor of the open file, -1 while it is closed.
        openings: number of openings; drivers that configure devices compare it.
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
        """Return the bytes received since the last read, at most CHUNK; open the line if it is due.

        Args:
            now_s: the time [s].
            awaited: bytes are expected, so that the line is not polled first.
        """
        if self.descriptor < 0:
            self._try(now_s)
            return b""
        if not awaited and not self._poller.poll(0):  # half the cost of an exception
            return b""
        try:
            data = os.read(self.descriptor, CHUNK)
        except BlockingIOError:
            return b""
        except OSError as error:
            self._lose(error.errno or errno.EIO, now_s)
            return b""
        if not data:  # the terminal is configured so that this is a hang-up
            self._lose(errno.EIO, now_s)
        self.bytes_in += len(data)
        return data

    def write(self, data: bytes | bytearray | memoryview) -> bool:
        """Send bytes; return whether the line took them all. The rest is dropped."""
        if self.descriptor < 0:
            return False
        try:
            taken = os.write(self.descriptor, data)
        except OSError:  # no room, or a hang-up, which the next read detects too
            taken = 0
        self.bytes_out += taken
        if taken == len(data):
            return True
        self.refused += 1
        return False

    def retune(self, baud: int) -> None:
        """Change the speed until the line is opened again; drop waiting bytes."""
        if self._line is not None:
            with contextlib.suppress(OSError):  # a hang-up, which the next read detects too
                tty.set_baud(self._line, baud)

    def troubles(self) -> tuple[Trouble, ...]:
        """Return the faults of the line."""
        return self._troubles

    def close(self) -> None:
        """Close the line for good."""
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
