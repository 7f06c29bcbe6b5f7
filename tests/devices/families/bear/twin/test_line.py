"""Emulated actuators by their bytes, without a line."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.families.bear.twin.actuators import Bears
from devices.families.bear.twin.line import BearLine
from devices.families.bear.twin.traits import BearTraits
from devices.families.bear.wire import packet as bear
from devices.families.bear.wire.bulk import BulkLayout, BulkReplies, BulkRequest
from devices.families.bear.wire.packet import Instruction, Reply, Request
from devices.families.bear.wire.registers import (
    CONFIG,
    D_GAIN_FORCE,
    GOAL_IQ,
    GOAL_POSITION,
    LIMIT_I_MAX,
    MODE,
    P_GAIN_FORCE,
    PRESENT_IQ,
    PRESENT_POSITION,
    PRESENT_VELOCITY,
    STATUS,
    TEMP_LIMIT_HIGH,
    TEMP_LIMIT_LOW,
    TORQUE_ENABLE,
    WATCHDOG_TIMEOUT,
    WINDING_TEMPERATURE,
    ControlMode,
    Register,
    TorqueEnable,
)
from devices.families.bear.wire.stream import ReplyStream
from devices.families.interface import Seat
from devices.interface import Sample
from tests.devices.sim import rig as sim

SIM = sim.settings()
JOINTS = (8, 10, 11)
KT = 1.5
SEATS = tuple(
    Seat(
        joint=SIM.joint_names[joint],
        line="leg",
        id=3 + i,
        sign=(-1) ** i,
        zero_rad=0.5 * i,
        gear=1.0 + i,
        torque_constant=KT,
    )
    for i, joint in enumerate(JOINTS)
)
LEGS = np.array([i in sim.LEGS for i in range(sim.N)])
READS = (PRESENT_POSITION, PRESENT_VELOCITY, PRESENT_IQ)
ON, OFF, DAMPING, ERROR = (
    TorqueEnable.ON,
    TorqueEnable.OFF,
    TorqueEnable.DAMPING,
    TorqueEnable.ERROR,
)


class Bench:
    """Three actuators on a bench, with a clock."""

    def __init__(self, **traits: Any) -> None:
        self.bears = Bears(SEATS, SIM, LEGS, BearTraits(**traits))
        self.line = BearLine(self.bears, range(3))
        self.sample = Sample.zeros(sim.N, 4)
        self.now_us = 0
        self.motor_v = 22.0

    def send(self, data: bytes | bytearray) -> bytes:
        """Send bytes and return the answer, as of what is measured then."""
        self.line.take(bytes(data), self.now_us)
        return self.wait(0)

    def wait(self, time_us: int) -> bytes:
        self.now_us += time_us
        self.bears.feel(self.sample, self.motor_v, self.now_us)
        return self.line.answer()

    def read(self, actuator_id: int, *registers: Register) -> tuple[int, tuple[float, ...]]:
        """Return error byte and values."""
        answer = self.send(bear.read(actuator_id, registers))
        reply = bear.decode_reply(answer)
        return reply.error, reply.values(registers)

    def torque(self, actuator_id: int = 3) -> float:
        return self.read(actuator_id, TORQUE_ENABLE)[1][0]

    def pull(self) -> list[float]:
        tau = np.full(sim.N, 99.0)
        self.bears.pull(self.sample.q, self.sample.dq, tau)
        assert (np.delete(tau, JOINTS) == 99.0).all()
        pulled: list[float] = tau[list(JOINTS)].tolist()
        return pulled


def forceful(bench: Bench, p: float = 10.0, d: float = 0.5) -> None:
    for actuator_id in (3, 4, 5):
        gains = [(MODE, ControlMode.FORCE), (P_GAIN_FORCE, p), (D_GAIN_FORCE, d)]
        bench.send(bear.write(actuator_id, gains))
        bench.send(bear.write(actuator_id, [(LIMIT_I_MAX, 1000.0)]))
        bench.send(bear.write(actuator_id, [(TORQUE_ENABLE, ON)]))


def test_the_published_vectors_are_understood() -> None:
    bench = Bench()
    bench.bears.config[0, 0] = 1
    bench.line = BearLine(bench.bears, range(3))
    assert bench.send(bytes.fromhex("FFFF010201FB")) == Reply(1, 0x80, bytes((1, 3, 2, 1))).encode()
    bench.sample.q[JOINTS[0]] = 1.0  # of sign 1, gear 1
    read = bench.send(bytes.fromhex("FFFF01030209F0"))
    assert read == bytes.fromhex("FFFF0106800000803FB9")
    assert bench.send(bytes.fromhex("FFFF0107050103000000EE")) == b""
    assert bench.bears.config[0, 1] == ControlMode.FORCE
    assert bench.send(bytes.fromhex("FFFF0107030001000000F3")) == b""
    assert bench.torque(1) == ON
    bench.send(bytes.fromhex("FFFF0107030003000000F1"))
    assert bench.torque(1) == DAMPING


def test_two_with_one_id_obey_together_and_speak_at_once() -> None:
    bench = Bench()
    bench.sample.q[list(JOINTS)] = 0.3, 0.7, -0.2
    alone = bench.send(bear.read(3, READS))
    bench.bears.number(1, 3)
    doubled = bench.send(bear.read(3, READS))
    assert len(doubled) == len(alone) and doubled != alone
    assert ReplyStream().feed(doubled) == []
    ping = bear.ping(3)
    assert bench.send(ping) == Reply(3, 0x80, bytes((1, 3, 2, 1))).encode()  # what is alike
    assert bench.send(bear.ping(4)) == b""
    bench.send(bear.write(3, [(TORQUE_ENABLE, DAMPING)]))
    assert bench.bears.state[:2, 0].tolist() == [DAMPING, DAMPING]
    replies = BulkReplies(BulkLayout((3, 5), READS, ()))
    bulk = bench.send(BulkRequest(BulkLayout((3, 5), READS, ())).seal())
    whole = replies.layout.reply_size
    assert len(bulk) == 2 * whole and bear.decode_reply(bulk[whole:]).id == 5
    assert ReplyStream().feed(bulk[:whole]) == []


@given(st.lists(st.floats(-3.0, 3.0), min_size=9, max_size=9))
def test_readings_are_the_joints_own_turned_and_geared(values: list[float]) -> None:
    bench = Bench()
    sample, columns = bench.sample, list(JOINTS)
    sample.q[columns], sample.dq[columns], sample.tau[columns] = np.reshape(values, (3, 3))
    for i, (seat, q, dq, tau) in enumerate(
        zip(SEATS, values[:3], values[3:6], values[6:], strict=True)
    ):
        _, told = bench.read(3 + i, *READS)
        slope = seat.sign * seat.gear
        expected = (slope * q + seat.zero_rad, slope * dq, seat.sign * tau / KT)
        assert told == pytest.approx(expected, abs=1e-5)


@given(st.floats(-1, 1), st.floats(-1, 1), st.floats(-1, 1), st.floats(-5, 5), st.floats(-3, 3))
def test_force_mode_is_the_law_of_a_joint_command(
    q: float, goal: float, dq: float, goal_dq: float, tau: float
) -> None:
    bench = Bench()
    forceful(bench)
    bench.sample.q[list(JOINTS)], bench.sample.dq[list(JOINTS)] = q, dq
    layout = BulkLayout((3, 4, 5), (), (GOAL_POSITION, STATUS[4], GOAL_IQ))
    request = BulkRequest(layout)
    for i, seat in enumerate(SEATS):
        slope = seat.sign * seat.gear
        feed = seat.sign * tau / KT
        request.values[i] = (slope * goal + seat.zero_rad, slope * goal_dq, feed)
    assert bench.send(request.seal()) == b""
    for i, seat in enumerate(SEATS):
        kp, kd = 10.0 * KT * seat.gear, 0.5 * KT * seat.gear
        wanted = tau + kp * (goal - q) + kd * (goal_dq - dq)
        assert bench.pull()[i] == pytest.approx(wanted, abs=2e-4 * (1 + abs(wanted)))


def test_the_current_is_limited_and_falls_with_the_temperature() -> None:
    bench = Bench()
    forceful(bench, p=0.0, d=0.0)
    bench.send(bear.write(3, [(GOAL_IQ, 50.0)]))
    bench.send(bear.write(3, [(TORQUE_ENABLE, OFF)]))
    limits = [(LIMIT_I_MAX, 4.0), (TEMP_LIMIT_LOW, 80.0), (TEMP_LIMIT_HIGH, 100.0)]
    bench.send(bear.write(3, limits))
    bench.send(bear.write(3, [(TORQUE_ENABLE, ON)]))
    assert bench.pull()[0] == pytest.approx(4.0 * KT)
    bench.sample.winding_c[JOINTS[0]] = 90.0
    error, (winding,) = bench.read(3, WINDING_TEMPERATURE)
    assert (error, winding) == (0x82, 90.0)
    assert bench.pull()[0] == pytest.approx(2.0 * KT)
    bench.sample.winding_c[JOINTS[0]] = 101.0
    bench.wait(1000)
    assert bench.pull()[0] == 0.0
    assert bench.torque() == ERROR
    bench.sample.winding_c[JOINTS[0]] = 70.0
    assert bench.torque() == ERROR  # it does not come back by itself
    bench.send(bear.write(3, [(TORQUE_ENABLE, OFF)]))
    bench.send(bear.write(3, [(TORQUE_ENABLE, ON)]))
    assert bench.torque() == ON


def test_damping_resists_and_no_torque_does_not() -> None:
    bench = Bench()
    bench.sample.dq[list(JOINTS)] = 2.0
    damping = np.array(SIM.stall_torque) / np.array(SIM.no_load_speed)
    for actuator_id, torque in ((3, DAMPING), (4, OFF), (5, DAMPING)):
        bench.send(bear.write(actuator_id, [(TORQUE_ENABLE, torque)]))
    pulled = bench.pull()
    assert pulled == pytest.approx([-2 * damping[JOINTS[0]], 0.0, -2 * damping[JOINTS[2]]])
    # The watchdog's bit is there as long as it damps, by one of the sources.
    assert [bench.read(i, TORQUE_ENABLE)[0] for i in (3, 4)] == [0x88, 0x80]


def test_configuration_is_refused_with_the_torque_on_unless_the_firmware_takes_it() -> None:
    for allowed in (False, True):
        bench = Bench(config_while_enabled=allowed)
        forceful(bench, p=10.0)
        bench.send(bear.write(3, [(P_GAIN_FORCE, 3.0)]))
        assert bench.read(3, P_GAIN_FORCE)[1][0] == (3.0 if allowed else 10.0)


def test_the_watchdog_acts_in_its_modes_only_and_is_cleared_by_torque_off() -> None:
    bench = Bench()
    bench.send(bear.write(3, [(WATCHDOG_TIMEOUT, 100), (MODE, ControlMode.TORQUE)]))
    bench.send(bear.write(4, [(WATCHDOG_TIMEOUT, 100), (MODE, ControlMode.FORCE)]))
    for actuator_id in (3, 4):
        bench.send(bear.write(actuator_id, [(TORQUE_ENABLE, ON), (GOAL_IQ, 1.0)]))
    bench.wait(99_000)
    assert bench.torque(3) == ON
    bench.wait(2_000)
    assert (bench.torque(3), bench.torque(4)) == (ERROR, ON)
    assert bench.read(3, TORQUE_ENABLE)[0] == 0x88
    assert bench.pull()[0] == 0.0
    bench.send(bear.write(3, [(TORQUE_ENABLE, ON)]))
    assert bench.torque(3) == ERROR  # latched
    bench.send(bear.write(3, [(TORQUE_ENABLE, OFF)]))
    bench.wait(5_000)
    assert bench.read(3, TORQUE_ENABLE) == (0x88, (OFF,))
    bench.wait(5_000)
    assert bench.read(3, TORQUE_ENABLE)[0] == 0x80
    bench.send(bear.write(3, [(TORQUE_ENABLE, ON)]))
    assert bench.torque(3) == ON


def test_a_joint_beyond_its_limits_latches() -> None:
    bench = Bench()
    limits = {r.name: r for r in CONFIG}
    bench.send(bear.write(3, [(limits["limit_position_max"], 1.0)]))
    bench.send(bear.write(3, [(TORQUE_ENABLE, ON)]))
    bench.sample.q[JOINTS[0]] = 1.1
    bench.wait(1000)
    assert bench.read(3, TORQUE_ENABLE) == (0x90, (ERROR,))


def test_supply_that_goes_takes_the_torque_and_brings_none_back() -> None:
    for keeps in (True, False):
        bench = Bench(keeps_logic=keeps)
        forceful(bench)
        bench.bears.supply(False)
        bench.motor_v = 0.0
        bench.wait(1000)
        assert bench.pull() == [0.0, 0.0, 0.0]
        if keeps:
            assert bench.read(3, TORQUE_ENABLE) == (0xA0, (OFF,))
            bench.send(bear.write(3, [(TORQUE_ENABLE, ON)]))
            assert bench.torque() == OFF
        else:
            assert bench.send(bear.ping(3)) == b""
        bench.motor_v = 22.0
        bench.bears.supply(True)
        assert bench.read(3, TORQUE_ENABLE) == (0x80, (OFF,))
        # What was not saved is gone with the logic.
        assert bench.read(3, MODE)[1][0] == (ControlMode.FORCE if keeps else ControlMode.TORQUE)


def test_saved_configuration_survives_a_restart_and_other_does_not() -> None:
    bench = Bench()
    bench.send(bear.write(3, [(P_GAIN_FORCE, 5.0)]))
    bench.send(bear.save_config(3))
    bench.send(bear.write(3, [(P_GAIN_FORCE, 6.0)]))
    bench.bears.restart(0)
    assert bench.read(3, P_GAIN_FORCE)[1][0] == 5.0


def test_an_id_can_be_changed_and_is_answered_to_from_then_on() -> None:
    bench = Bench()
    bench.send(bear.write(4, [(CONFIG[0], 9)]))
    assert bench.send(bear.ping(4)) == b""
    assert bench.send(bear.ping(9)) == Reply(9, 0x80, bytes((1, 3, 2, 1))).encode()
    bench.send(bear.write(9, [(CONFIG[0], 0xFE)]))
    assert bench.read(9, CONFIG[0])[1][0] == 9


def test_set_position_calls_the_place_so_and_keeps_it() -> None:
    bench = Bench()
    bench.sample.q[JOINTS[0]] = 0.7
    bench.wait(1000)
    bench.send(bear.set_position(3, 0.2, 0.01))
    assert bench.read(3, PRESENT_POSITION)[1][0] == pytest.approx(0.2)
    bench.bears.restart(0)
    assert bench.read(3, PRESENT_POSITION)[1][0] == pytest.approx(0.2)


def test_a_bulk_request_is_answered_by_the_present_actuators_in_order() -> None:
    bench = Bench()
    layout = BulkLayout((5, 9, 3), READS, (GOAL_IQ, TORQUE_ENABLE))
    request = BulkRequest(layout)
    request.values[:, 0] = (1.0, 2.0, 3.0)
    request.words[:, 1] = (ON, ON, DAMPING)
    bench.bears.kill(0)
    answer = bench.send(request.seal())
    stream = ReplyStream()
    stream.begin({5: 12, 9: 12, 3: 12})
    assert [reply.id for reply in stream.feed(answer)] == [5]
    assert bench.torque(5) == ON
    assert bench.bears.values[2, GOAL_IQ.address] == 1.0
    bench.bears.revive(0)
    answer = bench.send(request.seal())
    stream.begin({5: 12, 9: 12, 3: 12})
    assert [reply.id for reply in stream.feed(answer)] == [5, 3]
    assert bench.torque(3) == DAMPING
    whole = BulkLayout((5, 3), READS)
    replies = BulkReplies(whole)
    assert replies.load(bench.send(BulkRequest(whole).seal()))


def test_an_unknown_register_is_reported() -> None:
    bench = Bench()
    answer = bench.send(Request(3, Instruction.READ_STATUS, bytes((0x0F, 0x09))).encode())
    reply = bear.decode_reply(answer)
    assert reply.error == 0x81
    assert len(reply.data) == 8
    assert bench.line.ignored == 0
    for stranger in (bear.ping(7), Request(3, Instruction.WRITE_STATUS, b"\x40" * 9).encode()):
        assert bench.send(stranger) == b""
    assert bench.line.ignored == 2
    long = bytes((9,)) * 200
    assert bench.send(Request(3, Instruction.READ_STATUS, long).encode()) == b""


def test_goals_that_are_no_numbers_drive_nothing() -> None:
    bench = Bench()
    forceful(bench)
    word = int(np.array(math.nan, np.float32).view(np.uint32))
    for address in (3, 4, 5):
        data = bytes((address,)) + word.to_bytes(4, "little")
        bench.send(Request(3, Instruction.WRITE_STATUS, data).encode())
    assert bench.pull()[0] == 0.0


requests = st.one_of(
    st.binary(max_size=60),
    st.builds(bear.ping, st.integers(0, 9)),
    st.builds(
        lambda i, instruction, data: Request(i, instruction, data).encode(),
        st.integers(0, 9),
        st.sampled_from(Instruction),
        st.binary(max_size=40),
    ),
    st.builds(
        lambda i, address, word: Request(
            i, Instruction.WRITE_STATUS, bytes((address,)) + word.to_bytes(4, "little")
        ).encode(),
        st.integers(0, 9),
        st.integers(0, 255),
        st.integers(0, 2**32 - 1),
    ),
    st.builds(
        lambda i, address, word: Request(
            i, Instruction.WRITE_CONFIG, bytes((address,)) + word.to_bytes(4, "little")
        ).encode(),
        st.integers(0, 9),
        st.integers(0, 255),
        st.integers(0, 2**32 - 1),
    ),
)


@given(st.lists(st.tuples(requests, st.integers(0, 50_000)), max_size=30))
def test_whatever_comes_is_borne_and_a_ping_is_answered_after_it(
    found: list[tuple[bytes, int]],
) -> None:
    bench = Bench()
    for data, pause_us in found:
        bench.send(data)
        bench.wait(pause_us)
        assert np.isfinite(bench.pull()).all()
    bench.wait(1000)
    ids = {int(actuator_id) for actuator_id in bench.bears.ids}
    for actuator_id in ids:
        answer = bench.send(bear.ping(actuator_id))
        assert answer[:4] == bytes((0xFF, 0xFF, actuator_id, 6))


def test_an_id_that_was_not_saved_is_gone_after_a_restart() -> None:
    bench = Bench()
    bench.send(bear.write(3, [(CONFIG[0], 9)]))
    assert bench.send(bear.ping(9)) and not bench.send(bear.ping(3))
    bench.bears.restart(0)
    assert bench.send(bear.ping(3)) and not bench.send(bear.ping(9))
