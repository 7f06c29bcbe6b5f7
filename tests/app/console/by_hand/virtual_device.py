"""A game controller that SDL itself makes: whoever reads it cannot tell it from a real one."""

from typing import Any

from app.console.by_hand.gamepad import BUTTONS

ALL_BUTTONS = 15


class Device:
    """A virtual game controller."""

    def __init__(self, sdl: Any, kind: int | None = None) -> None:
        self.sdl = sdl
        kind = sdl.SDL_JOYSTICK_TYPE_GAMECONTROLLER if kind is None else kind
        self.index = sdl.SDL_JoystickAttachVirtual(kind, 6, ALL_BUTTONS, 0)
        assert self.index >= 0, sdl.SDL_GetError()
        self.joystick = sdl.SDL_JoystickOpen(self.index)
        self.instance = sdl.SDL_JoystickInstanceID(self.joystick)

    def axis(self, axis: int, value: float) -> None:
        self.sdl.SDL_JoystickSetVirtualAxis(self.joystick, axis, round(value * 32767))

    def button(self, button: str, down: bool) -> None:
        self.sdl.SDL_JoystickSetVirtualButton(self.joystick, BUTTONS.index(button), int(down))

    def pull(self) -> None:
        if self.joystick is None:
            return
        for index in range(self.sdl.SDL_NumJoysticks()):
            if self.sdl.SDL_JoystickGetDeviceInstanceID(index) == self.instance:
                self.sdl.SDL_JoystickDetachVirtual(index)
                break
        self.sdl.SDL_JoystickClose(self.joystick)
        self.joystick = None
