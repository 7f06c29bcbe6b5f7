"""What the composition root tells the doctor of a robot on emulated lines."""

import datetime
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.__main__ import robot_facts
from core.doctor.finding import State
from core.doctor.order import DoctorOrder
from core.doctor.robot import check_robot
from core.robot.profile import ROBOTS
from devices.real import commissioning
from devices.real.calibration import Calibrated, Calibration, calibration_path, save_calibration
from devices.real.settings import Hardware, load_hardware
from devices.wire.bear.registers import INPUT_VOLTAGE
from tests.devices.real.bears import Bear
from tests.devices.real.live import Live

TODAY = datetime.date.today()


@pytest.fixture
def hardware() -> Hardware:
    return load_hardware(ROBOTS / "kid_cosmo" / "hardware.toml")


@pytest.fixture
def bears(
    hardware: Hardware, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[dict[str, Bear]]:
    """The robot's actuators by joint, on lines that answer; ids are one more than assumed."""
    monkeypatch.setattr(commissioning, "REPLY_S", 0.3)  # a busy machine may stop a thread
    calibration = Calibration.assumed(hardware, "kid_cosmo", "07", TODAY)
    rows = [Calibrated(row.joint, row.id + 1, row.sign, 0.0) for row in calibration.rows]
    save_calibration(
        calibration.changed(rows, TODAY), calibration_path(tmp_path, "kid_cosmo", "07")
    )
    made = {bear.joint: Bear(bear.id + 1) for bear in hardware.bears.rows}
    for bear in made.values():
        bear.set(INPUT_VOLTAGE, 24.0)
    names = {bear.line for bear in hardware.bears.rows}
    lines = [
        Live(
            tmp_path / name,
            [made[bear.joint] for bear in hardware.bears.rows if bear.line == name],
        )
        for name in names
    ]
    yield made
    for line in lines:
        line.end()


def order(folder: Path) -> DoctorOrder:
    path = calibration_path(folder, "kid_cosmo", "07")
    return DoctorOrder(ports=str(folder), calibration=str(path))


def test_actuators_are_found_by_the_ids_of_their_piece(
    bears: dict[str, Bear], tmp_path: Path
) -> None:
    bears["left_knee"].silent = True
    facts = robot_facts(order(tmp_path))
    assert facts.calibration.piece == "07" and facts.calibration.problem == ""
    assert {one.joint: one.id for one in facts.actuators} == {
        joint: bear.id for joint, bear in bears.items()
    }
    assert [one.joint for one in facts.actuators if not one.versions] == ["left_knee"]
    assert all(bear.torque == [] for bear in bears.values())
    findings = {one.what: one for one in check_robot(facts)}
    assert findings["left_knee (id 5)"].state is State.WRONG
    assert findings["right leg bus: actuators"].found.startswith("all 5 answer, 24.0 V at least")


def test_a_calibration_of_another_robot_is_told_and_the_lines_are_looked_at(
    hardware: Hardware, tmp_path: Path
) -> None:
    calibration = Calibration.assumed(hardware, "kid_cosmo", "07", TODAY)
    rows = calibration.rows[:-1]
    foreign = Calibration(
        schema=1,
        robot="kid_cosmo",
        piece="07",
        date=TODAY,
        columns=calibration.columns,
        rows=rows,
    )
    save_calibration(foreign, calibration_path(tmp_path, "kid_cosmo", "07"))
    facts = robot_facts(order(tmp_path))
    assert "lacks right_ankle" in facts.calibration.problem
    assert len(facts.lines) == len(hardware.lines)
