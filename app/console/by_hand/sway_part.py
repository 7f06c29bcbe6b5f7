"""Sway and squat by hand: direction, amplitude, frequency, and a button that starts or ends it."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.console.by_hand.permission import sway_bar
from app.console.context.core_link import CoreLink
from app.console.timeline.names import SWAY_WORDS
from app.console.toolkit import theme
from core.link.commands import EndSway, StartSway
from core.link.hello import Hello
from shows.joints import SwayRange

FIRST_CM, FIRST_HZ = 3.0, 0.1


class SwayPart(QWidget):
    """The column of the sway; hidden for a robot that does not sway.

    Attributes:
        direction: direction in which the sine begins.
        amplitude: to each side [cm].
        frequency: [Hz].
        button: starts the sway, or ends it.
    """

    def __init__(self, link: CoreLink, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._link = link
        self._limits: SwayRange | None = None
        self._state = QLabel()
        self.direction = QComboBox()
        self.amplitude = _box(" cm", 0.1, 1, FIRST_CM)
        self.frequency = _box(" Hz", 0.01, 2, FIRST_HZ)
        self.button = QPushButton("Start")
        self._lay_out()
        self.direction.currentIndexChanged.connect(self._fit_amplitude)
        self.frequency.valueChanged.connect(self._tell_period)
        self.button.clicked.connect(self._press)
        self._tell_period()
        self.hide()

    def meet(self, hello: Hello) -> None:
        """Offer what this robot can do."""
        limits = self._limits = hello.sway_range
        self.setVisible(limits is not None)
        if limits is None:
            return
        self.direction.clear()
        for direction, word in SWAY_WORDS.items():
            if getattr(limits, direction) > 0.0:
                self.direction.addItem(word, direction)
        self.frequency.setMaximum(limits.frequency_hz)
        self._fit_amplitude()

    def refresh(self) -> None:
        """Show whether the robot sways, or why it cannot."""
        if self._limits is None:
            return
        link, status = self._link, self._link.status
        bar = sway_bar(status, link.connected, link.hello)
        sways = link.connected and status is not None and status.sways and not bar
        for widget in (self.direction, self.amplitude, self.frequency, self.button):
            widget.setEnabled(not bar)
        self.button.setText("End" if sways else "Start")
        tone = theme.WARN if bar else theme.GOOD if sways else theme.IDLE
        words = f"{tone.mark} {bar or ('the body sways' if sways else 'at rest')}"
        if self._state.text() != words:
            self._state.setText(words)
            self._state.setStyleSheet(f"color: {tone.colour}")

    def _lay_out(self) -> None:
        title = QLabel("SWAY")
        title.setStyleSheet(f"color: {theme.MUTED}; font-weight: bold")
        title.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._state.setWordWrap(True)
        self._state.setMinimumHeight(theme.TWO_LINES)  # so that nothing jumps
        self._state.setAlignment(Qt.AlignmentFlag.AlignTop)
        heading = QHBoxLayout()
        heading.addWidget(title)
        heading.addWidget(self._state, 1)
        fields = QFormLayout()
        fields.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        fields.addRow("Direction", self.direction)
        fields.addRow("Amplitude", self.amplitude)
        fields.addRow("Frequency", self.frequency)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.GAP // 2)
        column.addLayout(heading)
        column.addLayout(fields)
        column.addWidget(self.button)
        column.addStretch(1)
        self.direction.setMinimumContentsLength(8)
        for widget, name, tip in (
            (self._state, "State of the sway", ""),
            (self.direction, "Direction of the sway", "Where the sine begins"),
            (self.amplitude, "Amplitude of the sway", "To each side of the place at rest"),
            (self.frequency, "Frequency of the sway", ""),
            (self.button, "Start or end the sway", "It begins and ends within a second; HOLD too "
             "ends it"),
        ):  # fmt: skip
            widget.setAccessibleName(name)
            widget.setToolTip(tip)

    def _fit_amplitude(self) -> None:
        """Bound the amplitude by the range of the chosen direction."""
        direction = self.direction.currentData()
        if self._limits is not None and direction is not None:
            self.amplitude.setMaximum(100.0 * getattr(self._limits, direction))

    def _tell_period(self) -> None:
        self.frequency.setToolTip(f"One cycle takes {1.0 / self.frequency.value():.3g} s")

    def _press(self) -> None:
        """End the sway, or start one if this press may start motion."""
        status = self._link.status
        if status is not None and status.sways:
            self._link.send(EndSway())
        elif self._link.may_start("a sway"):
            amplitude_m = round(0.01 * self.amplitude.value(), 6)
            command = StartSway(self.direction.currentData(), amplitude_m, self.frequency.value())
            self._link.send(command)


def _box(unit: str, step: float, decimals: int, value: float) -> QDoubleSpinBox:
    box = QDoubleSpinBox()
    box.setDecimals(decimals)
    box.setSingleStep(step)
    box.setMinimum(step)
    box.setSuffix(unit)
    box.setValue(value)
    return box
