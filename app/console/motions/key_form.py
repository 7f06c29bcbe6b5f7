"""The numbers of the chosen keys: typed times, values, slopes, and factors of a scaling."""

import math
from collections.abc import Callable

from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QGridLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from app.console.motions.keys import KeyEditor, common
from app.console.toolkit import theme

MIXED = "mixed"
ABOUT = {"centre": "centre", "playhead": "playhead"}


class KeyForm(QWidget):
    """Numbers of the chosen keys.

    Attributes:
        boxes: time, value and slopes by name.
        factors: of a scaling in time and value.
        scale: scales the chosen keys.
    """

    def __init__(self, keys: KeyEditor, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._keys = keys
        self.boxes: dict[str, QDoubleSpinBox] = {}
        self.factors: dict[str, QDoubleSpinBox] = {}
        self._about = QComboBox()
        self.scale = QPushButton("Scale")
        self._words = QLabel()
        self._lay_out()
        keys.changed.connect(self.fill)
        self.fill()

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(3)
        for column in (0, 1):
            grid.setColumnStretch(column, 1)
        self._words.setStyleSheet(f"color: {theme.MUTED}")
        grid.addWidget(self._words, 0, 0, 1, 2)
        keys = self._keys
        for name, label, unit, at, act in (
            ("time", "Time of the keys", " s", (1, 0), keys.set_time),
            ("value", "Value of the keys", " °", (1, 1), _of_degrees(keys.set_value)),
            (
                "in",
                "Slope before the keys",
                " °/s ‹",
                (2, 0),
                _of_degrees(lambda slope: keys.set_slopes(slope_in=slope)),
            ),
            (
                "out",
                "Slope behind the keys",
                " °/s ›",
                (2, 1),
                _of_degrees(lambda slope: keys.set_slopes(slope_out=slope)),
            ),
        ):
            box = _TypedBox(label, unit, act)
            grid.addWidget(box, *at)
            self.boxes[name] = box
        for name, label, column in (
            ("time", "Factor of time", 0),
            ("value", "Factor of value", 1),
        ):
            factor = QDoubleSpinBox()
            factor.setRange(0.05 if name == "time" else -10.0, 10.0)
            factor.setSingleStep(0.1)
            factor.setValue(1.0)
            factor.setPrefix("s × " if name == "time" else "° × ")
            factor.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            factor.setAccessibleName(label)
            factor.setToolTip(label)
            grid.addWidget(factor, 3, column)
            self.factors[name] = factor
        for about, words in ABOUT.items():
            self._about.addItem(words, about)
        self._about.setAccessibleName("Centre of the scaling")
        self._about.setToolTip("Keys are scaled about their own centre, or about the playhead")
        self._about.currentIndexChanged.connect(self._choose_about)
        self._about.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.scale.setAccessibleName("Scale the chosen keys")
        self.scale.clicked.connect(lambda _=False: self._scale())
        grid.addWidget(self._about, 4, 0)
        grid.addWidget(self.scale, 4, 1)

    def fill(self) -> None:
        """Show the numbers of the chosen keys; where they differ, that they do."""
        keys = self._keys.keys
        count = len(keys)
        self._words.setText(
            f"{count} keys chosen" if count != 1 else f"1 key, {keys[0].tangent} tangents"
        )
        for name, values in (
            ("time", [key.time_s for key in keys]),
            ("value", [math.degrees(key.value_rad) for key in keys]),
            ("in", [math.degrees(key.slope_in) for key in keys]),
            ("out", [math.degrees(key.slope_out) for key in keys]),
        ):
            box = self.boxes[name]
            assert isinstance(box, _TypedBox)
            box.show_value(common(values), bool(keys))
        for part in (*self.factors.values(), self.scale, self._about):
            part.setEnabled(bool(keys))

    def _choose_about(self, index: int) -> None:
        self._keys.about = "playhead" if self._about.itemData(index) == "playhead" else "centre"

    def _scale(self) -> None:
        self._keys.scale(self.factors["time"].value(), self.factors["value"].value())
        for factor in self.factors.values():
            factor.setValue(1.0)


class _TypedBox(QDoubleSpinBox):
    """A number that may be mixed: its smallest value stands for that."""

    def __init__(self, label: str, unit: str, act: Callable[[float], None]) -> None:
        super().__init__()
        self._act = act
        self.setKeyboardTracking(False)
        self.setRange(-10_000.0, 10_000.0)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setDecimals(2)
        self.setSuffix(unit)
        self.setSpecialValueText(MIXED)
        self.setAccessibleName(label)
        self.setToolTip(label)
        self.valueChanged.connect(self._type)

    def show_value(self, value: float | None, there: bool) -> None:
        """Show a number; None: there are several, or none."""
        self.setEnabled(there)
        self.blockSignals(True)
        self.setSpecialValueText(MIXED if there else "–")
        self.setValue(self.minimum() if value is None else value)
        self.blockSignals(False)

    def _type(self, value: float) -> None:
        if value > self.minimum():
            self._act(value)


def _of_degrees(act: Callable[[float], None]) -> Callable[[float], None]:
    return lambda degrees: act(math.radians(degrees))
