"""The pace of repainting: all changes of a frame are painted together, as often as one can see."""

import time

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import QWidget

from app.console.toolkit.ears import ears

FRAME_S = 1.0 / 18.0  # 15 a second remain where timers are late
HAND_FRAME_S = 1.0 / 60.0  # while a hand works, so that keys and drags are seen at once
HAND_S = 0.5  # after an event of mouse or keyboard


class Pace(QObject):
    """Delays the repaint requests of a window to the next frame.

    Status and picture of the core arrive more often than anyone can see, each for itself; a
    repaint for each takes most of the GUI thread's time.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._painted_s = self._hand_s = 0.0
        self._due = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._paint)
        window.installEventFilter(self)
        ears().listen(self._hear, self)

    def _hear(self, watched: QObject, event: QEvent) -> bool:
        """Note that the operator works with mouse or keyboard."""
        self._hand_s = time.monotonic()
        return False

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Delay a request that comes before its frame."""
        if event.type() != QEvent.Type.UpdateRequest or self._due:
            return False
        now_s = time.monotonic()
        frame_s = HAND_FRAME_S if now_s - self._hand_s < HAND_S else FRAME_S
        wait_s = self._painted_s + frame_s - now_s
        if wait_s <= 0.001:
            self._painted_s = now_s
            return False
        if not self._timer.isActive():
            self._timer.start(max(1, round(1000.0 * wait_s)))
        return True

    def _paint(self) -> None:
        self._painted_s = time.monotonic()
        self._due = True
        QCoreApplication.sendEvent(self._window, QEvent(QEvent.Type.UpdateRequest))
        self._due = False
