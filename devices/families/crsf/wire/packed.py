"""The frame of sixteen channels, eleven bits each, lowest bit first.

A value of 992 is the middle; 172 and 1811 are the ends of a stick. Sources: tbs-crsf-spec, 0x16;
betaflight, src/test/unit/rx_crsf_unittest.cc (captured frames).
"""

from collections.abc import Sequence

from devices.families.crsf.wire.frame import Type, frame
from devices.wire.errors import WireError

COUNT = 16
LOW, MIDDLE, HIGH = 172, 992, 1811
LARGEST = 0x7FF
_SIZE = 22
_SHIFTS = tuple(range(0, 11 * COUNT, 11))


def encode(channels: Sequence[int], address: int = 0xC8) -> bytes:
    """Return the frame of sixteen channel values, 0 to 2047.

    Raises:
        WireError: there are not sixteen, or one is out of range.
    """
    if len(channels) != COUNT or not all(0 <= value <= LARGEST for value in channels):
        raise WireError(f"{COUNT} channel values of 0 to {LARGEST} are needed, not {channels}")
    bits = 0
    for shift, value in zip(_SHIFTS, channels, strict=True):
        bits |= value << shift
    return frame(Type.CHANNELS, bits.to_bytes(_SIZE, "little"), address)


def decode(checked: bytes) -> tuple[int, ...]:
    """Return the sixteen values of a checked channel frame."""
    bits = int.from_bytes(checked[3 : 3 + _SIZE], "little")
    return tuple([bits >> shift & LARGEST for shift in _SHIFTS])


def microseconds(value: int) -> float:
    """Return a channel's value as the pulse width that handsets show [µs]."""
    return (value - MIDDLE) * 0.625 + 1500.0
