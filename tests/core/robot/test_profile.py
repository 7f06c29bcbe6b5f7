"""A profile is used as it stands in its file, or refused in one line that names the place."""

import math
import os
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import CoreError, ProfileError
from core.robot.profile import (
    MAX_PROFILE_BYTES,
    ROBOTS,
    Joint,
    load_profile,
    read_profile,
    robot_names,
)

TEXT = (ROBOTS / "kid_cosmo" / "profile.toml").read_text(encoding="utf-8")
BARE = "\n".join(line.split(" #")[0].rstrip() for line in TEXT.splitlines() if line[:1] != "#")
FIRST_ROW = '    ["head_pitch", "head", "kbmb", 40.0, 1.2, 0, 0, 0],\n'


def refusal(tmp_path: Path, content: str | bytes) -> ProfileError:
    """Return how a file of this content is refused."""
    path = tmp_path / "profile.toml"
    raw = content.encode() if isinstance(content, str) else content
    path.write_bytes(raw)
    with pytest.raises(ProfileError) as caught:
        read_profile(path)
    error = caught.value
    assert error.file == "profile.toml"
    assert error.place and error.reason
    assert str(error) == f"profile.toml, {error.place}: {error.reason}"
    assert "\n" not in str(error)
    return error


def changed(old: str, new: str) -> str:
    """Return the real profile with one text replaced."""
    assert TEXT.count(old) == 1, f"{old!r} is in the profile {TEXT.count(old)} times"
    return TEXT.replace(old, new)


def test_the_real_profile_is_read() -> None:
    profile = load_profile("kid_cosmo")
    assert profile.name == "kid_cosmo"
    assert len(profile.joint_names) == 28
    assert profile.model_path.is_file()
    assert profile.column("kp")[0] == 40.0
    assert profile.posture("rest")[2] == math.radians(3.0)
    assert profile.actuator_column("stall_torque")[8] == 8.0
    # Table III: 9 rpm/V at 22.2 V.
    assert profile.no_load_speed()[0] == pytest.approx(20.92, abs=0.01)


def test_comments_make_no_difference(tmp_path: Path) -> None:
    path = tmp_path / "profile.toml"
    path.write_text(BARE, encoding="utf-8")
    assert read_profile(path) == load_profile("kid_cosmo")


@pytest.mark.parametrize("name", ["", "nobody", "../kid_cosmo", "kid_cosmo/..", "KID_COSMO"])
def test_an_unknown_robot_is_refused_with_those_that_are_known(name: str) -> None:
    with pytest.raises(ProfileError, match="no robot is called .*known are: .*kid_cosmo"):
        load_profile(name)
    assert "kid_cosmo" in robot_names()


def test_an_error_is_the_cores() -> None:
    error = ProfileError("a.toml", "gait.apex", "is too high")
    assert isinstance(error, CoreError)
    assert str(error) == "a.toml, gait.apex: is too high"


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match="cannot be read") as caught:
        read_profile(tmp_path / "profile.toml")
    assert caught.value.place == "file"


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match="cannot be read"):
        read_profile(tmp_path)


def test_a_file_cut_at_any_byte_is_refused(tmp_path: Path) -> None:
    # Two joints are enough to cut, and comments only make the file longer.
    rows = [line for line in BARE.splitlines() if line.startswith('    ["')]
    raw = "\n".join(line for line in BARE.splitlines() if line not in rows[2:]).encode()
    path = tmp_path / "profile.toml"
    path.write_bytes(raw)
    assert len(read_profile(path).joint_names) == 2
    last_value = raw.rindex(b" ") + 2  # of the very last number, the first digit says something
    for length in reversed(range(last_value)):
        os.truncate(path, length)
        with pytest.raises(ProfileError) as caught:
            read_profile(path)
        assert "\n" not in str(caught.value), f"cut at {length}"


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    assert "missing required field" in refusal(tmp_path, "").reason


