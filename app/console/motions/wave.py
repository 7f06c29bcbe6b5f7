"""The waveform of the take's sound, under the curves of the motion."""

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from app.console.motions.plot import AXIS_PX, MotionPlot
from app.console.timeline.waveforms import PEAKS_HZ, Peaks
from app.console.toolkit import theme

HEIGHT_PX = 34


class WaveStrip(QWidget):
    """A strip with the loudness over the motion's time; hidden without a sound.

    Attributes:
        wanted: it is shown if there is a sound.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.plot: Any = pg.PlotWidget(background=theme.BACKGROUND)
        self.plot.setAccessibleName("Sound of the take")
        self.plot.setMenuEnabled(False)
        self.plot.hideButtons()
        item = self.plot.getPlotItem()
        item.showAxis("bottom", False)
        item.getAxis("left").setWidth(AXIS_PX)
        item.getAxis("left").setStyle(showValues=False, tickLength=0)
        self._mark = QLabel("♪", self.plot)
        self._mark.setStyleSheet(f"background: transparent; color: {theme.MUTED}")
        self._mark.setToolTip("Sound of the take")
        self._mark.move(AXIS_PX - 20, 8)
        item.layout.setContentsMargins(0, 0, 6, 0)
        item.getViewBox().setMouseEnabled(x=True, y=False)
        item.getViewBox().setYRange(-1.0, 1.0, padding=0.0)
        fill = QColor(theme.ACCENT)
        fill.setAlpha(150)
        self._curve: Any = pg.PlotCurveItem(pen=None, brush=fill, fillLevel=0.0)
        self._head: Any = pg.InfiniteLine(0.0, pen=pg.mkPen(theme.ACCENT, width=2))
        for part in (self._curve, self._head):
            self.plot.addItem(part)
        self.wanted, self._there = False, False
        self.setFixedHeight(HEIGHT_PX)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.plot)
        self.hide()

    def link(self, plot: MotionPlot) -> None:
        """Share the axis of time with a plot."""
        self.plot.setXLink(plot.plot)

    def set_wanted(self, wanted: bool) -> None:
        """Show it if there is a sound, or hide it."""
        self.wanted = wanted
        self.setVisible(self._there and wanted)

    def set_time(self, time_s: float) -> None:
        """Move the playhead."""
        self._head.setValue(time_s)

    def show_peaks(self, peaks: Peaks | None, start_s: float, length_s: float) -> None:
        """Show a part of a sound.

        Args:
            peaks: loudness of the whole sound, PEAKS_HZ of them a second (n); None: no sound.
            start_s: time of the sound at the motion's start [s].
            length_s: length of the part [s].
        """
        self._there = peaks is not None
        self.set_wanted(self.wanted)
        if peaks is None:
            return
        first, count = max(0, round(start_s * PEAKS_HZ)), max(0, round(length_s * PEAKS_HZ))
        part = np.asarray(peaks[first : first + count], dtype=np.float64)
        times_s = np.arange(len(part)) / PEAKS_HZ
        self._curve.setData(
            np.concatenate([times_s, times_s[::-1]]), np.concatenate([part, -part[::-1]])
        )
