"""Conversion of the sixteen channels to sticks, buttons and the dead-man on channel 5.

Channels are numbered from 1, as handsets show them. The assignment of a handset's channels is a
setting.
"""

from dataclasses import dataclass
from typing import NamedTuple

from devices.families.crsf.wire.packed import COUNT, HIGH, LARGEST, LOW, MIDDLE


def _check_channel(channel: int) -> None:
    if not 1 <= channel <= COUNT:
        raise ValueError(f"there is no channel {channel}: a handset has channels 1 to {COUNT}")


@dataclass(frozen=True, slots=True)
class Stick:
    """One axis of a stick, as a handset was calibrated.

    Attributes:
        channel: 1 to 16.
        low: value at one end.
        middle: value of the released stick.
        high: value at the other end.
        dead_zone: fraction of the travel from the middle that counts as released, 0 to below 1.
        reversed: the low end means +1.
    """

    channel: int
    low: int = LOW
    middle: int = MIDDLE
    high: int = HIGH
    dead_zone: float = 0.05
    reversed: bool = False

    def __post_init__(self) -> None:
        """Refuse inconsistent values.

        Raises:
            ValueError: the values contradict each other.
        """
        _check_channel(self.channel)
        if not 0 <= self.low < self.middle < self.high <= LARGEST:
            raise ValueError(
                f"channel {self.channel}: low, middle and high must rise within 0 to {LARGEST}, "
                f"not {self.low}, {self.middle}, {self.high}; calibrate the stick again"
            )
        if not 0.0 <= self.dead_zone < 1.0:
            raise ValueError(
                f"channel {self.channel}: the dead zone must be 0 to below 1, not {self.dead_zone}"
            )


@dataclass(frozen=True, slots=True)
class Threshold:
    """A button, or the dead-man: pressed from one value, released below a lower one.

    Attributes:
        channel: 1 to 16.
        press: value from which it is pressed.
        release: value up to which it is released; between the two it keeps its state.
    """

    channel: int
    press: int = 1400
    release: int = 1200

    def __post_init__(self) -> None:
        """Refuse inconsistent values.

        Raises:
            ValueError: the values contradict each other.
        """
        _check_channel(self.channel)
        if not 0 <= self.release < self.press <= LARGEST:
            raise ValueError(
                f"channel {self.channel}: press must lie above release within 0 to {LARGEST}, "
                f"not {self.press} and {self.release}"
            )


@dataclass(frozen=True, slots=True)
class Layout:
    """Channels of a handset's controls.

    Attributes:
        sticks: axes, in the order of the robot's mapping.
        buttons: buttons in the same order; the first is bit 0.
        dead_man: on channel 5, which ExpressLRS sends in every packet; low is safe.
    """

    sticks: tuple[Stick, ...] = tuple(Stick(channel) for channel in (1, 2, 3, 4))
    buttons: tuple[Threshold, ...] = tuple(Threshold(channel) for channel in range(6, 16))
    dead_man: Threshold = Threshold(5)


class Controls(NamedTuple):
    """State of the operator's controls.

    Attributes:
        sticks: each axis, -1 to 1.
        buttons: one bit each.
        dead_man: the dead-man switch is held.
    """

    sticks: tuple[float, ...]
    buttons: int
    dead_man: bool


NEUTRAL = Controls((0.0, 0.0, 0.0, 0.0), 0, False)


def deflection(value: int, stick: Stick) -> float:
    """Return a stick's deflection, -1 to 1; it begins at 0 where the dead zone ends."""
    travel = stick.high - stick.middle if value > stick.middle else stick.middle - stick.low
    share = (value - stick.middle) / travel
    beyond = (abs(share) - stick.dead_zone) / (1.0 - stick.dead_zone)
    if beyond <= 0.0:
        return 0.0
    size = min(beyond, 1.0)
    return -size if (share < 0.0) != stick.reversed else size


def is_pressed(value: int, was_pressed: bool, button: Threshold) -> bool:
    """Return whether a button is pressed, given its previous state."""
    return value > button.release if was_pressed else value >= button.press


def read(channels: tuple[int, ...], before: Controls, layout: Layout) -> Controls:
    """Return the controls of sixteen channel values, given those of the frame before.

    After silence `before` is `NEUTRAL`: the dead-man must then pass its upper threshold again.
    """
    bits = 0
    for bit, button in enumerate(layout.buttons):
        if is_pressed(channels[button.channel - 1], bool(before.buttons >> bit & 1), button):
            bits |= 1 << bit
    dead_man = layout.dead_man
    return Controls(
        tuple([deflection(channels[stick.channel - 1], stick) for stick in layout.sticks]),
        bits,
        is_pressed(channels[dead_man.channel - 1], before.dead_man, dead_man),
    )


def write(controls: Controls, layout: Layout) -> tuple[int, ...]:
    """Return the sixteen channel values that a handset sends for its controls."""
    channels = [LOW] * COUNT
    for stick, deflected in zip(layout.sticks, controls.sticks, strict=True):
        channels[stick.channel - 1] = _value_of(deflected, stick)
    for bit, button in enumerate(layout.buttons):
        channels[button.channel - 1] = HIGH if controls.buttons >> bit & 1 else LOW
    channels[layout.dead_man.channel - 1] = HIGH if controls.dead_man else LOW
    return tuple(channels)


def _value_of(deflected: float, stick: Stick) -> int:
    """Return the channel value of a deflection."""
    share = min(abs(deflected), 1.0) * (1.0 - stick.dead_zone)
    share += stick.dead_zone if share else 0.0
    upward = (deflected > 0.0) != stick.reversed
    travel = stick.high - stick.middle if upward else stick.low - stick.middle
    return stick.middle + round(share * travel)


def position(value: int, positions: int) -> int:
    """Return the switch position nearest to a value, counted from 0 at the low end."""
    place = round((value - LOW) / (HIGH - LOW) * (positions - 1))
    return min(max(place, 0), positions - 1)