def test_a_file_a_thousand_times_too_large_is_refused(tmp_path: Path) -> None:
    comment = "# " + "x" * 998 + "\n"
    huge = TEXT + comment * (MAX_PROFILE_BYTES // 1000)
    assert "larger than any profile" in refusal(tmp_path, huge).reason


@pytest.mark.parametrize("raw", [b"\xff\xfe\x00", b"\x00" * 100, b"schema = 1\n\x80 = 2\n"])
def test_bytes_that_are_no_text_are_refused(tmp_path: Path, raw: bytes) -> None:
    assert refusal(tmp_path, raw).place == "syntax"


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ("schema = 1\n", "schema = 1\ncolour = 3\n", "top level"),
        ("[supply]\n", "[supply]\nnominal_volts = 3.0\n", "supply"),
        ("[actuators.micro]\n", "[actuators.micro]\ngear = 2.0\n", "actuators"),
        ("[gait]\n", "[gait]\nstride = 1.0\n", "gait"),
        ("[balance]\n", "[balance]\nstride = 1.0\n", "balance"),
        ("[feet]\n", "[feet]\nwidth = 1.0\n", "feet"),
        ("com_vertical = {", "com_vertical = { ki = 1.0,", "tasks.com_vertical"),
        ("[qp]\n", "[qp]\nwarm = true\n", "qp"),
        ("[estimator]\n", "[estimator]\nmagic = 1\n", "estimator"),
        ("[joints]\n", "[joints]\nmirror = true\n", "joints"),
    ],
)
def test_an_unknown_key_is_refused_where_it_is(
    tmp_path: Path, old: str, new: str, place: str
) -> None:
    error = refusal(tmp_path, changed(old, new))
    assert error.place.startswith(place)
    assert "unknown field" in error.reason


@pytest.mark.parametrize(
    "line",
    ["step_s = 0.40", "apex = 0.045", "capture_gain = 3.0", "gyro_noise = 0.01", "schema = 1"],
)
def test_a_missing_key_is_refused_by_name(tmp_path: Path, line: str) -> None:
    error = refusal(tmp_path, changed(line, ""))
    assert line.split()[0] in error.reason


def test_a_doubled_key_is_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path, changed("apex = 0.045", "apex = 0.045\napex = 0.05")).place == "syntax"


NUMBERS = {
    "supply.nominal_v": "nominal_v = 22.2",
    "gait.step_s": "step_s = 0.40",
    "gait.apex": "apex = 0.045",
    "gait.freeze_s": "freeze_s = 0.05",
    "gait.min_step_fraction": "min_step_fraction = 0.8",
    "balance.rise_s": "rise_s = 1.8",
    "estimator.kinematics_noise": "kinematics_noise = 0.004",
    "estimator.momentum_gain": "momentum_gain = 0.06",
    "feet.heel_from_sole": "heel_from_sole = -0.10",
    "tasks.friction": "friction = 0.5 ",
    "qp.eps_abs": "eps_abs = 1.0e-6",
    "tick_s": "tick_s = 0.001",
}


@pytest.mark.parametrize("value", ["nan", "-nan", "inf", "-inf", '"fast"', "true", "[1.0]"])
@pytest.mark.parametrize("place", list(NUMBERS))
def test_what_is_no_finite_number_is_refused_where_it_is(
    tmp_path: Path, place: str, value: str
) -> None:
    line = NUMBERS[place]
    key = line.split(" =")[0]
    error = refusal(tmp_path, changed(f"\n{line}", f"\n{key} = {value} "))
    assert error.place == place


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("apex = 0.045", "-0.045"),
        ("apex = 0.045", "0.0"),
        ("step_s = 0.40", "0.0"),
        ("step_s = 0.40", "400.0"),
        ("tick_s = 0.001", "1.0"),
        ("tick_s = 0.001", "0.0"),
        ("stand_height = 0.745", "-0.745"),
        ("max_step_fraction = 1.2", "0.5"),
        ("min_step_fraction = 0.8", "1.5"),
        ("torque_fraction = 0.95", "1.05"),
        ("torque_fraction = 0.95", "950.0"),
        ("heel_from_sole = -0.10", "-100.0"),
        ("max_iterations = 100", "0"),
        ("max_iterations = 100", "100000"),
        ("max_iterations = 100", "1.5"),
        ("schema = 1", "2"),
        ("schema = 1", "0"),
    ],
)
def test_a_number_out_of_range_is_refused(tmp_path: Path, line: str, value: str) -> None:
    key = line.split(" =")[0]
    error = refusal(tmp_path, changed(f"\n{line}", f"\n{key} = {value} "))
    assert error.place.endswith(key)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ('["head_pitch", "head", "kbmb", nan, 1.2, 0, 0, 0]', ">= 0|<= "),
        ('["head_pitch", "head", "kbmb", 40.0, -inf, 0, 0, 0]', ">= 0"),
        ('["head_pitch", "head", "kbmb", -40.0, 1.2, 0, 0, 0]', ">= 0"),
        ('["head_pitch", "head", "kbmb", 40.0, 1.2, 10000, 0, 0]', "<= 360"),
        ('["head_pitch", "head", "kbmb", 40.0, 1.2, 0, nan, 0]', "360"),
        ('["head_pitch", "head", "kbmb", 40.0, 1.2, 0, 0]', "length"),
        ('["head_pitch", "head", "kbmb", 40.0, 1.2, 0, 0, 0, 0]', "length"),
        ('["head_pitch", "head", "kbmb", "40", 1.2, 0, 0, 0]', "Expected `float`"),
        ('[7, "head", "kbmb", 40.0, 1.2, 0, 0, 0]', "Expected `str`"),
    ],
)
def test_a_bad_row_is_refused_by_its_number(tmp_path: Path, row: str, words: str) -> None:
    error = refusal(tmp_path, changed(FIRST_ROW, f"    {row},\n"))
    assert error.place.startswith("joints.rows[")
    assert any(word in error.reason for word in words.split("|"))


