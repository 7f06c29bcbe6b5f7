"""The gaze target: a point of the room that the head looks at, typed in metres."""

import math

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDoubleSpinBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.console.toolkit import theme

FARTHEST_M = 50.0
TIPS = {
    "x": "ahead of the robot's place on the floor",
    "y": "to the robot's left",
    "z": "above the floor",
}


class GazeRow(QWidget):
    """Three numbers, and whether the head's range has the target.

    Signals:
        typed: x ahead, y to the left and z above the floor, from the robot's place [m].
    """

    typed = Signal(tuple)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._boxes: dict[str, QDoubleSpinBox] = {}
        self._words = QLabel()
        self._words.setAccessibleName("Range of the gaze")
        row = QHBoxLayout()
        row.setSpacing(4)
        title = QLabel("Gaze target")
        title.setToolTip("The head looks at this point; drag it on the stage, or type it")
        row.addWidget(title)
        for axis, tip in TIPS.items():
            box = QDoubleSpinBox()
            box.setRange(-FARTHEST_M, FARTHEST_M)
            box.setDecimals(2)
            box.setSingleStep(0.1)
            box.setPrefix(f"{axis} ")
            box.setSuffix(" m")
            box.setKeyboardTracking(False)
            box.setAccessibleName(f"Gaze target {axis} in metres")
            box.setToolTip(f"{axis}: metres {tip}")
            box.setMinimumWidth(84)
            box.valueChanged.connect(lambda _: self._type())
            row.addWidget(box, 1)
            self._boxes[axis] = box
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 2)
        column.setSpacing(1)
        column.addLayout(row)
        column.addWidget(self._words)

    def show_target(self, place: tuple[float, float, float], off_rad: float) -> None:
        """Show a target [m], and the angle by which the gaze misses it [rad]."""
        for box, value in zip(self._boxes.values(), place, strict=True):
            if abs(box.value() - value) >= 0.005:
                box.blockSignals(True)
                box.setValue(value)
                box.blockSignals(False)
        within = off_rad <= math.radians(1.0)
        tone = theme.GOOD if within else theme.WARN
        words = "the head can look there"
        if not within:
            words = f"out of the head's range: it looks {math.degrees(off_rad):.0f}° beside it"
        text = f"{tone.mark} {words}"
        if self._words.text() != text:
            self._words.setText(text)
            self._words.setStyleSheet(f"color: {tone.colour}; font-size: {theme.SMALL_PX}px")

    def _type(self) -> None:
        self.typed.emit(tuple(box.value() for box in self._boxes.values()))
