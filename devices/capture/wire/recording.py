"""A recording of datagrams: stamp f64 [s], size u32, the bytes; one after the other, little-endian.

It has no head: what the datagrams are, the one who plays it says.
"""

import math
import struct
from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

from devices.capture.errors import CaptureError, Refusal

Stamped: TypeAlias = tuple[float, bytes]
"""The time at which a datagram arrived [s], and its bytes."""

MOST_BYTES: Final = 64 * 2**20
LONGEST: Final = 8192
_HEAD = struct.Struct("<dI")


def encode(datagrams: Iterable[Stamped]) -> bytes:
    """Return a recording.

    Raises:
        CaptureError: a stamp is not finite or earlier than the one before, or a datagram too long.
    """
    parts, before_s = [], -math.inf
    for stamp_s, data in datagrams:
        _check(stamp_s, before_s, len(data))
        before_s = stamp_s
        parts.append(_HEAD.pack(stamp_s, len(data)) + data)
    return b"".join(parts)


def decode(data: bytes) -> list[Stamped]:
    """Return the datagrams of a recording.

    Raises:
        CaptureError: it is damaged, cut off, or too large.
    """
    if len(data) > MOST_BYTES:
        raise CaptureError(Refusal.SIZE, f"a recording has at most {MOST_BYTES >> 20} MiB")
    return list(_read(data))


def _read(data: bytes) -> Iterator[Stamped]:
    at, before_s = 0, -math.inf
    while at < len(data):
        if at + _HEAD.size > len(data):
            raise CaptureError(Refusal.FORM, "the recording is cut off")
        stamp_s, size = _HEAD.unpack_from(data, at)
        _check(stamp_s, before_s, size)
        before_s = stamp_s
        at += _HEAD.size
        if at + size > len(data):
            raise CaptureError(Refusal.FORM, "the recording is cut off")
        yield stamp_s, data[at : at + size]
        at += size


def _check(stamp_s: float, before_s: float, size: int) -> None:
    if not math.isfinite(stamp_s) or stamp_s < before_s:
        raise CaptureError(Refusal.NUMBERS, "a stamp is not finite, or earlier than the one before")
    if size > LONGEST:
        raise CaptureError(Refusal.SIZE, f"a datagram of the recording has {size} bytes")
