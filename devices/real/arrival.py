"""Arrival times of frames that a scanner may have delayed behind a false header."""

from devices.wire.scanner import Scanner


class Arrival:
    """Feeds a scanner and returns the latest possible age of its frames.

    Noise that looks like a header can delay a valid frame until more bytes arrive, even over a long
    silence. A frame without a time of its own is therefore as old as the oldest buffered byte.
    """

    __slots__ = ("_scanner", "_since_s")

    def __init__(self, scanner: Scanner) -> None:
        self._scanner = scanner
        self._since_s = 0.0

    def feed(self, data: bytes, now_s: float) -> tuple[list[bytes], float]:
        """Return the frames completed by bytes read at a time [s], and their arrival time [s]."""
        scanner = self._scanner
        if not scanner.waiting:
            self._since_s = now_s
        came_s = self._since_s
        frames = scanner.feed(data)
        if scanner.waiting <= len(data):
            self._since_s = now_s
        return frames, came_s
