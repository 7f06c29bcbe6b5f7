"""A technician's whole work, on a twin whose signs and zeros nobody has told."""

import json
import math
import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.errors import CoreError
from core.service.commission import process
from core.service.commission.order import CommissionOrder
from core.service.commission.process import commission
from devices.real.calibration import load_calibration
from devices.real.settings import load_hardware
from devices.twin.__main__ import ask
from devices.twin.exchange import CLOCK_SOCKET
from tests.devices.twin import rig

COMMAND = (sys.executable, "-P", "-m", "core", "commission", "--json")


def work(order: CommissionOrder, enters: int = 0) -> "subprocess.CompletedProcess[str]":
    """Do what is ordered, with so many presses of Enter."""
    return subprocess.run(
        [*COMMAND, order.to_json()],
        input="\n" * enters,
        capture_output=True,
        text=True,
        timeout=200,
        cwd=rig.ROOT,
    )


@pytest.mark.timeout(600)
def test_a_unit_is_taken_as_it_was_built(tmp_path: Path) -> None:
    wanted = rig.unit(load_hardware(rig.HARDWARE))
    file = tmp_path / "07.toml"
    lines = tmp_path / "lines"
    lines.mkdir()
    with rig.process(lines, kind=rig.ROBOT):
        rig.wait_for(lines / CLOCK_SOCKET)
        told = {"ports": str(lines), "calibration": str(file), "unit": "07"}

        def order(action: str, *names: str, **others: object) -> CommissionOrder:
            made = {"body": "twin", "action": action, "names": names, **told, **others}
            return CommissionOrder.from_json(json.dumps(made))

        done = work(order("zero", "head"))
        assert done.returncode == 2 and not file.exists()
        assert "head_pitch has no sign yet" in done.stderr and "Traceback" not in done.stderr
        for joint in ("head_pitch", "head_yaw"):
            ask(lines, f"turn {joint} 0")
            ask(lines, "advance 0.5")
            command = subprocess.Popen(
                [*COMMAND, order("sign", joint).to_json()],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                cwd=rig.ROOT,
            )
            with command:
                assert command.stdin is not None and command.stdout is not None
                assert "hold it still" in command.stdout.readline()
                command.stdin.write("\n")
                command.stdin.flush()
                assert "turn it by about 20°" in command.stdout.readline()
                ask(lines, f"turn {joint} 20")
                command.stdin.write("\n")
                command.stdin.flush()
                assert f"sign {wanted.of(joint).sign:+d}" in command.stdout.readline()
                assert command.wait(60) == 0
            ask(lines, f"turn {joint} 10")
            ask(lines, "advance 0.5")
        done = work(order("zero", "head", angles={"head_pitch": 10.0, "head_yaw": 10.0}))
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
        assert f"saved in {file}" in done.stdout
        done = work(order("look", "head"))
        assert done.returncode == 0 and done.stdout.count("may be from") == 2
    found = load_calibration(file, "kid_cosmo")
    for joint in ("head_pitch", "head_yaw"):
        assert found.of(joint).sign == wanted.of(joint).sign
        assert found.of(joint).zero_rad == pytest.approx(wanted.of(joint).zero_rad, abs=0.06)
    assert found.unit == "07" and math.isnan(found.of("left_knee").zero_rad)


@pytest.mark.timeout(300)
def test_a_twin_is_started_and_a_scan_names_the_faults(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    faults = tmp_path / "faults"
    faults.write_text("0 number left_elbow 77\n0 number head_yaw 1\n")
    order = CommissionOrder(
        action="scan", names=("left_arm", "head"), body="twin", faults=str(faults)
    )
    assert commission(order) == 1
    out, err = capfd.readouterr()
    assert err == "" and "left_elbow            does not answer" in out
    assert "id  77  no joint's" in out and "answers garbled" in out


@pytest.mark.timeout(300)
def test_a_line_unplugged_meanwhile_is_reported_and_nothing_is_saved(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    faults, file = tmp_path / "faults", tmp_path / "a.toml"
    faults.write_text("0 number left_elbow 77\n1.06 unplug left_arm\n")
    order = CommissionOrder(
        action="id",
        names=("left_elbow",),
        old_id=77,
        body="twin",
        faults=str(faults),
        calibration=str(file),
    )
    assert commission(order) == 2
    out, err = capfd.readouterr()
    assert "left arm bus" in err and len(err.splitlines()) == 1 and out == ""
    assert not file.exists()


@pytest.mark.timeout(300)
def test_the_death_of_a_twin_is_reported_with_its_sentence(tmp_path: Path) -> None:
    faults = tmp_path / "faults"
    faults.write_text("0.2 unplug tail\n")
    order = CommissionOrder(action="scan", body="twin", faults=str(faults))
    with pytest.raises(CoreError, match="there is no line 'tail'"):
        commission(order)


@pytest.mark.timeout(300)
def test_a_twin_that_is_named_and_dies_is_reported(tmp_path: Path) -> None:
    with rig.process(tmp_path, kind=rig.ROBOT) as twin:
        rig.wait_for(tmp_path / CLOCK_SOCKET)
        order = CommissionOrder(action="supply", body="twin", ports=str(tmp_path))
        command = subprocess.Popen(
            [*COMMAND, order.to_json()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=rig.ROOT,
        )
        with command:
            assert command.stdin is not None and command.stdout is not None
            assert "Enter switches the motors" in command.stdout.readline()
            assert "contactor open, and latched; wired A closed" in command.stdout.readline()
            command.stdin.write("\n")
            command.stdin.flush()
            while "CLOSED: the motors have" not in command.stdout.readline():
                assert command.poll() is None
            twin.kill()
            assert command.wait(60) == process.GONE
            assert command.stderr is not None
            assert command.stderr.read() == "twin: has ended; start the run again\n"


def test_without_a_robot_its_lines_are_named(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    order = CommissionOrder(
        action="look", ports=str(tmp_path), calibration=str(tmp_path / "a.toml"), unit="07"
    )
    assert commission(order) == 2
    told = "head bus: head_pitch: unplugged; check the adapter's USB plug\n"
    assert capfd.readouterr().err == told
    assert os.listdir(tmp_path) == []
