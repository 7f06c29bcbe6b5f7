"""The form of the next take: count-in, what plays meanwhile, and where it is punched in."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QWidget,
)

from app.console.toolkit import theme
from core.link.take import TakePlan
from shows.take import MAX_TAKE_S

NOTHING = "nothing"
NO_MICROPHONE, DEFAULT = "no microphone", "usual microphone"
TAKE = "take:"  # before the path of an earlier take, in the choice of what plays meanwhile


class PlanForm(QWidget):
    """Count-in, backing, phrase, punch and microphone.

    Signals:
        changed: a value was changed.
        microphone_chosen: another microphone was chosen, or none.
    """

    changed = Signal()
    microphone_chosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.count_in = _seconds("Count-in", "Time before the take begins", 10.0, 3.0)
        self.count_in.setDecimals(0)
        self.backing, self.phrase, self.microphones = QComboBox(), QComboBox(), QComboBox()
        self._found: tuple[str, ...] = ()
        self.punch = QCheckBox("Punch")
        self.punch_in = _seconds("Punch-in", "When its limbs begin to float", MAX_TAKE_S, 1.0)
        self.punch_out = _seconds("Punch-out", "When they are held again", MAX_TAKE_S, 3.0)
        self._lay_out()
        for box in (self.backing, self.phrase):
            box.addItem(NOTHING)
            box.currentIndexChanged.connect(self.changed)
        for spin in (self.count_in, self.punch_in, self.punch_out):
            spin.valueChanged.connect(self.changed)
        self.microphones.addItem(NO_MICROPHONE)
        self.microphones.addItem(DEFAULT, "")
        self.microphones.currentIndexChanged.connect(self._choose_microphone)
        self.punch.toggled.connect(self._show_punch)
        self._show_punch()

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(theme.GAP)
        grid.setVerticalSpacing(4)
        for row, column, span, word, widget, tip in (
            (0, 0, 1, "Count-in", self.count_in, ""),
            (
                0, 1, 1, "Meanwhile", self.backing,
                "An earlier take or a gesture that plays on the limbs that are driven",
            ),
            (0, 2, 1, "Sound", self.phrase, "A sound of the show that plays from the beginning"),
            (
                2, 1, 2, "Microphone", self.microphones,
                "Record a sound with the take; use headphones if something sounds meanwhile",
            ),
        ):  # fmt: skip
            label = QLabel(word)
            label.setStyleSheet(f"color: {theme.MUTED}")
            grid.addWidget(label, row, column, 1, span)
            grid.addWidget(widget, row + 1, column, 1, span)
            if tip:
                widget.setToolTip(tip)
                widget.setAccessibleName(word)
        for box in (self.backing, self.phrase, self.microphones):
            box.setMinimumContentsLength(8)
            policy = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
            box.setSizeAdjustPolicy(policy)
        self.punch.setToolTip(
            "The limbs play what plays meanwhile, float from punch-in to punch-out, and are held"
        )
        grid.addWidget(self.punch, 3, 0)
        times = QHBoxLayout()
        times.setSpacing(theme.GAP)
        times.addWidget(self.punch_in)
        times.addWidget(self.punch_out)
        times.addStretch(1)
        grid.addLayout(times, 4, 0, 1, 3)
        for column in (1, 2):
            grid.setColumnStretch(column, 1)

    @property
    def microphone(self) -> str | None:
        """The chosen microphone; empty: the system's default; None: none."""
        chosen = self.microphones.currentData()
        return None if chosen is None else str(chosen)

    def offer(
        self,
        takes: Sequence[Path],
        gestures: Sequence[tuple[str, str]],
        phrases: Sequence[str],
    ) -> None:
        """Offer what can play meanwhile; what was chosen stays chosen.

        Args:
            takes: files of the earlier takes, the newest first.
            gestures: name and title of each gesture.
            phrases: sounds of the show.
        """
        earlier = [(f"♺ {path.stem}", f"{TAKE}{path}") for path in takes]
        known = [(title, name) for name, title in gestures]
        _fill(self.backing, [*earlier, *known])
        _fill(self.phrase, [(phrase, phrase) for phrase in phrases])

    def offer_microphones(self, names: Sequence[str]) -> None:
        """Offer microphones; the chosen one stays, even if it is gone for now."""
        if tuple(names) == self._found:
            return
        self._found, chosen = tuple(names), self.microphone
        box = self.microphones
        box.blockSignals(True)
        while box.count() > 2:
            box.removeItem(2)
        for name in names:
            box.addItem(name, name)
        box.blockSignals(False)
        self.choose_microphone(chosen)

    def choose_microphone(self, name: str | None) -> None:
        """Choose a microphone without telling anyone; see `microphone`."""
        box = self.microphones
        box.blockSignals(True)
        place = 0 if name is None else box.findData(name)
        if place < 0:
            box.addItem(f"{theme.WARN.mark} {name}", name)
            place = box.count() - 1
        box.setCurrentIndex(place)
        box.blockSignals(False)

    def _choose_microphone(self, _: int) -> None:
        self.microphone_chosen.emit()
        self.changed.emit()

    def plan(self, path: Path, limbs: tuple[str, ...]) -> TakePlan:
        """Return the plan of a take.

        Args:
            path: of its file.
            limbs: limbs that it is about.

        Raises:
            ValueError: it would end before its punch-in.
        """
        punched = self.punch.isChecked()
        chosen = self.backing.currentData()
        earlier = str(chosen).removeprefix(TAKE) if str(chosen).startswith(TAKE) else ""
        return TakePlan(
            path=str(path),
            limbs=limbs,
            count_in_s=self.count_in.value(),
            backing=None if earlier else chosen,
            backing_take=earlier,
            phrase=self.phrase.currentData(),
            microphone=self.microphone,
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
