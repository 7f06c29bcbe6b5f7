"""Checks of the robot, fed with facts."""

import datetime
from dataclasses import replace

import numpy as np
import pytest

from core.service.doctor.facts import Battery, CalibrationFacts, Robot
from core.service.doctor.finding import Finding, State, nothing_wrong
from core.service.doctor.robot import (
    check_actuators,
    check_battery,
    check_calibration,
    check_devices,
    check_handset,
    check_line,
    check_robot,
    check_stop_chain,
)
from devices.interface import (
    ActuatorFacts,
    HandsetSample,
    LineFacts,
    StopChannel,
    Trouble,
)

TODAY = datetime.date(2026, 3, 1)
LINE = LineFacts("left leg bus", "dev/left_leg", 8_000_000, timer_ms=1)


def bears(count: int = 3, versions: str = "01020304", volts: float = 23.0) -> list[ActuatorFacts]:
    return [
        ActuatorFacts(f"joint_{i}", "left leg bus", i, versions, (), 30.0 + i, volts)
        for i in range(count)
    ]


def heard() -> HandsetSample:
    sample = HandsetSample.silent()
    sample.age_s, sample.quality = 0.02, 0.98
    return sample


def calibrated(date: datetime.date | None, problem: str = "") -> Finding:
    return check_calibration(CalibrationFacts(problem, "01", date, TODAY))


def robot() -> Robot:
    return Robot(
        lines=(LINE,),
        actuators=tuple(bears()),
        tried_firmware=("01020304",),
        motors_on=True,
        calibration=CalibrationFacts("", "01", TODAY, TODAY),
        plates=(("battery monitor", "firmware 1.4.0, number 1017"),),
        channels=(StopChannel("wired A", True), StopChannel("wired B", True)),
        battery=Battery(25.0, 0.97, 20.4, 0.2),
        handset=heard(),
    )


def test_a_good_robot_is_well() -> None:
    findings = check_robot(robot())
    assert {finding.state for finding in findings} == {State.WELL}
    assert [finding.what for finding in findings] == [
        "calibration",
        "left leg bus",
        "left leg bus: actuators",
        "actuators' firmware",
        "battery monitor",
        "E-stop: wired A",
        "E-stop: wired B",
        "battery",
        "handset",
    ]


@pytest.mark.parametrize(
    ("days", "state"),
    [(0, State.WELL), (180, State.WELL), (181, State.NOTE), (-1, State.WRONG)],
)
def test_a_calibration_grows_old(days: int, state: State) -> None:
    assert calibrated(TODAY - datetime.timedelta(days)).state is state


def test_a_robot_without_a_calibration_is_not_well() -> None:
    found = calibrated(None, "there is no such file; calibrate the robot")
    assert (found.state, found.todo) == (State.WRONG, "calibrate the robot")
    assert calibrated(None).state is State.WRONG


def test_a_line_is_well_or_reports_its_fault() -> None:
    (well,) = check_line(LINE)
    assert well.state is State.WELL and "latency timer 1 ms" in well.found
    troubles = ("runs at 9600 baud; use another adapter", "is slow; set its timer")
    findings = check_line(replace(LINE, troubles=troubles))
    assert [(one.state, one.found, one.todo) for one in findings] == [
        (State.WRONG, "runs at 9600 baud", "use another adapter"),
        (State.WRONG, "is slow", "set its timer"),
    ]


def test_a_line_that_the_robot_can_do_without_is_noted() -> None:
    (found,) = check_line(replace(LINE, troubles=("unplugged; check its plug",), spare=True))
    assert found.state is State.NOTE


def test_a_line_that_a_core_has_was_not_seen_and_another_programs_is_wrong() -> None:
    trouble = ("in use by another program; end that program",)
    (core,) = check_line(
        replace(LINE, troubles=trouble, holder="a core (process 12)", held_by_core=True)
    )
    assert core.state is State.UNSEEN and "process 12" in core.found
    (other,) = check_line(replace(LINE, troubles=trouble, holder="minicom (process 12)"))
    assert other.state is State.WRONG and "minicom" in other.found


def test_an_actuator_that_does_not_answer_is_named() -> None:
    row = bears()
    row[1] = replace(row[1], versions="")
    (found,) = check_actuators(row, (), None)[:1]
    assert (found.what, found.state) == ("joint_1 (id 1)", State.WRONG)


def test_a_line_without_answers_is_one_finding() -> None:
    (found,) = check_actuators(bears(versions=""), (), None)
    assert found.state is State.WRONG and found.found == "none of 3 answers"


def test_behind_an_open_contactor_no_answer_is_expected() -> None:
    (found,) = check_actuators(bears(versions=""), (), motors_on=False)
    assert found.state is State.NOTE
    (found,) = check_actuators(bears(versions=""), (), motors_on=True)
    assert found.state is State.WRONG
    # One that answers has a supply, so the others should too.
    row = [*bears(2, versions=""), replace(bears(3)[2])]
    wrong = [one for one in check_actuators(row, (), False) if one.state is State.WRONG]
    assert [one.what for one in wrong] == ["joint_0 (id 0)", "joint_1 (id 1)"]


def test_behind_an_open_contactor_a_lack_of_supply_is_no_fault() -> None:
    lacks = ("reports hardware; Check the supply.",)
    row = [replace(one, faults=lacks, unsupplied=True) for one in bears()]
    row[2] = replace(row[2], faults=(*lacks, "reports joint limit; Move it."))
    found = check_actuators(row, (), motors_on=False)
    assert [(one.what, one.state) for one in found[:2]] == [
        ("actuators", State.NOTE),
        ("joint_2 (id 2)", State.WRONG),
    ]
    assert found[0].found.startswith("3 report no supply")
    assert found[1].found == "reports joint limit"
    for powered in (True, None):
        told = check_actuators(row, (), powered)
        assert [one.found for one in told if one.state is State.WRONG].count(
            "reports hardware"
        ) == 3


