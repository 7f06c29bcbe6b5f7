"""The robot's page in the handset's menu: device information and parameters.

A parameter that is too long for a frame is sent in chunks, which the handset requests one by one.
Sources: tbs-crsf-spec, crsf.md 0x28 to 0x2D; ExpressLRS, src/test/test_crsf (device info).
"""

import struct
from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

from devices.families.crsf.wire.frame import Address, Type, content_of, extended

CHUNK = 56  # bytes of a parameter in one frame
_IDENTITY = struct.Struct(">3I2B")
_HIDDEN = 0x80
_NO_CHILDREN = b"\xff"


class Kind(IntEnum):
    """Type of a parameter."""

    SELECTION = 9
    FOLDER = 11
    INFO = 12
    COMMAND = 13
    OUT_OF_RANGE = 127


class Status(IntEnum):
    """Progress of a command, or the handset's request about it."""

    READY = 0
    START = 1
    PROGRESS = 2
    CONFIRMATION_NEEDED = 3
    CONFIRM = 4
    CANCEL = 5
    POLL = 6


class Device(NamedTuple):
    """Answer of a device to a ping."""

    name: str
    serial: int
    hardware: int
    firmware: int
    parameters: int
    version: int


class Entry(NamedTuple):
    """A parameter in the menu.

    Attributes:
        parent: number of its folder; 0 is the root.
        kind: type of the parameter.
        name: its label.
        content: bytes that follow the name, as the type defines.
        hidden: the menu does not show it.
    """

    parent: int
    kind: int
    name: str
    content: bytes
    hidden: bool


class Chunk(NamedTuple):
    """One frame's part of a parameter."""

    number: int
    remaining: int
    part: bytes


def ping(destination: int = Address.BROADCAST, origin: int = Address.HANDSET) -> bytes:
    """Return the frame that asks all devices for their information."""
    return extended(Type.PING, destination, origin)


def encode_device(
    device: Device, destination: int = Address.HANDSET, origin: int = Address.ROBOT
) -> bytes:
    """Return the answer to a ping.

    Raises:
        WireError: the name is too long for a frame.
    """
    content = _text(device.name) + _IDENTITY.pack(*device[1:])
    return extended(Type.DEVICE_INFO, destination, origin, content)


def decode_device(checked: bytes) -> Device | None:
    """Return the device of an answer to a ping, or None if the frame is too short."""
    name, rest = _split(content_of(checked))
    if len(rest) < _IDENTITY.size:
        return None
    return Device(name, *_IDENTITY.unpack_from(rest))


def read(number: int, chunk: int = 0, destination: int = Address.ROBOT) -> bytes:
    """Return the request for one chunk of a parameter."""
    return extended(Type.PARAMETER_READ, destination, Address.HANDSET, bytes((number, chunk)))


def decode_read(checked: bytes) -> tuple[int, int] | None:
    """Return number and chunk of the requested parameter, or None if the frame is too short."""
    content = content_of(checked)
    return (content[0], content[1]) if len(content) >= 2 else None


def write(number: int, value: bytes, destination: int = Address.ROBOT) -> bytes:
    """Return the frame that changes a parameter, or starts, confirms or cancels a command."""
    return extended(Type.PARAMETER_WRITE, destination, Address.HANDSET, bytes((number,)) + value)


def decode_write(checked: bytes) -> tuple[int, bytes] | None:
    """Return number and new value of a parameter, or None if the frame is too short."""
    content = content_of(checked)
    return (content[0], content[1:]) if content else None


def selection(parent: int, name: str, options: Sequence[str], value: int) -> bytes:
    """Return a parameter with a choice of several words."""
    bounds = bytes((value, 0, len(options) - 1, 0))
    return _entry(parent, Kind.SELECTION, name, _text(";".join(options)) + bounds + _text(""))


def folder(parent: int, name: str, children: Sequence[int]) -> bytes:
    """Return a folder of parameters by their numbers; the root is number 0."""
    return _entry(parent, Kind.FOLDER, name, bytes(children) + _NO_CHILDREN)


def info(parent: int, name: str, text: str) -> bytes:
    """Return a read-only parameter."""
    return _entry(parent, Kind.INFO, name, _text(text))


def command(parent: int, name: str, status: Status, text: str, timeout_s: float = 1.0) -> bytes:
    """Return a parameter that runs a command, with its progress and a text."""
    tenths = min(max(round(timeout_s * 10), 0), 255)
    return _entry(parent, Kind.COMMAND, name, bytes((status, tenths)) + _text(text))


def encode_chunk(
    number: int,
    entry: bytes,
    chunk: int,
    destination: int = Address.HANDSET,
    origin: int = Address.ROBOT,
) -> bytes:
    """Return the frame of one chunk of a parameter; past its end the type marks that."""
    last = max(len(entry) - 1, 0) // CHUNK
    if chunk > last:
        entry, chunk, last = bytes((0, Kind.OUT_OF_RANGE)), 0, 0
    part = entry[chunk * CHUNK : (chunk + 1) * CHUNK]
    head = bytes((number, last - chunk))
    return extended(Type.PARAMETER_ENTRY, destination, origin, head + part)


def decode_chunk(checked: bytes) -> Chunk | None:
    """Return one chunk of a parameter, or None if the frame is too short."""
    content = content_of(checked)
    return Chunk(content[0], content[1], content[2:]) if len(content) >= 2 else None


def decode_entry(entry: bytes) -> Entry | None:
    """Return a parameter from its joined chunks, or None if it is too short."""
    if len(entry) < 2:
        return None
    name, content = _split(entry[2:])
    kind = entry[1]
    return Entry(entry[0], kind & ~_HIDDEN, name, content, bool(kind & _HIDDEN))


def decode_selection(content: bytes) -> tuple[tuple[str, ...], int] | None:
    """Return words and present choice of a selection, or None if it is too short."""
    options, bounds = _split(content)
    return (tuple(options.split(";")), bounds[0]) if bounds else None


def decode_command(content: bytes) -> tuple[int, float, str] | None:
    """Return status, timeout [s] and text of a command, or None if it is too short."""
    if len(content) < 2:
        return None
    return content[0], content[1] / 10, _split(content[2:])[0]


def _entry(parent: int, kind: Kind, name: str, content: bytes) -> bytes:
    return bytes((parent, kind)) + _text(name) + content


def _text(text: str) -> bytes:
    return text.encode("ascii", "replace").replace(b"\0", b"?") + b"\0"


def _split(data: bytes) -> tuple[str, bytes]:
    """Return the text before the first NUL and the bytes after it."""
    text, _, rest = data.partition(b"\0")
    return text.decode("ascii", "replace"), rest
