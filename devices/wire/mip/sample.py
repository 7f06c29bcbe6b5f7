"""The packet that carries each inertial sample: device time, acceleration, angular velocity."""

import math
import struct
from typing import TypeAlias

from devices.wire.fletcher import fletcher
from devices.wire.mip import data

STANDARD_GRAVITY = 9.80665  # what the unit calls 1 g [m/s²]
FIELDS = (data.DEVICE_TIME, data.ACCEL, data.GYRO)  # the format that decodes fastest

Sample: TypeAlias = tuple[float, float, float, float, float, float, int]
"""Acceleration (3) [m/s²], angular velocity (3) [rad/s], device time [ns]."""

_LAYOUT = struct.Struct(">IHQH3fH3f")
_HEADER = 0x75658026
_TIME, _ACCEL, _GYRO = 0x0AD5, 0x0E04, 0x0E05  # length and descriptor of each field
SIZE = _LAYOUT.size + 2  # of a packet in that format


def encode(accel: tuple[float, ...], gyro: tuple[float, ...], device_ns: int) -> bytes:
    """Return the packet of a sample: specific force [m/s²], angular velocity [rad/s], time [ns]."""
    in_g = (value / STANDARD_GRAVITY for value in accel)
    body = _LAYOUT.pack(_HEADER, _TIME, device_ns, _ACCEL, *in_g, _GYRO, *gyro)
    return body + fletcher(body)


def decode(checked: bytes) -> Sample | None:
    """Return the sample of a checked packet, in the unit's frame: x forward, y right, z down.

    None if the packet carries no sample, or one that is no finite number.
    """
    if len(checked) == SIZE:
        header, time, ns, accel, ax, ay, az, gyro, wx, wy, wz = _LAYOUT.unpack_from(checked)
        if header == _HEADER and time == _TIME and accel == _ACCEL and gyro == _GYRO:
            if not math.isfinite(ax + ay + az + wx + wy + wz):
                return None
            return (
                ax * STANDARD_GRAVITY,
                ay * STANDARD_GRAVITY,
                az * STANDARD_GRAVITY,
                wx,
                wy,
                wz,
                ns,
            )
    return _decode_any(checked)


def _decode_any(checked: bytes) -> Sample | None:
    """Return the sample of a packet that holds its fields in another order, or more of them."""
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

    Zero if the clock ran backward: the unit was restarted, which the clock's estimate tells.
    """
    return max(round((device_ns - previous_ns) / period_ns) - 1, 0)


def repeats(count: int, previous: Sample, sample: Sample) -> int:
    """Return how many samples before this one had the same values, given the count until then.

    A sensor that measures is never free of noise: many equal samples in a row mean that it is
    frozen, however lively its device time.
    """
    return count + 1 if sample[:6] == previous[:6] else 0
