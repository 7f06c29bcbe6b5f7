"""Direct commands: frame type 0x32, which carries a CRC of its own inside.

Sources: tbs-crsf-spec, crsf.md 0x32; betaflight, src/test/unit/rx_crsf_unittest.cc (a vector).
"""

import struct
from typing import NamedTuple

from devices.families.crsf.wire.frame import Address, Type, command_crc8, extended

GENERAL = 0x0A
ACKNOWLEDGE = 0xFF
_SPEED_PROPOSAL, _SPEED_ANSWER = 0x70, 0x71
_RATE = struct.Struct(">BBI")


class Command(NamedTuple):
    """A command that passed both checks.

    Attributes:
        destination: address of the receiver.
        origin: address of the sender.
        realm: group of the command.
        content: bytes that follow.
    """

    destination: int
    origin: int
    realm: int
    content: bytes


def encode(destination: int, origin: int, realm: int, content: bytes) -> bytes:
    """Return the frame of a command.

    Raises:
        WireError: the content is too long for a frame.
    """
    checked = bytes((realm,)) + content
    inner = command_crc8(bytes((Type.COMMAND, destination, origin)) + checked)
    return extended(Type.COMMAND, destination, origin, checked + bytes((inner,)))


def decode(checked: bytes) -> Command | None:
    """Return the command of a checked frame, or None if its own CRC fails."""
    body = checked[2:-1]
    if len(body) < 5 or body[0] != Type.COMMAND or command_crc8(body[:-1]) != body[-1]:
        return None
    return Command(body[1], body[2], body[3], body[4:-1])


def propose_speed(
    rate: int,
    port: int = 1,
    destination: int = Address.ROBOT,
    origin: int = Address.RECEIVER,
) -> bytes:
    """Return the proposal of another baud rate."""
    return encode(destination, origin, GENERAL, _RATE.pack(_SPEED_PROPOSAL, port, rate))


def answer_speed(
    accepted: bool,
    port: int = 1,
    destination: int = Address.RECEIVER,
    origin: int = Address.ROBOT,
) -> bytes:
    """Return the answer to such a proposal."""
    return encode(destination, origin, GENERAL, bytes((_SPEED_ANSWER, port, accepted)))


def proposed_speed(command: Command) -> tuple[int, int] | None:
    """Return port and baud rate if a command proposes another one."""
    content = command.content
    if command.realm != GENERAL or len(content) < _RATE.size or content[0] != _SPEED_PROPOSAL:
        return None
    _, port, rate = _RATE.unpack_from(content)
    return port, rate
