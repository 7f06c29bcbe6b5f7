"""Data packets of the inertial measurement unit: their fields.

Sources: LORD-MicroStrain/mip_sdk, src/mip/definitions/data_{sensor,filter,shared}.h (MIT).
Vectors are in the unit's own frame: x forward, y right, z down.
"""

import struct
from typing import NamedTuple, TypeAlias

from devices.families.mip.wire import packet

SENSOR, ATTITUDE = 0x80, 0x82  # descriptor sets of data

ACCEL, GYRO, MAG, OVERRANGE = 0x04, 0x05, 0x06, 0x18  # of the sensor set
QUATERNION, EULER, LINEAR_ACCEL, ANGULAR_RATE = 0x03, 0x05, 0x0D, 0x0E  # of the attitude set
FILTER_STATUS, GRAVITY, COMPENSATED_ACCEL = 0x10, 0x13, 0x1C
GPS_TIME, DEVICE_TIME, TIME_STEP = 0xD3, 0xD5, 0xD6  # of every set


class Vector(NamedTuple):
    """A measured vector: acceleration [g], angular velocity [rad/s] or magnetic field [gauss]."""

    x: float
    y: float
    z: float


class FilteredVector(NamedTuple):
    """A vector of the unit's own filter: [m/s²] or [rad/s]; valid is 1 or 0."""

    x: float
    y: float
    z: float
    valid: int


class Quaternion(NamedTuple):
    """The unit's attitude q relative to north-east-down: v_ned = q v_unit q⁻¹; valid is 1 or 0."""

    w: float
    x: float
    y: float
    z: float
    valid: int


class Euler(NamedTuple):
    """The unit's attitude relative to north-east-down [rad]; valid is 1 or 0."""

    roll: float
    pitch: float
    yaw: float
    valid: int


class FilterStatus(NamedTuple):
    """State of the unit's filter: 1 initialising, 2 vertical gyro, 3 with heading; its flags."""

    state: int
    dynamics: int
    flags: int


class Overrange(NamedTuple):
    """One bit for each sensor axis that is out of its measuring range; 0 for none."""

    bits: int


class DeviceTime(NamedTuple):
    """Time since the unit was switched on [ns], or since its last packet."""

    ns: int


class GpsTime(NamedTuple):
    """Time of the week [s], week number, and validity flags."""

    time_of_week_s: float
    week: int
    flags: int


Data: TypeAlias = (
    Vector | FilteredVector | Quaternion | Euler | FilterStatus | Overrange | DeviceTime | GpsTime
)

_VECTOR = struct.Struct(">3f"), Vector
_FILTERED = struct.Struct(">3fH"), FilteredVector
_NANOSECONDS = struct.Struct(">Q"), DeviceTime
_SHARED: dict[int, tuple[struct.Struct, type[Data]]] = {
    GPS_TIME: (struct.Struct(">dHH"), GpsTime),
    DEVICE_TIME: _NANOSECONDS,
    TIME_STEP: _NANOSECONDS,
}
_LAYOUTS: dict[int, dict[int, tuple[struct.Struct, type[Data]]]] = {
    SENSOR: {
        ACCEL: _VECTOR,
        GYRO: _VECTOR,
        MAG: _VECTOR,
        OVERRANGE: (struct.Struct(">H"), Overrange),
        **_SHARED,
    },
    ATTITUDE: {
        QUATERNION: (struct.Struct(">4fH"), Quaternion),
        EULER: (struct.Struct(">3fH"), Euler),
        LINEAR_ACCEL: _FILTERED,
        ANGULAR_RATE: _FILTERED,
        COMPENSATED_ACCEL: _FILTERED,
        GRAVITY: _FILTERED,
        FILTER_STATUS: (struct.Struct(">3H"), FilterStatus),
        **_SHARED,
    },
}


def decode(checked: bytes) -> dict[int, Data]:
    """Return the known fields of a checked data packet by their descriptors."""
    layouts = _LAYOUTS.get(checked[2], {})
    known: dict[int, Data] = {}
    for descriptor, content in packet.fields(checked):
        layout = layouts.get(descriptor)
        if layout and len(content) >= layout[0].size:
            known[descriptor] = layout[1](*layout[0].unpack_from(content))
    return known


def encode(descriptor_set: int, values: dict[int, Data]) -> bytes:
    """Return the packet of a set that carries these fields in their order.

    Raises:
        KeyError: the set has no such field.
    """
    layouts = _LAYOUTS[descriptor_set]
    return packet.packet(
        descriptor_set,
        *(packet.field(kind, layouts[kind][0].pack(*value)) for kind, value in values.items()),
    )
