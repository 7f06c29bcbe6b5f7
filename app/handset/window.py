"""The window of a twin's handset: the controls of a real handset, and its screens."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QKeyEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from app.console.toolkit import theme
from app.handset.button import HeldButton, Switch
from app.handset.hold import Hold
from app.handset.mishaps import Mishaps
from app.handset.said import Hands, Screens
from app.handset.stick import Stick
from app.handset.twin import Twin
from core.link.hello import BatteryRange

BUTTONS, IN_A_ROW = 10, 5
USES_MS = 1000  # interval at which the buttons' functions are read
KEPT = "kept"
LAID_DOWN = 3  # denials in a row by the twin of a control held here: another client released it
_DIGITS = {int(Qt.Key.Key_0) + (place + 1) % 10: place for place in range(BUTTONS)}
_FIRST_CODE = 10  # of the row of digits, whatever a layout or Shift makes of them
SCREENS = {"receiver": "CRSF handset", "native": "Native handset", "remote": "Wireless stop"}
KEYS = (
    "Keys: <b>1</b> to <b>9</b> and <b>0</b> are the buttons, <b>Shift</b> is the dead-man, "
    "<b>Tab</b> to a stick and arrows move it."
)


class HandsetWindow(QWidget):
    """Ten buttons, two sticks, the dead-man and the switches of a twin's handset.

    Lights show the twin's report, pressed here or by a script.

    Attributes:
        buttons: of the handset.
        dead_man: the switch.
        keep: the dead-man is held without a hand.
        sticks: left and right.
        power: of the handset.
        mishaps: faults that can be set.
        state: how the twin is.
        screens: the text of each screen.
    """

    def __init__(
        self,
        twin: Twin,
        uses: Callable[[], Sequence[str]],
        battery: BatteryRange | None = None,
    ) -> None:
        """Build everything.

        Args:
            twin: whose handset it is.
            uses: returns the use of each button in words.
            battery: voltages of the robot's battery; None for a robot on mains.
        """
        super().__init__()
        self._twin, self._uses = twin, uses
        self.state = QLabel()
        self.screens = {name: QLabel() for name in SCREENS}
        self.buttons = [
            HeldButton(str(number), f"Button {number} of the handset (key {number % 10})")
            for number in range(1, BUTTONS + 1)
        ]
        self.dead_man = HeldButton("Dead-man", "The dead-man switch (key Shift)")
        self.keep = QCheckBox("Keep it held")
        self.sticks = {"left": Stick("Left stick"), "right": Stick("Right stick")}
        self.power = Switch(
            "Handset", "Switch the handset on or off, as if it went out of reach", ("on", "OFF")
        )
        self.mishaps = Mishaps(twin, battery)
        self._lost = 0
        self._inside = QWidget()
        self._timer = QTimer(self)
        self._lay_out()
        self._name_things()
        self._connect()
        self._show_uses()
        self._show_state()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Press the button of a digit; hold the dead-man with Shift."""
        hold = self._hold_of(event)
        if hold is None or isinstance(self.focusWidget(), QLineEdit):
            super().keyPressEvent(event)
        elif not event.isAutoRepeat():
            hold.take("key")

    def keyReleaseEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Release the control of a key."""
        hold = self._hold_of(event)
        if hold is None:
            super().keyReleaseEvent(event)
        elif hold is self.dead_man.hold:
            hold.let_go("key")  # Shift does not repeat
        elif not event.isAutoRepeat():
            hold.let_go_soon("key")

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        """Let everything go that is not kept when another window comes to the front."""
        if event.type() == QEvent.Type.ActivationChange and not self.isActiveWindow():
            self._drop(KEPT)
        super().changeEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802
        """Leave the twin, which lays the handset down."""
        self._twin.close()
        super().closeEvent(event)

    def _lay_out(self) -> None:
        self.setWindowTitle("Footlight: handset of the twin")
        self.state.setWordWrap(True)
        screens = QGridLayout()
        screens.setSpacing(theme.GAP)
        for column, (name, label) in enumerate(self.screens.items()):
            title = QLabel(SCREENS[name])
            title.setStyleSheet(f"color: {theme.MUTED}")
            label.setFrameShape(QFrame.Shape.StyledPanel)
            label.setFont(theme.font(digits=True))
            label.setMinimumHeight(3 * label.fontMetrics().height() + theme.GAP)
            label.setAlignment(Qt.AlignmentFlag.AlignTop)
            label.setWordWrap(True)
            label.setStyleSheet(
                f"background: {theme.SURFACE}; border: 1px solid {theme.LINE}; padding: 4px;"
                f'font-family: "DejaVu Sans Mono";'
            )
            screens.addWidget(title, 0, column)
            screens.addWidget(label, 1, column)
            screens.setColumnStretch(column, 1)
        middle = QVBoxLayout()
        middle.addStretch(1)
        for widget in (self.dead_man, self.keep, self.power):
            middle.addWidget(widget)
        middle.addStretch(1)
        hands = QHBoxLayout()
        hands.addWidget(self.sticks["left"])
        hands.addLayout(middle, 1)
        hands.addWidget(self.sticks["right"])
        grid = QGridLayout()
        grid.setSpacing(theme.GAP)
        for place, button in enumerate(self.buttons):
            grid.addWidget(button, *divmod(place, IN_A_ROW))
        line = QFrame()
        line.setFrameShape(QFrame.Shape.HLine)
        line.setStyleSheet(f"color: {theme.LINE}")
        keys = QLabel(KEYS)
        keys.setStyleSheet(f"color: {theme.MUTED}; font-size: {theme.SMALL_PX}px")
        inside = QVBoxLayout(self._inside)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.addLayout(screens)
        inside.addLayout(hands)
        inside.addLayout(grid)
        inside.addWidget(keys)
        inside.addWidget(line)
        inside.addWidget(self.mishaps)
        whole = QVBoxLayout(self)
        whole.setSpacing(theme.GAP)
        whole.addWidget(self.state)
        whole.addWidget(self._inside)
        whole.addStretch(1)

    def _name_things(self) -> None:
        self.state.setAccessibleName("State of the twin")
        self.keep.setAccessibleName("Keep the dead-man held")
        self.keep.setToolTip("Hold the dead-man without a hand, also while you use the console")
        for name, label in self.screens.items():
            label.setAccessibleName(f"Screen: {SCREENS[name]}")
            label.setToolTip("What the core has written to this screen")

    def _connect(self) -> None:
        twin = self._twin
        for place, button in enumerate(self.buttons):
            button.hold.changed.connect(partial(self._press, place + 1))
        self.dead_man.hold.changed.connect(self._hold_dead_man)
        self.keep.toggled.connect(self._keep)
        for name, stick in self.sticks.items():
            stick.moved_to.connect(partial(self._move, name))
        self.power.clicked.connect(self._switch)
        twin.changed.connect(self._show_state)
        twin.hands_told.connect(self._take_hands)
        twin.screens_told.connect(self._take_screens)
        self._timer.timeout.connect(self._show_uses)
        self._timer.start(USES_MS)

    def _press(self, button: int, held: bool) -> None:
        self._twin.order(f"{'press' if held else 'release'} {button}")

    def _hold_dead_man(self, held: bool) -> None:
        self._twin.order("hold" if held else "let_go")

    def _keep(self, kept: bool) -> None:
        if kept:
            self.dead_man.hold.take(KEPT)
        else:
            self.dead_man.hold.let_go(KEPT)

    def _move(self, stick: str, x: float, y: float) -> None:
        self._twin.order(f"stick {stick}_x {x:g}")
        self._twin.order(f"stick {stick}_y {y:g}")

    def _switch(self) -> None:
        self._twin.order(f"handset {'off' if self.power.well else 'on'}")

    def _drop(self, *kept: str) -> None:
        """Release all controls; a held one needs a new press."""
        for button in self.buttons:
            button.hold.drop()
        for stick in self.sticks.values():
            stick.drop()
        self.dead_man.hold.drop(*kept)

    def _forget(self) -> None:
        """Hold nothing, and show nothing that only a twin can know."""
        self.keep.setChecked(False)
        self._drop()
        for button in (*self.buttons, self.dead_man):
            button.show_held(False)
        for stick in self.sticks.values():
            stick.show_way(0.0, 0.0)
        self.power.forget()
        self.mishaps.forget()
        self._take_screens({})

    def _hold_of(self, event: QKeyEvent) -> Hold | None:
        """Return the control of a key."""
        key = event.key()
        if key == Qt.Key.Key_Shift:
            return self.dead_man.hold
        place = _DIGITS.get(key, event.nativeScanCode() - _FIRST_CODE)
        return self.buttons[place].hold if 0 <= place < BUTTONS else None

    def _take_hands(self, hands: Hands) -> None:
        for place, button in enumerate(self.buttons):
            button.show_held(bool(hands.buttons >> place & 1))
        self.dead_man.show_held(hands.dead_man)
        lost = self.dead_man.hold.held and not hands.dead_man
        self._lost = self._lost + 1 if lost else 0
        if self._lost == LAID_DOWN:
            self.keep.setChecked(False)
            self._drop()
        self.power.show_well(hands.present)
        for stick, (x, y) in zip(
            self.sticks.values(), (hands.sticks[:2], hands.sticks[2:]), strict=True
        ):
            stick.show_way(x, y)
        self._show_state()

    def _take_screens(self, screens: Screens) -> None:
        for name, label in self.screens.items():
            found = screens.get(name)
            rows = [] if found is None else [row for row in found.lines.values() if row]
            if found is not None and found.charge:
                rows.append(f"battery {100.0 * found.charge:.0f} %")
            label.setText("\n".join(rows) or "–")

    def _show_uses(self) -> None:
        for button, use in zip(self.buttons, self._uses(), strict=True):
            button.show_use(use)

    def _show_state(self) -> None:
        twin = self._twin
        if twin.foreign:
            tone, text = theme.BAD, f"what runs in {twin.folder} is no twin of this version"
        elif twin.barred:
            tone, text = (
                theme.BAD,
                f"{twin.folder} is another user's; open this as that user",
            )
        elif not twin.connected:
            tone, text = theme.WARN, f"no twin runs in {twin.folder}; this window waits for it"
        elif twin.slow:
            tone, text = theme.WARN, "the twin does not answer: it was stopped, or is busy"
        elif twin.hands is None:
            tone, text = theme.BUSY, f"a twin runs in {twin.folder}"
        else:
            tone, text = theme.GOOD, f"the twin in {twin.folder}, at {twin.hands.t_s:.1f} s"
        if not twin.connected:
            self._forget()
        self._inside.setEnabled(twin.connected)
        words = f"{tone.mark} {text}"
        if words != self.state.text():
            self.state.setText(words)
            self.state.setStyleSheet(f"color: {tone.colour}")
