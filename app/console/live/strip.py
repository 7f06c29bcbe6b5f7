"""The live strip: the plots that matter in a show, redrawn by one timer."""

import math
import time

from PySide6.QtCore import QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from app.console.context.context import Context
from app.console.live.figures import FIGURES, Snapshot
from app.console.live.plot import EDGE_PX, LivePlot
from app.console.toolkit import theme
from core.link.hello import Hello

REDRAW_MS = 250  # a pixel of a plot is about as long
CELL_PX = 180  # least width of a plot beside others
LOW_PX = 110  # least height of one
SHAPE = 1.6  # width to height of a plot that reads well


class LiveStripPanel(QWidget):
    """Takes a sample with every redraw; draws while it is visible.

    Attributes:
        plots: one for each figure; those that the robot has no part for are hidden.
    """

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("live_strip")
        self.setAccessibleName("Live strip")
        self.setMinimumSize(CELL_PX, CELL_PX // 2)  # not the minimum of the present order of plots
        self._link = context.link
        self._heard = False
        self._heard_s = time.monotonic()
        self._gap_s = 0.0
        self._columns = 0
        self._placed: list[LivePlot] = []
        self.plots = [LivePlot(figure, self) for figure in FIGURES]
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(theme.GAP // 2, 2, theme.GAP // 2, 2)
        self._grid.setSpacing(theme.GAP // 2)
        self._arrange(3)
        self._timer = QTimer(self)
        self._timer.setInterval(REDRAW_MS)
        self._timer.timeout.connect(self.redraw)
        self._timer.start()
        self._link.status_changed.connect(self._on_status)
        self._link.hello_changed.connect(self._meet)
        if self._link.hello is not None:
            self._meet(self._link.hello)

    def redraw(self) -> None:
        """Take a sample and draw; a silence counts as it grows."""
        now_s = time.monotonic()
        silence_s = now_s - self._heard_s
        moment = self._moment(max(self._gap_s, silence_s))
        for plot in self.plots:
            plot.take(now_s, moment)
        self._gap_s = 0.0
        if self.visibleRegion().isEmpty():
            return
        for plot in self._shown:
            plot.draw(now_s, moment)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Put as many plots beside each other as there is room for."""
        super().resizeEvent(event)
        self._fill()

    @property
    def _shown(self) -> list[LivePlot]:
        return [plot for plot in self.plots if not plot.isHidden()]

    def _meet(self, hello: Hello) -> None:
        for plot in self.plots:
            plot.meet(hello)
        self._fill()

    def _fill(self) -> None:
        """Place the plots that are shown, with numbers of one size."""
        shown = self._shown
        count = columns(self.width(), self.height(), len(shown))
        self._arrange(count)
        heading_px = (self.width() - theme.GAP // 2) // count - theme.GAP // 2 - 2 * EDGE_PX
        digits_px = min(plot.heading.digits_px(heading_px) for plot in shown)
        for plot in shown:
            plot.heading.set_digits_px(digits_px)

    def _arrange(self, count: int) -> None:
        shown = self._shown
        if count == self._columns and shown == self._placed:
            return
        self._columns, self._placed = count, shown
        for plot in self.plots:
            self._grid.removeWidget(plot)
        for index, plot in enumerate(shown):
            self._grid.addWidget(plot, index // count, index % count)
        for column in range(len(self.plots)):
            self._grid.setColumnStretch(column, int(column < count))

    def _moment(self, gap_s: float) -> Snapshot:
        link = self._link
        if not link.connected:
            return Snapshot(link.hello, None, None, gap_s)
        return Snapshot(link.hello, link.status, link.scene, gap_s)

    def _on_status(self, _status: object) -> None:
        now_s = time.monotonic()
        gap_s = now_s - self._heard_s if self._heard else 0.0
        self._heard, self._heard_s = True, now_s
        self._gap_s = max(self._gap_s, gap_s)


def columns(width_px: int, height_px: int, plots: int) -> int:
    """Return the number of columns of a strip of that size, its rows as full as they can be."""

    def misfit(count: int) -> tuple[float, float]:
        across, down = max(1.0, width_px / count), max(1.0, height_px / math.ceil(plots / count))
        lack = max(0.0, CELL_PX / across - 1.0) + max(0.0, LOW_PX / down - 1.0)
        return lack, abs(math.log(across / down / SHAPE))

    return min({math.ceil(plots / rows) for rows in range(1, plots + 1)}, key=misfit)
