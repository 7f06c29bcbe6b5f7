"""The present moment of a window of runs, and the part of the time that its plots show."""

import time

from PySide6.QtCore import QObject, Qt, QTimer, Signal

FRAME_MS = 33
SPEEDS = (0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0)
LEAST_SPAN_S = 0.02
FIRST_SPAN_S = 10.0


class Playback(QObject):
    """Owns the playhead and the shown span.

    Attributes:
        time_s: of the playhead [s].
        start_s: begin of the run [s].
        end_s: end of the run [s].
        from_s: left edge of the plots [s].
        to_s: right edge of the plots [s].
        speed: of playing, in run seconds a second.

    Signals:
        moved: the playhead moved.
        span_changed: the plots show another span.
        state_changed: it plays, or stands.
    """

    moved = Signal()
    span_changed = Signal()
    state_changed = Signal()

    def __init__(self, start_s: float, end_s: float, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.start_s, self.end_s = start_s, max(end_s, start_s + LEAST_SPAN_S)
        self.time_s = self.from_s = self.start_s
        self.to_s = min(self.end_s, self.start_s + FIRST_SPAN_S)
        self.speed = 1.0
        self._before_s = 0.0
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(FRAME_MS)
        self._timer.timeout.connect(self._advance)

    @property
    def playing(self) -> bool:
        """Whether it plays."""
        return self._timer.isActive()

    @property
    def span_s(self) -> float:
        """Length of the shown span [s]."""
        return self.to_s - self.from_s

    def toggle(self) -> None:
        """Play, or stand; at the end, play from the begin."""
        if self.playing:
            self.stand()
            return
        if self.time_s >= self.end_s:
            self.go(self.start_s)
        self._before_s = time.monotonic()
        self._timer.start()
        self.state_changed.emit()

    def stand(self) -> None:
        """Stop playing."""
        if self.playing:
            self._timer.stop()
            self.state_changed.emit()

    def go(self, time_s: float) -> None:
        """Move the playhead to a time; the shown span follows a playhead that leaves it [s]."""
        time_s = min(self.end_s, max(self.start_s, time_s))
        if time_s == self.time_s:
            return
        self.time_s = time_s
        self.moved.emit()
        if not self.from_s <= time_s <= self.to_s:
            ahead = 0.1 if self.playing else 0.5
            begin_s = time_s - ahead * self.span_s
            self.show(begin_s, begin_s + self.span_s)

    def show(self, from_s: float, to_s: float) -> None:
        """Show a span in the plots, within the run [s]."""
        length_s = min(self.end_s - self.start_s, max(LEAST_SPAN_S, to_s - from_s))
        middle_s = 0.5 * (from_s + to_s)
        begin_s = min(self.end_s - length_s, max(self.start_s, middle_s - 0.5 * length_s))
        if (begin_s, begin_s + length_s) != (self.from_s, self.to_s):
            self.from_s, self.to_s = begin_s, begin_s + length_s
            self.span_changed.emit()

    def zoom(self, factor: float) -> None:
        """Show less (factor below 1) or more time around the playhead."""
        at_s = min(self.to_s, max(self.from_s, self.time_s))
        self.show(at_s - factor * (at_s - self.from_s), at_s + factor * (self.to_s - at_s))

    def show_all(self) -> None:
        """Show the whole run."""
        self.show(self.start_s, self.end_s)

    def _advance(self) -> None:
        now_s = time.monotonic()
        passed_s, self._before_s = now_s - self._before_s, now_s
        self.go(self.time_s + self.speed * passed_s)
        if self.time_s >= self.end_s:
            self.stand()


def clock_text(time_s: float, digits: int = 3) -> str:
    """Return a time as hours, minutes and seconds, 1:02:03.456."""
    sign = "-" if time_s < 0.0 else ""
    parts = round(abs(time_s) * 10**digits)
    seconds, fraction = divmod(parts, 10**digits)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    text = f"{hours}:{minutes:02d}:{seconds:02d}" if hours else f"{minutes}:{seconds:02d}"
    return f"{sign}{text}.{fraction:0{digits}d}" if digits else f"{sign}{text}"
