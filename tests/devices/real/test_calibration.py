"""What one unit differs in: files, and what becomes of them."""

import datetime
import math
import os
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from devices.errors import DeviceError
from devices.real.calibration import (
    Calibrated,
    Calibration,
    calibration_path,
    find_calibration,
    load_calibration,
    save_calibration,
)
from devices.real.settings import Hardware, load_hardware
from tests.devices.real.test_settings import FILE

TODAY = datetime.date(2026, 8, 2)


@pytest.fixture(scope="module")
def hardware() -> Hardware:
    return load_hardware(FILE)


@pytest.fixture
def assumed(hardware: Hardware) -> Calibration:
    return Calibration.assumed(hardware, "kid_cosmo", "01", TODAY)


def without(calibration: Calibration, joint: str) -> Calibration:
    rows = tuple(row for row in calibration.rows if row.joint != joint)
    return Calibration(
        schema=1, robot="kid_cosmo", unit="01", date=TODAY, columns=calibration.columns, rows=rows
    )


# Refusals


def test_a_missing_joint_is_named(hardware: Hardware, assumed: Calibration) -> None:
    assumed.check(hardware)
    with pytest.raises(DeviceError, match="lacks left_knee; calibrate"):
        without(assumed, "left_knee").check(hardware)
    with pytest.raises(DeviceError, match="no joint 'left_knee'"):
        without(assumed, "left_knee").of("left_knee")


def test_a_joint_that_the_robot_has_not_is_named(hardware: Hardware, assumed: Calibration) -> None:
    tail = assumed.changed([Calibrated("tail", 9, 1, 0.0)], TODAY)
    with pytest.raises(DeviceError, match="has tail, which the robot lacks"):
        tail.check(hardware)


def test_two_actuators_of_a_line_with_one_id_are_refused(
    hardware: Hardware, assumed: Calibration
) -> None:
    double = assumed.changed([Calibrated("left_knee", 5, 1, 0.0)], TODAY)
    with pytest.raises(DeviceError, match="id 5 is on line 'left_leg' twice"):
        double.check(hardware)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("schema = 1", "schema = 2", "schema"),
        ("date = 2026-08-02", 'date = "yesterday"', "date"),
        ("robot", "model", "unknown field"),
        ('unit = "01"', 'unit = "../01"', "unit"),
        ('"left_knee", 4, 1', '"left_knee", 4, 2', "sign"),
        ('"left_knee", 4, 1, 0.0', '"left_knee", 4, 1, inf', "the zero of left_knee is inf"),
        ('"left_knee", 4, 1, 0.0', '"left_knee", 4, 1, 1e9', "too many turns"),
        ('"left_knee", 4, 1, 0.0', '"left_knee", 4, 1, 0.0, 7', "rows"),
        ('"left_knee"', '"right_knee"', "'right_knee' is listed twice"),
        ('"sign", "zero_rad"', '"zero_rad", "sign"', "the columns"),
    ],
)
def test_a_wrong_file_is_refused_with_one_sentence(
    tmp_path: Path, assumed: Calibration, old: str, new: str, words: str
) -> None:
    path = calibration_path(tmp_path, "kid_cosmo", "01")
    save_calibration(assumed, path)
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(DeviceError, match=re.escape(words)) as refusal:
        load_calibration(path, "kid_cosmo")
    assert str(refusal.value).startswith("kid_cosmo-01.toml: ")
    assert "\n" not in str(refusal.value)


def test_an_incomplete_calibration_is_refused_with_its_joints(
    hardware: Hardware, assumed: Calibration, tmp_path: Path
) -> None:
    """A file that is only begun must not be taken for a robot's."""
    path = calibration_path(tmp_path, "kid_cosmo", "07")
    save_calibration(Calibration.begun(hardware, "kid_cosmo", "07", TODAY), path)
    begun = load_calibration(path, "kid_cosmo")
    some = "head_pitch, head_yaw, left_shoulder_pitch, left_shoulder_roll, … yet"
    with pytest.raises(DeviceError, match=f"unit 07 has no sign of {some}; measure it with"):
        begun.check(hardware)
    one = assumed.changed([Calibrated("left_knee", 4, 0, 0.0)], TODAY)
    with pytest.raises(DeviceError, match="has no sign of left_knee yet"):
        one.check(hardware)
    one = assumed.changed([Calibrated("left_knee", 4, 1, math.nan)], TODAY)
    with pytest.raises(DeviceError, match="no zero of left_knee yet.*footlight commission zero"):
        one.check(hardware)


def test_a_zero_without_a_sign_is_refused(assumed: Calibration) -> None:
    begun = assumed.changed([Calibrated("left_knee", 4, 0, math.nan)], TODAY)
    with pytest.raises(DeviceError, match="left_knee has no sign yet"):
        begun.zeroed({"left_knee": 1.0}, {"left_knee": 0.0}, {"left_knee": 3.0}, TODAY)


