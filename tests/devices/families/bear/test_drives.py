"""Actuators in the joints' own numbers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.families.bear.drives import to_goals, to_joints
from devices.families.bear.wire.registers import (
    GOAL_IQ,
    GOAL_POSITION,
    P_GAIN_FORCE,
    PRESENT_IQ,
    PRESENT_POSITION,
    PRESENT_VELOCITY,
    TORQUE_ENABLE,
    WINDING_TEMPERATURE,
)
from devices.interface import JointCommand, Sample
from tests.devices.real.rig import Rig


def test_noise_without_end_does_not_hold_the_tick(rig: Rig) -> None:
    """A line that is always readable: patience ends by the clock."""
    rig.stand()
    calls = 0

    def always(descriptors: object, until_s: float) -> bool:
        nonlocal calls
        calls += 1
        rig.time.time_s += 0.0001
        return True

    rig.time.wait_readable = always  # type: ignore[method-assign]
    for bear in rig.lines[0].bears:
        bear.deaf = True
    rig.tick()
    rig.tick()
    assert 1 <= calls <= 8


def test_a_reading_that_is_no_number_did_not_come(rig: Rig) -> None:
    rig.stand()
    bear = rig.lines[0].bears[1]
    bear.set(PRESENT_VELOCITY, np.nan)
    rig.tick(times=5)
    assert rig.sample.joint_age_s[1] > 0.004
    assert rig.sample.q[1] == pytest.approx(0.1)
    assert np.isfinite(rig.sample.dq).all()
    bear.set(PRESENT_VELOCITY, 0.5)
    rig.tick(times=2)
    assert rig.sample.joint_age_s[1] < 0.002


@pytest.mark.parametrize("what", ["stop", "drive"])
@pytest.mark.parametrize("word", ["0000a07f", "010080ff"])
def test_a_signalling_nan_raises_no_warning_and_is_dropped(rig: Rig, what: str, word: str) -> None:
    """Python would print a warning, here an error, where such a float is widened."""
    rig.stand()
    for register in (PRESENT_POSITION, PRESENT_VELOCITY, WINDING_TEMPERATURE):
        rig.lines[0].bears[1].status[register.address] = bytes.fromhex(word)
    rig.tick(what, times=12)
    assert rig.sample.joint_age_s[1] > 0.008
    assert np.isfinite(rig.sample.q).all() and np.isfinite(rig.sample.dq).all()
    assert np.isnan(rig.sample.winding_c[1])


@pytest.mark.parametrize("told", [np.nan, np.inf, -np.inf])
def test_a_winding_that_is_no_number_is_unknown_and_not_cold(rig: Rig, told: float) -> None:
    rig.stand()
    rig.lines[0].bears[1].set(WINDING_TEMPERATURE, told)
    rig.tick(times=20)
    assert np.flatnonzero(np.isnan(rig.sample.winding_c)).tolist() == [1]


def test_numbers_are_the_joints_own(geared: Rig) -> None:
    geared.tick("stop", 60)
    bear = geared.bears[0]  # gear 3, sign -1, zero 0.4, constant 2, at most 5 A
    bear.set(PRESENT_POSITION, 0.4 - 3 * 0.7)
    bear.set(PRESENT_VELOCITY, 6.0)
    bear.set(PRESENT_IQ, 1.5)
    sample = geared.tick("stop", 2)
    assert sample.q[0] == pytest.approx(0.7)
    assert sample.dq[0] == pytest.approx(-2.0)
    assert sample.tau[0] == pytest.approx(-3.0)
    geared.command.q[0], geared.command.tau[0] = 0.8, 4.0
    geared.command.dq[0] = sample.dq[0]
    geared.tick("drive", 2)
    geared.serve()
    assert bear.get(GOAL_POSITION) == pytest.approx(0.4 - 3 * 0.8)
    assert bear.get(GOAL_IQ) == pytest.approx(-2.0)
    geared.command.tau[0] = 400.0
    geared.tick("drive")
    geared.serve()
    assert bear.get(GOAL_IQ) == pytest.approx(-5.0)


def test_gains_beside_the_actuators_own_become_torque(geared: Rig) -> None:
    geared.tick("stop", 60)
    geared.bears[0].set(PRESENT_POSITION, 0.4)  # joint at 0
    geared.command.q[0] = 0.1
    geared.command.kp[0] = 30.0  # its own are 20
    geared.tick("drive", 3)
    geared.serve()
    assert geared.bears[0].get(GOAL_IQ) == pytest.approx(-(30.0 - 20.0) * 0.1 / 2.0)


def test_gains_may_be_written_with_the_torque_on(soft: Rig) -> None:
    soft.stand()
    soft.command.kp[:] = 10.0
    soft.tick(times=10)
    soft.serve()
    for bear in soft.bears:
        assert bear.get(P_GAIN_FORCE) == pytest.approx(10.0 / 1.16)
        assert bear.get(GOAL_IQ) == pytest.approx(0.0, abs=1e-6)
    soft.lines[0].bears[0].power_on()
    soft.tick(times=60)
    soft.tick("stop", 100)
    assert soft.lines[0].bears[0].get(P_GAIN_FORCE) == pytest.approx(10.0 / 1.16)


def test_gains_that_the_line_had_no_room_for_are_sent_again(
    soft: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    soft.stand()
    soft.command.kp[0] = 30.0
    with monkeypatch.context() as full:
        full.setattr(soft.ports["line_0"], "write", lambda data: False)
        soft.tick(times=2)
    soft.tick(times=3)
    assert soft.bears[0].get(P_GAIN_FORCE) == pytest.approx(30.0 / 1.16)


def test_gains_are_left_alone_otherwise(rig: Rig) -> None:
    rig.stand()
    rig.command.kp[:] = 10.0
    rig.tick(times=10)
    rig.serve()
    assert all(b.get(P_GAIN_FORCE) == pytest.approx(20.0 / 1.16) for b in rig.bears)


@given(
    st.floats(-3.0, 3.0),
    st.floats(-20.0, 20.0),
    st.floats(-6.0, 6.0),
    st.sampled_from([1.0, 3.0]),
    st.sampled_from([-1.0, 1.0]),
    st.floats(-10.0, 10.0),
)
def test_a_command_matches_the_reading_it_would_cause(
    q: float, dq: float, tau: float, gear: float, sign: float, zero: float
) -> None:
    figures = np.array([[zero, sign * gear, sign * 1.16, 100.0]])
    places = np.array([1])
    command, sample = JointCommand.zeros(2), Sample.zeros(2, 4)
    command.q[1], command.dq[1], command.tau[1] = q, dq, tau
    goals, table = np.zeros((1, 3), dtype="<f4"), np.zeros((1, 10))
    seen, limp = np.zeros((1, 2)), np.zeros(1, dtype=np.bool_)
    command.kp[1] = 1e-9  # without stiffness, damping and torque it would be limp
    to_goals(
        places, figures, seen, np.zeros((1, 2)), command.q, command.dq, command.tau,
        command.kp, command.kd, goals, limp,
    )  # fmt: skip
    table[0, :3] = goals
    to_joints(
        1.0, places, figures, table, seen, sample.q, sample.dq, sample.tau,
        sample.joint_age_s, sample.winding_c,
    )  # fmt: skip
    read = sample.q[1], sample.dq[1], sample.tau[1]
    assert read == pytest.approx((q, dq, tau), rel=1e-5, abs=1e-5)  # single precision on the wire
    assert sample.joint_age_s.tolist() == [np.inf, 1.0]


def test_a_limp_joint_loses_its_torque_alone_and_gets_it_back(rig: Rig) -> None:
    rig.stand()
    rig.command.kp[1] = rig.command.kd[1] = rig.command.tau[1] = 0.0
    rig.tick(times=40)
    limp = rig.lines[0].bears[1]
    assert int(limp.get(TORQUE_ENABLE)) == 0
    assert [bear.driven for bear in rig.bears] == [bear is not limp for bear in rig.bears]
    assert rig.texts() == []  # it was meant
    limp.set(TORQUE_ENABLE, 1)  # a packet was lost: the next one switches it off again
    rig.tick(times=3)
    assert int(limp.get(TORQUE_ENABLE)) == 0
    rig.command.kp[1], rig.command.kd[1] = 20.0, 1.0
    rig.tick(times=3)
    assert all(bear.driven for bear in rig.bears)
    rig.tick(times=40)
    assert all(bear.driven for bear in rig.bears) and rig.texts() == []


def test_an_actuator_that_goes_limp_by_itself_is_still_held(rig: Rig) -> None:
    rig.stand()
    rig.command.kp[1] = rig.command.kd[1] = 0.0
    rig.tick(times=20)
    rig.lines[0].bears[0].set(TORQUE_ENABLE, 0)
    rig.tick(times=20)
    assert any("lost its torque by itself" in text for text in rig.texts())


@pytest.mark.parametrize("what", ["damp", "stop"])
def test_damping_and_stops_reach_a_limp_joint(rig: Rig, what: str) -> None:
    rig.stand()
    rig.command.kp[1] = rig.command.kd[1] = 0.0
    rig.tick(times=20)
    rig.tick(what, times=5)
    word = 3 if what == "damp" else 0
    assert {int(bear.get(TORQUE_ENABLE)) for bear in rig.bears} == {word}
    rig.command.kp[1], rig.command.kd[1] = 20.0, 1.0
    rig.tick(what, times=20)
    rig.tick(times=20)
    assert all(bear.driven for bear in rig.bears)
