"""Alarms, reasons of a stop, and conditions of a reset for the operator."""

from core.link import commands as m
from core.link.catalogue import faults, safety
from core.link.catalogue import refusals as why
from core.link.statement import Statement
from core.report.condition import alarms, latched, reset_steps
from core.safety.modes import Mode
from tests.core.rig import Rig


def standing() -> Rig:
    rig = Rig()
    rig.tick()
    rig.tick(m.StandUp())
    rig.wait(0.01)
    rig.expect(Mode.READY)
    return rig


def flags(rig: Rig) -> list[str]:
    return [alarm.flag for alarm in alarms(rig.performer, rig.sample)]


def test_a_healthy_robot_has_nothing_to_tell() -> None:
    rig = standing()
    assert alarms(rig.performer, rig.sample) == ()
    assert latched(rig.performer) == ()
    assert reset_steps(rig.performer, rig.now_s) == ()


def test_an_alarm_says_what_how_much_and_what_to_do() -> None:
    rig = standing()
    rig.sample.winding_c[11] = 96.0
    rig.wait(0.05)
    hot, leg, warm = alarms(rig.performer, rig.sample)
    assert (hot.flag, hot.action, hot.over) == ("WINDING_HOT", "SETTLE", False)
    assert hot.detail == safety.JOINT_TEMPERATURE(joint="left_knee", temperature_c=96.0)
    assert (leg.flag, leg.action) == ("LEG_WARM", "HOLD")
    assert warm.flag == "WINDING_WARM"


def test_the_worst_comes_first_and_a_flag_only_once() -> None:
    rig = standing()
    rig.performer.facts.operator_age_s = 10.0
    rig.sample.battery_v = 20.0
    rig.wait(1.2)
    found = alarms(rig.performer, rig.sample)
    assert [(a.flag, a.action) for a in found] == [
        ("OPERATOR_SILENT", "HOLD"),
        ("BATTERY_LOW", "WARN"),
    ]


def test_a_fault_that_is_over_stays_with_what_was_measured_until_somebody_asks_anew() -> None:
    rig = standing()
    rig.performer.facts.operator_age_s = 10.0
    rig.wait(0.3)
    rig.performer.facts.operator_age_s = 0.0
    rig.wait(0.3)
    (alarm,) = alarms(rig.performer, rig.sample)
    assert (alarm.flag, alarm.action, alarm.over) == ("OPERATOR_SILENT", "HOLD", True)
    rig.tick(m.Hold())
    rig.tick()
    assert alarms(rig.performer, rig.sample) == ()


def test_a_limp_robot_does_not_complain_of_what_is_over() -> None:
    rig = Rig()
    rig.performer.facts.operator_age_s = 100.0
    rig.wait(1.0)
    rig.expect(Mode.DAMPED)
    assert flags(rig) == ["OPERATOR_SILENT"]
    rig.performer.facts.operator_age_s = 0.0
    rig.wait(0.01)
    assert flags(rig) == []
    rig.tick(m.StandUp())
    rig.expect(Mode.STANDING_UP)


def test_a_limp_robot_still_refuses_to_rise_while_a_fault_lasts() -> None:
    rig = Rig()
    rig.performer.facts.operator_age_s = 100.0
    rig.wait(1.0)
    rig.tick(m.StandUp())
    rig.wait(0.1)
    rig.expect(Mode.DAMPED)


def test_a_stop_names_its_cause_once() -> None:
    rig = standing()
    rig.tick(m.Stop())
    rig.tick()
    assert latched(rig.performer) == (faults.STOP_PRESSED_DAMP(),)
    rig.sample.estop_closed = False
    rig.tick()
    assert latched(rig.performer) == (faults.ESTOP_OPEN_CUT(), faults.STOP_PRESSED_DAMP())


def test_the_steps_are_what_a_reset_is_refused_for() -> None:
    rig = standing()
    rig.tick(m.Stop())
    rig.sample.estop_closed = False
    rig.sample.dq[3] = 1.0
    rig.tick()

    def open_steps() -> list[Statement]:
        steps = reset_steps(rig.performer, rig.now_s)
        assert len(steps) == 5
        return [step.condition for step in steps if not step.done]

    still = safety.ROBOT_STILL(still_s=1.0)

    assert open_steps() == [safety.CHAIN_CLOSED(), still]
    rig.tick(m.Reset())
    assert rig.said(why.REFUSED, command="reset", reason=why.CHAIN_OPEN())
    rig.sample.estop_closed = True
    rig.wait(0.1)
    assert open_steps() == [still]
    rig.tick(m.Reset())
    assert rig.said(why.REFUSED, command="reset", reason=why.NOT_STILL(still_s=1.0))
    rig.sample.dq[3] = 0.0
    rig.wait(1.1)
    assert open_steps() == []
    rig.tick(m.Reset())
    rig.expect(Mode.DAMPED)
    rig.tick()
    assert latched(rig.performer) == () and reset_steps(rig.performer, rig.now_s) == ()


def test_a_fault_that_lasts_is_named_among_the_steps() -> None:
    rig = standing()
    rig.sample.battery_v = 10.0
    rig.wait(2.0)
    rig.expect(Mode.FAULT)
    last = reset_steps(rig.performer, rig.now_s)[-1]
    assert last.condition == safety.THIS_FAULT_OVER(fault=faults.BATTERY_FLAT_CUT())
    assert not last.done
    rig.tick(m.Reset())
    assert rig.said(why.REFUSED, reason=why.FAULT_STAYS(fault=faults.BATTERY_FLAT_CUT()))


def test_motors_without_supply_are_told_with_the_way_to_it() -> None:
    rig = Rig()
    rig.tick()
    rig.performer.mode_facts.powered = False
    rig.tick()
    assert latched(rig.performer) == (safety.MOTORS_UNPOWERED(),)
    assert len(reset_steps(rig.performer, rig.now_s)) == 5