def test_a_zero_of_the_other_sign_is_void(assumed: Calibration) -> None:
    taken = assumed.changed([Calibrated("left_knee", 4, 1, 0.5)], TODAY)
    assert taken.signed("left_knee", 1, TODAY) == taken
    turned = taken.signed("left_knee", -1, TODAY).of("left_knee")
    assert (turned.id, turned.sign) == (4, -1) and math.isnan(turned.zero_rad)
    assert taken.numbered("left_knee", 9, TODAY).of("left_knee") == Calibrated(
        "left_knee", 9, 1, 0.5
    )


def test_a_unit_that_was_never_calibrated_is_reported(tmp_path: Path) -> None:
    with pytest.raises(DeviceError, match="no such file"):
        load_calibration(calibration_path(tmp_path, "kid_cosmo", "02"), "kid_cosmo")


def test_another_models_calibration_is_refused(tmp_path: Path, assumed: Calibration) -> None:
    path = calibration_path(tmp_path, "kid_cosmo", "01")
    save_calibration(assumed, path)
    with pytest.raises(DeviceError, match="is of a kid_cosmo, not of a big_cosmo; take the file"):
        load_calibration(path, "big_cosmo")


def test_a_folder_that_cannot_be_read_is_not_taken_for_an_empty_one(tmp_path: Path) -> None:
    with pytest.raises(DeviceError, match="there is none of a kid_cosmo in"):
        find_calibration(tmp_path / "nowhere", "kid_cosmo")
    (tmp_path / "a").write_text("")
    with pytest.raises(DeviceError, match="cannot be read .*; let this user join the group"):
        find_calibration(tmp_path / "a", "kid_cosmo")


def test_a_file_that_cannot_be_written_leaves_the_old_one(
    tmp_path: Path, assumed: Calibration, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = calibration_path(tmp_path, "kid_cosmo", "01")
    save_calibration(assumed, path)
    before = path.read_bytes()

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)  # a disk is full only then
    with pytest.raises(DeviceError, match="cannot be written"):
        save_calibration(assumed.changed([Calibrated("left_knee", 4, -1, 1.0)], TODAY), path)
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


def test_a_zero_that_makes_no_sense_is_refused(assumed: Calibration) -> None:
    with pytest.raises(DeviceError, match="left_knee is not finite"):
        assumed.zeroed({"left_knee": math.nan}, {"left_knee": 0.0}, {"left_knee": 3.0}, TODAY)


def test_whoever_wrote_it_the_core_can_read_it(tmp_path: Path, assumed: Calibration) -> None:
    """A technician writes it as root; the core runs as another user."""
    path = calibration_path(tmp_path, "kid_cosmo", "01")
    save_calibration(assumed, path)
    assert path.stat().st_mode & 0o777 == 0o644


# What it is for


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.floats(-600.0, 600.0), st.sampled_from([-1, 1]), st.integers(0, 252))
def test_a_saved_calibration_is_loaded_unchanged(
    tmp_path: Path, assumed: Calibration, zero_rad: float, sign: int, actuator_id: int
) -> None:
    path = calibration_path(tmp_path / "new", "kid_cosmo", "01")
    wanted = assumed.changed([Calibrated("left_knee", actuator_id, sign, zero_rad)], TODAY)
    save_calibration(wanted, path)
    assert load_calibration(path, "kid_cosmo") == wanted


@given(st.floats(-10.0, 10.0), st.floats(-3.0, 3.0), st.sampled_from([-1, 1]))
def test_a_zero_taken_in_a_posture_reads_that_posture(
    position: float, posture: float, sign: int
) -> None:
    row = Calibrated("left_knee", 4, sign, 0.7)
    columns = Calibrated.__struct_fields__
    before = Calibration(
        schema=1, robot="kid_cosmo", unit="01", date=TODAY, columns=columns, rows=(row,)
    )
    later = TODAY + datetime.timedelta(days=1)
    after = before.zeroed(
        {"left_knee": position}, {"left_knee": posture}, {"left_knee": 3.0}, later
    )
    found = after.of("left_knee")
    assert (position - found.zero_rad) * sign / 3.0 == pytest.approx(posture, abs=1e-9)
    assert (found.id, found.sign, after.date) == (4, sign, later)


def test_the_only_calibration_is_found(assumed: Calibration, tmp_path: Path) -> None:
    path = calibration_path(tmp_path, "kid_cosmo", "01")
    with pytest.raises(DeviceError, match="there is none of a kid_cosmo in .*; calibrate"):
        find_calibration(tmp_path, "kid_cosmo")
    save_calibration(assumed, path)
    assert find_calibration(tmp_path, "kid_cosmo") == path
    with pytest.raises(DeviceError, match="there is none of a small_one"):
        find_calibration(tmp_path, "small_one")
    save_calibration(assumed, calibration_path(tmp_path, "kid_cosmo", "02"))
    with pytest.raises(DeviceError, match="kid_cosmo-01.toml, kid_cosmo-02.toml; name the file"):
        find_calibration(tmp_path, "kid_cosmo")
