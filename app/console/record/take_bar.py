"""The bar of the running take: record and mark, its time in large figures, its state in words."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.console.cues.elided import Elided
from app.console.record.level import LevelRow
from app.console.toolkit import theme
from core.link.take import TakeStatus
from core.link.wording import text

RECORD, END, CANCEL = "● Record", "■ End the take", "■ Cancel"
KEY = "F4"
UNDER_WAY = ("preparing", "counting", "recording")
WIDEST_PX, NARROWEST_PX = 136, 110  # of the longest words, and of the time


class TakeBar(QWidget):
    """Buttons and readings of the take.

    Attributes:
        record: begins a take, or ends it.
        mark: sets a marker.
        level: the level of the microphone.

    Signals:
        toggled: the take shall begin, or end.
        marked: a marker shall be set.
    """

    toggled = Signal()
    marked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.record, self.mark = QPushButton(RECORD), QPushButton("Mark")
        self._time, self._words = QLabel("0.0 s"), Elided()
        self.level = LevelRow()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        row = QHBoxLayout()
        row.setSpacing(theme.GAP)
        column.addLayout(row)
        column.addWidget(self._words)
        column.addWidget(self.level)
        for button, tip in (
            (self.record, f"Begin or end a take ({KEY})"),
            (self.mark, f"Set a marker in the take (Shift+{KEY})"),
        ):
            button.setMinimumHeight(theme.TOUCH)
            button.setToolTip(tip)
            row.addWidget(button)
        self.record.setMinimumWidth(WIDEST_PX)
        self.record.setAccessibleName("Record a take")
        self.mark.setAccessibleName("Mark the take")
        self._time.setStyleSheet(f"font-size: {theme.HUGE_PX}px; color: {theme.TEXT}")
        self._time.setMinimumWidth(NARROWEST_PX)
        self._words.set_lines(2)  # the room stays, so that nothing below moves
        self._words.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._time.setAccessibleName("Time of the take")
        self._words.setAccessibleName("State of the take")
        row.addWidget(self._time, 1)
        self.record.clicked.connect(self.toggled)
        self.mark.clicked.connect(self.marked)

    @property
    def words(self) -> str:
        """The state of the take in words."""
        return self._words.text()

    def show_take(self, take: TakeStatus | None, bar: str) -> None:
        """Show the newest take.

        Args:
            take: its state; None before the first.
            bar: why no take can begin now; empty if one can.
        """
        runs = take is not None and take.stage in UNDER_WAY
        counting = take is not None and take.stage in ("preparing", "counting")
        self.record.setText(CANCEL if counting else END if runs else RECORD)
        self.record.setEnabled(runs or not bar)
        self.mark.setEnabled(take is not None and take.stage == "recording")
        if take is None:
            self._say("0.0 s", theme.IDLE, bar or "ready")
            return
        tone, words = _state(take)
        if not runs and bar:
            tone, words = theme.WARN, f"Not now: {bar}"
        time_s = take.time_s
        shown = f"{time_s:.1f} s" if time_s >= 0.0 else f"−{-time_s:.1f} s"
        self._say(shown, tone, words)

    def _say(self, time: str, tone: theme.Tone, words: str) -> None:
        if self._time.text() != time:
            self._time.setText(time)
        self._words.say(f"{tone.mark} {words}", tone.colour)


def _state(take: TakeStatus) -> tuple[theme.Tone, str]:
    """Return look and words of a take's state."""
    size = f"{take.size_bytes / 1e6:.1f} MB"
    if take.stage == "preparing":
        return theme.BUSY, "getting the earlier take ready"
    if take.stage == "counting":
        return theme.WARN, "counting in"
    if take.stage == "recording":
        marks = f", {take.markers} marked" if take.markers else ""
        return theme.BAD, f"recording: {take.saved_s:.1f} s saved{_sound(take)}, {size}{marks}"
    if take.stage == "saving":
        return theme.BUSY, "saving"
    if take.stage == "failed":
        early = "ended early" if take.saved_s > 0.0 else "not recorded"
        return theme.BAD, f"{early}: {take.trouble}"
    why = f" ({text(take.ended)})" if take.ended is not None else ""
    if take.saved_s <= 0.0:
        return theme.IDLE, f"cancelled before it began{why}"
    tone = theme.WARN if take.sound_trouble else theme.GOOD
    return tone, f"saved: {take.saved_s:.1f} s{_sound(take)}, {size}{why}"


def _sound(take: TakeStatus) -> str:
    """Return what to add about the sound of a take."""
    if take.sound_s is None:
        return ""
    if take.sound_trouble:
        return f" (sound: {take.sound_trouble})"
    return f", sound {take.sound_s:.1f} s"