def test_faults_of_actuators_are_reported() -> None:
    row = bears()
    row[0] = replace(row[0], faults=("reports hardware; Check the supply.",), winding_c=75.0)
    found = check_actuators(row, ("01020304",), None)
    assert [(one.what, one.state) for one in found] == [
        ("joint_0 (id 0)", State.WRONG),
        ("joint_0 (id 0)", State.NOTE),
        ("actuators' firmware", State.WELL),
    ]


def test_a_loose_plug_shows_in_the_voltages() -> None:
    row = bears()
    row[2] = replace(row[2], input_v=21.5)
    found = check_actuators(row, (), None)[0]
    assert found.state is State.WRONG and "21.5 V at joint_2" in found.found


def test_unknown_numbers_are_not_judged() -> None:
    row = [replace(one, winding_c=float("nan"), input_v=float("nan")) for one in bears()]
    assert check_actuators(row, (), None)[0] == Finding(
        "left leg bus: actuators", State.WELL, "all 3 answer"
    )


@pytest.mark.parametrize(
    ("tried", "state"),
    [((), State.NOTE), (("01020304",), State.WELL), (("09",), State.WRONG)],
)
def test_firmware_is_that_of_the_bench(tried: tuple[str, ...], state: State) -> None:
    assert check_actuators(bears(), tried, None)[-1].state is state


def test_two_versions_are_two_findings() -> None:
    row = bears()
    row[1] = replace(row[1], versions="05060708")
    found = check_actuators(row, ("01020304",), None)
    firmware = [one for one in found if one.what == "actuators' firmware"]
    assert [one.state for one in firmware] == [State.WELL, State.WRONG]
    assert "joint_1" in firmware[1].found


def test_grave_troubles_are_wrong_and_others_are_notes() -> None:
    troubles = (Trouble("IMU", "silent; check its plug", grave=True), Trouble("hand", "warm"))
    found = check_devices(troubles, (("hand", "firmware 1.0.0"),))
    assert [(one.what, one.state) for one in found] == [
        ("IMU", State.WRONG),
        ("hand", State.NOTE),
        ("hand", State.WELL),
    ]


def test_an_open_channel_is_wrong_and_none_at_all_was_not_seen() -> None:
    channels = (StopChannel("wired A", True), StopChannel("wired B", False))
    found = check_stop_chain(channels, heard=True)
    assert [one.state for one in found] == [State.WELL, State.WRONG]
    assert [one.state for one in check_stop_chain((), heard=True)] == [State.UNSEEN]


def test_an_actuator_that_is_garbled_is_not_called_silent() -> None:
    row = [
        replace(one, versions="", faults=("answers garbled; scan its line",)) for one in bears(2)
    ]
    found = check_actuators(row, (), True)
    assert [one.found for one in found] == ["answers garbled"] * 2
    assert {one.state for one in found} == {State.WRONG}


def test_a_channel_without_a_reader_is_not_reported_open() -> None:
    """Who looks for a pressed stop there finds none: it is the supervisor's plug."""
    channels = (StopChannel("wired A", False), StopChannel("agreement", True))
    for one in check_stop_chain(channels, heard=False):
        assert one.state is State.UNSEEN and one.found.startswith("not heard")
        assert "supervisor's line" in one.todo
    agree, differ = (
        check_stop_chain((StopChannel("agreement", well),), heard=True)[0] for well in (True, False)
    )
    assert (agree.state, agree.found) == (State.WELL, "they agree")
    assert differ.state is State.WRONG and "differ" in differ.found and "contacts" in differ.todo


def test_devices_on_a_closed_line_are_unseen() -> None:
    found = check_robot(replace(robot(), battery=None, unseen=("battery",)))
    (one,) = [one for one in found if one.what == "battery"]
    assert one.state is State.UNSEEN and "line" in one.todo and not nothing_wrong(found)


@pytest.mark.parametrize(
    ("volts", "charge", "state"),
    [
        (25.0, 0.9, State.WELL),
        (20.3, 0.9, State.WRONG),
        (25.0, 0.19, State.WRONG),
        (0.0, 0.0, State.WRONG),
        (float("nan"), 0.9, State.WRONG),
        (25.0, float("nan"), State.WRONG),
    ],
)
def test_the_battery_must_be_known_and_charged(volts: float, charge: float, state: State) -> None:
    assert check_battery(Battery(volts, charge, 20.4, 0.2)).state is state


@pytest.mark.parametrize("age_s", [float("inf"), float("nan"), 0.6])
def test_a_handset_must_be_heard(age_s: float) -> None:
    sample = heard()
    sample.age_s = age_s
    assert [one.state for one in check_handset(sample)] == [State.WRONG]


def test_a_handset_that_lies_there_holds_nothing() -> None:
    sample = heard()
    sample.dead_man = True
    sample.buttons[3] = True
    sample.sticks[1] = -0.4
    (found,) = check_handset(sample)
    assert found.state is State.WRONG
    assert found.found == "it holds the dead-man, button 4, a stick"
    sample = heard()
    sample.sticks[0] = np.nan
    assert check_handset(sample)[0].state is State.WRONG


@pytest.mark.parametrize("quality", [0.5, float("nan")])
def test_a_poor_link_is_reported(quality: float) -> None:
    sample = heard()
    sample.quality = quality
    assert check_handset(sample)[0].state is State.WRONG
