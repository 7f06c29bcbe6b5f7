"""A game controller by SDL: plugged, read and pulled at any time."""

import math
import time
import warnings
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from app.console.by_hand.stick import Centre, centre_of

POLL_MS = 10
MOST_EVENTS = 500  # of one poll, so that no flood of them holds the screen
FULL_WAY = 32767.0
AXES = ("leftx", "lefty", "rightx", "righty")
BUTTONS = (
    "a",
    "b",
    "x",
    "y",
    "view",
    "guide",
    "menu",
    "l3",
    "r3",
    "l1",
    "r1",
    "up",
    "down",
    "left",
    "right",
)
"""In SDL's order; an Xbox pad's names, but for the shoulders and sticks."""


@dataclass(frozen=True, slots=True)
class Sticks:
    """Where both sticks are, -1 to 1: right and toward the hand are positive.

    Attributes:
        left_right: the left stick, sideways.
        left_back: the left stick, toward the hand.
        right_right: the right stick, sideways.
        right_back: the right stick, toward the hand.
    """

    left_right: float = 0.0
    left_back: float = 0.0
    right_right: float = 0.0
    right_back: float = 0.0


class Gamepad(QObject):
    """Owns one game controller: the first that is plugged, until it is pulled.

    Attributes:
        name: its own name; empty without a controller.
        sticks: where its sticks are.
        buttons: names of the buttons that are down.
        gap_s: time since the last look at it: its events may be as old [s].

    Signals:
        plugged: a controller can be used, with its name.
        pulled: it is gone, with its name.
        moved: a stick moved.
        pressed: a button went down, with its name.
        let_go: a button came up, with its name.
        trouble: one sentence, when controllers cannot be used.
    """

    plugged = Signal(str)
    pulled = Signal(str)
    moved = Signal()
    pressed = Signal(str)
    let_go = Signal(str)
    trouble = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.name = ""
        self.sticks = Sticks()
        self.buttons: frozenset[str] = frozenset()
        self.gap_s = 0.0
        self._polled_s = math.inf
        self._centre = Centre((0.0,) * len(AXES))
        self._sdl: Any = None  # the module; it has no types
        self._controller: Any = None
        self._instance = -1
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(POLL_MS)
        self._timer.timeout.connect(self.poll)

    def start(self) -> None:
        """Begin to look for controllers; without SDL say so and leave it."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # it prints the version of SDL
                import sdl2  # takes a while, and is not there on every machine
        except Exception as error:  # SDL itself may be missing, or be too old
            self.trouble.emit(
                f"game controllers cannot be used, for SDL did not load ({error}); "
                "use the pads on the screen, or install PySDL2 and pysdl2-dll"
            )
            return
        sdl2.SDL_SetHint(sdl2.SDL_HINT_JOYSTICK_ALLOW_BACKGROUND_EVENTS, b"1")
        sdl2.SDL_SetHint(sdl2.SDL_HINT_NO_SIGNAL_HANDLERS, b"1")
        if sdl2.SDL_InitSubSystem(sdl2.SDL_INIT_GAMECONTROLLER) != 0:
            reason = sdl2.SDL_GetError().decode(errors="replace")
            self.trouble.emit(
                f"game controllers cannot be used, for SDL did not start ({reason}); "
                "use the pads on the screen"
            )
            return
        self._sdl = sdl2
        self._timer.start()

    def close(self) -> None:
        """Leave the controller and SDL."""
        self._timer.stop()
        self._leave()
        if self._sdl is not None:
            self._sdl.SDL_QuitSubSystem(self._sdl.SDL_INIT_GAMECONTROLLER)
            self._sdl = None

    def set_centre(self) -> bool:
        """Take where the sticks are for their rest; False if one of them is held."""
        centre = centre_of(self._read())
        if centre is None:
            return False
        self._centre = centre
        self.poll()
        return True

    def poll(self) -> None:
        """Take the events since the last time."""
        sdl = self._sdl
        if sdl is None:
            return
        now_s = time.monotonic()
        self.gap_s, self._polled_s = max(now_s - self._polled_s, 0.0), now_s
        sdl.SDL_PumpEvents()
        event = sdl.SDL_Event()
        for _ in range(MOST_EVENTS):
            if not sdl.SDL_PollEvent(event):
                break
            self._take(event)
        if self._controller is not None:
            sticks = Sticks(*self._centre.correct(self._read()))
            if sticks != self.sticks:
                self.sticks = sticks
                self.moved.emit()

    def _take(self, event: Any) -> None:
        """Take in one event of SDL."""
        sdl = self._sdl
        kind = event.type
        if kind == sdl.SDL_JOYDEVICEADDED:
            self._meet(event.jdevice.which)
        elif kind == sdl.SDL_CONTROLLERDEVICEREMOVED:
            if event.cdevice.which == self._instance:
                self._leave()
                for index in range(sdl.SDL_NumJoysticks()):
                    self._meet(index)
        elif kind in (sdl.SDL_CONTROLLERBUTTONDOWN, sdl.SDL_CONTROLLERBUTTONUP):
            button = event.cbutton
            if button.which == self._instance and button.button < len(BUTTONS):
                self._press(BUTTONS[button.button], kind == sdl.SDL_CONTROLLERBUTTONDOWN)

    def _press(self, name: str, down: bool) -> None:
        if down and name not in self.buttons:
            self.buttons |= {name}
            self.pressed.emit(name)
        elif not down and name in self.buttons:
            self.buttons -= {name}
            self.let_go.emit(name)

    def _meet(self, index: int) -> None:
        """Open a controller, if none is open."""
        sdl = self._sdl
        if self._controller is not None:
            return
        if not sdl.SDL_IsGameController(index):
            name = (sdl.SDL_JoystickNameForIndex(index) or b"?").decode(errors="replace")
            self.trouble.emit(
                f"the joystick {name!r} is no game controller that SDL knows, so that its "
                "buttons have no names; use another one"
            )
            return
        controller = sdl.SDL_GameControllerOpen(index)
        if not controller:
            reason = sdl.SDL_GetError().decode(errors="replace")
            self.trouble.emit(f"a game controller could not be opened ({reason}); plug it in again")
            return
        self._controller = controller
        joystick = sdl.SDL_GameControllerGetJoystick(controller)
        self._instance = sdl.SDL_JoystickInstanceID(joystick)
        name = sdl.SDL_GameControllerName(controller) or b"controller"
        self.name = name.decode(errors="replace")
        self._centre = Centre((0.0,) * len(AXES))
        self.sticks = Sticks(*self._read())
        self.plugged.emit(self.name)

    def _leave(self) -> None:
        if self._sdl is None or self._controller is None:
            return
        self._sdl.SDL_GameControllerClose(self._controller)
        name, self.name = self.name, ""
        self._controller, self._instance = None, -1
        self.sticks, self.buttons = Sticks(), frozenset()
        self.pulled.emit(name)

    def _read(self) -> tuple[float, ...]:
        """Return the axes as SDL has them, -1 to 1."""
        if self._sdl is None or self._controller is None:
            return (0.0,) * len(AXES)
        get, controller = self._sdl.SDL_GameControllerGetAxis, self._controller
        return tuple(max(get(controller, axis) / FULL_WAY, -1.0) for axis in range(len(AXES)))
