"""Actuators and joints: who is where, what a technician takes, and what is refused."""

import datetime
import math
from collections.abc import Iterator
from pathlib import Path

import pytest

from devices.errors import DeviceError
from devices.families.bear import bench as commissioning
from devices.families.bear.wire.registers import PRESENT_POSITION, TORQUE_ENABLE
from devices.real.calibration import Calibrated, Calibration
from devices.real.clock import MonotonicTimekeeper
from devices.real.composition import ports_of
from devices.real.fitting import Fitting
from devices.real.settings import Hardware, load_hardware
from tests.devices.families.bear.bears import Bear
from tests.devices.real.live import Live
from tests.devices.real.test_settings import FILE

TODAY = datetime.date(2026, 8, 2)
ARM = ("left_shoulder_pitch", "left_shoulder_roll", "left_elbow")


@pytest.fixture(scope="module")
def hardware() -> Hardware:
    return load_hardware(FILE)


@pytest.fixture
def bears() -> dict[str, Bear]:
    return {joint: Bear(1 + i, 0.1 * i) for i, joint in enumerate(ARM)}


@pytest.fixture
def live(tmp_path: Path, bears: dict[str, Bear]) -> Iterator[Live]:
    line = Live(tmp_path / "left_arm", list(bears.values()))
    yield line
    line.end()


@pytest.fixture
def fitting(hardware: Hardware, live: Live, monkeypatch: pytest.MonkeyPatch) -> Iterator[Fitting]:
    monkeypatch.setattr(commissioning, "REPLY_S", 0.3)  # a busy machine may stop a thread
    monkeypatch.setattr(commissioning, "TRIES", 1)
    monkeypatch.setattr(Fitting, "_ids", lambda self, line: range(1, 6))
    monkeypatch.setattr("devices.real.fitting.SETTLE_S", 0.0)
    ports = ports_of(hardware, live.path.parent)
    calibration = Calibration.begun(hardware, "kid_cosmo", "07", TODAY)
    yield Fitting(hardware, calibration, ports, MonotonicTimekeeper(), TODAY)
    for port in ports.values():
        port.close()


def turn(bear: Bear, by: float) -> None:
    bear.set(PRESENT_POSITION, bear.get(PRESENT_POSITION) + by)


# Refusals


def test_an_unknown_line_or_joint_is_named_with_the_known_ones(fitting: Fitting) -> None:
    with pytest.raises(DeviceError, match="no line 'imu' with actuators; give one of head, left_a"):
        fitting.lines(["imu"])
    with pytest.raises(DeviceError, match="no joint or line 'left_wrist'; give one of head"):
        fitting.joints(["left_wrist"])


def test_a_line_that_is_not_there_is_reported(fitting: Fitting) -> None:
    with pytest.raises(DeviceError, match="head bus: unplugged"):
        fitting.scan("head")


def test_an_id_of_another_joint_is_refused_before_anybody_is_asked(
    fitting: Fitting, live: Live
) -> None:
    with pytest.raises(DeviceError, match="id 2 is left_shoulder_roll's; choose another one"):
        fitting.give_id("left_elbow", 3, 2)
    assert live.saved == []


def test_several_actuators_need_an_id(fitting: Fitting, live: Live) -> None:
    with pytest.raises(DeviceError, match="ids 1, 2, 3 answer; unplug all but one"):
        fitting.give_id("left_elbow", None, None)
    live.bears.clear()
    with pytest.raises(DeviceError, match="no actuator answers; check its supply"):
        fitting.give_id("left_elbow", None, None)


@pytest.mark.parametrize("by", [0.0, 0.1, 3.1])
def test_a_joint_that_was_hardly_turned_or_too_far_has_no_sign(
    fitting: Fitting, bears: dict[str, Bear], by: float
) -> None:
    before = fitting.position_rad("left_elbow")
    turn(bears["left_elbow"], by)
    with pytest.raises(DeviceError, match="left_elbow was turned by .*; turn that joint, by 10"):
        fitting.take_sign("left_elbow", before)
    assert fitting.calibration.of("left_elbow").sign == 0


