"""The performer on a statue: faults during other actions, and their events."""

import math

import numpy as np
import pytest

from core.link import commands as m
from core.link.catalogue import faults, safety
from core.link.catalogue.refusals import REFUSED
from core.plants.biped.plant import biped_of
from core.plants.biped.walk.reference import Phase
from core.safety.modes import Mode
from core.safety.rules import Action
from core.tick.orders import REPEAT_REFUSAL_S
from core.tick.performer import FEET_UP_S, Actuation
from tests.core.rig import CROUCH_BEND, TICK_S, Rig, told

LOW_BEND = 1.1  # more than the knee can, and low enough to lie on the ground [rad]
STREAM_TICKS = 20  # between two messages of a stick


def standing() -> Rig:
    rig = Rig()
    rig.tick()
    rig.tick(m.StandUp())
    rig.wait(0.01)
    rig.expect(Mode.READY)
    return rig


def stepping() -> Rig:
    rig = standing()
    for _ in range(30):
        rig.tick(m.Walk(vx=0.1))
        rig.wait(0.1)
        if biped_of(rig.performer.plant).walker.reference.phase is Phase.STEP:
            return rig
    raise AssertionError("it does not step")


# Silence during a step


@pytest.mark.parametrize("joint_age_s", [0.0, 1.0, math.inf])
@pytest.mark.parametrize("imu_age_s", [math.inf, math.nan])
def test_a_body_that_falls_silent_during_a_step_is_damped(
    imu_age_s: float, joint_age_s: float
) -> None:
    rig = stepping()
    rig.sample.imu_age_s = imu_age_s
    rig.sample.joint_age_s[:] = joint_age_s
    assert rig.tick() >= Actuation.DAMP
    assert rig.performer.facts.readable
    rig.expect(Mode.FAULT)
    assert rig.performer.action is Action.DAMP
    assert rig.wait(0.1) >= Actuation.DAMP


# The QP


def spoil(rig: Rig) -> None:
    """Make the friction cones contradict the pressure that standing needs."""
    problem = biped_of(rig.performer.plant).controller.whole_body.problem
    bounded = problem.upper.size - problem.rows.shape[0]
    problem.upper[bounded : bounded + 16] = -1e6


def test_the_tick_that_loses_patience_with_the_qp_already_damps() -> None:
    rig = standing()
    patience = round(rig.performer.profile.health.solver_patience_s / TICK_S)
    spoil(rig)
    for failures in range(1, patience + 1):
        assert rig.tick() is Actuation.WRITE
        assert biped_of(rig.performer.plant).controller.failures == failures
    assert rig.tick() is Actuation.DAMP
    assert biped_of(rig.performer.plant).controller.failures == patience + 1
    rig.tick()
    rig.expect(Mode.FAULT)


def test_after_a_stop_no_old_torque_is_left_to_repeat() -> None:
    rig = standing()
    torque = biped_of(rig.performer.plant).controller.whole_body.torque
    assert np.abs(torque).max() > 0.1
    rig.tick(m.Stop())
    np.testing.assert_array_equal(torque, 0.0)
    rig.wait(1.1)
    rig.tick(m.Reset())
    rig.expect(Mode.DAMPED)
    np.testing.assert_array_equal(biped_of(rig.performer.plant).controller.whole_body.torque, 0.0)
    np.testing.assert_array_equal(rig.performer.command.tau, 0.0)
    spoil(rig)
    rig.tick(m.StandUp())
    assert biped_of(rig.performer.plant).controller.failures == 1
    np.testing.assert_array_equal(rig.performer.command.tau, 0.0)


# Falls


def test_a_robot_that_sinks_to_the_ground_upright_has_fallen() -> None:
    rig = standing()
    rig.bend(LOW_BEND)
    rig.wait(0.01)
    assert rig.performer.facts.base_height_m < 0.40
    assert rig.performer.facts.tilt_rad < 0.3
    assert rig.performer.falls == 1
    rig.expect(Mode.FAULT)
    rig.wait(0.2)
    assert rig.performer.falls == 1


