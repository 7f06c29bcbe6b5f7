"""A profile is used as it stands in its file, or refused in one line that names the place."""

import math
import os
import re
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
FIRST_ROW = next(line for line in TEXT.splitlines(True) if '["head_pitch"' in line)


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


def tuned(key: str, value: str) -> str:
    """Return the real profile with the one line of a key replaced; "" drops it."""
    line = re.compile(rf"^{key} = [^#\n]*", re.MULTILINE)
    assert len(line.findall(TEXT)) == 1, key
    return line.sub(f"{key} = {value} " if value else "", TEXT)


def test_the_real_profile_is_read() -> None:
    profile = load_profile("kid_cosmo")
    assert profile.name == "kid_cosmo"
    assert len(profile.joint_names) == 28
    assert profile.model_path.is_file()
    rows = profile.joints.rows
    assert profile.column("kp")[0] == rows[0].kp
    assert profile.posture("rest")[4] == math.radians(rows[4].rest_deg)
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


@pytest.mark.parametrize("key", ["step_s", "apex", "capture_gain", "gyro_noise", "schema"])
def test_a_missing_key_is_refused_by_name(tmp_path: Path, key: str) -> None:
    error = refusal(tmp_path, tuned(key, ""))
    assert key in error.reason


def test_a_doubled_key_is_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path, tuned("apex", "0.045\napex = 0.05")).place == "syntax"


NUMBERS = [
    "supply.nominal_v",
    "gait.step_s",
    "gait.apex",
    "gait.freeze_s",
    "gait.min_step_fraction",
    "balance.rise_s",
    "estimator.kinematics_noise",
    "estimator.momentum_gain",
    "feet.heel_from_sole",
    "tasks.friction",
    "qp.eps_abs",
    "tick_s",
]


@pytest.mark.parametrize("value", ["nan", "-nan", "inf", "-inf", '"fast"', "true", "[1.0]"])
@pytest.mark.parametrize("place", NUMBERS)
def test_what_is_no_finite_number_is_refused_where_it_is(
    tmp_path: Path, place: str, value: str
) -> None:
    error = refusal(tmp_path, tuned(place.split(".")[-1], value))
    assert error.place == place


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("apex", "-0.045"),
        ("apex", "0.0"),
        ("step_s", "0.0"),
        ("step_s", "400.0"),
        ("tick_s", "1.0"),
        ("tick_s", "0.0"),
        ("stand_height", "-0.745"),
        ("max_step_fraction", "0.5"),
        ("min_step_fraction", "1.5"),
        ("torque_fraction", "1.05"),
        ("torque_fraction", "950.0"),
        ("heel_from_sole", "-100.0"),
        ("max_iterations", "0"),
        ("max_iterations", "100000"),
        ("max_iterations", "1.5"),
        ("schema", "2"),
        ("schema", "0"),
    ],
)
def test_a_number_out_of_range_is_refused(tmp_path: Path, key: str, value: str) -> None:
    error = refusal(tmp_path, tuned(key, value))
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
    ("key", "value", "place"),
    [
        ("contact_off_force", "37.0", "estimator.contact_off_force"),
        ("heel_from_sole", "0.10", "feet.heel_from_sole"),
        ("solver", '"osqp"', "qp.solver"),
    ],
)
def test_what_contradicts_another_value_is_refused(
    tmp_path: Path, key: str, value: str, place: str
) -> None:
    assert refusal(tmp_path, tuned(key, value)).place == place


def test_both_solvers_can_be_chosen(tmp_path: Path) -> None:
    path = tmp_path / "profile.toml"
    path.write_text(tuned("solver", '"proxqp"'), encoding="utf-8")
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
