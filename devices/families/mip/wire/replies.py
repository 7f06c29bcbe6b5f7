"""Replies of the inertial measurement unit.

Sources: LORD-MicroStrain/mip_sdk, src/mip/definitions/commands_{base,3dm}.h and mip_result.h (MIT).
"""

import struct
from typing import NamedTuple

from devices.families.mip.wire import commands, packet
from devices.families.mip.wire.commands import Command

REPLY = 0xF1  # descriptor of the field that acknowledges
DEVICE_INFO_FIELD = 0x81
BASE_RATE_FIELD = 0x8E

NAMES = {
    commands.PING: "ping",
    commands.IDLE: "idle",
    commands.DEVICE_INFO: "device info",
    commands.RESUME: "resume",
    commands.BAUD_RATE: "baud rate",
    commands.BASE_RATE: "base rate",
    commands.MESSAGE_FORMAT: "message format",
    commands.STREAM: "stream",
    commands.SETTINGS: "settings",
    commands.FILTER_RESET: "filter reset",
    commands.INITIAL_HEADING: "initial heading",
    commands.AIDING: "aiding source",
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
_RATE = struct.Struct(">BH")


class Reply(NamedTuple):
    """Result of a command.

    Attributes:
        command: descriptor set and descriptor.
        code: 0 if it was executed.
    """

    command: Command
    code: int

    @property
    def ok(self) -> bool:
        """Whether the command was executed."""
        return self.code == 0

    @property
    def words(self) -> str:
        """The command and its result as text."""
        name = NAMES.get(self.command, "command {:02X},{:02X}".format(*self.command))
        return f"{name}: {CODES.get(self.code, f'refused with code {self.code}')}"


class DeviceInfo(NamedTuple):
    """Identity of the unit.

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


def encode(reply: Reply, *answers: bytes) -> bytes:
    """Return the unit's answer to a command, with the requested fields."""
    descriptor_set, descriptor = reply.command
    acknowledged = packet.field(REPLY, bytes((descriptor, reply.code)))
    return packet.packet(descriptor_set, acknowledged, *answers)


def decode(checked: bytes) -> list[Reply]:
    """Return every acknowledgement in a checked packet; a data packet has none."""
    descriptor_set = checked[2]
    if descriptor_set >= 0x80:
        return []
    return [
        Reply((descriptor_set, data[0]), data[1])
        for descriptor, data in packet.fields(checked)
        if descriptor == REPLY and len(data) >= 2
    ]


def decode_device_info(data: bytes) -> DeviceInfo | None:
    """Decode a device info field; None if it is too short."""
    if len(data) < _INFO.size:
        return None
    firmware, *texts = _INFO.unpack_from(data)
    return DeviceInfo(firmware, *(text.decode("ascii", "replace").strip(" \0") for text in texts))


def encode_device_info(info: DeviceInfo) -> bytes:
    """Return a device info field, each text right-aligned as the unit sends it."""
    texts = (text.encode("ascii", "replace")[:_TEXT_SIZE].rjust(_TEXT_SIZE) for text in info[1:])
    return packet.field(DEVICE_INFO_FIELD, _INFO.pack(info.firmware, *texts))


def decode_base_rate(data: bytes) -> tuple[int, int] | None:
    """Return data set and base rate [Hz] of an answer, or None if it is too short."""
    if len(data) < _RATE.size:
        return None
    data_set, rate = _RATE.unpack_from(data)
    return data_set, rate


def encode_base_rate(data_set: int, rate_hz: int) -> bytes:
    """Return a base rate field."""
    return packet.field(BASE_RATE_FIELD, _RATE.pack(data_set, rate_hz))
