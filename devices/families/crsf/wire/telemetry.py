"""Telemetry frames: the receiver's link statistics and the robot's telemetry to the handset.

Sources: tbs-crsf-spec, crsf.md; the battery's units are those that Betaflight and ExpressLRS send
(0.1 V, 0.1 A), not the 10 µV of the specification.
"""

import math
import struct
from collections.abc import Sequence
from typing import NamedTuple

from devices.families.crsf.wire.frame import Type, frame, payload_of

_STATISTICS = struct.Struct(">3Bb4BBb")
_ATTITUDE = struct.Struct(">3h")
_BATTERY = struct.Struct(">HHHBB")
_MOST_TEMPERATURES = 20
_MOST_CELLS = 29


class LinkStatistics(NamedTuple):
    """Quality of the link between handset and receiver.

    Attributes:
        up_rssi_1_dbm: strength at the receiver's first antenna [dBm].
        up_rssi_2_dbm: strength at its second antenna [dBm].
        up_quality: fraction of packets received, 0 to 100 [%].
        up_snr_db: signal-to-noise ratio [dB].
        antenna: antenna in use.
        rf_mode: packet rate, in the link's numbering.
        power: transmitting power, in the link's numbering.
        down_rssi_dbm: strength at the handset [dBm].
        down_quality: fraction of packets received at the handset [%].
        down_snr_db: signal-to-noise ratio at the handset [dB].
    """

    up_rssi_1_dbm: int
    up_rssi_2_dbm: int
    up_quality: int
    up_snr_db: int
    antenna: int
    rf_mode: int
    power: int
    down_rssi_dbm: int
    down_quality: int
    down_snr_db: int


class Battery(NamedTuple):
    """The robot's battery: [V], [A], charge used [mAh], remaining charge [%]."""

    volts: float
    amperes: float
    used_mah: int
    percent: int


class Attitude(NamedTuple):
    """The robot's attitude, aircraft convention: pitch up, roll right, yaw clockwise [rad]."""

    pitch: float
    roll: float
    yaw: float


def encode_link_statistics(link: LinkStatistics) -> bytes:
    """Return the frame of a receiver's link statistics."""
    fields = link._replace(
        up_rssi_1_dbm=-link.up_rssi_1_dbm,
        up_rssi_2_dbm=-link.up_rssi_2_dbm,
        down_rssi_dbm=-link.down_rssi_dbm,
    )
    return frame(Type.LINK_STATISTICS, _STATISTICS.pack(*fields))


def decode_link_statistics(checked: bytes) -> LinkStatistics | None:
    """Return a receiver's link statistics, or None if the frame is too short."""
    payload = payload_of(checked)
    if len(payload) < _STATISTICS.size:
        return None
    link = LinkStatistics(*_STATISTICS.unpack_from(payload))
    return link._replace(
        up_rssi_1_dbm=-link.up_rssi_1_dbm,
        up_rssi_2_dbm=-link.up_rssi_2_dbm,
        down_rssi_dbm=-link.down_rssi_dbm,
    )


def _within(value: float, scale: float, low: int, high: int) -> int:
    """Return a value in its unit on the wire, limited to its range; NaN becomes the lowest."""
    return round(min(max(value * scale, low), high)) if math.isfinite(value) else low


def encode_battery(battery: Battery) -> bytes:
    """Return the frame of the battery; values out of range are limited."""
    used = _within(battery.used_mah, 1, 0, 0xFFFFFF)
    return frame(
        Type.BATTERY,
        _BATTERY.pack(
            _within(battery.volts, 10, 0, 0xFFFF),
            _within(battery.amperes, 10, 0, 0xFFFF),
            used >> 8,
            used & 0xFF,
            _within(battery.percent, 1, 0, 100),
        ),
    )


def decode_battery(checked: bytes) -> Battery | None:
    """Return the battery of a frame, or None if the frame is too short."""
    payload = payload_of(checked)
    if len(payload) < _BATTERY.size:
        return None
    volts, amperes, used, low, percent = _BATTERY.unpack_from(payload)
    return Battery(volts / 10, amperes / 10, used << 8 | low, percent)


def encode_attitude(attitude: Attitude) -> bytes:
    """Return the frame of the attitude, each angle within ±π."""
    turned = (math.remainder(a, math.tau) if math.isfinite(a) else 0.0 for a in attitude)
    return frame(Type.ATTITUDE, _ATTITUDE.pack(*(round(angle * 1e4) for angle in turned)))


def decode_attitude(checked: bytes) -> Attitude | None:
    """Return the attitude of a frame, or None if the frame is too short."""
    payload = payload_of(checked)
    if len(payload) < _ATTITUDE.size:
        return None
    return Attitude(*(angle * 1e-4 for angle in _ATTITUDE.unpack_from(payload)))


def encode_flight_mode(text: str, size: int = 16) -> bytes:
    """Return the frame of the handset's line of text: ASCII, cut to fit with its NUL."""
    line = text.encode("ascii", "replace").replace(b"\0", b"?")[: size - 1]
    return frame(Type.FLIGHT_MODE, line + b"\0")


def decode_flight_mode(checked: bytes) -> str:
    """Return the handset's line of text."""
    return payload_of(checked).split(b"\0", 1)[0].decode("ascii", "replace")


def encode_temperatures(source: int, celsius: Sequence[float]) -> bytes:
    """Return the frame of a source's temperatures [°C], the first twenty."""
    tenths = [_within(c, 10, -0x8000, 0x7FFF) for c in celsius[:_MOST_TEMPERATURES]]
    return frame(Type.TEMPERATURES, struct.pack(f">B{len(tenths)}h", source, *tenths))


def decode_temperatures(checked: bytes) -> tuple[int, tuple[float, ...]] | None:
    """Return source and temperatures [°C], or None if the frame is empty."""
    return _group(checked, "h", 10.0)


def encode_cells(source: int, volts: Sequence[float]) -> bytes:
    """Return the frame of a battery's cells [V], the first twenty-nine."""
    millivolts = [_within(v, 1000, 0, 0xFFFF) for v in volts[:_MOST_CELLS]]
    return frame(Type.CELLS, struct.pack(f">B{len(millivolts)}H", source, *millivolts))


def decode_cells(checked: bytes) -> tuple[int, tuple[float, ...]] | None:
    """Return battery and voltages of its cells [V], or None if the frame is empty."""
    return _group(checked, "H", 1000.0)


def _group(checked: bytes, code: str, scale: float) -> tuple[int, tuple[float, ...]] | None:
    payload = payload_of(checked)
    if not payload:
        return None
    count = (len(payload) - 1) // 2
    source, *values = struct.unpack_from(f">B{count}{code}", payload)
    return source, tuple(value / scale for value in values)
