"""A hand at an X server's keyboard and mouse, whose presses have a time of this process."""

import ctypes
import time
from ctypes.util import find_library

_REVERT_TO_PARENT, _NOW, _LEFT = 2, 0, 1
HELD_S = 0.03


class XHand:
    """Presses keys and clicks by the extension XTEST, as xdotool does, without its start.

    Raises:
        OSError: the libraries of X or the display are missing.
    """

    def __init__(self) -> None:
        names = [find_library(name) for name in ("X11", "Xtst")]
        if None in names:
            raise OSError("libX11 and libXtst are needed (apt install libxtst6)")
        self._x, self._test = (ctypes.CDLL(name) for name in names)
        self._x.XOpenDisplay.restype = ctypes.c_void_p
        display = self._x.XOpenDisplay(None)
        if not display:
            raise OSError("the X server of DISPLAY does not answer")
        self._display = ctypes.c_void_p(display)

    def focus(self, window: int) -> None:
        """Give a window the keys."""
        self._x.XSetInputFocus(
            self._display, ctypes.c_ulong(window), _REVERT_TO_PARENT, ctypes.c_ulong(_NOW)
        )
        self._x.XSync(self._display, 0)

    def key(self, name: str) -> float:
        """Press and release a key by its X name; return the time of the press [s]."""
        symbol = self._x.XStringToKeysym(name.encode())
        code = self._x.XKeysymToKeycode(self._display, ctypes.c_ulong(symbol))
        pressed_s = self._do(self._test.XTestFakeKeyEvent, code, True)
        time.sleep(HELD_S)
        self._do(self._test.XTestFakeKeyEvent, code, False)
        return pressed_s

    def click(self, x: int, y: int) -> float:
        """Click at a point of the screen [px]; return the time of the press [s]."""
        self._test.XTestFakeMotionEvent(self._display, -1, x, y, ctypes.c_ulong(_NOW))
        self._x.XSync(self._display, 0)
        time.sleep(HELD_S)
        pressed_s = self._do(self._test.XTestFakeButtonEvent, _LEFT, True)
        time.sleep(HELD_S)
        self._do(self._test.XTestFakeButtonEvent, _LEFT, False)
        return pressed_s

    def close(self) -> None:
        """Leave the X server."""
        self._x.XCloseDisplay(self._display)

    def _do(self, event: "ctypes._NamedFuncPointer", what: int, down: bool) -> float:
        at_s = time.monotonic()
        event(self._display, ctypes.c_uint(what), int(down), ctypes.c_ulong(_NOW))
        self._x.XSync(self._display, 0)
        return at_s
