"""The inertial sample, a thousand times a second."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.families.mip.wire import commands, data, packet, sample
from devices.wire.fletcher import fletcher
from tests.devices.families.mip.wire.test_packet import SENSOR

finite = st.floats(-1e6, 1e6)
three = st.tuples(finite, finite, finite)
G = 9.80665


def test_published_sample() -> None:
    # LORD-MicroStrain/mip_sdk, test/data/packet_example_cpp_check.txt; it holds more fields.
    decoded = sample.decode(SENSOR)
    assert decoded is not None
    assert decoded[:3] == pytest.approx((0.077592 * G, 0.000061 * G, -0.979233 * G), abs=1e-5)
    assert decoded[3:6] == pytest.approx((-0.002138, -0.003283, -0.005192), abs=1e-6)
    assert decoded[6] == 23067000000


@given(three, three, st.integers(0, 2**64 - 1))
def test_there_and_back(accel: tuple[float, ...], gyro: tuple[float, ...], device_ns: int) -> None:
    whole = sample.encode(accel, gyro, device_ns)
    assert packet.scanner().feed(whole) == [whole]
    assert len(whole) == 44
    decoded = sample.decode(whole)
    assert decoded is not None
    assert decoded[:6] == pytest.approx((*accel, *gyro), rel=1e-6, abs=1e-30)
    assert decoded[6] == device_ns


@given(st.integers(0, 43), st.integers(1, 255), st.integers(0, 44))
def test_a_changed_or_missing_byte_is_no_sample(place: int, change: int, size: int) -> None:
    whole = bytearray(sample.encode((0.1, 0.2, 9.8), (1.0, 2.0, 3.0), 7))
    newest = np.zeros(6)
    assert sample.take_sample(bytes(whole), newest) == 7
    whole[place] ^= change
    newest[:] = 0.0
    assert sample.take_sample(bytes(whole), newest) == sample.NONE
    assert sample.take_sample(bytes(whole[:size]), newest) == sample.NONE
    assert not newest.any()


@given(st.permutations(sample.FIELDS), st.booleans())
def test_the_order_of_the_fields_does_not_matter(order: list[int], more: bool) -> None:
    values: dict[int, data.Data] = {
        data.DEVICE_TIME: data.DeviceTime(5),
        data.ACCEL: data.Vector(0.0, 0.5, -1.0),
        data.GYRO: data.Vector(1.0, 2.0, 3.0),
        data.MAG: data.Vector(0.0, 0.0, 0.0),
    }
    kinds = [*order, data.MAG] if more else order
    whole = data.encode(data.SENSOR, {kind: values[kind] for kind in kinds})
    assert sample.decode(whole) == (0.0, 0.5 * G, -G, 1.0, 2.0, 3.0, 5)


@pytest.mark.parametrize("place", range(6))
@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_a_non_finite_value_is_no_sample(place: int, bad: float) -> None:
    values = [0.1] * 6
    values[place] = bad
    accel, gyro = tuple(values[:3]), tuple(values[3:])
    assert sample.decode(sample.encode(accel, gyro, 1)) is None
    fields: dict[int, data.Data] = {
        data.ACCEL: data.Vector(*accel),
        data.GYRO: data.Vector(*gyro),
        data.DEVICE_TIME: data.DeviceTime(1),
    }
    assert sample.decode(data.encode(data.SENSOR, fields)) is None


def test_other_packets_are_no_samples() -> None:
    assert sample.decode(commands.ping()) is None
    assert sample.decode(packet.packet(0x80, packet.field(0xF1, b"\x01\x00"))) is None
    lacking: dict[int, data.Data] = {data.ACCEL: data.Vector(0.0, 0.0, -1.0)}
    assert sample.decode(data.encode(data.SENSOR, lacking)) is None


@given(st.binary(min_size=38, max_size=38), st.sampled_from([0x80, 0x82]))
def test_any_packet_of_the_same_length_can_be_read(payload: bytes, kind: int) -> None:
    body = b"\x75\x65" + bytes((kind, len(payload))) + payload
    sample.decode(body + fletcher(body))


def test_the_fast_format_is_what_the_unit_is_asked_for() -> None:
    # research/hardware.md §2: the 0x80 packet of this format has 44 bytes.
    asked = commands.message_format(data.SENSOR, [(kind, 1) for kind in sample.FIELDS])
    assert asked.hex().upper() == "75650C0E0E0F018003D500010400010500017662"


def test_a_gap_in_device_time_is_a_loss() -> None:
    ms = 1_000_000
    assert sample.lost_packets(5 * ms, 6 * ms, ms) == 0
    assert sample.lost_packets(5 * ms, 6 * ms + 300_000, ms) == 0
    assert sample.lost_packets(5 * ms, 9 * ms, ms) == 3
    assert sample.lost_packets(5 * ms, 5 * ms, ms) == 0
    assert sample.lost_packets(500 * ms, 2 * ms, ms) == 0


def test_values_that_never_change_are_counted() -> None:
    first = np.array([0.1, 0.2, -9.8, 0.0, 0.0, 0.01])
    same, other = first.copy(), np.array([0.1, 0.2, -9.8, 0.0, 0.0, 0.02])
    count = sample.repeats(0, first, same)
    count = sample.repeats(count, same, same)
    assert count == 2
    assert sample.repeats(count, same, other) == 0
