"""An emulated hand board by its frames."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.families.boards.twin.hand_board import HandBoard
from devices.families.boards.twin.seats import HandSeat, Motor
from devices.families.boards.wire.hand import (
    NEVER_MS,
    HandCommand,
    HandFault,
    HandMode,
    HandStatus,
    MotorFault,
    MotorTarget,
)
from devices.families.boards.wire.layout import TO_BOARD, Kind
from devices.interface import Sample
from devices.wire.frame import Frame, FrameStream

JOINTS = np.array((18, 19, 20, 21, 22))
N = 28
SHORTED = 0.015


class Bench:
    """One hand on a bench, with a clock."""

    def __init__(self, sign: int = 1, zero_rad: float = 0.0) -> None:
        motors = tuple(Motor(joint=name, sign=sign, zero_rad=zero_rad) for name in "abcde")
        seat = HandSeat(line="boards", source=0x62, motors=motors)
        self.hand = HandBoard(seat, JOINTS, np.full(N, SHORTED))
        self.hand.supply_v = 22.0
        self.sample = Sample.zeros(N, 4)
        self.now_us = 0
        self._sequence = 0

    def command(
        self, mode: HandMode, goal: float = 0.0, count: int = 5, limit: float = 2.0
    ) -> None:
        target = MotorTarget(goal, limit, 0.4)
        command = HandCommand(mode, 100, (target,) * count)
        self._sequence += 1
        source = TO_BOARD | 0x62
        frame = Frame(Kind.HAND_COMMAND, source, self._sequence, self.now_us, command.encode())
        self.hand.take(frame, self.now_us)

    def pull(self) -> list[float]:
        """Go on by a millisecond and return the torques."""
        tau = np.full(N, 9.0)
        self.hand.pull(self.sample.q, self.sample.dq, tau, self.now_us)
        self.hand.feel(self.sample)
        self.now_us += 1000
        assert (np.delete(tau, JOINTS) == 9.0).all()
        pulled: list[float] = tau[JOINTS].tolist()
        return pulled

    def status(self) -> HandStatus:
        while not (report := self.hand.report(self.now_us)):
            self.now_us += 1000
        (frame,) = FrameStream().feed(report)
        return HandStatus.of(frame.payload)


def test_it_drives_nothing_before_a_command() -> None:
    bench = Bench()
    assert bench.pull() == [0.0] * 5
    told = bench.status()
    assert (told.mode, told.watchdog_ms, told.command_age_ms) == (HandMode.OFF, 0, NEVER_MS)


def test_it_goes_from_where_it_is_no_faster_and_no_harder_than_it_may() -> None:
    bench = Bench()
    bench.sample.q[JOINTS] = 0.5
    bench.pull()
    bench.command(HandMode.HOLD, goal=1.5)
    bench.sample.dq[JOINTS] = 2.0  # as fast as the reference: damping has nothing to say
    first = bench.pull()
    assert first[0] == pytest.approx(0.0)  # the reference begins at the joint
    for _ in range(90):
        last = bench.pull()
    assert last[0] == pytest.approx(0.5 * 0.090 * 2.0, rel=0.01)  # after 90 ms at 2 rad/s
    for _ in range(9):
        bench.command(HandMode.HOLD, goal=1.5)
        for _ in range(90):
            last = bench.pull()
    bench.sample.dq[JOINTS] = -2.0
    assert bench.pull()[0] == pytest.approx(0.4 * 0.43)  # the limit of the current


def test_a_reference_goes_evenly_from_command_to_command() -> None:
    bench = Bench()
    for tick in range(60):
        if tick % 10 == 0:
            bench.command(HandMode.HOLD, goal=0.002 * (tick + 10), limit=4.0)  # at 2 rad/s
        torque = bench.pull()[0]
        if tick >= 20:  # the first command knows of no other; the second makes up for that
            expected = 0.5 * 0.002 * tick + 0.02 * 2.0
            assert torque == pytest.approx(expected, rel=1e-6)


def test_a_lost_command_is_glided_over_and_one_that_is_late_is_waited_for() -> None:
    bench = Bench()
    for tick in range(60):
        if tick % 10 == 0 and tick != 40:
            bench.command(HandMode.HOLD, goal=0.002 * (tick + 10), limit=8.0)
        torques = bench.pull()
        if 40 <= tick < 50:  # it stays where it was to be
            assert torques[0] == pytest.approx(0.5 * 0.08)
        elif tick >= 50:  # 20 ms lie between the commands: 40 mrad in 20 ms
            expected = 0.5 * (0.08 + 0.002 * (tick - 50)) + 0.02 * 2.0
            assert torques[0] == pytest.approx(expected, rel=1e-6)


def test_silence_switches_it_off_and_a_good_command_on_again() -> None:
    bench = Bench()
    bench.command(HandMode.HOLD, goal=1.0)
    for _ in range(101):
        assert bench.pull()[0] > 0.0
    assert bench.pull() == [0.0] * 5
    told = bench.status()
    assert told.mode is HandMode.OFF
    assert told.faults == HandFault.COMMAND_LOST
    bench.command(HandMode.HOLD, goal=1.0)
    assert 0.0 < bench.pull()[0] < 0.05
    assert bench.status().faults == HandFault(0)


def test_a_command_within_the_reported_millisecond_has_age_zero() -> None:
    bench = Bench()
    told_us, bench.now_us = bench.now_us, bench.now_us + 400
    bench.command(HandMode.HOLD)
    bench.now_us = told_us
    assert bench.status().command_age_ms == 0


def test_a_command_for_another_hand_is_refused_and_is_silence() -> None:
    bench = Bench()
    bench.command(HandMode.HOLD, goal=1.0)
    for _ in range(60):
        bench.pull()
    bench.command(HandMode.HOLD, goal=1.0, count=4)
    assert bench.status().faults == HandFault.COMMAND_REFUSED
    assert bench.hand.refused == 1
    for _ in range(60):
        bench.pull()
    assert bench.hand.mode is HandMode.OFF


def test_it_resists_when_it_damps_and_not_when_it_is_off() -> None:
    bench = Bench()
    bench.sample.dq[JOINTS] = 2.0
    bench.command(HandMode.DAMP)
    assert bench.pull() == pytest.approx([-2.0 * SHORTED] * 5)
    bench.command(HandMode.OFF)
    assert bench.pull() == [0.0] * 5


def test_without_supply_it_is_off_and_says_so() -> None:
    bench = Bench()
    bench.command(HandMode.HOLD, goal=1.0)
    bench.hand.supply_v = 0.3
    assert bench.pull() == [0.0] * 5
    assert bench.status().faults == HandFault.SUPPLY_LOW
    bench.hand.supply_v = 22.0
    bench.pull()
    told = bench.status()
    assert (told.mode, told.faults) == (HandMode.OFF, HandFault(0))


def test_one_that_is_built_in_the_other_way_round_does_the_same_to_its_joint() -> None:
    straight, turned = Bench(), Bench(sign=-1, zero_rad=0.7)
    for bench in (straight, turned):
        bench.sample.q[JOINTS], bench.sample.dq[JOINTS], bench.sample.tau[JOINTS] = 0.2, 0.3, 0.1
        bench.pull()
    straight.command(HandMode.HOLD, goal=0.5)
    turned.command(HandMode.HOLD, goal=0.7 - 0.5)
    for _ in range(50):
        assert straight.pull() == pytest.approx(turned.pull(), abs=1e-6)
    motor = turned.status().motors[0]
    told = (motor.position_rad, motor.velocity_rad_s, motor.current_a)
    assert told == pytest.approx((0.5, -0.3, -0.1 / 0.43), abs=1e-3)


@given(st.lists(st.floats(-1e3, 1e3), min_size=4, max_size=4))
def test_its_measurements_are_limited_to_the_fields(values: list[float]) -> None:
    bench = Bench()
    sample = bench.sample
    q, dq, tau, winding_c = values
    sample.q[18], sample.dq[18], sample.tau[18], sample.winding_c[18] = q, dq, tau, winding_c / 10
    bench.pull()
    motor = bench.status().motors[0]
    assert motor.position_rad == pytest.approx(np.clip(q, -3.2, 3.2), abs=1e-4)
    assert motor.velocity_rad_s == pytest.approx(np.clip(dq, -32, 32), abs=1e-3)
    assert motor.current_a == pytest.approx(np.clip(tau / 0.43, -32, 32), abs=1e-3)
    assert motor.faults == (MotorFault.HOT if winding_c > 900.0 else MotorFault(0))
