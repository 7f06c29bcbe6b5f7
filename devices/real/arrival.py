"""When frames came that a scanner may have held back behind a false beginning."""

from devices.wire.scanner import Scanner


class Arrival:
    """Feeds a scanner and tells how old what it finds may be.

    Noise that looks like a header can hold a good frame back until more bytes come, be it after
    a long silence. What tells no time of its own is therefore as old as the oldest byte that was
    still held.
    """

    __slots__ = ("_scanner", "_since_s")

    def __init__(self, scanner: Scanner) -> None:
        self._scanner = scanner
        self._since_s = 0.0

    def feed(self, data: bytes, now_s: float) -> tuple[list[bytes], float]:
        """Return the frames that bytes read at a time [s] complete, and when they came [s]."""
        scanner = self._scanner
        if not scanner.waiting:
            self._since_s = now_s
        came_s = self._since_s
        frames = scanner.feed(data)
        if scanner.waiting <= len(data):
            self._since_s = now_s
        return frames, came_s
