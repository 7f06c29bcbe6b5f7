"""Protocol of the wireless stop, the HRI safe remote control and its vehicle controller.

The vehicle controller reports on a serial line the handset's controls and whether a stop was
called; the computer sends heartbeats, and texts for the handset's display. This line only
monitors: the relays of the vehicle controller belong to the hardware chain and stop the robot
independently. Packets are 10 01, type, length, data, Fletcher checksum; numbers are little-endian.
Source: humanisticrobotics/hri-safe-remote-control-system, VehicleMessages.h and
VehicleInterface.c (facts).
"""

import re
import struct
from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

from devices.wire.errors import WireError
from devices.wire.fletcher import fletcher, holds
from devices.wire.scanner import Framing, Scanner

MAX_DATA = 248
TEXT = 20  # characters of a row
ROWS = (90, 91, 92, 93)  # keys of the display's rows
LOST_S = 0.25  # rate of the vehicle controller's heartbeat, 20 times a second

FRAMING = Framing(
    header=re.compile(rb"\x10(?:\Z|\x01(?:\Z|.(?:\Z|[\x00-\xf8])))", re.DOTALL),
    length_at=3,
    overhead=6,
    holds=holds,
)
_HEARTBEAT = struct.Struct("<BBI")
_JOYSTICK = struct.Struct("<6H2B")
_FEEDBACK = struct.Struct("<Bi")
_TEXT = struct.Struct(f"<B{TEXT}s")
_LARGEST = 0x3FF  # of a stick's ten bits

_SET = 1  # of the states of a switch: 0 not recognised, 1 set, 2 error, 3 not available
_DOUBTFUL = (2, 3)


class Type(IntEnum):
    """Type of a packet."""

    JOYSTICK = 0x10
    HEARTBEAT = 0x20
    OUR_HEARTBEAT = 0x21
    FEEDBACK = 0x30
    TEXT = 0x31


class Mode(IntEnum):
    """Mode of the vehicle controller."""

    SEARCHING = 0x01
    LOCAL = 0x04
    OPERATIONAL = 0x09
    MENU = 0x0A
    PAUSE = 0x0B


class Heartbeat(NamedTuple):
    """Heartbeat of the vehicle controller.

    Attributes:
        mode: a `Mode`, or an unknown number.
        autonomy: as set on the handset.
        stop: bits of the sources that call a stop; 0 if none does.
    """

    mode: int
    autonomy: int
    stop: int


class Joystick(NamedTuple):
    """State of the handset's two sticks and their switches.

    Attributes:
        axes: left x, y, z, right x, y, z, each -1 to 1; 0 where in doubt.
        buttons: left home, first, second, third are bits 0 to 3, right's 4 to 7.
        doubt: an axis or switch reports an error, is missing or contradicts itself.
    """

    axes: tuple[float, ...]
    buttons: int
    doubt: bool


_STATES = ("", "", " (error)", " (not available)")


def _direction(states: int) -> float | None:
    """Return the sign of an axis by its states neutral, negative and positive; None in doubt."""
    one, two, three = states & 3, states >> 2 & 3, states >> 4 & 3
    if any(state in _DOUBTFUL for state in (one, two, three)):
        return None
    return {(1, 0, 0): 0.0, (0, 1, 0): -1.0, (0, 0, 1): 1.0}.get((one, two, three))


