"""How old a press is when the program comes to it: a console that hung hears of it on waking."""

import time
from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QInputEvent

from app.console.toolkit.ears import ears

LATE_S = 1.0  # an older press starts no motion: whoever made it has looked elsewhere since
WRAP_MS = 2**32  # after which the screen's time stamps restart


class ScreenClock:
    """Gives the age of events from their stamps, where the screen stamps them by this host's clock.

    That is believed once an event has come at its time; a screen on another machine counts from
    somewhere else, and of its events no age is known.
    """

    def __init__(self) -> None:
        self._same = False

    def age_s(self, now_s: float, stamp_ms: int) -> float:
        """Return how long ago something happened, 0 where that cannot be told [s].

        Args:
            now_s: the host's monotonic clock [s].
            stamp_ms: its time stamp [ms].
        """
        behind_ms = (round(1e3 * now_s) - stamp_ms + WRAP_MS // 2) % WRAP_MS - WRAP_MS // 2
        if abs(behind_ms) <= 1e3 * LATE_S:
            self._same = True
        return max(1e-3 * behind_ms, 0.0) if self._same else 0.0


class Presses(QObject):
    """Owns the age of the press that the program handles.

    Attributes:
        age_s: its age; 0 without a press, or if its age is unknown [s].
        clock: the host's monotonic clock [s].
    """

    def __init__(
        self, parent: QObject | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(parent)
        self.age_s = 0.0
        self.clock, self._screen = clock, ScreenClock()
        self._over = QTimer(self, singleShot=True, interval=0)
        self._over.timeout.connect(self._forget)

    @property
    def late(self) -> str:
        """The reason why the present press starts no motion; empty if it may."""
        if self.age_s <= LATE_S:
            return ""
        return f"pressed {self.age_s:.1f} s ago, while the console hung; press again"

    def hear_first(self) -> None:
        """Hear every event of the program before those who listen already."""
        ears().listen(self.hear, self)

    def note(self, age_s: float) -> None:
        """Take the age of the present press from now until the program is idle [s]."""
        self.age_s = age_s
        if self.late:
            self._over.start()

    def hear(self, watched: QObject, event: QEvent) -> bool:
        """Take the age of every press; take none away."""
        if (
            isinstance(event, QInputEvent) and event.timestamp()
        ):  # events that Qt generates have none
            self.note(self._screen.age_s(self.clock(), event.timestamp()))
        return False

    def _forget(self) -> None:
        self.age_s = 0.0


class Stream(QObject):
    """Repeats a hand's request while it holds; after a hang that counts as an old press.

    Signals:
        beat: ask again.
    """

    beat = Signal()

    def __init__(self, every_ms: int, presses: Presses, parent: QObject) -> None:
        """Make a stream that does not flow yet.

        Args:
            every_ms: between two beats [ms].
            presses: receives the time without a beat.
            parent: whose life this shares.
        """
        super().__init__(parent)
        self._presses = presses
        self._beat_s = 0.0
        self._timer = QTimer(self, timerType=Qt.TimerType.PreciseTimer, interval=every_ms)
        self._timer.timeout.connect(self._beat)

    def start(self) -> None:
        """Begin, the first beat one interval from now."""
        self._beat_s = self._presses.clock()
        self._timer.start()

    def stop(self) -> None:
        """End."""
        self._timer.stop()

    def _beat(self) -> None:
        now_s = self._presses.clock()
        self._presses.note(now_s - self._beat_s)
        self._beat_s = now_s
        self.beat.emit()
