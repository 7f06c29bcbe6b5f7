"""The fields of data packets."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.families.mip.wire import data, packet
from devices.wire.fletcher import fletcher
from tests.devices.families.mip.wire.test_packet import SENSOR

f32 = st.floats(width=32)
u16 = st.integers(0, 0xFFFF)
u64 = st.integers(0, 2**64 - 1)
vectors = st.builds(data.Vector, f32, f32, f32)
filtered = st.builds(data.FilteredVector, f32, f32, f32, u16)
times = st.builds(data.DeviceTime, u64)
SHARED: dict[int, st.SearchStrategy[data.Data]] = {
    data.DEVICE_TIME: times,
    data.TIME_STEP: times,
    data.GPS_TIME: st.builds(data.GpsTime, st.floats(), u16, u16),
}
FIELDS: dict[int, dict[int, st.SearchStrategy[data.Data]]] = {
    data.SENSOR: {
        data.ACCEL: vectors,
        data.GYRO: vectors,
        data.MAG: vectors,
        data.OVERRANGE: st.builds(data.Overrange, u16),
        **SHARED,
    },
    data.ATTITUDE: {
        data.QUATERNION: st.builds(data.Quaternion, f32, f32, f32, f32, u16),
        data.EULER: st.builds(data.Euler, f32, f32, f32, u16),
        data.LINEAR_ACCEL: filtered,
        data.ANGULAR_RATE: filtered,
        data.COMPENSATED_ACCEL: filtered,
        data.GRAVITY: filtered,
        data.FILTER_STATUS: st.builds(data.FilterStatus, u16, u16, u16),
        **SHARED,
    },
}


def test_published_measurements() -> None:
    # LORD-MicroStrain/mip_sdk, test/data/packet_example_cpp_check.txt, last lines.
    known = data.decode(SENSOR)
    assert known[data.DEVICE_TIME] == data.DeviceTime(23067000000)
    assert known[data.ACCEL] == pytest.approx((0.077592, 0.000061, -0.979233), abs=1e-6)
    assert known[data.GYRO] == pytest.approx((-0.002138, -0.003283, -0.005192), abs=1e-6)
    assert known[data.TIME_STEP] == data.DeviceTime(0x14E434A00)
    assert list(known) == [0xD5, 0xD6, 0x04, 0x05]


def test_captured_measurements() -> None:
    # LORD-MicroStrain/mip_sdk, test/data/mip_data.bin: its 202nd and 207th packet
    compass = bytes.fromhex("7565800e0e063d7affd63e919fe83e77ffd6e8c3")
    attitude = bytes.fromhex("7565821a0ad500000042106695c010053bdcf11e3c8e92cebf942ff200013c24")
    assert packet.scanner().feed(compass + attitude) == [compass, attitude]
    assert data.decode(compass) == {
        data.MAG: pytest.approx((0.0612791, 0.2844231, 0.2421868), abs=1e-6)
    }
    known = data.decode(attitude)
    assert known[data.DEVICE_TIME] == data.DeviceTime(283_743_000_000)
    assert known[data.EULER] == pytest.approx((0.0067426, 0.0174040, -1.1577132, 1), abs=1e-6)
    assert data.encode(data.SENSOR, data.decode(compass)) == compass
    assert data.encode(data.ATTITUDE, known) == attitude


@pytest.mark.parametrize("descriptor_set", FIELDS)
def test_every_field_there_and_back(descriptor_set: int) -> None:
    @given(st.fixed_dictionaries(FIELDS[descriptor_set]))
    def check(values: dict[int, data.Data]) -> None:
        whole = data.encode(descriptor_set, values)
        assert packet.scanner().feed(whole) == [whole]
        assert repr(data.decode(whole)) == repr(values)  # in which one NaN equals another

    check()


def test_the_order_of_the_quaternion_is_w_first() -> None:
    half = math.sqrt(0.5)
    whole = data.encode(data.ATTITUDE, {data.QUATERNION: data.Quaternion(half, 0, 0, half, 1)})
    assert packet.fields(whole)[0][1].hex() == "3f3504f300000000000000003f3504f30001"
    quaternion = data.decode(whole)[data.QUATERNION]
    assert isinstance(quaternion, data.Quaternion)
    assert quaternion.valid == 1


def test_the_time_of_the_week_is_a_double() -> None:
    whole = data.encode(data.SENSOR, {data.GPS_TIME: data.GpsTime(302_400.5, 2345, 3)})
    assert packet.fields(whole)[0][1].hex() == "4112750200000000" + "0929" + "0003"
    stamp = data.decode(whole)[data.GPS_TIME]
    assert isinstance(stamp, data.GpsTime)
    assert (stamp.time_of_week_s, stamp.week, stamp.flags) == (302_400.5, 2345, 3)


@given(st.integers(0, 255), st.binary(max_size=120))
def test_any_packet_can_be_read(kind: int, payload: bytes) -> None:
    body = b"\x75\x65" + bytes((kind, len(payload))) + payload
    assert set(data.decode(body + fletcher(body))) <= {*FIELDS[0x80], *FIELDS[0x82]}
