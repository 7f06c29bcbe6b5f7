"""The packet of each inertial sample: device time, acceleration, angular velocity."""

import math
import struct
from typing import TypeAlias

import numpy as np

from devices.compiled import compiled
from devices.families.mip.wire import data
from devices.interface import Floats
from devices.wire.fletcher import fletcher

STANDARD_GRAVITY = 9.80665  # the unit's definition of 1 g [m/s²]
FIELDS = (data.DEVICE_TIME, data.ACCEL, data.GYRO)  # the format that decodes fastest

Sample: TypeAlias = tuple[float, float, float, float, float, float, int]
"""Acceleration (3) [m/s²], angular velocity (3) [rad/s], device time [ns]."""

_LAYOUT = struct.Struct(">IHQH3fH3f")
_HEADER = 0x75658026
_TIME, _ACCEL, _GYRO = 0x0AD5, 0x0E04, 0x0E05  # length and descriptor of each field
SIZE = _LAYOUT.size + 2  # of a packet in that format
NONE = -1  # no device time [ns]
_TIME_AT, _ACCEL_AT, _GYRO_AT = 6, 16, 30  # offsets of the numbers of these fields


@compiled
def word(packet: bytes, at: int, size: int) -> int:
    """Return the integer in some bytes of a packet."""
    total = 0
    for i in range(at, at + size):
        total = total << 8 | int(packet[i])
    return total


@compiled
def take_sample(packet: bytes, newest: Floats) -> int:
    """Store the sample of a packet and return its device time [ns].

    Return NONE and store nothing if the packet is invalid or not in the format that decodes
    fastest.

    Args:
        packet: bytes, checked or not.
        newest: specific force [m/s²] and angular velocity [rad/s], as `decode` returns them (6).
    """
    if len(packet) != SIZE or word(packet, 0, 4) != _HEADER or word(packet, 4, 2) != _TIME:
        return NONE
    if word(packet, _ACCEL_AT - 2, 2) != _ACCEL or word(packet, _GYRO_AT - 2, 2) != _GYRO:
        return NONE
    one, both = 0, 0
    for i in range(SIZE - 2):
        one += int(packet[i])
        both += one
    if word(packet, SIZE - 2, 2) != (one & 0xFF) << 8 | both & 0xFF:
        return NONE
    words = np.empty(6, dtype=np.uint32)
    for i in range(3):
        words[i] = word(packet, _ACCEL_AT + 4 * i, 4)
        words[3 + i] = word(packet, _GYRO_AT + 4 * i, 4)
    values = words.view(np.float32)
    device_ns = word(packet, _TIME_AT, 8)
    if device_ns < 0 or not np.isfinite(values).all():  # or a time too long for a kernel
        return NONE
    for i in range(3):
        newest[i] = values[i] * STANDARD_GRAVITY
        newest[3 + i] = values[3 + i]
    return device_ns


def encode(accel: tuple[float, ...], gyro: tuple[float, ...], device_ns: int) -> bytes:
    """Return the packet of a sample: specific force [m/s²], angular velocity [rad/s], time [ns]."""
    in_g = (value / STANDARD_GRAVITY for value in accel)
    body = _LAYOUT.pack(_HEADER, _TIME, device_ns, _ACCEL, *in_g, _GYRO, *gyro)
    return body + fletcher(body)


def decode(checked: bytes) -> Sample | None:
    """Return the sample of a checked packet, in the unit's frame: x forward, y right, z down.

    Return None if the packet has no sample, or a non-finite one.
    """
    newest = np.empty(6)
    device_ns = take_sample(checked, newest)
    if device_ns != NONE:
        ax, ay, az, wx, wy, wz = newest.tolist()
        return ax, ay, az, wx, wy, wz, device_ns
    return _decode_any(checked)


def _decode_any(checked: bytes) -> Sample | None:
    """Return the sample of a packet with another order of fields, or more of them."""
    if checked[2] != data.SENSOR:
        return None
    known = data.decode(checked)
    stamp, force, spin = (known.get(kind) for kind in FIELDS)
    if not (
        isinstance(stamp, data.DeviceTime)
        and isinstance(force, data.Vector)
        and isinstance(spin, data.Vector)
        and math.isfinite(sum(force) + sum(spin))
    ):
        return None
    ax, ay, az = (value * STANDARD_GRAVITY for value in force)
    return ax, ay, az, spin.x, spin.y, spin.z, stamp.ns


def lost_packets(previous_ns: int, device_ns: int, period_ns: int) -> int:
    """Return how many packets are missing between two device times [ns].

    Zero if the clock ran backward: the unit was restarted, which the clock's estimate detects.
    """
    return max(round((device_ns - previous_ns) / period_ns) - 1, 0)


@compiled
def repeats(count: int, previous: Floats, newest: Floats) -> int:
    """Return how many samples before this one had the same values (6), given the previous count.

    A working sensor is never free of noise: many equal samples in a row mean that it is frozen,
    even if its device time advances.
    """
    for i in range(newest.size):
        if newest[i] != previous[i]:
            return 0
    return count + 1
