"""CRSF frames: sync or address, length, type, payload, CRC. Big-endian, except packed channels.

Source: tbs-fpv/tbs-crsf-spec, crsf.md (facts only).
"""

import re
from enum import IntEnum

from devices.wire.errors import WireError
from devices.wire.scanner import Framing, Scanner

SYNC = 0xC8  # also the address of the flight controller: the robot
MAX_LENGTH = 62  # of type, payload and CRC
EXTENDED = 0x28  # types from here on begin with destination and origin


class Address(IntEnum):
    """Addresses of devices."""

    BROADCAST = 0x00
    ROBOT = 0xC8
    HANDSET = 0xEA
    RECEIVER = 0xEC
    TRANSMITTER = 0xEE


class Type(IntEnum):
    """Type of a frame."""

    BATTERY = 0x08
    TEMPERATURES = 0x0D
    CELLS = 0x0E
    LINK_STATISTICS = 0x14
    CHANNELS = 0x16
    ATTITUDE = 0x1E
    FLIGHT_MODE = 0x21
    PING = 0x28
    DEVICE_INFO = 0x29
    PARAMETER_ENTRY = 0x2B
    PARAMETER_READ = 0x2C
    PARAMETER_WRITE = 0x2D
    COMMAND = 0x32


def _table(polynomial: int) -> bytes:
    """Return the table of an eight-bit CRC."""
    table = bytearray()
    for byte in range(256):
        for _ in range(8):
            byte = (byte << 1) ^ (polynomial if byte & 0x80 else 0)
            byte &= 0xFF
        table.append(byte)
    return bytes(table)


_FRAME_CRC = _table(0xD5)
_COMMAND_CRC = _table(0xBA)


def crc8(data: bytes, table: bytes = _FRAME_CRC) -> int:
    """Return the CRC of a frame's type and payload."""
    crc = 0
    for byte in data:
        crc = table[crc ^ byte]
    return crc


def command_crc8(data: bytes) -> int:
    """Return the CRC inside a command's frame."""
    return crc8(data, _COMMAND_CRC)


# Noise passes the CRC once in 256: a channel frame must have the right length too. The
# specification lets frames grow, hence one more byte is allowed.
_CHANNEL_LENGTHS = (24, 25)


def _holds(whole: bytes) -> bool:
    kind = whole[2]
    if kind == Type.CHANNELS and whole[1] not in _CHANNEL_LENGTHS:
        return False
    return kind != 0 and crc8(whole[2:-1]) == whole[-1]  # a silent line could pass as type 0


def framing(addresses: tuple[int, ...] = tuple(Address)) -> Framing:
    """Return the framing of frames that begin with one of these bytes."""
    first = b"".join(re.escape(bytes((address,))) for address in addresses)
    header = re.compile(b"[" + first + rb"](?:[\x02-\x3e]|\Z)")
    return Framing(header=header, length_at=1, overhead=2, holds=_holds, weak=True)


_FRAMING = framing()


def scanner() -> Scanner:
    """Return a scanner for the frames in the bytes of a port."""
    return Scanner(_FRAMING)


def frame(kind: int, payload: bytes, address: int = SYNC) -> bytes:
    """Return a frame.

    Raises:
        WireError: the payload is too long for a frame.
    """
    if len(payload) > MAX_LENGTH - 2:
        raise WireError(f"a CRSF frame holds at most {MAX_LENGTH - 2} bytes, not {len(payload)}")
    checked = bytes((kind,)) + payload
    return bytes((address, len(checked) + 1)) + checked + bytes((crc8(checked),))


def extended(kind: int, destination: int, origin: int, payload: bytes = b"") -> bytes:
    """Return a frame that is addressed to one device.

    Raises:
        WireError: the payload is too long for a frame.
    """
    return frame(kind, bytes((destination, origin)) + payload)


def kind_of(checked: bytes) -> int:
    """Return the type of a checked frame."""
    return checked[2]


def payload_of(checked: bytes) -> bytes:
    """Return the payload of a checked frame, that of an extended one with its addresses."""
    return checked[3:-1]


def addresses_of(checked: bytes) -> tuple[int, int] | None:
    """Return destination and origin of a checked frame, or None if it has none."""
    if checked[2] < EXTENDED or len(checked) < 6:
        return None
    return checked[3], checked[4]


def content_of(checked: bytes) -> bytes:
    """Return the bytes after the addresses of a checked extended frame."""
    return checked[5:-1]
