"""A serial line: a pty that the robot's computer opens by the name of a link."""

import os
import tty
from pathlib import Path

from devices.twin.faults import Wire
from devices.twin.settings import LineSettings

_AT_ONCE = 65536


class Line:
    """The twin's end of a line.

    Attributes:
        settings: settings of the line.
        down: wire toward the devices.
        up: wire from the devices.
        descriptor: descriptor of the twin's end; -1 while it is unplugged.
    """

    def __init__(self, settings: LineSettings, folder: Path, seed: int) -> None:
        """Plug the line in.

        Args:
            settings: settings of the line.
            folder: folder of its link.
            seed: seed of its faults.
        """
        self.settings = settings
        self.down = Wire(seed, settings.name, 0)
        self.up = Wire(seed, settings.name, 1)
        self.descriptor = -1
        self._other = -1
        self._path = folder / settings.name
        self.plug()

    def plug(self) -> None:
        """Create a new pty and its link; no effect if the line is plugged in."""
        if self.descriptor >= 0:
            return
        self.up.cut()  # bytes sent meanwhile are lost
        self.descriptor, self._other = os.openpty()
        # The open descriptor of the other end keeps the pty raw and alive while no process has it
        # open.
        tty.setraw(self._other)
        os.set_blocking(self.descriptor, False)
        link = self._path.with_name(f".{self._path.name}.new")
        link.unlink(missing_ok=True)
        link.symlink_to(os.ttyname(self._other))
        link.rename(self._path)

    def unplug(self) -> None:
        """Close the pty and remove the link; messages under way are lost."""
        if self.descriptor < 0:
            return
        self._path.unlink(missing_ok=True)
        os.close(self._other)
        os.close(self.descriptor)
        self.descriptor = self._other = -1
        self.up.cut()
        self.down.cut()

    def hear(self, now_us: int) -> None:
        """Queue the bytes that the computer has written by a time [µs]."""
        # The kernel forwards a write in pieces at its own pace, until a read finds nothing.
        data = b""
        while len(data) < _AT_ONCE:
            try:
                data += os.read(self.descriptor, _AT_ONCE)
            except BlockingIOError:
                break
        if data:
            self.down.put(data, now_us)

    def answer(self, data: bytes, now_us: int) -> None:
        """Send the reply to a request that was received at a time [µs]."""
        settings = self.settings
        wire_us = len(data) * 10_000_000 // settings.baud
        self.up.put(data, now_us + settings.turnaround_us + wire_us)

    def deliver(self, now_us: int) -> bool:
        """Deliver the bytes due by a time [µs] to the computer; return whether there were any."""
        data = self.up.take(now_us)
        if not data or self.descriptor < 0:
            return False
        try:
            written = os.write(self.descriptor, data)
        except BlockingIOError:
            written = 0
        # No process reads: a real port would lose these bytes too.
        self.up.lost_bytes += len(data) - written
        return written > 0
