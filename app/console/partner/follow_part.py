"""Following: what of the robot follows the person and how, the big buttons, and the state."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QRadioButton,
    QWidget,
)

from app.console.partner.section import Section, figures
from app.console.partner.words import (
    MEANINGS,
    Said,
    errors,
    follow_figures,
    follow_state,
)
from app.console.toolkit import theme
from core.link.hello import Hello
from core.link.partner import EndFollow, Follow, FollowMode, FollowStatus, RepertoireName
from shows.limbs import Limb

FOLLOW_KEY, END_KEY = "Ctrl+F5", "Ctrl+F6"
MODES: dict[FollowMode, tuple[str, str]] = {
    "mirror": ("Mirror", "The robot does what the person does"),
    "answer": ("Answer", "The robot answers each motion that it recognises with a clip"),
}
LEGS: dict[bool, tuple[str, str]] = {
    False: ("Keep feet", "The robot sways and keeps its feet where they are"),
    True: ("Step", "The robot steps where the person steps"),
}
FOLLOWERS = ("head", "arm", "hand")  # kinds of limbs that have a check box
IN_A_ROW = 3


class FollowPart(Section):
    """Begins and ends following.

    Attributes:
        modes: mirror or answer.
        limbs: check box of each limb by its name.
        legs: keep feet or step.
        mirror_sides: the robot's left follows the person's right.
        follow: begins.
        end: ends.
        toggles: the keys of both buttons, for the window.

    Signals:
        commanded: a command to the core.
    """

    commanded = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("FOLLOW", 2, parent)
        self._titles: dict[str, str] = {}
        self._repertoire: RepertoireName = ""
        self.modes = {key: QRadioButton(title) for key, (title, _) in MODES.items()}
        self.legs = {key: QRadioButton(title) for key, (title, _) in LEGS.items()}
        self.limbs: dict[str, QCheckBox] = {}
        self.mirror_sides = QCheckBox("Mirror sides")
        self.follow, self.end = QPushButton("▶ Follow"), QPushButton("■ End")
        self._word = QLabel()
        self._boxes = QGridLayout()
        self._numbers, self._errors = figures("Figures of following"), figures("Error of limbs")
        self.toggles = (
            self._action("Follow the person", FOLLOW_KEY, self._follow),
            self._action("End following", END_KEY, self._end),
        )
        self._lay_out()
        self.follow.clicked.connect(self._follow)
        self.end.clicked.connect(self._end)

    @property
    def order(self) -> Follow:
        """The order as the controls say."""
        chosen = tuple(name for name, box in self.limbs.items() if box.isChecked())
        return Follow(
            mode="answer" if self.modes["answer"].isChecked() else "mirror",
            limbs=() if len(chosen) == len(self.limbs) else chosen,
            legs=self.legs[True].isChecked(),
            mirror_sides=self.mirror_sides.isChecked(),
            repertoire=self._repertoire,
        )

    def meet(self, hello: Hello) -> None:
        """Offer the limbs of a robot."""
        for box in self.limbs.values():
            box.deleteLater()
        known: dict[str, Limb] = {limb.name: limb for limb in hello.limbs}
        names = [n for n in hello.group_names if n in known and known[n].kind in FOLLOWERS]
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

    def show_follow(
        self, status: FollowStatus, repertoire: RepertoireName, ready: bool, hint: str
    ) -> None:
        """Show how the robot follows.

        Args:
            status: the core's word.
            repertoire: name of the loaded repertoire; empty without one.
            ready: the core is there and hears commands.
            hint: what is missing before it can follow; empty if nothing is known to be.
        """
        self._repertoire = repertoire
        said = follow_state(status)
        text = str(said)
        if self._word.text() != text:
            self._word.setText(text)
            size = f"font-size: {theme.LARGE_PX}px; font-weight: bold"
            self._word.setStyleSheet(f"color: {said.tone.colour}; {size}")
        meaning = MEANINGS[status.presence]
        if status.order is None and hint:
            self.say(Said(theme.WARN, hint))
        else:
            mode = "" if status.order is None else f" ({MODES[status.order.mode][0].lower()})"
            self.say(Said(said.tone, f"{meaning}{mode}"))
        self._numbers.setText(follow_figures(status))
        self.follow.setEnabled(ready and status.order is None)
        self.end.setEnabled(ready)

    def show_errors(self, error_deg: dict[str, float]) -> None:
        """Show how far the robot's limbs are from the person's, by limb [deg]."""
        self._errors.setText(errors(error_deg, self._titles))

    def _follow(self) -> None:
        """Ask the core to follow, which refuses what it must; no limb at all is no order."""
        if not self.follow.isEnabled():
            return
        if self.limbs and not any(box.isChecked() for box in self.limbs.values()):
            self.say(Said(theme.WARN, "choose a limb that shall follow"))
            return
        self.commanded.emit(self.order)

    def _end(self) -> None:
        self.commanded.emit(EndFollow())

    def _lay_out(self) -> None:
        for title, choices, table in (
            ("Mode", self.modes, MODES),
            ("Legs", self.legs, LEGS),
        ):
            self._add_choice(title, list(choices.values()), [tip for _, tip in table.values()])
        self.modes["mirror"].setChecked(True)
        self.legs[False].setChecked(True)
        self.mirror_sides.setChecked(True)
        self.mirror_sides.setToolTip("The robot's left follows the person's right, as in a mirror")
        self.mirror_sides.setAccessibleName("Mirror sides")
        self._boxes.setHorizontalSpacing(theme.GAP)
        self._boxes.setVerticalSpacing(0)
        self.rows.addLayout(self._boxes)
        self.rows.addWidget(self.mirror_sides)
        self._word.setAccessibleName("Whether the person is followed")
        for button, name, tip in (
            (self.follow, "Follow the person", f"Let the person move the robot ({FOLLOW_KEY})"),
            (self.end, "End following", f"The limbs go to rest and the body stands ({END_KEY})"),
        ):
            button.setMinimumHeight(theme.TOUCH)
            button.setAccessibleName(name)
            button.setToolTip(tip)
        self.add_row(self.follow, self.end, self._word, stretch=2)
        self.rows.addWidget(self._numbers)
        self.rows.addWidget(self._errors)

    def _add_choice(self, title: str, buttons: list[QRadioButton], tips: list[str]) -> None:
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
        row.addStretch(1)
        self.rows.addLayout(row)

    def _action(self, word: str, key: str, act: Callable[[], None]) -> QAction:
        action = QAction(word, self)
        action.setShortcut(QKeySequence(key))
        action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        action.setAutoRepeat(False)
        action.triggered.connect(lambda _=False: act())
        return action
