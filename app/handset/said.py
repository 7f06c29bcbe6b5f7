"""A twin's report on its handset, the E-stop chain and its lines, as JSON."""

import msgspec


class Hands(msgspec.Struct, frozen=True, kw_only=True):
    """The input of the handset, and its effect.

    Attributes:
        t_s: the twin's time [s].
        buttons: bits of those pressed; the first is bit 0.
        sticks: left x, left y, right x, right y; right and up are positive, -1 to 1 (4).
        dead_man: it is held.
        present: the handset is on.
        stop: the stop button of the wireless stop is pressed.
        channel_a: of the E-stop chain; it is closed.
        channel_b: likewise.
        wireless: likewise.
    """

    t_s: float
    buttons: int
    sticks: tuple[float, float, float, float]
    dead_man: bool
    present: bool
    stop: bool
    channel_a: bool
    channel_b: bool
    wireless: bool


class Screen(msgspec.Struct, frozen=True):
    """The text of a screen.

    Attributes:
        lines: of text, by their names.
        charge: of the robot's battery, 0 to 1; 0 where none is shown.
    """

    lines: dict[str, str]
    charge: float


class Line(msgspec.Struct, frozen=True):
    """A serial line.

    Attributes:
        plugged: its plug is in.
    """

    plugged: bool


Screens = dict[str, Screen]
Lines = dict[str, Line]
