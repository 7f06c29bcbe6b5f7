"""The form of the chosen step: one control for each of its parameters."""

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QWidget,
)

from app.console.motions import words
from app.console.motions.words import (
    Choice,
    Field,
    FitError,
    GestureName,
    MarkerTimes,
    Number,
    Pairs,
)
from shows.process.steps import Step

OWN = "another pose"  # of an amplitude that a file has


class StepForm(QWidget):
    """Shows one step at a time.

    Attributes:
        controls: by the name of the parameter.
        gestures: names and titles of the gestures that can be layered.

    Signals:
        edited: name of a parameter and its new value.
        refit_asked: the keys shall be fitted anew, within this error [°].
        said: why a text was not taken.
    """

    edited = Signal(str, object)
    refit_asked = Signal(float)
    said = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.controls: dict[str, QWidget] = {}
        self.gestures: Callable[[], Mapping[str, str]] = dict
        self._form = QFormLayout(self)
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setVerticalSpacing(3)
        self._shape: tuple[Any, ...] = ()
        self._fitted = False

    def fill(self, step: Step | None) -> None:
        """Show the parameters of a step; controls of the same parameters stay."""
        fields = () if step is None else words.FIELDS[type(step)]
        shape = (type(step), *(self._shape_of(field, step) for field in fields))
        if shape != self._shape:
            self._shape = shape
            while self._form.rowCount():
                self._form.removeRow(0)
            self.controls = {}
            for field in fields:
                self._add(field, step)
        for field in fields:
            self._show(field, getattr(step, field.name))
        self.setVisible(bool(fields))

    def _shape_of(self, field: Field, step: Step | None) -> object:
        """Return what the controls of a parameter depend on."""
        if isinstance(field, MarkerTimes):
            return tuple(getattr(step, field.name))
        if isinstance(field, GestureName):
            return tuple(self.gestures().items())
        return field

    def _add(self, field: Field, step: Step | None) -> None:
        match field:
            case Number():
                box = self._box(field.label, field.unit, field.low, field.high, field.step)
                box.valueChanged.connect(
                    lambda value, f=field: self.edited.emit(f.name, value * f.scale)
                )
                self._put(field.name, field.label, box)
            case Choice():
                self._add_choice(field.name, field.label, dict(field.options))
            case GestureName():
                self._add_choice(field.name, field.label, self.gestures())
            case Pairs():
                line = QLineEdit()
                line.setToolTip(field.tip)
                line.editingFinished.connect(lambda f=field, at=line: self._take_pairs(f, at))
                self._put(field.name, field.label, line)
            case MarkerTimes():
                for marker in getattr(step, field.name):
                    box = self._box(f"⚑ {marker}", " s", 0.0, 600.0, 0.1)
                    box.valueChanged.connect(lambda _, f=field: self._take_markers(f))
                    self._put(f"{field.name} {marker}", f"⚑ {marker}", box)
            case FitError():
                self._add_fit(field)

    def _add_choice(self, name: str, label: str, options: Mapping[str, str]) -> None:
        combo = QComboBox()
        for value, word in options.items():
            combo.addItem(word, value)
        combo.setMinimumContentsLength(6)
        combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        combo.activated.connect(lambda i, n=name, c=combo: self.edited.emit(n, c.itemData(i)))
        self._put(name, label, combo)

    def _add_fit(self, field: FitError) -> None:
        box = self._box(field.label, " °", field.low, field.high, 0.1)
        button = QPushButton("Fit")
        button.setAccessibleName("Fit the keys anew")
        button.setToolTip(
            "Replace the keys by a fit of the motion before this step; undo brings edits back"
        )
        row = QWidget()
        layout = QHBoxLayout(row)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(box, 1)
        layout.addWidget(button)
        box.valueChanged.connect(self._type_error)
        button.clicked.connect(lambda _=False, b=box: self.refit_asked.emit(b.value()))
        self._form.addRow("Error", row)
        self.controls[field.name] = box

    def _type_error(self, degrees: float) -> None:
        """Fit at once where no key was edited."""
        if self._fitted:
            self.refit_asked.emit(degrees)

    def _put(self, name: str, label: str, control: QWidget) -> None:
        control.setAccessibleName(label)
        self._form.addRow(label, control)
        self.controls[name] = control

    @staticmethod
    def _box(label: str, unit: str, low: float, high: float, step: float) -> QDoubleSpinBox:
        box = QDoubleSpinBox()
        box.setRange(low, high)
        box.setSingleStep(step)
        box.setDecimals(3 if unit == " s" else 2)
        box.setSuffix(unit)
        box.setKeyboardTracking(False)
        box.setAccessibleName(label)
        return box

    def _show(self, field: Field, value: Any) -> None:
        """Show the value of a parameter."""
        if isinstance(field, MarkerTimes):
            for marker, time_s in value.items():
                _set(self.controls[f"{field.name} {marker}"], time_s)
            return
        control = self.controls[field.name]
        if isinstance(field, FitError):
            self._fitted = value is not None
            if value is not None:
                _set(control, value / words.DEGREE)
        elif isinstance(field, Number):
            _set(control, value / field.scale)
        elif isinstance(control, QLineEdit):
            control.setText(words.pairs_text(value))
        elif isinstance(control, QComboBox):
            at = control.findData(value)
            if at < 0 and not isinstance(value, str):
                control.addItem(OWN, value)
                at = control.count() - 1
            control.setCurrentIndex(at)

    def _take_pairs(self, field: Pairs, line: QLineEdit) -> None:
        pairs = words.typed_pairs(line.text())
        if pairs is None:
            self.said.emit(f"{line.text()!r} are no pairs of times: type such as 0.5-0.8 1.2-1.4")
            return
        self.edited.emit(field.name, pairs)

    def _take_markers(self, field: MarkerTimes) -> None:
        start = f"{field.name} "
        times = {
            name.removeprefix(start): control.value()
            for name, control in self.controls.items()
            if name.startswith(start) and isinstance(control, QDoubleSpinBox)
        }
        self.edited.emit(field.name, times)


def _set(control: QWidget, value: float) -> None:
    """Show a number without a signal."""
    assert isinstance(control, QDoubleSpinBox)
    control.blockSignals(True)
    control.setValue(value)
    control.blockSignals(False)
