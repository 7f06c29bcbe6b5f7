"""Orders to a twin: one line of words an order.

    press 3            stick left_y 0.5       hold               handset off
    fault imu drop=0.1 delay_ms=3             unplug left_leg    heal
    heat left_knee 95  battery voltage=20.5   open a             push 40 0 0 0.1

The first word is the order; the others are its values, in their order or by name.
"""

from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from devices.errors import DeviceError

MOST_LENGTH = 400  # of a line

Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=48)]
Source: TypeAlias = Annotated[int, Meta(ge=0, le=255)]
Side: TypeAlias = Literal["up", "down", "both"]
Axis: TypeAlias = Literal["left_x", "left_y", "right_x", "right_y"]
Channel: TypeAlias = Literal["a", "b", "wireless"]
Switch: TypeAlias = Literal["on", "off"]
Share: TypeAlias = Annotated[float, Meta(ge=0.0, le=1.0)]
Time: TypeAlias = Annotated[float, Meta(ge=0.0, le=10_000.0)]
Newtons: TypeAlias = Annotated[float, Meta(ge=-5000.0, le=5000.0)]


class Order(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An order to the twin."""


class Fault(Order, frozen=True):
    """Set the faults of a line (devices/twin/faults.py).

    `way` is "up" for bytes from the devices, "down" for bytes to them.
    """

    line: Name
    way: Side = "both"
    drop: Share = 0.0
    lose: Share = 0.0
    corrupt: Share = 0.0
    invent: Share = 0.0
    noise_hz: Annotated[float, Meta(ge=0.0, le=1e6)] = 0.0
    delay_ms: Time = 0.0
    jitter_ms: Time = 0.0
    freeze: Switch = "off"


class Heal(Order, frozen=True):
    """Remove the faults of a line, or of every line."""

    line: str = ""


class Unplug(Order, frozen=True):
    """Unplug a line."""

    line: Name


class Plug(Order, frozen=True):
    """Plug a line in again."""

    line: Name


class Heat(Order, frozen=True):
    """Set a joint's winding temperature [°C]."""

    joint: Name
    celsius: Annotated[float, Meta(ge=-20.0, le=300.0)]


class Actuator(Order, frozen=True):
    """Switch a joint's actuator off or on, restart it, or latch its error bits."""

    joint: Name
    what: Literal["dead", "alive", "restart", "fault"]
    mask: Source = 0


class Number(Order, frozen=True):
    """Give a joint's actuator another id, as a new one has; a restart keeps it."""

    joint: Name
    id: Source


class Turn(Order, frozen=True):
    """Turn a limp joint by hand to an angle [deg]; without an angle, release it."""

    joint: Name
    degrees: Annotated[float, Meta(ge=-180.0, le=180.0)] | None = None


class Battery(Order, frozen=True):
    """Set the battery's charge, or the charge at which it has a voltage at rest [V]."""

    charge: Share | None = None
    voltage: Annotated[float, Meta(ge=18.0, le=25.2)] | None = None


class Open(Order, frozen=True):
    """Open a channel of the E-stop chain."""

    channel: Channel


class Close(Order, frozen=True):
    """Close a channel of the E-stop chain."""

    channel: Channel


class Contact(Order, frozen=True):
    """Force a foot's sensor to a value, break it, or let it measure again."""

    source: Source
    sensor: Annotated[int, Meta(ge=0, le=7)]
    what: Literal["on", "off", "broken", "well"]


class Board(Order, frozen=True):
    """Let a board hang, resume, or restart."""

    source: Source
    what: Literal["mute", "speak", "restart"]


class Imu(Order, frozen=True):
    """Let the IMU repeat its last sample, recover, or restart."""

    what: Literal["stuck", "well", "restart"]


class Press(Order, frozen=True):
    """Press a button of the handset, counted from 1."""

    button: Annotated[int, Meta(ge=1, le=10)]


class Release(Order, frozen=True):
    """Release a button."""

    button: Annotated[int, Meta(ge=1, le=10)]


class Stick(Order, frozen=True):
    """Move an axis of a stick."""

    axis: Axis
    value: Annotated[float, Meta(ge=-1.0, le=1.0)]


class Hold(Order, frozen=True):
    """Hold the dead-man switch."""


class LetGo(Order, frozen=True):
    """Release the dead-man switch."""


class LayDown(Order, frozen=True):
    """Lay the handset down: all its controls are released."""


class Grip(Order, frozen=True):
    """Hold the handset while the client is connected: a disconnection lays it down."""


class Handset(Order, frozen=True):
    """Switch the handset on or off; with a quality, the fraction of its packets that arrive [%]."""

    power: Switch
    quality: Annotated[int, Meta(ge=0, le=100)] = 100
    battery_v: Annotated[float, Meta(ge=0.0, le=10.0)] = 3.9


class RemoteStop(Order, frozen=True):
    """Press or release the stop button of the wireless stop; `off` takes it out of range."""

    pressed: Switch
    power: Switch = "on"


class Push(Order, frozen=True):
    """Push the torso with a force in the world [N] for a time [s]."""

    fx: Newtons
    fy: Newtons
    fz: Newtons
    duration_s: Annotated[float, Meta(ge=0.0, le=60.0)]
    hand: str = ""


class Advance(Order, frozen=True):
    """Advance the time while no core is connected [s]."""

    seconds: Annotated[float, Meta(ge=0.0, le=600.0)]


class Tell(Order, frozen=True):
    """Return true state, controls, screens, statistics of lines and boards, or joints' orders."""

    what: Literal["truth", "hands", "screens", "lines", "boards", "actuators"]


ORDERS: dict[str, type[Order]] = {
    "fault": Fault,
    "heal": Heal,
    "unplug": Unplug,
    "plug": Plug,
    "heat": Heat,
    "actuator": Actuator,
    "number": Number,
    "turn": Turn,
    "battery": Battery,
    "open": Open,
    "close": Close,
    "contact": Contact,
    "board": Board,
    "imu": Imu,
    "press": Press,
    "release": Release,
    "stick": Stick,
    "hold": Hold,
    "let_go": LetGo,
    "lay_down": LayDown,
    "grip": Grip,
    "handset": Handset,
    "remote_stop": RemoteStop,
    "push": Push,
    "advance": Advance,
    "tell": Tell,
}


def parse(line: str) -> Order:
    """Parse a line of words.

    Raises:
        DeviceError: there is no such order, or a value is missing, unknown or out of its range.
    """
    if len(line) > MOST_LENGTH:
        raise DeviceError("twin", f"an order has at most {MOST_LENGTH} letters")
    words = line.split()
    kind = ORDERS.get(words[0]) if words else None
    if kind is None:
        known = ", ".join(ORDERS)
        raise DeviceError("twin", f"{line.strip()!r} is no order; give one of {known}")
    names = kind.__struct_fields__
    values: dict[str, str] = {}
    for place, word in enumerate(words[1:]):
        name, equals, value = word.partition("=")
        if not equals:
            if place >= len(names):
                raise DeviceError("twin", f"{words[0]} takes {len(names)} values; leave {word!r}")
            name, value = names[place], word
        if name in values:
            raise DeviceError("twin", f"{words[0]} has {name} twice; give it once")
        values[name] = value
    try:
        return msgspec.convert(values, kind, strict=False)
    except msgspec.ValidationError as error:
        raise DeviceError("twin", f"{words[0]} is refused: {error}") from None
