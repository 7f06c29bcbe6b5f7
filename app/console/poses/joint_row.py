"""One joint of a pose: slider between its limits, typed value, and its load."""

import math

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QDoubleSpinBox, QGridLayout, QLabel, QSlider

from app.console.toolkit import theme

PER_DEGREE = 10  # steps of the slider
HIGH, FULL = 0.8, 1.0  # shares of the stall torque that are marked
NAME_PX, LIMIT_PX, VALUE_PX, LOAD_PX, LEAST_SLIDER_PX = 104, 30, 62, 50, 60
ROW_PX = 22


class JointSlider(QSlider):
    """A slider that a double click puts at rest; the wheel scrolls the page instead.

    Signals:
        rest_asked: it was double-clicked.
    """

    rest_asked = Signal()

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Ask for the rest posture."""
        self.rest_asked.emit()
        event.accept()

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        """Leave the wheel to the page."""
        event.ignore()


class AngleBox(QDoubleSpinBox):
    """A typed value; the wheel scrolls the page instead."""

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        """Leave the wheel to the page."""
        event.ignore()


class JointRow(QObject):
    """The controls of one joint, in a row of a grid.

    Attributes:
        joint: name of the joint.
        slider: in tenths of a degree.
        box: in degrees.

    Signals:
        turned: the operator wants another angle [rad].
        rest_asked: the operator wants the rest posture.
    """

    turned = Signal(float)
    rest_asked = Signal()

    def __init__(self, joint: str, word: str, lower: float, upper: float, parent: QObject) -> None:
        """Make the controls.

        Args:
            joint: name of the joint.
            word: its name in its limb.
            lower: smallest angle [rad].
            upper: largest angle [rad].
            parent: parent object.
        """
        super().__init__(parent)
        self.joint = joint
        self._lower, self._upper = lower, upper
        title = joint.replace("_", " ")
        low, high = math.degrees(lower), math.degrees(upper)
        tip = f"{title}: {low:.1f}° to {high:.1f}°; a double click puts it at rest"
        self._name, self._load = QLabel(word), QLabel()
        self._ends = QLabel(f"{low:.0f}"), QLabel(f"{high:.0f}")
        self.slider, self.box = JointSlider(), AngleBox()
        self.slider.setRange(math.ceil(PER_DEGREE * low), math.floor(PER_DEGREE * high))
        self.slider.setSingleStep(PER_DEGREE // 2)
        self.slider.setPageStep(5 * PER_DEGREE)
        self.slider.setMinimumWidth(LEAST_SLIDER_PX)
        self.box.setRange(low, high)
        self.box.setDecimals(1)
        self.box.setSuffix("°")
        self.box.setKeyboardTracking(False)
        self._name.setFixedWidth(NAME_PX)
        self.box.setFixedHeight(ROW_PX)
        self.box.setStyleSheet("padding: 0 2px")
        self.box.setFixedWidth(VALUE_PX)
        self._load.setFixedWidth(LOAD_PX)
        for label in self._ends:
            label.setFixedWidth(LIMIT_PX)
            label.setStyleSheet(f"color: {theme.MUTED}; font-size: {theme.SMALL_PX}px")
        self._ends[0].setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.slider.setAccessibleName(f"{title}, slider")
        self.box.setAccessibleName(f"{title} in degrees")
        self._load.setAccessibleName(f"Load of {title}")
        self.slider.setToolTip(tip)
        self.box.setToolTip(tip)
        self._name.setToolTip(tip)
        self.slider.valueChanged.connect(lambda value: self._turn(math.radians(value / PER_DEGREE)))
        self.box.valueChanged.connect(lambda value: self._turn(math.radians(value)))
        self.slider.rest_asked.connect(self.rest_asked)
        self.show_load(0.0)

    def put(self, grid: QGridLayout, row: int) -> None:
        """Take a row of a grid."""
        parts = (self._name, self._ends[0], self.slider, self._ends[1], self.box, self._load)
        for column, part in enumerate(parts):
            grid.addWidget(part, row, column)

    def show_angle(self, angle: float) -> None:
        """Show an angle [rad]."""
        degrees = math.degrees(angle)
        for control, value in ((self.slider, round(PER_DEGREE * degrees)), (self.box, degrees)):
            control.blockSignals(True)
            control.setValue(value)  # type: ignore[arg-type]
            control.blockSignals(False)

    def show_load(self, share: float | None) -> None:
        """Show the torque that holds the joint, as a share of its stall torque; None: not known."""
        if share is None:
            text, colour = "", theme.MUTED
        elif share >= FULL:
            text, colour = f"{theme.BAD.mark} {100.0 * share:.0f} %", theme.BAD.colour
        elif share >= HIGH:
            text, colour = f"{theme.WARN.mark} {100.0 * share:.0f} %", theme.WARN.colour
        else:
            text, colour = f"{100.0 * share:.0f} %", theme.MUTED
        if self._load.text() != text or not self._load.toolTip():
            self._load.setText(text)
            self._load.setStyleSheet(f"color: {colour}; font-size: {theme.SMALL_PX}px")
            self._load.setToolTip(
                "Torque that holds the joint against gravity, of its stall torque"
            )

    def set_usable(self, usable: bool) -> None:
        """Let the operator change it, or not."""
        self.slider.setEnabled(usable)
        self.box.setEnabled(usable)

    def set_visible(self, visible: bool) -> None:
        """Show or hide its controls."""
        for part in (self._name, *self._ends, self.slider, self.box, self._load):
            part.setVisible(visible)

    def _turn(self, angle: float) -> None:
        self.turned.emit(min(max(angle, self._lower), self._upper))
