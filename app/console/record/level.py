"""The level of the microphone: a bar, its peak in decibels, and a mark that stays for clipping."""

import time

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from app.console.cues.elided import Elided
from app.console.toolkit import theme
from core.link.take import MicrophoneReport

LOWEST_DB = -60.0
LOUD_DB = -9.0  # speech that is louder has no reserve
CLIPPED_S = 3.0  # for which the mark stays
SILENT_S = 1.0  # without a report nothing is known
FALL_DB_S = 20.0  # of the peak's line
HIGH_PX = 14


class LevelBar(QWidget):
    """The bar: filled up to the mean, with a line at the peak and a notch where loud begins."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rms_db = self._peak_db = LOWEST_DB
        self._colour = theme.IDLE.colour
        self.setMinimumWidth(80)
        self.setFixedHeight(HIGH_PX)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Level of the microphone")

    def sizeHint(self) -> QSize:  # noqa: N802
        """Return the size that it likes to have."""
        return QSize(160, HIGH_PX)

    def show_level(self, rms_db: float, peak_db: float, colour: str) -> None:
        """Show a level [dB]."""
        if (rms_db, peak_db, colour) != (self._rms_db, self._peak_db, self._colour):
            self._rms_db, self._peak_db, self._colour = rms_db, peak_db, colour
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Draw it."""
        with QPainter(self) as pen:
            width, height = float(self.width()), float(self.height())
            pen.fillRect(self.rect(), QColor(theme.RAISED))
            pen.fillRect(QRectF(0.0, 0.0, width * _share(self._rms_db), height), self._colour)
            pen.fillRect(QRectF(width * _share(LOUD_DB), 0.0, 1.0, height), QColor(theme.EDGE))
            if self._peak_db > LOWEST_DB:
                at = min(width * _share(self._peak_db), width - 2.0)
                pen.fillRect(QRectF(at, 0.0, 2.0, height), QColor(theme.TEXT))
            pen.setPen(QColor(theme.EDGE))
            pen.drawRect(self.rect().adjusted(0, 0, -1, -1))


class LevelRow(QWidget):
    """Name, bar and words; hidden while no microphone is chosen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bar, self._words = LevelBar(), Elided()
        title = QLabel("Microphone")
        title.setStyleSheet(f"color: {theme.MUTED}")
        self._words.setAccessibleName("State of the microphone")
        self._words.setMinimumWidth(130)
        self._peak_db, self._clipped_s, self._heard_s = LOWEST_DB, 0.0, 0.0
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.GAP)
        row.addWidget(title)
        row.addWidget(self.bar, 1)
        row.addWidget(self._words, 1)
        self.hide()

    @property
    def words(self) -> str:
        """The state of the microphone in words."""
        return self._words.text()

    def show_report(self, chosen: bool, report: MicrophoneReport | None) -> None:
        """Show the newest report, ten times a second; None: none has come since the last call.

        Args:
            chosen: the next take, or the present one, has a microphone.
            report: what the recorder reported.
        """
        if chosen == self.isHidden():
            self.setVisible(chosen)
        if not chosen:
            self._clipped_s = self._heard_s = 0.0
            return
        now_s = time.monotonic()
        if report is None:
            if now_s - self._heard_s > SILENT_S:
                self._say(theme.UNKNOWN, "not heard yet")
            return
        fallen_db = self._peak_db - FALL_DB_S * (now_s - self._heard_s)
        self._peak_db = max(report.peak_db, fallen_db, LOWEST_DB)
        self._heard_s = now_s
        if report.clipped:
            self._clipped_s = now_s
        peak = f"{report.peak_db:.0f} dB".replace("-", "−")
        if report.trouble:
            self._say(theme.WARN, report.trouble)
        elif not report.open:
            self._say(theme.UNKNOWN, "opening")
        elif self._clipped_s and now_s - self._clipped_s < CLIPPED_S:
            self._say(theme.BAD, f"{peak} too loud: clipped", report)
        elif report.peak_db > LOUD_DB:
            self._say(theme.WARN, f"{peak} loud", report)
        elif report.peak_db <= LOWEST_DB:
            self._say(theme.IDLE, "silent", report)
        else:
            self._say(theme.GOOD, peak, report)

    def _say(self, tone: theme.Tone, words: str, heard: MicrophoneReport | None = None) -> None:
        rms_db = LOWEST_DB if heard is None else heard.rms_db
        peak_db = LOWEST_DB if heard is None else self._peak_db
        self.bar.show_level(rms_db, peak_db, tone.colour)
        self._words.say(f"{tone.mark} {words}", tone.colour)
        self._words.setToolTip(words)


def _share(level_db: float) -> float:
    """Return the share of the bar that a level fills."""
    return min(max(0.0, 1.0 - level_db / LOWEST_DB), 1.0)