def test_tilting_a_robot_that_has_settled_is_no_fall() -> None:
    rig = standing()
    rig.tick(m.Settle())
    rig.bend(CROUCH_BEND)
    rig.wait(0.5)
    rig.expect(Mode.DAMPED)
    tilt, rate = 0.0, 0.8
    for _ in range(1500):
        tilt += rate * TICK_S
        rig.sample.gyro[0] = rate
        rig.sample.accel[:] = (0.0, 9.81 * math.sin(tilt), 9.81 * math.cos(tilt))
        assert rig.tick() is Actuation.DAMP
    rig.sample.gyro[0] = 0.0
    rig.wait(1.0)
    assert rig.performer.facts.tilt_rad > (rig.performer.profile.health.fall_tilt_rad or math.inf)
    assert rig.performer.falls == 0
    rig.expect(Mode.DAMPED)


# Feet in the air


def lifted() -> Rig:
    """Return a hanging robot that begins to stand up."""
    rig = Rig(bend=CROUCH_BEND)
    rig.sample.contacts[:] = False
    rig.sample.tau[:] = 0.0
    rig.tick()
    rig.tick(m.StandUp())
    rig.expect(Mode.STANDING_UP)
    return rig


def test_who_stands_up_in_the_air_settles_and_says_why() -> None:
    rig = lifted()
    rig.wait(FEET_UP_S - 0.05)
    rig.expect(Mode.STANDING_UP)
    rig.wait(0.1)
    assert rig.mode in (Mode.SETTLE, Mode.DAMPED)
    assert len(told(rig.events, safety.NO_FOOT_LOADED)) == 1
    assert rig.said(safety.MODE_CHANGED, before="STANDING_UP", mode="SETTLE")
    assert rig.performer.falls == 0


def test_feet_that_touch_again_in_time_may_stand_up() -> None:
    rig = lifted()
    rig.wait(FEET_UP_S - 0.1)
    rig.sample.contacts[:] = True
    rig.bend(CROUCH_BEND)
    rig.wait(FEET_UP_S + 0.2)
    rig.expect(Mode.STANDING_UP)
    assert not rig.said(safety.NO_FOOT_LOADED)


# What is told


def test_a_second_fault_is_told_and_so_is_the_end_of_each() -> None:
    rig = standing()
    rig.sample.joint_age_s[20] = 0.06
    rig.wait(0.05)
    rig.sample.imu_age_s = 0.01
    rig.wait(0.05)
    joint, imu = faults.MINOR_JOINT_SILENT_WARN(), faults.IMU_LATE_WARN()
    began, over = safety.FAULT_BEGAN_WITH, safety.FAULT_OVER
    age = safety.JOINT_AGE(joint="left_index", age_s=0.06)
    assert rig.said(began, action="WARN", fault=joint, detail=age)
    assert rig.said(began, action="WARN", fault=imu, detail=safety.AGE(age_s=0.01))
    assert not rig.said(over)
    rig.sample.imu_age_s = 0.0
    rig.tick()
    assert [event.fields["fault"] for event in told(rig.events, over)] == [imu]
    rig.sample.joint_age_s[20] = 0.0
    rig.tick()
    assert len(told(rig.events, over, fault=joint)) == 1
    rig.wait(0.05)
    assert len(told(rig.events, began)) == 2
    rig.expect(Mode.READY)


def test_a_warning_that_comes_and_goes_does_not_fill_the_event_log() -> None:
    rig = standing()
    for _ in range(100):
        rig.sample.imu_age_s = 0.01
        rig.wait(0.02)
        rig.sample.imu_age_s = 0.0
        rig.wait(0.02)
    late = faults.IMU_LATE_WARN()
    found = [event.code for event in rig.events if event.fields.get("fault") == late]
    assert found == [safety.FAULT_BEGAN_WITH.code, safety.FAULT_OVER.code]
    rig.sample.imu_age_s = 0.01
    rig.wait(1.1)  # five seconds after it was told first: it lasts
    found = [event.code for event in rig.events if event.fields.get("fault") == late]
    assert found[-1] == safety.FAULT_BEGAN_WITH.code


def test_a_refused_stick_is_told_once_a_second() -> None:
    rig = Rig()
    rig.tick()
    rig.expect(Mode.DAMPED)
    ticks = round(2.5 * REPEAT_REFUSAL_S / TICK_S)
    for tick in range(ticks):
        rig.tick(*((m.Walk(vx=0.1),) if tick % STREAM_TICKS == 0 else ()))
    assert len(told(rig.events, REFUSED, command="walk")) == 3
    rig.tick(m.Go())
    rig.tick(m.Go())
    assert len(told(rig.events, REFUSED, command="go")) == 2
