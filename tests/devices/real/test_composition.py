"""The robot's own actuators, made of its files."""

import datetime
import re
from pathlib import Path

import msgspec
import pytest

from devices.errors import DeviceError
from devices.families.bear.family import Bears, bear_plans
from devices.interface import Sample
from devices.real.calibration import Calibrated, Calibration
from devices.real.clock import MonotonicTimekeeper
from devices.real.composition import (
    JointParameters,
    actuators_of,
    fitted_actuators,
    ports_of,
)
from devices.real.settings import Hardware, load_hardware
from tests.devices.real.test_settings import FILE

TODAY = datetime.date(2026, 8, 2)


@pytest.fixture(scope="module")
def hardware() -> Hardware:
    return load_hardware(FILE)


@pytest.fixture
def calibration(hardware: Hardware) -> Calibration:
    assumed = Calibration.assumed(hardware, "kid_cosmo", "01", TODAY)
    return assumed.changed([Calibrated("left_knee", 9, -1, 0.3)], TODAY)


@pytest.fixture
def figures(hardware: Hardware) -> JointParameters:
    """Figures of the robot's joints, and of a wrist that no BEAR moves."""
    names = (*(row.joint for row in hardware.actuator_rows), "left_wrist")
    count = len(names)
    return JointParameters(
        names=names,
        stall_torque=tuple(71.5 if "knee" in name else 8.0 for name in names),
        torque_constant=tuple(3.51 if "knee" in name else 1.16 for name in names),
        kp=(40.0,) * count,
        kd=(1.0,) * count,
    )


def test_a_joint_that_the_profile_has_not_is_refused(
    hardware: Hardware, calibration: Calibration, figures: JointParameters
) -> None:
    names = tuple(name.replace("left_knee", "left_nee") for name in figures.names)
    wrong = JointParameters(
        names=names,
        stall_torque=figures.stall_torque,
        torque_constant=figures.torque_constant,
        kp=figures.kp,
        kd=figures.kd,
    )
    with pytest.raises(DeviceError, match="the profile has no joint 'left_knee'"):
        fitted_actuators(hardware, calibration, wrong)


def test_a_calibration_of_another_robot_is_refused(
    hardware: Hardware, calibration: Calibration, figures: JointParameters
) -> None:
    tail = calibration.changed([Calibrated("tail", 1, 1, 0.0)], TODAY)
    with pytest.raises(DeviceError, match="tail"):
        fitted_actuators(hardware, tail, figures)


def test_more_actuators_than_a_line_can_serve_are_refused(
    tmp_path: Path, hardware: Hardware, figures: JointParameters
) -> None:
    table = hardware.actuators["bear"]
    rows = tuple(
        msgspec.structs.replace(row, line="head", id=i) for i, row in enumerate(table.rows)
    )
    crowded = msgspec.structs.replace(
        hardware, actuators={"bear": msgspec.structs.replace(table, rows=rows)}
    )
    calibration = Calibration.assumed(crowded, "kid_cosmo", "01", TODAY)
    ports = ports_of(crowded, tmp_path)
    with pytest.raises(DeviceError, match=re.escape("head bus: 18 actuators are more than one")):
        actuators_of(crowded, calibration, figures, ports, MonotonicTimekeeper())


def test_a_plan_has_the_units_own_numbers(
    tmp_path: Path, hardware: Hardware, calibration: Calibration, figures: JointParameters
) -> None:
    table = hardware.actuators["bear"]
    assert isinstance(table, Bears)
    fitted = fitted_actuators(hardware, calibration, figures)["bear"]
    plans = bear_plans(table, fitted, ports_of(hardware, tmp_path))
    assert {line: len(row) for line, row in plans.items()} == {
        "head": 2,
        "left_arm": 3,
        "right_arm": 3,
        "left_leg": 5,
        "right_leg": 5,
    }
    knee = plans["left_leg"][3]
    assert (knee.joint, knee.place, knee.id, knee.sign) == ("left_knee", 11, 9, -1)
    assert (knee.gear, knee.zero_rad) == (3.0, 0.3)
    assert knee.current_a == pytest.approx(71.5 / 3.51)


def test_without_any_adapter_every_bus_is_reported(
    tmp_path: Path, hardware: Hardware, calibration: Calibration, figures: JointParameters
) -> None:
    keeper = MonotonicTimekeeper()
    ports = ports_of(hardware, tmp_path)
    assert ports["imu"].path == tmp_path / "imu"
    (drives,) = actuators_of(hardware, calibration, figures, ports, keeper)
    drives.read_into(Sample.zeros(len(figures.names), 0), keeper.now_s())
    devices = [trouble.device for trouble in drives.troubles(True)]
    assert sorted(devices) == [
        "head bus",
        "left arm bus",
        "left leg bus",
        "right arm bus",
        "right leg bus",
    ]
    drives.stop(keeper.now_s())
    drives.close()
