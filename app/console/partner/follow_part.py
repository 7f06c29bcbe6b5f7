"""The choices of following: what of the robot follows the person, and how."""

from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QRadioButton,
    QWidget,
)

from app.console.partner.section import Section, figures
from app.console.partner.words import Said, errors
from app.console.toolkit import theme
from core.link.hello import Hello
from core.link.partner import Follow, FollowMode, RepertoireName
from shows.limbs import FOLLOWING, Limb

MODES: dict[FollowMode, tuple[str, str]] = {
    "mirror": ("Mirror", "The robot does what the person does"),
    "answer": ("Answer", "The robot answers each motion that it recognises with a clip"),
}
LEGS: dict[bool, tuple[str, str]] = {
    False: ("Keep feet", "The robot sways and keeps its feet where they are"),
    True: ("Step", "The robot steps where the person steps"),
}
NO_LIMB = "choose a limb that shall follow"
IN_A_ROW = 3


class FollowPart(Section):
    """Chooses the mode, the limbs and the legs of the next order.

    Attributes:
        modes: mirror or answer.
        limbs: check box of each limb by its name.
        legs: keep feet or step.
        mirror_sides: the robot's left follows the person's right.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("FOLLOW", 1, parent)
        self._titles: dict[str, str] = {}
        self.modes = {key: QRadioButton(title) for key, (title, _) in MODES.items()}
        self.legs = {key: QRadioButton(title) for key, (title, _) in LEGS.items()}
        self.limbs: dict[str, QCheckBox] = {}
        self.mirror_sides = QCheckBox("Mirror sides")
        self._boxes = QGridLayout()
        self._errors = figures("Error of limbs")
        self._lay_out()

    @property
    def chosen(self) -> tuple[str, ...]:
        """The names of the limbs that shall follow."""
        return tuple(name for name, box in self.limbs.items() if box.isChecked())

    def order(self, repertoire: RepertoireName) -> Follow:
        """Return the order as the controls say.

        Args:
            repertoire: name of the repertoire whose answers it gives.
        """
        chosen = self.chosen
        return Follow(
            mode="answer" if self.modes["answer"].isChecked() else "mirror",
            limbs=() if len(chosen) == len(self.limbs) else chosen,
            legs=self.legs[True].isChecked(),
            mirror_sides=self.mirror_sides.isChecked(),
            repertoire=repertoire,
        )

    def meet(self, hello: Hello) -> None:
        """Offer the limbs of a robot."""
        for box in self.limbs.values():
            box.deleteLater()
        known: dict[str, Limb] = {limb.name: limb for limb in hello.limbs}
        names = [n for n in hello.group_names if n in known and known[n].kind in FOLLOWING]
        self._titles = {name: known[name].title for name in names}
        self.limbs = {name: QCheckBox(self._titles[name]) for name in names}
        for place, (name, box) in enumerate(self.limbs.items()):
            box.setChecked(True)
            box.setAccessibleName(f"Follow with {self._titles[name]}")
            box.setToolTip(f"{self._titles[name]} follows the person")
            self._boxes.addWidget(box, place // IN_A_ROW, place % IN_A_ROW)
        self.legs[True].setEnabled(hello.walk is not None)
        if hello.walk is None:
            self.legs[False].setChecked(True)

    def show_choice(self) -> None:
        """Say in words what the next order is about."""
        count, all_of = len(self.chosen), len(self.limbs)
        if all_of and not count:
            self.say(Said(theme.WARN, NO_LIMB))
            return
        limbs = "all limbs" if count == all_of else f"{count} of {all_of} limbs"
        legs = "steps" if self.legs[True].isChecked() else "keep feet"
        self.say(Said(theme.IDLE, f"{limbs}, {legs}"))

    def show_errors(self, error_deg: dict[str, float]) -> None:
        """Show how far the robot's limbs are from the person's, by limb [deg]."""
        told = errors(error_deg, self._titles)
        self._errors.setText(f"off by {told}" if told else "")

    def _lay_out(self) -> None:
        modes = self._add_choice("Mode", [*self.modes.values()], [t for _, t in MODES.values()])
        modes.addWidget(self.mirror_sides)
        modes.addStretch(1)
        legs = self._add_choice("Legs", [*self.legs.values()], [t for _, t in LEGS.values()])
        legs.addStretch(1)
        self.modes["mirror"].setChecked(True)
        self.legs[False].setChecked(True)
        self.mirror_sides.setChecked(True)
        self.mirror_sides.setToolTip("The robot's left follows the person's right, as in a mirror")
        self.mirror_sides.setAccessibleName("Mirror sides")
        self._boxes.setHorizontalSpacing(theme.GAP)
        self._boxes.setVerticalSpacing(0)
        self.rows.addLayout(self._boxes)
        self.rows.addWidget(self._errors)

    def _add_choice(self, title: str, buttons: list[QRadioButton], tips: list[str]) -> QHBoxLayout:
        """Add a row in which one of several is chosen."""
        group, row = QButtonGroup(self), QHBoxLayout()
        name = QLabel(title)
        name.setMinimumWidth(40)
        row.addWidget(name)
        for button, tip in zip(buttons, tips, strict=True):
            group.addButton(button)
            button.setToolTip(tip)
            button.setAccessibleName(f"{title}: {button.text()}")
            row.addWidget(button)
        self.rows.addLayout(row)
        return row