def test_no_zero_is_taken_unless_all_are(fitting: Fitting, bears: dict[str, Bear]) -> None:
    with pytest.raises(DeviceError, match="left_shoulder_pitch has no sign yet"):
        fitting.take_zeros(ARM, dict.fromkeys(ARM, 0.0))
    for joint in ARM:
        fitting.calibration = fitting.calibration.signed(joint, 1, TODAY)
    before = fitting.calibration
    bears["left_elbow"].silent = True
    with pytest.raises(DeviceError, match="left arm bus: left_elbow: id 3 does not answer"):
        fitting.take_zeros(ARM, dict.fromkeys(ARM, 0.0))
    assert fitting.calibration is before


# What it is for


def test_a_scan_lists_all_actuators_and_the_missing_ones(
    fitting: Fitting, bears: dict[str, Bear]
) -> None:
    bears["left_shoulder_roll"].id = 5
    seen = fitting.scan("left_arm")
    assert [(one.id, one.joint, one.versions, one.well) for one in seen] == [
        (1, "left_shoulder_pitch", "01020304", True),
        (2, "left_shoulder_roll", "", False),
        (3, "left_elbow", "01020304", True),
        (5, "", "01020304", False),
    ]
    assert "left_shoulder_roll    does not answer" in str(seen[1])
    assert "no joint's" in str(seen[3]) and "give it the id of its joint" in str(seen[3])


def test_two_with_one_id_are_seen(fitting: Fitting, bears: dict[str, Bear]) -> None:
    bears["left_shoulder_roll"].id = 3
    (one,) = [one for one in fitting.scan("left_arm") if one.id == 3]
    assert one.garbled and not one.well and "perhaps two actuators have this id" in str(one)


def test_a_new_actuator_that_is_alone_gets_the_id_of_its_joint(
    fitting: Fitting, live: Live, bears: dict[str, Bear]
) -> None:
    live.bears[:] = [bears["left_shoulder_pitch"]]  # id 1, as from the maker
    assert fitting.give_id("left_elbow", None, None) == (1, 3)
    assert live.bears[0].id == 3 and live.saved == [3]
    assert fitting.give_id("left_elbow", None, None) == (3, 3)
    assert fitting.give_id("left_elbow", 3, 4) == (3, 4)
    assert fitting.calibration.of("left_elbow").id == 4


@pytest.mark.parametrize(("by", "sign"), [(0.4, 1), (-0.4, -1)])
def test_signs_then_zeros_make_the_joint_read_its_posture(
    fitting: Fitting, bears: dict[str, Bear], by: float, sign: int
) -> None:
    bears["left_elbow"].set(TORQUE_ENABLE, 3)
    before = fitting.position_rad("left_elbow")
    turn(bears["left_elbow"], by)
    assert fitting.take_sign("left_elbow", before) == sign
    assert math.isnan(fitting.angle_rad("left_elbow"))  # it has no zero yet
    moved = fitting.take_zeros(["left_elbow"], {"left_elbow": 0.25})
    assert math.isnan(moved["left_elbow"])
    assert fitting.angle_rad("left_elbow") == pytest.approx(0.25)
    turn(bears["left_elbow"], sign * 0.1)
    assert fitting.angle_rad("left_elbow") == pytest.approx(0.35)
    moved = fitting.take_zeros(["left_elbow"], {"left_elbow": 0.25})
    assert moved["left_elbow"] == pytest.approx(-0.1, abs=1e-6)
    assert bears["left_elbow"].torque == [0] * len(bears["left_elbow"].torque)


def test_a_geared_joint_turns_less_than_its_actuator(
    hardware: Hardware, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commissioning, "REPLY_S", 0.3)
    knee = Bear(4, 1.0)
    line = Live(tmp_path / "left_leg", [knee])
    ports = ports_of(hardware, tmp_path)
    calibration = Calibration.assumed(hardware, "kid_cosmo", "07", TODAY).changed(
        [Calibrated("left_knee", 4, -1, 0.0)], TODAY
    )
    fitting = Fitting(hardware, calibration, ports, MonotonicTimekeeper(), TODAY)
    try:
        before = fitting.position_rad("left_knee")
        turn(knee, -3.0 * math.radians(20.0))
        assert fitting.take_sign("left_knee", before) == -1
        fitting.take_zeros(["left_knee"], {"left_knee": -1.0})
        assert fitting.angle_rad("left_knee") == pytest.approx(-1.0)
        turn(knee, 0.3)
        assert fitting.angle_rad("left_knee") == pytest.approx(-1.1)
    finally:
        line.end()
        for port in ports.values():
            port.close()
