"""The time from a deed until a window is painted."""

import time
from collections.abc import Callable

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QWidget


class Frames:
    """Does something in a window and takes the time until it is painted."""

    def __init__(self, application: QApplication, window: QWidget) -> None:
        self._application, self._window = application, window
        self.times_s: dict[str, list[float]] = {}

    def take(self, what: str, deed: Callable[[], object]) -> None:
        """Take the time of one frame: the deed, everything it causes, and the painting."""
        begun_s = time.perf_counter()
        deed()
        self._application.sendPostedEvents()
        self._application.sendPostedEvents(self._window, QEvent.Type.UpdateRequest)
        self._application.processEvents()
        self.times_s.setdefault(what, []).append(time.perf_counter() - begun_s)

    def spin(self, seconds: float) -> None:
        """Let everything come to rest."""
        until_s = time.monotonic() + seconds
        while time.monotonic() < until_s:
            self._application.processEvents()
            time.sleep(0.002)
