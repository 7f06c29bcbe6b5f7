"""MIP packets: two sync bytes, descriptor set, length, fields, Fletcher checksum. Big-endian.

A field is its length (itself included), its descriptor and its data.
Source: LORD-MicroStrain/mip_sdk, src/c/mip/mip_packet.c (MIT).
"""

import re

from devices.wire.errors import WireError
from devices.wire.fletcher import fletcher, holds
from devices.wire.scanner import Framing, Scanner

SYNC = b"\x75\x65"
HEADER_SIZE = 4
MAX_PAYLOAD = 255

FRAMING = Framing(
    header=re.compile(rb"\x75(?:\x65|\Z)"), length_at=3, overhead=HEADER_SIZE + 2, holds=holds
)


def scanner() -> Scanner:
    """Return a scanner for the packets in the bytes of a port."""
    return Scanner(FRAMING)


def field(descriptor: int, data: bytes = b"") -> bytes:
    """Return one field.

    Raises:
        WireError: the data is too long for a packet.
    """
    size = len(data) + 2
    if size > MAX_PAYLOAD:
        raise WireError(f"a MIP field holds at most {MAX_PAYLOAD - 2} bytes, not {len(data)}")
    return bytes((size, descriptor)) + data


def packet(descriptor_set: int, *fields: bytes) -> bytes:
    """Return a packet of fields.

    Raises:
        WireError: the fields are too long for one packet.
    """
    payload = b"".join(fields)
    if len(payload) > MAX_PAYLOAD:
        raise WireError(f"a MIP packet holds at most {MAX_PAYLOAD} bytes, not {len(payload)}")
    body = SYNC + bytes((descriptor_set, len(payload))) + payload
    return body + fletcher(body)


def descriptor_set(checked: bytes) -> int:
    """Return the descriptor set of a checked packet."""
    return checked[2]


def fields(checked: bytes) -> list[tuple[int, bytes]]:
    """Return descriptor and data of each field of a checked packet.

    A field with an impossible length ends the list, because the next field's offset is unknown.
    """
    found: list[tuple[int, bytes]] = []
    at, end = HEADER_SIZE, len(checked) - 2
    while at + 2 <= end:
        size = checked[at]
        if size < 2 or at + size > end:
            break
        found.append((checked[at + 1], checked[at + 2 : at + size]))
        at += size
    return found