_FOUR = (0, 2, 4, 6)  # bit offsets of a byte's four switches
_DIRECTIONS = tuple(_direction(states) for states in range(64))
_SWITCHES = tuple(sum((byte >> at & 3 == _SET) << at // 2 for at in _FOUR) for byte in range(256))
_SWITCHES_IN_DOUBT = tuple(any(byte >> at & 3 in _DOUBTFUL for at in _FOUR) for byte in range(256))


def scanner() -> Scanner:
    """Return a scanner for the packets in the bytes of a port."""
    return Scanner(FRAMING)


def packet(kind: int, data: bytes) -> bytes:
    """Return a packet.

    Raises:
        WireError: the data is too long for a packet.
    """
    if len(data) > MAX_DATA:
        raise WireError(f"a packet holds at most {MAX_DATA} bytes, not {len(data)}")
    body = bytes((0x10, 0x01, kind, len(data))) + data
    return body + fletcher(body)


def kind_of(checked: bytes) -> int:
    """Return the type of a checked packet."""
    return checked[2]


def our_heartbeat(stop: bool) -> bytes:
    """Return the computer's heartbeat, sent 20 to 50 times a second; it may call a stop."""
    return packet(Type.OUR_HEARTBEAT, bytes((stop,)))


def decode_our_heartbeat(checked: bytes) -> bool:
    """Return whether the computer's heartbeat calls a stop; one of another length does."""
    return checked[4:-2] != b"\0"


def encode_heartbeat(heartbeat: Heartbeat) -> bytes:
    """Return the vehicle controller's heartbeat as a packet."""
    return packet(Type.HEARTBEAT, _HEARTBEAT.pack(*heartbeat))


def decode_heartbeat(checked: bytes) -> Heartbeat | None:
    """Return the vehicle controller's heartbeat, or None if the length is wrong."""
    data = checked[4:-2]
    return Heartbeat(*_HEARTBEAT.unpack(data)) if len(data) == _HEARTBEAT.size else None


def may_run(
    heartbeat: Heartbeat | None, now_s: float, heard_s: float, lost_s: float = LOST_S
) -> bool:
    """Return whether the wireless stop lets the robot move: in doubt it does not.

    Args:
        heartbeat: the last one, or None.
        now_s: the time [s].
        heard_s: arrival of that heartbeat [s].
        lost_s: silence after which it is no longer valid [s].
    """
    return (
        heartbeat is not None
        and 0.0 <= now_s - heard_s <= lost_s
        and heartbeat.stop == 0
        and heartbeat.mode == Mode.OPERATIONAL
    )


def stop_words(stop: int) -> str:
    """Return the names of the sources that call a stop; empty if none does."""
    callers = (("the handset", 0), ("the vehicle controller", 2), ("this computer", 6))
    words = [f"{name}{_STATES[stop >> at & 3]}" for name, at in callers if stop >> at & 3]
    if stop & ~0b11001111:
        words.append("an unknown source")
    return ", ".join(words)


def encode_joystick(axes: Sequence[float], buttons: int) -> bytes:
    """Return the packet of the sticks, -1 to 1, with one bit for each button."""
    words = [_encode_axis(axis) for axis in axes]
    switches = [_encode_switches(buttons >> at & 0xF) for at in (0, 4)]
    return packet(Type.JOYSTICK, _JOYSTICK.pack(*words, *switches))


def decode_joystick(checked: bytes) -> Joystick | None:
    """Return the state of the handset's sticks, or None if the length is wrong."""
    data = checked[4:-2]
    if len(data) != _JOYSTICK.size:
        return None
    *words, left, right = _JOYSTICK.unpack(data)
    doubt = _SWITCHES_IN_DOUBT[left] or _SWITCHES_IN_DOUBT[right]
    axes = []
    for word in words:
        direction = _DIRECTIONS[word & 0x3F]
        doubt = doubt or direction is None
        axes.append((direction or 0.0) * (word >> 6) / _LARGEST)
    return Joystick(tuple(axes), _SWITCHES[left] | _SWITCHES[right] << 4, doubt)


def _encode_axis(axis: float) -> int:
    magnitude = min(round(abs(axis) * _LARGEST), _LARGEST)
    direction = 0b000001 if magnitude == 0 else 0b000100 if axis < 0.0 else 0b010000
    return magnitude << 6 | direction


def _encode_switches(bits: int) -> int:
    return sum(_SET << 2 * at for at in range(4) if bits >> at & 1)


def feedback(key: int, value: int) -> bytes:
    """Return a number for the handset: a row's value, or the strength of its vibration."""
    return packet(Type.FEEDBACK, _FEEDBACK.pack(key, value))


def decode_feedback(checked: bytes) -> tuple[int, int] | None:
    """Return key and number, or None if the length is wrong."""
    data = checked[4:-2]
    if len(data) != _FEEDBACK.size:
        return None
    key, value = _FEEDBACK.unpack(data)
    return key, value


def text(row: int, words: str) -> bytes:
    """Return one row of the handset's display, counted from 0: ASCII, cut after 20 characters."""
    line = words.encode("ascii", "replace").replace(b"\0", b"?")[:TEXT]
    return packet(Type.TEXT, _TEXT.pack(ROWS[row], line))


def decode_text(checked: bytes) -> tuple[int, str] | None:
    """Return key and text of a row, or None if the length is wrong."""
    data = checked[4:-2]
    if len(data) != _TEXT.size:
        return None
    key, line = _TEXT.unpack(data)
    return key, line.split(b"\0", 1)[0].decode("ascii", "replace")
