"""The body's part of the panel: its pad, the turn beside it, and what is asked and measured."""

import msgspec
from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QRadioButton,
    QSlider,
    QVBoxLayout,
    QWidget,
)

from app.console.by_hand.body_hand import BodyHand
from app.console.by_hand.body_pad import HEIGHT, LEFT, PITCH, ROLL, YAW, BodyPad
from app.console.by_hand.pad_part import PadPart
from app.console.by_hand.readout import NONE, Readout, degrees
from app.console.by_hand.words import HOLDERS, state_words
from app.console.context.core_link import CoreLink
from app.console.preferences.store import PreferencesStore
from app.console.toolkit import theme
from core.link.body import LeadBody
from shows.body_limb import KIND, ROLES

SLIDER = "slider"  # the holder
FULL = 100  # of the slider, at the limit
TURN_PX = 72  # width of the slider


class BodyPart(PadPart):
    """The pad of the body with all that belongs to it; for a robot whose body is a limb.

    Attributes:
        pad: the pad.
        leans: lets the pad lean the body.
        shifts: lets it shift weight and height.
        turn: turns the torso.
        leaned: what is asked, commanded and measured while the pad leans.
        shifted: the same while it shifts.
        release: gives the body back to the show.
        spring: whether letting go gives it back.
    """

    def __init__(
        self,
        hand: BodyHand,
        link: CoreLink,
        preferences: PreferencesStore,
        parent: QWidget | None = None,
    ) -> None:
        leaned = Readout(("right", "ahead", "turn"), "", "Lean: asked, commanded, measured")
        shifted = Readout(("left", "up", "turn"), "cm", "Shift: asked, commanded, measured")
        super().__init__((leaned, shifted), parent)
        self.leaned, self.shifted = leaned, shifted
        self._hand, self._link, self._preferences = hand, link, preferences
        self.pad = BodyPad(hand, link)
        self.leans, self.shifts = QRadioButton("Lean"), QRadioButton("Shift")
        self.turn = QSlider(Qt.Orientation.Horizontal)
        self.release = QPushButton("Back to the show")
        self.spring = QCheckBox("Spring back")
        self._lay_out()
        self._name_things()
        self._connect()
        self._show_mode()

    def refresh(self, bar: str) -> None:
        """Show what is asked, commanded and measured.

        Args:
            bar: why the body cannot be led; empty if it can.
        """
        link, hand = self._link, self._hand
        status, scene = link.status, link.scene
        self.pad.setEnabled(not bar)
        for widget in (self.leans, self.shifts, self.turn):
            widget.setEnabled(not bar)
        led = link.connected and status is not None and status.body_led
        self.release.setEnabled(led or hand.target is not None)
        if hand.holder != SLIDER:
            self.turn.blockSignals(True)
            self.turn.setValue(round(-FULL * self.pad.deflections().get(YAW, 0.0)))
            self.turn.blockSignals(False)
        asked = None if hand.target is None else _values(hand.target)
        here = scene if link.connected and scene is not None and scene.body else None
        columns = (
            asked,
            None if here is None else here.body_reference,
            None if here is None else here.body,
        )
        for figures, rows in (
            (self.leaned, (ROLL, PITCH, YAW)),
            (self.shifted, (LEFT, HEIGHT, YAW)),
        ):
            for row, index in enumerate(rows):
                show = _centimetres if index in (LEFT, HEIGHT) else degrees
                figures.show_row(row, *(show(None if c is None else c[index]) for c in columns))

    def words(self, bar: str) -> tuple[theme.Tone, str]:
        """Return how the body moves, or why it cannot be led."""
        status, hand = self._link.status, self._hand
        if bar:
            return theme.WARN, bar
        if hand.holder:
            return theme.GOOD, HOLDERS[hand.holder]
        if hand.target is not None:
            return theme.GOOD, "stays as you led it"
        if status is not None and status.sways:
            return theme.BUSY, "sways"
        return state_words(_state(self._link))

    @property
    def beside_px(self) -> int:
        """Width of what is beside the pad [px]."""
        return max(TURN_PX, self.leans.sizeHint().width()) + theme.GAP

    def show_preferences(self) -> None:
        """Show the choice that is kept."""
        self.spring.setChecked(self._preferences.value.body_spring_back)

    def drop(self) -> None:
        """Let the body go; pad and slider need a new press."""
        self.pad.drop()
        self.turn.setSliderDown(False)
        self._hand.let_go(SLIDER)

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802
        """Let the body go: a slider that is hidden does not tell its release."""
        self.drop()
        super().hideEvent(event)

    def _lay_out(self) -> None:
        group = QButtonGroup(self)
        beside = QVBoxLayout()
        beside.setSpacing(2)
        beside.addStretch(1)
        for choice in (self.leans, self.shifts):
            group.addButton(choice)
            beside.addWidget(choice)
        label = QLabel("Turn")
        label.setBuddy(self.turn)
        beside.addSpacing(4)
        beside.addWidget(label)
        beside.addWidget(self.turn)
        beside.addStretch(1)
        self.turn.setRange(-FULL, FULL)
        self.turn.setPageStep(10)
        self.turn.setFixedWidth(TURN_PX)
        self.turn.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # by keys the pad turns
        self.leans.setChecked(True)
        upper = QHBoxLayout()
        upper.addStretch(1)
        upper.addWidget(self.pad)
        upper.addLayout(beside)
        upper.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.GAP // 2)
        column.addLayout(upper)
        column.addWidget(self.leaned)
        column.addWidget(self.shifted)
        self._row.addWidget(self.spring)
        self._row.addWidget(self.release, 1)
        column.addLayout(self._row)

    def _name_things(self) -> None:
        for widget, name, tip in (
            (self.leans, "The pad leans the body", "Up leans forward, to the side leans there"),
            (
                self.shifts,
                "The pad shifts the body",
                "Up and down raise and lower the body, to the side shifts its weight "
                "(keyboard: hold Shift)",
            ),
            (
                self.turn,
                "Turn of the body",
                "Drag to turn the torso over the feet; on the pad: the wheel during a drag, or "
                "Ctrl and arrow keys",
            ),
            (
                self.release,
                "Body back to the show",
                "Give the body back: it goes to the show through a transition",
            ),
            (
                self.spring,
                "Body springs back",
                "Letting go gives the body back to the show; off: it stays as it is led",
            ),
        ):
            widget.setAccessibleName(name)
            widget.setToolTip(tip)

    def _connect(self) -> None:
        self.shifts.toggled.connect(self.pad.choose_shift)
        self.pad.mode_changed.connect(self._show_mode)
        self.turn.sliderPressed.connect(self._take_turn)
        self.turn.valueChanged.connect(self._turn_body)
        self.turn.sliderReleased.connect(lambda: self._hand.let_go(SLIDER))
        self.spring.toggled.connect(self._choose_spring)
        self.release.clicked.connect(self._hand.release)

    def _take_turn(self) -> None:
        if self._hand.take(SLIDER):
            self._turn_body(self.turn.value())

    def _turn_body(self, value: int) -> None:
        self._hand.turn(SLIDER, value / FULL)

    def _choose_spring(self, chosen: bool) -> None:
        preferences = self._preferences
        preferences.change(msgspec.structs.replace(preferences.value, body_spring_back=chosen))

    def _show_mode(self) -> None:
        """Show the values of what the pad leads."""
        self.leaned.setVisible(not self.pad.shifts_body)
        self.shifted.setVisible(self.pad.shifts_body)


def _state(link: CoreLink) -> str:
    """Return the core's name of the body's motion; empty if it is unknown."""
    hello, status = link.hello, link.status
    if not link.connected or hello is None or status is None:
        return ""
    return dict(zip(hello.group_names, status.motion_states, strict=False)).get(KIND, "")


def _values(target: LeadBody) -> tuple[float, ...]:
    """Return the coordinates of a request, in the order of `ROLES`."""
    return tuple(getattr(target, role, 0.0) for role in ROLES)


def _centimetres(length: float | None) -> str:
    """Return a length [m] in centimetres, or a dash."""
    if length is None:
        return NONE
    value = round(100.0 * length, 1)
    return f"{value:+.1f}" if value else "0.0"
