"""Inside a console that is benched: shows where its pads are, and presses a controller of SDL.

The machine of a bench need not have a device for virtual controllers, so that the controller is
one that SDL itself makes: whoever reads it cannot tell it from a real one.
"""

import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QMainWindow, QWidget

from app.console.by_hand.gamepad import BUTTONS
from app.console.cues.cart import Pad

AXES, HELD_S = 6, 0.03


class Place(msgspec.Struct, frozen=True):
    """Where a bench presses.

    Attributes:
        window: number of the console's window.
        x: centre of the trigger's pad on the screen [px].
        y: the same, downward [px].
    """

    window: int
    x: int
    y: int


def place_of(window: QMainWindow) -> Place | None:
    """Return where the pad of the show's only trigger is; None while it is not shown."""
    docks: Any = getattr(window, "docks", None)
    docks.bring("cart")
    cart = window.findChild(QWidget, "cart")
    pads = [] if cart is None else [pad for pad in cart.findChildren(Pad) if pad.isVisible()]
    pad = next((pad for pad in pads if pad.isEnabled() and not pad.number), None)
    if pad is None:
        return None
    centre: QPoint = pad.mapToGlobal(pad.rect().center())
    return Place(int(window.winId()), centre.x(), centre.y())


def write_place(place: Place, file: Path) -> None:
    """Write where a bench presses, whole at once."""
    file.with_suffix(".part").write_bytes(msgspec.json.encode(place))
    file.with_suffix(".part").replace(file)


class Controller:
    """A game controller that SDL makes, and whose button is pressed."""

    def __init__(self) -> None:
        import sdl2

        self._sdl: Any = sdl2
        kind = sdl2.SDL_JOYSTICK_TYPE_GAMECONTROLLER
        index = sdl2.SDL_JoystickAttachVirtual(kind, AXES, len(BUTTONS), 0)
        self._joystick = sdl2.SDL_JoystickOpen(index)

    def press(self, button: str, times: int, pressed_s: list[float]) -> Iterator[None]:
        """Press a button some times, one step at each call, and note when [s]."""
        number = BUTTONS.index(button)
        for _ in range(times):
            due_s = time.monotonic() + random.uniform(0.35, 0.45)
            while time.monotonic() < due_s:
                yield
            pressed_s.append(time.monotonic())
            self._sdl.SDL_JoystickSetVirtualButton(self._joystick, number, 1)
            while time.monotonic() < pressed_s[-1] + HELD_S:
                yield
            self._sdl.SDL_JoystickSetVirtualButton(self._joystick, number, 0)
