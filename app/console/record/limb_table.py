"""The table of limbs: what each does in RECORD, and the loads that hands carry."""

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QDoubleSpinBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.console.toolkit import theme
from core.link.hello import Hello
from core.link.status import Status
from shows.limbs import Limb, LimbFreedom

FREEDOMS: dict[LimbFreedom, tuple[str, str]] = {
    "driven": ("Driven", "Behaviour moves it: rest, gestures, the joystick"),
    "held": ("Held", "It stays where it is"),
    "floating": ("Floating", "It yields to a hand, and stays where it is left"),
    "limp": ("Limp", "Without torque: support it, for it falls"),
}
LIMP_MARK = theme.WARN.mark
ESTIMATED_KG = -0.1  # the lowest value of a load: nobody entered one


class LimbTable(QWidget):
    """One row a limb, with a button for each freedom; it shows what the core says.

    Signals:
        freedom_asked: name of a limb and its wanted freedom.
        load_changed: the load of a grip was changed.
    """

    freedom_asked = Signal(str, str)
    load_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.GAP)
        self._grid, self._carried = QGridLayout(), QHBoxLayout()
        self._grid.setHorizontalSpacing(4)
        self._grid.setVerticalSpacing(4)
        column.addLayout(self._grid)
        column.addLayout(self._carried)
        self._groups: dict[str, QButtonGroup] = {}
        self._buttons: dict[tuple[str, LimbFreedom], QPushButton] = {}
        self._loads: dict[str, QDoubleSpinBox] = {}
        self._movable: frozenset[str] = frozenset()

    @property
    def loads_kg(self) -> dict[str, float]:
        """The entered loads of the limbs with a grip; the robot estimates the others [kg]."""
        return {name: box.value() for name, box in self._loads.items() if box.value() >= 0.0}

    def meet(self, hello: Hello) -> None:
        """Show the limbs of a robot."""
        self._movable = frozenset(hello.movable_limbs)
        for layout in (self._grid, self._carried):
            for place in reversed(range(layout.count())):
                item = layout.takeAt(place)
                widget = None if item is None else item.widget()
                if widget is not None:
                    widget.deleteLater()
        self._groups, self._buttons, self._loads = {}, {}, {}
        known = {limb.name: limb for limb in hello.limbs}
        led = [name for name in hello.group_names if known[name].kind != "body"]
        for row, name in enumerate(led):
            self._add(row, known[name])
        if hello.grips:
            self._carried.addWidget(QLabel("Loads"))
        for name in hello.group_names:
            if name in hello.grips:
                self._add_load(known[name])
        self._carried.addStretch(1)

    def _add(self, row: int, limb: Limb) -> None:
        title = QLabel(limb.title)
        self._grid.addWidget(title, row, 0)
        group = QButtonGroup(self)
        for column, (freedom, (word, tip)) in enumerate(FREEDOMS.items(), 1):
            button = QPushButton(word)
            button.setCheckable(True)
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            button.setAccessibleName(f"{limb.title}: {word}")
            button.setToolTip(tip)
            if freedom == "floating" and limb.name not in self._movable:
                button.setEnabled(False)
                button.setToolTip("Its gears cannot be turned by hand")
            button.setStyleSheet("padding-left: 4px; padding-right: 4px")
            button.clicked.connect(partial(self._ask, limb.name, freedom))
            group.addButton(button)
            self._grid.addWidget(button, row, column)
            self._grid.setColumnStretch(column, 1)
            self._buttons[limb.name, freedom] = button
        self._groups[limb.name] = group

    def _add_load(self, limb: Limb) -> None:
        box = QDoubleSpinBox()
        box.setRange(ESTIMATED_KG, 5.0)
        box.setValue(ESTIMATED_KG)
        box.setSingleStep(0.1)
        box.setDecimals(1)
        box.setSuffix(" kg")
        box.setSpecialValueText("estimated")
        box.setAccessibleName(f"Load in {limb.title}")
        box.setToolTip("The mass that this hand holds; without an entry, the estimate of the robot")
        box.editingFinished.connect(self.load_changed)
        self._carried.addWidget(QLabel(limb.title))
        self._carried.addWidget(box)
        self._loads[limb.name] = box

    def show_state(self, hello: Hello, status: Status, usable: bool) -> None:
        """Show the freedom that each limb has."""
        freedoms = dict(zip(hello.group_names, status.freedoms, strict=False))
        for (limb, freedom), button in self._buttons.items():
            button.setChecked(freedoms.get(limb) == freedom)
            word = FREEDOMS[freedom][0]
            on = button.isChecked()
            mark = f"{LIMP_MARK} " if on and freedom == "limp" else "✓ " if on else ""
            button.setText(f"{mark}{word}")
            button.setEnabled(usable and (freedom != "floating" or limb in self._movable))
        for box in self._loads.values():
            box.setEnabled(usable)

    def _ask(self, limb: str, freedom: LimbFreedom, _checked: bool = False) -> None:
        self.freedom_asked.emit(limb, freedom)
