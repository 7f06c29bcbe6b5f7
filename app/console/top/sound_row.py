"""The sound in one row: mute, the volume of everything, and where it comes out or why not."""

import time

import msgspec
from PySide6.QtCore import QSignalBlocker, Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSlider, QWidget

from app.console.context.context import Context
from app.console.cues.elided import Elided
from app.console.stop.buttons import EnterButton
from app.console.toolkit import theme
from core.link.commands import Mute, UseSound, Volume
from core.link.sound import SoundReport

MUTE_KEY = "Ctrl+M"
OWN_S = 0.5  # after a change of one's own its echo may be an older one
SILENT_S = 1.5  # without a report the voice is not there
UNSET = 3  # reports in a row without any setting; a new voice says so in its first one
WIDTH_PX = 720
REMEDY = "Connect an output, or choose another one in the preferences (Ctrl+,)."
STYLE = f"""
QWidget {{ background: {theme.SURFACE}; }}
QPushButton {{ padding: 0 6px; min-height: 18px; background: {theme.RAISED}; }}
"""
STEP, PAGE = 2, 10  # of the slider, by keys [%]


class SoundRow(QWidget):
    """Shows the voice's report and sends requests; the preferences keep the settings.

    To a core where nobody has set anything the preferences are told; else what is set there
    stays, so that a second console changes nothing by being opened.

    Attributes:
        mute: every sound plays silently.
        volume: of everything [%].
        word: where the sound comes out, or why it does not.
    """

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sound")
        self.setAccessibleName("Sound")
        self._link, self._preferences = context.link, context.preferences
        self._device = context.preferences.value.sound_device
        self._heard_s = self._own_s = -SILENT_S
        self._unset = 0
        self.mute, self.volume = EnterButton("Mute"), QSlider(Qt.Orientation.Horizontal)
        self._percent, self.word = QLabel(), Elided()
        self._lay_out()
        self._watch = QTimer(self, interval=500)
        self._watch.timeout.connect(self._look)
        self._watch.start()
        self.mute.clicked.connect(self._ask_mute)
        self.volume.valueChanged.connect(self._ask_volume)
        context.link.sound_changed.connect(self._take)
        context.link.connected_changed.connect(lambda _: self._look())
        context.preferences.changed.connect(self._take_preferences)
        self._look()

    def _lay_out(self) -> None:
        self.mute.setCheckable(True)
        self.mute.setToolTip(f"Mute all sound  [{MUTE_KEY}]")
        self.mute.setAccessibleName("Mute")
        self.mute.setFixedWidth(86)
        self.mute.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        key = QAction("Mute", self)
        key.setShortcut(MUTE_KEY)
        key.setToolTip(self.mute.toolTip())
        key.triggered.connect(lambda _: self.mute.click())
        self.addAction(key)
        self.volume.setRange(0, 100)
        self.volume.setSingleStep(STEP)
        self.volume.setPageStep(PAGE)
        self.volume.setFixedWidth(140)
        self.volume.setToolTip("Volume of everything that sounds  [arrow keys]")
        self.volume.setAccessibleName("Volume")
        self.volume.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._percent.setFixedWidth(48)
        self._percent.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.word.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.word.setAccessibleName("Sound device")
        self.setFixedWidth(WIDTH_PX)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setStyleSheet(STYLE)  # it lies in the menu bar, and makes it no higher
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, theme.GAP, 0)
        row.setSpacing(theme.GAP)
        row.addWidget(self.word, 1)
        row.addWidget(self.mute)
        row.addWidget(self.volume)
        row.addWidget(self._percent)

    def _take(self, report: SoundReport) -> None:
        """Show the voice's report."""
        now_s = time.monotonic()
        self._heard_s = now_s
        untouched = report.volume is None and not report.chosen
        self._unset = self._unset + 1 if untouched else 0
        if self._unset == UNSET:
            self._tell_preferences()
        if now_s - self._own_s > OWN_S and not self.volume.isSliderDown():
            with QSignalBlocker(self.volume):
                self.volume.setValue(round(100 * (1.0 if report.volume is None else report.volume)))
            self.mute.setChecked(report.muted)
        self._write(report)

    def _write(self, report: SoundReport) -> None:
        self._percent.setText(f"{self.volume.value()} %")
        self.mute.setText(f"{theme.WARN.mark} Muted" if self.mute.isChecked() else "Mute")
        if report.trouble:
            tone = theme.BAD if report.lost else theme.WARN
            self.word.say(f"{tone.mark} {report.trouble}", tone.colour)
            self.word.setToolTip(f"{report.trouble}. {REMEDY}")
        else:
            self.word.say(f"{theme.GOOD.mark} {report.device or 'usual output'}", theme.MUTED)
        self._enable(True)

    def _look(self) -> None:
        """Say so where nothing is heard of the voice."""
        if self._link.connected and time.monotonic() - self._heard_s < SILENT_S:
            return
        self._unset = 0
        self._enable(False)
        self._percent.setText("")
        text = "no voice: nothing is heard" if self._link.connected else ""
        self.word.say(f"{theme.IDLE.mark} {text}" if text else "", theme.MUTED)

    def _enable(self, there: bool) -> None:
        self.mute.setEnabled(there)
        self.volume.setEnabled(there)

    def _ask_mute(self, on: bool) -> None:
        self._own_s = time.monotonic()
        self._link.send(Mute(on))

    def _ask_volume(self, percent: int) -> None:
        self._own_s = time.monotonic()
        self._percent.setText(f"{percent} %")
        if self._link.send(Volume(0.01 * percent)):
            kept = msgspec.structs.replace(self._preferences.value, volume=0.01 * percent)
            self._preferences.change(kept)

    def _tell_preferences(self) -> None:
        kept = self._preferences.value
        self._link.send(Volume(kept.volume))
        if kept.sound_device:
            self._link.send(UseSound(kept.sound_device))

    def _take_preferences(self) -> None:
        """Choose another device, if another one was saved."""
        device = self._preferences.value.sound_device
        if device != self._device:
            self._device = device
            if self._link.connected:
                self._link.send(UseSound(device))
