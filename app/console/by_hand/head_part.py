"""The head by hand: its pad, values and controls."""

import msgspec
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.console.by_hand.gaze import gaze_joints, gaze_state
from app.console.by_hand.head_hand import HeadHand
from app.console.by_hand.head_pad import HeadPad
from app.console.by_hand.pad_part import PadPart
from app.console.by_hand.readout import Readout, degrees
from app.console.by_hand.words import HOLDERS, state_words
from app.console.context.core_link import CoreLink
from app.console.preferences.store import PreferencesStore
from app.console.toolkit import theme


class HeadPart(PadPart):
    """Turns the head, and holds the point at which it looks.

    Attributes:
        pad: turns the head.
        figures: requested, commanded and measured direction.
        point: holds the point, or lets it go.
        holds: row of the choices, with the point where there is no room elsewhere.

    Signals:
        hold_asked: the point shall be held, or the head goes back to the show.
    """

    hold_asked = Signal(bool)

    def __init__(
        self,
        hand: HeadHand,
        link: CoreLink,
        preferences: PreferencesStore,
        parent: QWidget | None = None,
    ) -> None:
        figures = Readout(("left", "up"), "", "Head: asked, commanded, measured")
        super().__init__((figures,), parent)
        self.figures = figures
        self._hand, self._link, self._preferences = hand, link, preferences
        self.pad = HeadPad(hand, link)
        self.point = QPushButton("Hold the point")
        self.holds = QHBoxLayout()
        self._spring = QCheckBox("Spring back")
        self._release = QPushButton("Back to the show")
        self._lay_out()
        self._name_things()
        self._spring.toggled.connect(self._choose_spring)
        self._release.clicked.connect(lambda: self.hold_asked.emit(False))
        self.point.clicked.connect(self._hold_point)

    def refresh(self, bar: str, behind: str) -> None:
        """Show what is asked, commanded and measured.

        Args:
            bar: why the head cannot be turned; empty if it can.
            behind: why nothing but the pad can turn it; empty if everything can.
        """
        link, hand = self._link, self._hand
        self.pad.setEnabled(not bar)
        turned = self._state() == "JOYSTICK" or hand.target is not None
        self._release.setEnabled(link.connected and turned)
        self.point.setEnabled(not (bar or behind))
        self.point.setChecked(hand.holds_point)
        nothing: tuple[float | None, float | None] = (None, None)
        reference = measured = nothing
        if link.connected and link.scene is not None:
            reference = self._angles(link.scene.q_reference)
            measured = self._angles(link.scene.q)
        for row, sign in enumerate((1.0, -1.0)):  # the joint's pitch is positive downward
            angles = (q[row] for q in (hand.target or nothing, reference, measured))
            texts = (degrees(None if angle is None else sign * angle) for angle in angles)
            self.figures.show_row(row, *texts)

    def words(self, bar: str) -> tuple[theme.Tone, str]:
        """Return how the head moves, or why it cannot be turned."""
        hand = self._hand
        if bar:
            return theme.WARN, bar
        if hand.holder:
            moves = ": moves the point" if hand.shifts else ""
            return theme.GOOD, HOLDERS[hand.holder] + moves
        if hand.holds_point:
            return theme.GOOD, "holds a point of the room"
        return state_words(self._state())

    def show_preferences(self) -> None:
        """Show the choice that is kept."""
        self._spring.setChecked(self._preferences.value.head_spring_back)

    def _lay_out(self) -> None:
        self.holds.addWidget(self._spring)
        self.holds.addWidget(self.point, 1)
        self._row.addLayout(self.holds)
        self._row.addWidget(self._release, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.GAP // 2)
        column.addWidget(self.pad, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(self.figures)
        column.addLayout(self._row)

    def _name_things(self) -> None:
        self.point.setCheckable(True)
        self.point.setStyleSheet("padding-left: 4px; padding-right: 4px")  # a narrow dock shows it
        for widget, name, tip in (
            (
                self._release,
                "Head back to the show",
                "Give the head back: it goes to the show through a transition (controller: press "
                "the right stick)",
            ),
            (
                self.point,
                "Hold the point",
                "The head holds the point at which it looks now, while the body turns and walks; "
                "pad, keys and stick then move the point. Again: back to the show (controller: "
                "hold L1 and press the right stick)",
            ),
            (
                self._spring,
                "Spring back",
                "Letting go gives the head back to the show; off: it stays where it looks",
            ),
        ):
            widget.setAccessibleName(name)
            widget.setToolTip(tip)

    def _hold_point(self, hold: bool) -> None:
        self.pad.drop()
        self.hold_asked.emit(hold)

    def _choose_spring(self, chosen: bool) -> None:
        preferences = self._preferences
        preferences.change(msgspec.structs.replace(preferences.value, head_spring_back=chosen))

    def _state(self) -> str:
        """Return the core's name of the head's motion; empty if it is unknown."""
        link = self._link
        return gaze_state(link.hello, link.status) if link.connected else ""

    def _angles(self, q: tuple[float, ...]) -> tuple[float | None, float | None]:
        """Return yaw and pitch of a posture [rad], where it has them."""
        joints = gaze_joints(self._link.hello)
        if joints is None or max(joints) >= len(q):
            return None, None
        yaw, pitch = joints
        return q[yaw], q[pitch]
