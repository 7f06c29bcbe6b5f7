"""The curves of a motion over one axis of time: position with keys, velocity, torque, sound."""

from collections.abc import Collection, Iterable, Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.console.motions.keys import KeyEditor
from app.console.motions.plot import Line, MotionPlot, colour_of, thinned
from app.console.motions.torque_judge import MotionTorque
from app.console.motions.wave import WaveStrip
from app.console.toolkit import theme
from shows.body_limb import LENGTHS
from shows.joints import Floats, JointTable
from shows.motion import Marker, Motion
from shows.process.curves import evaluate, velocity
from shows.process.sampling import sample_times

MOST_POINTS = 4000  # of a line; more are not seen
MOST_NAMES = 4
TALL_PX = 400  # panels that are not lower show every plot from the beginning
LEAST_PX = 70  # of the position plot
SHARES = {"Position": 3, "Velocity": 2, "Torque": 2}
SOUND = "Sound"


class CurveView(QWidget):
    """Curves of the chosen joints over time.

    Attributes:
        position, velocity, torque: the plots.
        wave: the sound.

    Signals:
        moved: the playhead was moved to a time [s].
        trimmed: the handles of the trim were moved: start and end [s].
        shown_changed: a plot was shown or hidden.
    """

    moved = Signal(float)
    trimmed = Signal(float, float)
    shown_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.position = MotionPlot("Position", "°", LEAST_PX, names_markers=True)
        self.velocity, self.torque = MotionPlot("Velocity", "°/s"), MotionPlot("Torque", "N·m")
        self.wave = WaveStrip()
        self._keys: KeyEditor | None = None
        self._span = pg.LinearRegionItem(
            brush=QColor(0, 0, 0, 0), pen=pg.mkPen(theme.WARN.colour, width=2)
        )
        self._span.setZValue(15)
        self._before: Motion | None = None
        self._after: Motion | None = None
        self._joints: tuple[str, ...] = ()
        self._table: JointTable | None = None
        self._torques: MotionTorque | None = None
        self._opened = False
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for plot in self.plots:
            layout.addWidget(plot, SHARES[plot.name])
            plot.moved.connect(self.go)
            plot.plot.setXLink(self.position.plot)
        layout.addWidget(self.wave)
        self.wave.link(self.position)
        self._span.sigRegionChangeFinished.connect(self._tell_span)
        self.show_plots(())

    @property
    def plots(self) -> tuple[MotionPlot, ...]:
        """The plots with values, from the top."""
        return self.position, self.velocity, self.torque

    @property
    def time_s(self) -> float:
        """Time of the playhead [s]."""
        return float(self.position.head.value())

    def edit_with(self, keys: KeyEditor) -> None:
        """Draw the curves of a key editor where it has some."""
        self._keys = keys
        keys.changed.connect(self._follow)

    def go(self, time_s: float) -> None:
        """Move the playhead."""
        for plot in self.plots:
            plot.set_time(time_s)
        self.wave.set_time(time_s)
        self._name()
        self.moved.emit(time_s)

    def choose(self, joints: Sequence[str]) -> None:
        """Show other joints."""
        self._joints = tuple(joints)
        self.redraw()

    def show_plots(self, names: Iterable[str]) -> None:
        """Show the plots of these names beside the position; hide the others."""
        wanted = {*names, self.position.name}
        self.wave.set_wanted(SOUND in wanted)
        for plot in self.plots:
            plot.setVisible(plot.name in wanted)
        lowest = [plot for plot in self.plots if plot.name in wanted][-1]
        for plot in self.plots:
            plot.set_axis(plot is lowest)
        self.redraw()
        self.shown_changed.emit()

    def shows(self, name: str) -> bool:
        """Tell whether the plot of a name is shown."""
        if name == SOUND:
            return self.wave.wanted
        return any(plot.name == name and not plot.isHidden() for plot in self.plots)

    def show_motion(
        self, before: Motion | None, after: Motion | None, table: JointTable | None
    ) -> None:
        """Show a motion.

        Args:
            before: the motion before the chosen step, drawn thin.
            after: the motion after it.
            table: joints and limits of the robot.
        """
        longer = self._length_s
        self._before, self._after, self._table = before, after, table
        self.redraw()
        if abs(self._length_s - longer) > 1e-6:
            self.fit()

    def show_torque(self, torques: MotionTorque | None, words: str) -> None:
        """Show torques.

        Args:
            torques: of a motion; None: they are not known.
            words: why, or what limits them.
        """
        self._torques = torques
        self.torque.say(words)
        self._draw_torque()

    def show_span(self, span: tuple[float, float] | None) -> None:
        """Show the handles of a trim [s]; None hides them."""
        shown = self._span.scene() is not None
        if span is None:
            if shown:
                self.position.plot.removeItem(self._span)
            return
        self._span.blockSignals(True)
        self._span.setRegion(span)
        self._span.blockSignals(False)
        if not shown:
            self.position.plot.addItem(self._span)

    def fit(self) -> None:
        """Show the whole motion, and all values."""
        self.position.box.setXRange(0.0, self._length_s or 1.0, padding=0.02)
        self.redraw()

    def redraw(self) -> None:
        """Draw every plot that is shown."""
        self._name()
        for plot in (self.position, self.velocity):
            if not plot.isHidden():
                rate = plot is self.velocity
                plot.draw(self._lines(self._joints, rate), self._limits(rate), self._markers)
        self._draw_torque()

    def _name(self) -> None:
        """Write the names of the joints, and the time of the playhead, over the curves."""
        shown = [
            (joint.replace("_", " "), colour_of(index))
            for index, joint in enumerate(self._joints)
            if self._after is not None and joint in self._after.joint_names
        ]
        more = [(f"… {len(shown) - MOST_NAMES} more", theme.MUTED)] * (len(shown) > MOST_NAMES)
        self.position.say(self._now(), (*shown[:MOST_NAMES], *more))

    def _now(self) -> str:
        """Return the time of the playhead, and the position of a lone joint there."""
        words, motion = f"at {self.time_s:.2f} s", self._after
        if motion is None or len(self._joints) != 1 or self._joints[0] not in motion.joint_names:
            return words
        row = min(max(0, round(self.time_s * motion.rate_hz)), len(motion.positions) - 1)
        joint = self._joints[0]
        value = motion.positions[row, motion.joint_names.index(joint)]
        if joint in LENGTHS:
            return f"{words}: {100.0 * value:.1f} cm"
        return f"{words}: {np.degrees(value):.1f}°"

    def _follow(self) -> None:
        """Draw what the keys have changed: while they are dragged their own curves alone."""
        keys = self._keys
        if keys is None or not keys.dragging:
            self.redraw()
            return
        moving = {joint for joint, _ in keys.chosen}
        for plot in (self.position, self.velocity):
            if not plot.isHidden():
                plot.renew(self._lines(moving, plot is self.velocity))

    @property
    def _markers(self) -> tuple[Marker, ...]:
        return () if self._after is None else self._after.markers

    def _lines(self, joints: Collection[str], rate: bool) -> list[Line]:
        """Return the lines of some of the shown joints."""
        return [
            line
            for index, joint in enumerate(self._joints)
            if joint in joints
            for line in self._lines_of(joint, colour_of(index), rate)
        ]

    @property
    def _length_s(self) -> float:
        """Length of the longer motion [s]."""
        shown = (self._before, self._after)
        return max((motion.duration_s for motion in shown if motion is not None), default=0.0)

    def _lines_of(self, joint: str, colour: str, rate: bool) -> list[Line]:
        """Return the lines of a joint: before the step, and after it or by its keys."""
        lines = []
        curve = None if self._keys is None else self._keys.curves.get(joint)
        for motion, thin in ((self._before, True), (self._after, False)):
            if motion is None or joint not in motion.joint_names:
                continue
            if thin and motion is self._after:
                continue
            times_s = sample_times(len(motion.positions), motion.rate_hz)
            if not thin and curve is not None:
                values = velocity(curve, times_s) if rate else evaluate(curve, times_s)
            else:
                values = motion.positions[:, motion.joint_names.index(joint)]
                values = np.gradient(values) * motion.rate_hz if rate else values
            style = Qt.PenStyle.DashLine if thin else Qt.PenStyle.SolidLine
            points = thinned(times_s, np.degrees(values), MOST_POINTS)
            lines.append(Line(joint, colour, *points, style, 1.0 if thin else 2.0))
        return lines

    def _limits(self, rate: bool) -> tuple[float, float] | None:
        """Return what a lone joint cannot leave [°], [°/s]; None for several joints."""
        table = self._table
        if table is None or len(self._joints) != 1 or self._joints[0] not in table.index:
            return None
        index = table.index[self._joints[0]]
        if rate:
            most = float(np.degrees(table.velocity_limit[index]))
            return -most, most
        return float(np.degrees(table.lower[index])), float(np.degrees(table.upper[index]))

    def _draw_torque(self) -> None:
        if self.torque.isHidden():
            return
        found, lines = self._torques, []
        limits = None
        for index, joint in enumerate(self._joints):
            if found is None or joint not in found.joint_names:
                continue
            column = found.joint_names.index(joint)
            times: Floats = sample_times(len(found.torque), found.rate_hz)
            lines.append(Line(joint, colour_of(index), times, found.torque[:, column]))
            if len(self._joints) == 1:
                most = found.most[:, column]
                limits = -float(most.max()), float(most.max())
                for name, values in (("most", most), ("least", -most)):
                    edge = Line(name, theme.BAD.colour, times, values, Qt.PenStyle.DotLine, 1.0)
                    lines.append(edge)
        self.torque.draw(lines, limits, self._markers)

    def _tell_span(self) -> None:
        start_s, end_s = self._span.getRegion()
        self.trimmed.emit(float(start_s), float(end_s))

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Show every plot at first, if there is room for them."""
        super().showEvent(event)
        if not self._opened:
            self._opened = True
            if self.height() >= TALL_PX:
                self.show_plots((*SHARES, SOUND))
