"""What the composition root tells the doctor of a robot on emulated lines."""

import datetime
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.__main__ import robot_facts
from core.errors import CoreError
from core.service.doctor.finding import Finding, State
from core.service.doctor.order import DoctorOrder
from core.service.doctor.process import ask_doctor
from core.service.doctor.robot import check_robot
from devices.families.bear import bench as commissioning
from devices.families.bear.wire.registers import INPUT_VOLTAGE
from devices.real.calibration import Calibrated, Calibration, calibration_path, save_calibration
from devices.real.settings import Hardware, load_hardware
from devices.twin.client import TwinTimekeeper
from devices.twin.exchange import CLOCK_SOCKET
from shows.folders import ROBOTS
from tests.devices.families.bear.bears import Bear
from tests.devices.real.live import Live
from tests.devices.twin import rig

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
    made = {bear.joint: Bear(bear.id + 1) for bear in hardware.actuator_rows}
    for bear in made.values():
        bear.set(INPUT_VOLTAGE, 24.0)
    names = {bear.line for bear in hardware.actuator_rows}
    lines = [
        Live(
            tmp_path / name,
            [made[bear.joint] for bear in hardware.actuator_rows if bear.line == name],
        )
        for name in names
    ]
    yield made
    for line in lines:
        line.end()


def order(folder: Path) -> DoctorOrder:
    path = calibration_path(folder, "kid_cosmo", "07")
    return DoctorOrder(ports=str(folder), calibration=str(path))


def test_actuators_are_found_by_the_ids_of_their_unit(
    bears: dict[str, Bear], tmp_path: Path
) -> None:
    bears["left_knee"].silent = True
    facts = robot_facts(order(tmp_path))
    assert facts.calibration.unit == "07" and facts.calibration.problem == ""
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
        unit="07",
        date=TODAY,
        columns=calibration.columns,
        rows=rows,
    )
    save_calibration(foreign, calibration_path(tmp_path, "kid_cosmo", "07"))
    facts = robot_facts(order(tmp_path))
    assert "lacks right_ankle" in facts.calibration.problem
    assert len(facts.lines) == len(hardware.lines)


def seen(findings: list[Finding], what: str) -> list[tuple[State, str, str]]:
    return [(one.state, one.found, one.todo) for one in findings if one.what == what]


@pytest.mark.timeout(300)
def test_a_twin_is_well_and_nothing_of_it_is_left(tmp_path: Path) -> None:
    found = ask_doctor(DoctorOrder(body="twin", records=str(tmp_path)))
    wrong = [one for one in found if one.state not in (State.WELL, State.NOTE)]
    assert wrong == []
    names = [one.what for one in found if one.state is State.WELL]
    lines = ("left leg bus", "IMU", "boards' line", "native handset's radio")
    others = ("E-stop: wired A", "E-stop: wireless receiver", "battery", "handset")
    assert set(names) >= {"calibration", "left leg bus: actuators", *lines, *others}
    (path,) = [one.found.split(",")[0] for one in found if one.what == "left leg bus"]
    assert not Path(path).parent.exists()


@pytest.mark.timeout(300)
def test_what_has_happened_to_a_twin_is_named_with_what_to_do(tmp_path: Path) -> None:
    faults = tmp_path / "faults"
    faults.write_text(
        "0 unplug left_arm\n0.3 unplug imu\n2.2 unplug head  # while it is looked at\n"
        "0 open a\n0 battery voltage=19.5\n0 board 98 mute\n0 press 4\n0 hold\n"
    )
    found = ask_doctor(DoctorOrder(body="twin", records=str(tmp_path), faults=str(faults)))
    for line in ("left arm bus", "IMU", "head bus"):
        told = (State.WRONG, "unplugged", "check the adapter's USB plug")
        assert seen(found, line) == [told], line
    ((state, text, todo),) = seen(found, "E-stop: wired A")
    assert (state, text) == (State.WRONG, "open") and todo
    ((state, text, todo),) = seen(found, "battery")
    assert state is State.WRONG and text.startswith("19.") and "charge" in todo
    assert seen(found, "left hand's board")[0][1] == "silent"
    ((state, text, _),) = seen(found, "handset")
    assert (state, text) == (State.WRONG, "it holds the dead-man, button 4")


@pytest.mark.timeout(300)
def test_a_twin_that_runs_is_looked_at_and_left_alone(tmp_path: Path) -> None:
    with rig.process(tmp_path, kind=rig.ROBOT) as child:
        rig.wait_for(tmp_path / CLOCK_SOCKET)
        order = DoctorOrder(body="twin", ports=str(tmp_path), records=str(tmp_path))
        assert seen(ask_doctor(order), "right leg bus")[0][0] is State.WELL
        assert child.poll() is None
        core = TwinTimekeeper(tmp_path)
        with pytest.raises(CoreError, match="in use by another core; end that one first"):
            ask_doctor(order)
        core.close()


@pytest.mark.timeout(300)
def test_a_twin_that_dies_ends_the_look_with_its_sentence(tmp_path: Path) -> None:
    faults = tmp_path / "faults"
    faults.write_text("0 explode\n")
    with pytest.raises(CoreError, match="line 1 of the script: twin: 'explode' is no order"):
        ask_doctor(DoctorOrder(body="twin", records=str(tmp_path), faults=str(faults)))
    faults.write_text("1.5 unplug tail\n")
    with pytest.raises(CoreError, match="there is no line 'tail'"):
        ask_doctor(DoctorOrder(body="twin", records=str(tmp_path), faults=str(faults)))
