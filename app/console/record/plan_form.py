"""The form of the next take: count-in, what plays meanwhile, and where it is punched in."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QDoubleSpinBox, QGridLayout, QLabel, QWidget

from app.console.toolkit import theme
from core.link.take import TakePlan

NOTHING = "nothing"
LONGEST_S = 600.0


class PlanForm(QWidget):
    """Count-in, backing, phrase and punch.

    Signals:
        changed: a value was changed.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.count_in = _seconds("Count-in", "Time before the take begins", 10.0, 3.0)
        self.count_in.setDecimals(0)
        self.backing, self.phrase = QComboBox(), QComboBox()
        self.punch = QCheckBox("Punch")
        self.punch_in = _seconds("Punch-in", "When its limbs begin to float", LONGEST_S, 1.0)
        self.punch_out = _seconds("Punch-out", "When they are held again", LONGEST_S, 3.0)
        self._lay_out()
        for box in (self.backing, self.phrase):
            box.addItem(NOTHING)
            box.currentIndexChanged.connect(self.changed)
        for spin in (self.count_in, self.punch_in, self.punch_out):
            spin.valueChanged.connect(self.changed)
        self.punch.toggled.connect(self._show_punch)
        self._show_punch()

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(theme.GAP)
        grid.setVerticalSpacing(4)
        for column, (word, widget, tip) in enumerate(
            (
                ("Count-in", self.count_in, ""),
                ("Meanwhile", self.backing, "A gesture that plays on the limbs that are driven"),
                ("Sound", self.phrase, "A sound of the show that plays from the beginning"),
            )
        ):
            label = QLabel(word)
            label.setStyleSheet(f"color: {theme.MUTED}")
            grid.addWidget(label, 0, column)
            grid.addWidget(widget, 1, column)
            if tip:
                widget.setToolTip(tip)
                widget.setAccessibleName(word)
        self.backing.setMinimumContentsLength(8)
        self.phrase.setMinimumContentsLength(8)
        self.punch.setToolTip(
            "The limbs play the gesture, float from punch-in to punch-out, and are held then"
        )
        grid.addWidget(self.punch, 0, 3, Qt.AlignmentFlag.AlignLeft)
        grid.addWidget(self.punch_in, 1, 3)
        grid.addWidget(self.punch_out, 1, 4)
        for column in (1, 2):
            grid.setColumnStretch(column, 1)

    def offer(self, gestures: Sequence[tuple[str, str]], phrases: Sequence[str]) -> None:
        """Offer gestures, by name and title, and phrases; the chosen ones stay chosen."""
        _fill(self.backing, [(title, name) for name, title in gestures])
        _fill(self.phrase, [(phrase, phrase) for phrase in phrases])

    def plan(self, path: Path, limbs: tuple[str, ...]) -> TakePlan:
        """Return the plan of a take.

        Args:
            path: of its file.
            limbs: limbs that it is about.

        Raises:
            ValueError: it would end before its punch-in.
        """
        punched = self.punch.isChecked()
        return TakePlan(
            path=str(path),
            limbs=limbs,
            count_in_s=self.count_in.value(),
            backing=self.backing.currentData(),
            phrase=self.phrase.currentData(),
            punch_in_s=self.punch_in.value() if punched else None,
            punch_out_s=self.punch_out.value() if punched else None,
        )

    def _show_punch(self) -> None:
        for spin in (self.punch_in, self.punch_out):
            spin.setVisible(self.punch.isChecked())
        self.changed.emit()


def _seconds(name: str, tip: str, most_s: float, value_s: float) -> QDoubleSpinBox:
    spin = QDoubleSpinBox()
    spin.setRange(0.0, most_s)
    spin.setDecimals(1)
    spin.setSingleStep(1.0)
    spin.setSuffix(" s")
    spin.setValue(value_s)
    spin.setAccessibleName(name)
    spin.setToolTip(tip)
    return spin


def _fill(box: QComboBox, items: Sequence[tuple[str, str]]) -> None:
    chosen = box.currentData()
    box.blockSignals(True)
    box.clear()
    box.addItem(NOTHING)
    for title, name in items:
        box.addItem(title, name)
    place = box.findData(chosen) if chosen is not None else 0
    box.setCurrentIndex(max(0, place))
    box.blockSignals(False)
