"""Commands of the inertial measurement unit: encoding and decoding.

Sources: LORD-MicroStrain/mip_sdk, src/mip/definitions/commands_{base,3dm,filter}.h (MIT).
"""

import struct
from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple, TypeAlias

from devices.families.mip.wire import packet

BASE, MEASURE, FILTER = 0x01, 0x0C, 0x0D  # descriptor sets of commands
MAGNETOMETER = 4  # an aiding source

Command: TypeAlias = tuple[int, int]
"""Descriptor set and descriptor."""

PING: Command = (BASE, 0x01)
IDLE: Command = (BASE, 0x02)
DEVICE_INFO: Command = (BASE, 0x03)
RESUME: Command = (BASE, 0x06)
BAUD_RATE: Command = (BASE, 0x09)
BASE_RATE: Command = (MEASURE, 0x0E)
MESSAGE_FORMAT: Command = (MEASURE, 0x0F)
STREAM: Command = (MEASURE, 0x11)
SETTINGS: Command = (MEASURE, 0x30)
FILTER_RESET: Command = (FILTER, 0x01)
INITIAL_HEADING: Command = (FILTER, 0x03)
AIDING: Command = (FILTER, 0x50)


class Function(IntEnum):
    """Function selector of a command."""

    WRITE = 1
    READ = 2
    SAVE = 3
    LOAD = 4
    DEFAULT = 5


_ARGUMENTS = {
    PING: struct.Struct(""),
    IDLE: struct.Struct(""),
    DEVICE_INFO: struct.Struct(""),
    RESUME: struct.Struct(""),
    BAUD_RATE: struct.Struct(">BBI"),  # function, port, rate
    BASE_RATE: struct.Struct(">B"),  # data set
    MESSAGE_FORMAT: struct.Struct(">BBB"),  # function, data set, count of the entries
    STREAM: struct.Struct(">BBB"),  # function, data set, on
    SETTINGS: struct.Struct(">B"),  # function
    FILTER_RESET: struct.Struct(""),
    INITIAL_HEADING: struct.Struct(">f"),
    AIDING: struct.Struct(">BHB"),  # function, source, on
}
_ENTRY = struct.Struct(">BH")


class Request(NamedTuple):
    """A decoded command.

    Attributes:
        command: descriptor set and descriptor.
        arguments: as listed above; empty if the unit does not know the command.
        entries: descriptor and decimation of each field of a message format.
        known: it is a complete command.
    """

    command: Command
    arguments: tuple[float, ...]
    entries: tuple[tuple[int, int], ...]
    known: bool


def _field(command: Command, *arguments: float) -> bytes:
    return packet.field(command[1], _ARGUMENTS[command].pack(*arguments))


def _command(command: Command, *arguments: float) -> bytes:
    return packet.packet(command[0], _field(command, *arguments))


def ping() -> bytes:
    """Return the command that checks whether the unit answers."""
    return _command(PING)


def idle() -> bytes:
    """Return the command that stops all streams, so that settings are answered soon."""
    return _command(IDLE)


def device_info() -> bytes:
    """Return the command that reads model, serial number and firmware."""
    return _command(DEVICE_INFO)


def resume() -> bytes:
    """Return the command that resumes streaming."""
    return _command(RESUME)


def baud_rate(rate: int, port: int = 1) -> bytes:
    """Return the command that changes a serial port's speed, within 250 ms after the answer."""
    return _command(BAUD_RATE, Function.WRITE, port, rate)


def base_rate(data_set: int) -> bytes:
    """Return the command that reads the rate that a data set's decimations divide."""
    return _command(BASE_RATE, data_set)


def message_format(data_set: int, entries: Sequence[tuple[int, int]]) -> bytes:
    """Return the command that selects a data set's fields and decimations of the base rate."""
    head = _ARGUMENTS[MESSAGE_FORMAT].pack(Function.WRITE, data_set, len(entries))
    listed = b"".join(_ENTRY.pack(*entry) for entry in entries)
    return packet.packet(MEASURE, packet.field(MESSAGE_FORMAT[1], head + listed))


def stream(*data_sets: int, on: bool = True) -> bytes:
    """Return the packet that switches the streams of data sets; each data set answers once."""
    fields = (_field(STREAM, Function.WRITE, data_set, on) for data_set in data_sets)
    return packet.packet(MEASURE, *fields)


def settings(function: Function) -> bytes:
    """Return the command that saves all settings, loads them, or loads the factory's."""
    return _command(SETTINGS, function)


def filter_reset() -> bytes:
    """Return the command that restarts the attitude filter."""
    return _command(FILTER_RESET)


def initial_heading(heading_rad: float) -> bytes:
    """Return the command that sets the initial heading, from north toward east [rad]."""
    return _command(INITIAL_HEADING, heading_rad)


def aiding(source: int, on: bool) -> bytes:
    """Return the command that enables an aiding source; disable the magnetometer near motors."""
    return _command(AIDING, Function.WRITE, source, on)


def requests(checked: bytes) -> list[Request]:
    """Return every decoded command of a checked packet."""
    return [
        _understand((checked[2], descriptor), content)
        for descriptor, content in packet.fields(checked)
    ]


def _understand(command: Command, content: bytes) -> Request:
    layout = _ARGUMENTS.get(command)
    if layout is None or len(content) < layout.size:
        return Request(command, (), (), False)
    arguments = layout.unpack_from(content)
    listed = content[layout.size :]
    if command != MESSAGE_FORMAT:
        return Request(command, arguments, (), True)
    if len(listed) != arguments[2] * _ENTRY.size:
        return Request(command, arguments, (), False)
    entries = tuple((kind, decimation) for kind, decimation in _ENTRY.iter_unpack(listed))
    return Request(command, arguments, entries, True)