def test_a_doubled_joint_is_refused_by_name(tmp_path: Path) -> None:
    error = refusal(tmp_path, changed(FIRST_ROW, FIRST_ROW * 2))
    assert (error.place, error.reason) == ("joints.rows", "joint 'head_pitch' is listed twice")


def test_an_unknown_actuator_is_refused_with_its_joint(tmp_path: Path) -> None:
    error = refusal(tmp_path, changed(FIRST_ROW, FIRST_ROW.replace("kbmb", "kbmc")))
    assert error.place == "joints.rows, head_pitch"
    assert "'kbmc'" in error.reason


def test_other_columns_are_refused(tmp_path: Path) -> None:
    error = refusal(tmp_path, changed('"actuator", "kp", "kd"', '"actuator", "kd", "kp"'))
    assert error.place == "joints.columns"
    assert ", ".join(Joint.__struct_fields__) in error.reason


@pytest.mark.parametrize(
    ("line", "new", "place"),
    [
        ("contact_off_force = 25.0", "contact_off_force = 37.0", "estimator.contact_off_force"),
        ("heel_from_sole = -0.10", "heel_from_sole = 0.10", "feet.heel_from_sole"),
        ('solver = "daqp" ', 'solver = "osqp" ', "qp.solver"),
    ],
)
def test_what_contradicts_another_value_is_refused(
    tmp_path: Path, line: str, new: str, place: str
) -> None:
    assert refusal(tmp_path, changed(line, new)).place == place


def test_both_solvers_can_be_chosen(tmp_path: Path) -> None:
    path = tmp_path / "profile.toml"
    path.write_text(changed('solver = "daqp" ', 'solver = "proxqp" '), encoding="utf-8")
    assert read_profile(path).qp.solver == "proxqp"


def test_a_profile_cannot_be_changed() -> None:
    profile = load_profile("kid_cosmo")
    with pytest.raises(AttributeError):
        profile.gait.apex = 1.0  # type: ignore[misc]


def test_postures_are_in_radians_and_legs_are_alike() -> None:
    profile = load_profile("kid_cosmo")
    for name in ("rest", "crouch", "seat"):
        posture = profile.posture(name)
        np.testing.assert_array_equal(posture[8:13], posture[13:18])
        assert np.abs(posture).max() < 2.0


TABLES = ["gait", "balance", "estimator", "tasks", "qp"]
JUNK: st.SearchStrategy[Any] = st.one_of(
    st.none(), st.booleans(), st.text(max_size=5), st.lists(st.integers(), max_size=2)
)


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f'"{k}" = {_toml(v)}' for k, v in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(_toml(v) for v in value) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return '"' + "".join(c if c.isalnum() or c in "._" else " " for c in value) + '"'
    return "{}" if value is None else repr(value)


@given(data=st.data())
def test_junk_in_any_place_is_refused(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    table: dict[str, Any] = tomllib.loads(TEXT)
    name = data.draw(st.sampled_from(TABLES))
    key = data.draw(st.sampled_from(sorted(table[name])))
    table[name][key] = data.draw(JUNK)
    content = "\n".join(f"{k} = {_toml(v)}" for k, v in table.items())
    folder = tmp_path_factory.mktemp("junk")
    assert refusal(folder, content).place.startswith(name)
