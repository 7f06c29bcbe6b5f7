"""What the inertial measurement unit is asked, and what it answers.

Sources: LORD-MicroStrain/mip_sdk, src/mip/definitions/commands_{base,3dm,filter}.h (MIT).
"""

import struct
from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

from devices.wire.mip import packet

BASE, MEASURE, FILTER = 0x01, 0x0C, 0x0D  # descriptor sets of commands
REPLY = 0xF1  # descriptor of the field that acknowledges
DEVICE_INFO = 0x81
MAGNETOMETER = 4  # an aiding source


class Function(IntEnum):
    """What a command does with its setting."""

    WRITE = 1
    READ = 2
    SAVE = 3
    LOAD = 4
    DEFAULT = 5


NAMES = {
    (BASE, 0x01): "ping",
    (BASE, 0x02): "idle",
    (BASE, 0x03): "device info",
    (BASE, 0x06): "resume",
    (BASE, 0x09): "baud rate",
    (MEASURE, 0x0E): "base rate",
    (MEASURE, 0x0F): "message format",
    (MEASURE, 0x11): "stream",
    (MEASURE, 0x30): "settings",
    (FILTER, 0x01): "filter reset",
    (FILTER, 0x03): "initial heading",
    (FILTER, 0x50): "aiding source",
}

CODES = {
    0: "done",
    1: "unknown command",
    2: "bad checksum",
    3: "bad parameter",
    4: "failed",
    5: "timed out",
}

_TEXT_SIZE = 16
_INFO = struct.Struct(">H" + 5 * f"{_TEXT_SIZE}s")
_ENTRY = struct.Struct(">BH")


class Reply(NamedTuple):
    """Whether a command was carried out.

    Attributes:
        descriptor_set: set of the command.
        command: its descriptor.
        code: 0 if it was carried out.
    """

    descriptor_set: int
    command: int
    code: int

    @property
    def ok(self) -> bool:
        """The command was carried out."""
        return self.code == 0

    @property
    def words(self) -> str:
        """The command and its outcome as a person reads them."""
        name = NAMES.get(
            (self.descriptor_set, self.command),
            f"command {self.descriptor_set:02X},{self.command:02X}",
        )
        return f"{name}: {CODES.get(self.code, f'refused with code {self.code}')}"


class DeviceInfo(NamedTuple):
    """What the unit says of itself.

    Attributes:
        firmware: version, as in 1.2.34 written 1234.
        model_name: as on its label.
        model_number: as on its label.
        serial_number: as on its label.
        lot_number: as on its label.
        options: its measuring ranges.
    """

    firmware: int
    model_name: str
    model_number: str
    serial_number: str
    lot_number: str
    options: str


def _command(descriptor_set: int, descriptor: int, data: bytes = b"") -> bytes:
    return packet.packet(descriptor_set, packet.field(descriptor, data))


def ping() -> bytes:
    """Ask whether the unit is there."""
    return _command(BASE, 0x01)


def idle() -> bytes:
    """Stop all streams, so that settings are answered soon."""
    return _command(BASE, 0x02)


def device_info() -> bytes:
    """Ask for model, serial number and firmware."""
    return _command(BASE, 0x03)


def resume() -> bytes:
    """Begin to stream again."""
    return _command(BASE, 0x06)


def baud_rate(rate: int, port: int = 1, function: Function = Function.WRITE) -> bytes:
    """Change the speed of a serial port; it takes effect within 250 ms after the answer."""
    setting = struct.pack(">I", rate) if function is Function.WRITE else b""
    return _command(BASE, 0x09, bytes((function, port)) + setting)


def read_base_rate(data_set: int) -> bytes:
    """Ask for the rate that a data set's decimations divide."""
    return _command(MEASURE, 0x0E, bytes((data_set,)))


def message_format(data_set: int, descriptors: Sequence[tuple[int, int]]) -> bytes:
    """Choose the fields of a data set's packets, each with its decimation of the base rate."""
    entries = b"".join(_ENTRY.pack(*entry) for entry in descriptors)
    head = bytes((Function.WRITE, data_set, len(descriptors)))
    return _command(MEASURE, 0x0F, head + entries)


def stream(*data_sets: int, on: bool = True) -> bytes:
    """Let data sets stream, or not, in one packet that is answered once for each."""
    return packet.packet(
        MEASURE,
        *(packet.field(0x11, bytes((Function.WRITE, data_set, on))) for data_set in data_sets),
    )


def settings(function: Function) -> bytes:
    """Save every setting for the next power-on, load them, or load those of the factory."""
    return _command(MEASURE, 0x30, bytes((function,)))


def filter_reset() -> bytes:
    """Let the attitude begin anew."""
    return _command(FILTER, 0x01)


def initial_heading(heading_rad: float) -> bytes:
    """Set the heading that the attitude begins with, from north toward east [rad]."""
    return _command(FILTER, 0x03, struct.pack(">f", heading_rad))


def aiding(source: int, on: bool) -> bytes:
    """Let a source correct the attitude, or not: the magnetometer must not, near motors."""
    return _command(FILTER, 0x50, struct.pack(">BHB", Function.WRITE, source, on))


def acknowledge(descriptor_set: int, command: int, code: int = 0, *answers: bytes) -> bytes:
    """Return the unit's answer to a command, with the fields that it was asked for."""
    return packet.packet(descriptor_set, packet.field(REPLY, bytes((command, code))), *answers)


def replies(checked: bytes) -> list[Reply]:
    """Return every acknowledgement in a checked packet; of a data packet, none."""
    descriptor_set = checked[2]
    if descriptor_set >= 0x80:
        return []
    return [
        Reply(descriptor_set, data[0], data[1])
        for descriptor, data in packet.fields(checked)
        if descriptor == REPLY and len(data) >= 2
    ]


def decode_device_info(data: bytes) -> DeviceInfo | None:
    """Return what a device info field says, or None if it is too short."""
    if len(data) < _INFO.size:
        return None
    firmware, *texts = _INFO.unpack_from(data)
    return DeviceInfo(firmware, *(text.decode("ascii", "replace").strip(" \0") for text in texts))


def encode_device_info(info: DeviceInfo) -> bytes:
    """Return a device info field, each text right-aligned as the unit does it."""
    texts = (text.encode("ascii", "replace")[:_TEXT_SIZE].rjust(_TEXT_SIZE) for text in info[1:])
    return packet.field(DEVICE_INFO, _INFO.pack(info.firmware, *texts))


def decode_base_rate(data: bytes) -> tuple[int, int] | None:
    """Return data set and base rate [Hz] of an answer, or None if it is too short."""
    if len(data) < _ENTRY.size:
        return None
    data_set, rate = _ENTRY.unpack_from(data)
    return data_set, rate
