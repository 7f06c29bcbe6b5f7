"""A serial line: a pty whose other end the robot's computer opens by a link's name."""

import os
import tty
from pathlib import Path

from devices.twin.faults import Wire
from devices.twin.settings import LineSettings

_AT_ONCE = 65536


class Line:
    """The twin's end of a line.

    Attributes:
        settings: of the line.
        down: the wire toward the devices.
        up: the wire from them.
        descriptor: of our end; -1 while it is unplugged.
    """

    def __init__(self, settings: LineSettings, folder: Path, seed: int) -> None:
        """Plug it in.

        Args:
            settings: of the line.
            folder: where its link is to be.
            seed: of its faults.
        """
        self.settings = settings
        self.down = Wire(seed, settings.name, 0)
        self.up = Wire(seed, settings.name, 1)
        self.descriptor = -1
        self._other = -1
        self._path = folder / settings.name
        self.plug()

    def plug(self) -> None:
        """Make a new pty and let the link point to it; nothing if it is plugged in."""
        if self.descriptor >= 0:
            return
        self.up.cut()  # what was said meanwhile was said to nobody
        self.descriptor, self._other = os.openpty()
        # Our own hold on the other end keeps the pty raw and whole while nobody has it open.
        tty.setraw(self._other)
        os.set_blocking(self.descriptor, False)
        link = self._path.with_name(f".{self._path.name}.new")
        link.unlink(missing_ok=True)
        link.symlink_to(os.ttyname(self._other))
        link.rename(self._path)

    def unplug(self) -> None:
        """Close the pty and take the link away; what is under way is lost."""
        if self.descriptor < 0:
            return
        self._path.unlink(missing_ok=True)
        os.close(self._other)
        os.close(self.descriptor)
        self.descriptor = self._other = -1
        self.up.cut()
        self.down.cut()

    def hear(self, now_us: int) -> None:
        """Take what the computer has written by a time [µs] to the wire."""
        # The kernel passes a write on in pieces of its own time, until a read finds nothing.
        data = b""
        while len(data) < _AT_ONCE:
            try:
                data += os.read(self.descriptor, _AT_ONCE)
            except BlockingIOError:
                break
        if data:
            self.down.put(data, now_us)

    def answer(self, data: bytes, now_us: int) -> None:
        """Send the answer to what was asked at a time [µs]."""
        settings = self.settings
        wire_us = len(data) * 10_000_000 // settings.baud
        self.up.put(data, now_us + settings.turnaround_us + wire_us)

    def deliver(self, now_us: int) -> bool:
        """Let the computer have what is due by a time [µs]; tell whether that was anything."""
        data = self.up.take(now_us)
        if not data or self.descriptor < 0:
            return False
        try:
            written = os.write(self.descriptor, data)
        except BlockingIOError:
            written = 0
        # Nobody reads: a real port would lose these too.
        self.up.lost_bytes += len(data) - written
        return written > 0
