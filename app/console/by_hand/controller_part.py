"""The game controller's part of the panel: its name, its layout, and how its sticks feel."""

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.console.by_hand.controller_picture import ControllerPicture
from app.console.by_hand.gamepad import Gamepad
from app.console.by_hand.stick_settings import StickSettings
from app.console.context.document import Document
from app.console.context.notices import Notices
from app.console.preferences.store import PreferencesStore
from app.console.toolkit import theme
from shows.document import TriggerButton
from shows.uses import title_of

BUTTON_WORDS: Mapping[TriggerButton, str] = {
    "": "none",
    "a": "A",
    "b": "B",
    "l3": "left stick pressed",
    "up": "D-pad up",
    "right": "D-pad right",
    "down": "D-pad down",
    "left": "D-pad left",
}
"""Names of the buttons that a show's trigger may have."""
BUTTON_MARKS: Mapping[TriggerButton, str] = {
    **BUTTON_WORDS,
    "l3": "L3",
    "up": "↑",
    "right": "→",
    "down": "↓",
    "left": "←",
}
"""The same, where there is little room."""


class ControllerPart(QWidget):
    """A line that names the controller; below it, on request, the function of each control.

    Attributes:
        picture: the layout.
        stick: the sticks' settings, below it.

    Signals:
        opened: the layout is shown.
    """

    opened = Signal()

    def __init__(
        self,
        gamepad: Gamepad,
        preferences: PreferencesStore,
        document: Document,
        notices: Notices,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._gamepad, self._document, self._notices = gamepad, document, notices
        self.picture, self.stick = ControllerPicture(gamepad), StickSettings(preferences)
        self._triggers = QLabel()
        self._triggers.setAccessibleName("Triggers of the show on the controller")
        self._triggers.setWordWrap(True)
        self._name = QLabel()
        self._name.setAccessibleName("Game controller")
        self._name.setWordWrap(True)
        self._centre, layout = QPushButton("Centre"), QPushButton("Layout")
        layout.setCheckable(True)
        for button, name, tip in (
            (
                self._centre,
                "Centre the sticks",
                "Let go of both sticks, then press: where they are counts as their middle",
            ),
            (
                layout,
                "Layout of the controller",
                "What each button does, and how the sticks feel",
            ),
        ):
            button.setAccessibleName(name)
            button.setToolTip(tip)
        line = QGridLayout()
        line.addWidget(self._name, 0, 0)
        line.addWidget(self._centre, 0, 1)
        line.addWidget(layout, 0, 2)
        line.setColumnStretch(0, 1)
        rows = self._rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(4)
        rows.addLayout(line)
        self._parts = self.picture, self._triggers, self.stick
        for part in self._parts:
            rows.addWidget(part)
            part.hide()
        document.changed.connect(self._show_triggers)
        self._show_triggers()
        self._centre.clicked.connect(self._set_centre)
        layout.toggled.connect(self._show_layout)
        gamepad.plugged.connect(self._tell_plugged)
        gamepad.pulled.connect(self._tell_pulled)
        gamepad.trouble.connect(self._tell_trouble)
        self._show_name()
        self.setFocusProxy(layout)

    def layout_height(self) -> int:
        """Return the height of the layout, which may be scrolled to; 0 while it is not shown."""
        shown = [part for part in self._parts if not part.isHidden()]
        return sum(part.sizeHint().height() + self._rows.spacing() for part in shown)

    def _set_centre(self) -> None:
        if not self._gamepad.set_centre():
            self._notices.say(
                "the sticks were not centred, for one of them is held: let go of both, then "
                "press Centre again",
                "warning",
            )

    def _tell_plugged(self, name: str) -> None:
        self._notices.say(f"game controller {name!r} can be used")
        self._show_name()

    def _tell_pulled(self, name: str) -> None:
        gone = f"game controller {name!r} is gone: its controls were released"
        self._notices.say(gone, "warning")
        self._show_name()

    def _tell_trouble(self, text: str) -> None:
        self._notices.say(text, "warning")

    def _show_name(self) -> None:
        name = self._gamepad.name
        if name:
            text = f"{theme.GOOD.mark} {name}"
        else:
            text = f"{theme.IDLE.mark} No game controller: plug one in at any time"
        self._name.setText(text)
        self._name.setStyleSheet(f"color: {theme.TEXT if name else theme.MUTED}")
        self._centre.setEnabled(bool(name))

    def _show_triggers(self) -> None:
        fired = [t for t in self._document.show.triggers if t.button]
        told = ", ".join(f"{BUTTON_WORDS[t.button]}: {title_of(t)}" for t in fired)
        words = f"This show: {told}" if told else "This show has no trigger on the controller."
        self._triggers.setText(words)

    def _show_layout(self, shown: bool) -> None:
        for part in self._parts:
            part.setVisible(shown)
        if shown:
            self.opened.emit()
