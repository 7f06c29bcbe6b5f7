"""The emulated IMU by its bytes, without a line."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.families.mip.twin import G, Imu, Motion
from devices.families.mip.wire import commands, data, packet, replies
from devices.families.mip.wire.attitude import turn_quaternion
from devices.families.mip.wire.commands import MAGNETOMETER, Function
from devices.families.mip.wire.data import ATTITUDE, SENSOR
from devices.families.mip.wire.replies import Reply

angle = st.floats(-1.5, 1.5)


def answered(imu: Imu, asked: bytes, now_us: int = 0) -> list[Reply]:
    imu.take(asked, now_us)
    found = packet.scanner().feed(imu.answer())
    return [reply for checked in found for reply in replies.decode(checked)]


def streaming() -> Imu:
    imu = Imu(started_s=3.0)
    entries = [(data.DEVICE_TIME, 1), (data.ACCEL, 1), (data.GYRO, 1)]
    assert answered(imu, commands.message_format(SENSOR, entries))[0].ok
    slow = [(data.DEVICE_TIME, 4), (data.QUATERNION, 4), (data.LINEAR_ACCEL, 4)]
    assert answered(imu, commands.message_format(ATTITUDE, slow))[0].ok
    assert [reply.ok for reply in answered(imu, commands.stream(SENSOR, ATTITUDE))] == [True, True]
    return imu


def told(imu: Imu, now_us: int) -> list[tuple[int, dict[int, data.Data]]]:
    found = packet.scanner().feed(imu.tell(now_us))
    return [(packet.descriptor_set(checked), data.decode(checked)) for checked in found]


def test_the_published_commands_are_acknowledged() -> None:
    imu = Imu()
    for text in (
        "756501020201E0C6",
        "75650C0E0E0F018003D500010400010500017662",
        "75650C11110F018204D500010300010E000110000198B4",
        "75650C0A051101800105110182012243",
        "7565010808090101000E100014F9",
        "75650C03030E807A7E",
    ):
        assert all(reply.ok for reply in answered(imu, bytes.fromhex(text)))
    imu.take(bytes.fromhex("756501020206E5CB"), 0)
    assert imu.asked
    assert imu.answer() == bytes.fromhex("7565010404F10600DA74")
    assert not imu.asked


def test_it_streams_its_measurements_at_the_set_rates() -> None:
    imu = streaming()
    imu.feel(Motion((0.1, 0.2, 0.3), (1.0, 2.0, 9.0), (0.0, 0.0, 0.0)))
    packets = [(tick, *found) for tick in range(8) for found in told(imu, 1000 * tick)]
    assert [tick for tick, kind, _ in packets if kind == SENSOR] == list(range(8))
    assert [tick for tick, kind, _ in packets if kind == ATTITUDE] == [0, 4]
    fields = packets[0][2]
    assert fields[data.GYRO] == pytest.approx((0.1, -0.2, -0.3))
    assert fields[data.ACCEL] == pytest.approx((1.0 / G, -2.0 / G, -9.0 / G))
    times = [fields[data.DEVICE_TIME] for _, kind, fields in packets if kind == SENSOR]
    assert times == [data.DeviceTime(3_000_000_000 + 1_000_000 * tick) for tick in range(8)]


@given(angle, angle, angle)
def test_its_attitude_is_the_torsos(roll: float, pitch: float, yaw: float) -> None:
    imu = streaming()
    cr, sr, cp, sp = math.cos(roll), math.sin(roll), math.cos(pitch), math.sin(pitch)
    cy, sy = math.cos(yaw), math.sin(yaw)
    turn = np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )
    still = turn.T @ np.array((0.0, 0.0, G))  # what an accelerometer at rest feels
    x, y, z = still.tolist()
    imu.feel(Motion((0.0, 0.0, 0.0), (x, y, z), (roll, pitch, yaw)))
    found = dict(told(imu, 0))
    quaternion = found[ATTITUDE][data.QUATERNION]
    assert isinstance(quaternion, data.Quaternion)
    w, a, b, c = turn_quaternion(*quaternion[:4])
    matrix = np.array(
        [
            [1 - 2 * (b * b + c * c), 2 * (a * b - w * c), 2 * (a * c + w * b)],
            [2 * (a * b + w * c), 1 - 2 * (a * a + c * c), 2 * (b * c - w * a)],
            [2 * (a * c - w * b), 2 * (b * c + w * a), 1 - 2 * (a * a + b * b)],
        ]
    )
    assert matrix == pytest.approx(turn, abs=1e-5)
    linear = found[ATTITUDE][data.LINEAR_ACCEL]
    assert linear[:3] == pytest.approx((0.0, 0.0, 0.0), abs=1e-4)


def test_every_field_of_both_sets_can_be_streamed() -> None:
    imu = Imu()
    for data_set, kinds in (
        (SENSOR, (0x04, 0x05, 0x06, 0x18, 0xD5, 0xD6)),
        (ATTITUDE, (0x03, 0x05, 0x0D, 0x0E, 0x10, 0x13, 0x1C, 0xD5, 0xD6)),
    ):
        entries = [(kind, 1) for kind in kinds]
        assert answered(imu, commands.message_format(data_set, entries))[0].ok
        answered(imu, commands.stream(data_set))
        assert set(dict(told(imu, 0))[data_set]) == set(kinds)


@pytest.mark.parametrize(
    "asked",
    [
        commands.message_format(SENSOR, [(0x77, 1)]),
        commands.message_format(SENSOR, [(data.GYRO, 0)]),
        commands.message_format(SENSOR, [(data.GYRO, 1), (data.GYRO, 2)]),
        commands.message_format(0xA0, [(data.DEVICE_TIME, 1)]),
        commands.stream(0x99),
        commands.base_rate(0x99),
        commands.initial_heading(math.nan),
    ],
)
def test_impossible_commands_are_refused_and_change_nothing(asked: bytes) -> None:
    imu = streaming()
    before = imu.tell(0)
    assert [reply.code for reply in answered(imu, asked)] == [3]
    assert imu.tell(0) == before


def test_an_unknown_command_is_called_so() -> None:
    unknown = packet.packet(0x0C, packet.field(0x77, b"\1"))
    assert [reply.code for reply in answered(Imu(), unknown)] == [1]


def test_idle_is_silent_until_it_resumes() -> None:
    imu = streaming()
    answered(imu, commands.idle())
    assert imu.tell(0) == b""
    assert answered(imu, commands.ping())[0].ok
    answered(imu, commands.resume())
    assert imu.tell(0)


def test_settings_survive_a_restart_only_if_they_were_saved() -> None:
    imu = streaming()
    assert answered(imu, commands.settings(Function.SAVE))[0].ok
    answered(imu, commands.stream(SENSOR, on=False))
    imu.restart(5_000_000)
    found = dict(told(imu, 5_004_000))
    assert found[SENSOR][data.DEVICE_TIME] == data.DeviceTime(4_000_000)
    quaternion = found[ATTITUDE][data.QUATERNION]
    assert quaternion[-1] == 0  # its filter begins anew
    answered(imu, commands.settings(Function.DEFAULT))
    assert imu.tell(5_005_000) == b""


def test_one_that_is_stuck_says_the_same_in_new_packets() -> None:
    imu = streaming()
    imu.feel(Motion((0.1, 0.0, 0.0)))
    imu.stuck = True
    imu.feel(Motion((0.5, 0.0, 0.0)))
    first, second = (dict(told(imu, tick))[SENSOR] for tick in (1000, 2000))
    assert first[data.GYRO] == second[data.GYRO] == pytest.approx((0.1, 0.0, 0.0))
    assert first[data.DEVICE_TIME] != second[data.DEVICE_TIME]


def test_its_info_and_rate_are_answered() -> None:
    imu = Imu()
    imu.take(commands.device_info() + commands.base_rate(SENSOR), 0)
    info, rate = packet.scanner().feed(imu.answer())
    known = replies.decode_device_info(dict(packet.fields(info))[replies.DEVICE_INFO_FIELD])
    assert known is not None
    assert known.model_name == "3DM-CV7-AHRS"
    field = dict(packet.fields(rate))[replies.BASE_RATE_FIELD]
    assert replies.decode_base_rate(field) == (SENSOR, 1000)
    assert answered(imu, commands.aiding(MAGNETOMETER, False))[0].ok


@given(st.lists(st.binary(max_size=80)))
def test_noise_does_not_hide_the_next_packet(found: list[bytes]) -> None:
    imu = Imu()
    for noise in found:
        imu.take(noise, 0)
        imu.answer()
    pings = [reply for _ in range(8) for reply in answered(imu, 40 * commands.ping())]
    assert [reply for reply in pings if reply.command == commands.PING and reply.ok]
