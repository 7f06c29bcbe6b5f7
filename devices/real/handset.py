"""Common parts of the handsets' drivers: ranges of settings, counts within a second."""

from typing import Annotated, TypeAlias

from msgspec import Meta

from devices.interface import Trouble

Hertz: TypeAlias = Annotated[float, Meta(ge=5.0, le=1000.0)]
Silence: TypeAlias = Annotated[float, Meta(gt=0.0, le=0.5)]
Pause: TypeAlias = Annotated[float, Meta(ge=0.05, le=2.0)]

BUTTONS = 10


class Window:
    """Counts within whole seconds.

    Attributes:
        last: count of the last whole second.
        now: count of the present second.
    """

    __slots__ = ("last", "now", "_began_s")

    def __init__(self) -> None:
        self.last = self.now = 0
        self._began_s = 0.0

    def advance(self, now_s: float) -> None:
        """Advance to a time [s]."""
        elapsed_s = now_s - self._began_s
        if 0.0 <= elapsed_s < 1.0:
            return
        self.last = self.now if 0.0 <= elapsed_s < 2.0 else 0
        self.now = 0
        self._began_s = now_s


def bearable(troubles: tuple[Trouble, ...]) -> tuple[Trouble, ...]:
    """Return a line's faults for a handset, without silence, which its age reports."""
    return tuple(Trouble(trouble.device, trouble.text) for trouble in troubles)
