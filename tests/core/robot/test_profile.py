"""A profile is read exactly, or refused in one line that names the faulty key."""

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
from core.robot.folders import robot_folders
from core.robot.profile import Joint
from core.robot.profile_file import MAX_PROFILE_BYTES, load_profile, read_profile
from shows.folders import ROBOTS, VARIABLE
from tests.core.robot.toml import to_toml

TEXT = (ROBOTS / "kid_cosmo" / "profile.toml").read_text(encoding="utf-8")
BARE = "".join(f"{line.split(' #')[0].rstrip()}\n" for line in TEXT.splitlines() if line[:1] != "#")
FIRST_ROW = next(line for line in TEXT.splitlines(True) if '["head_pitch"' in line)


def refusal(tmp_path: Path, content: str | bytes) -> ProfileError:
    """Return the refusal of a file with this content."""
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
    assert profile.posture("rest")[4] == math.radians(profile.postures["rest"]["left_arm"][2])
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
    assert "kid_cosmo" in robot_folders()


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


def test_a_file_that_is_cut_is_refused(tmp_path: Path) -> None:
    # Comments and most rows only make the file longer.
    dropped = [line for line in BARE.splitlines() if line.startswith('    ["left_upper_arm", "')]
    raw = "".join(f"{line}\n" for line in BARE.splitlines() if line not in dropped).encode()
    path = tmp_path / "profile.toml"
    path.write_bytes(raw)
    assert len(read_profile(path).joint_names) == 28
    required = raw.index(b"[biped.qp]")
    for length in reversed([*range(0, len(raw), 37), *range(len(raw) - 20, len(raw))]):
        if length > required and raw[:length].endswith(b"\n"):
            continue  # a whole number of lines: a cut after the last required table shows nowhere
        os.truncate(path, length)
        with pytest.raises(ProfileError, match="profile.toml, "):
            read_profile(path)
    # An editor may have ended the last line again.
    for length in range(0, required, 53):
        path.write_bytes(raw[:length] + b"\n")
        with pytest.raises(ProfileError) as caught:
            read_profile(path)
        assert "\n" not in str(caught.value), f"cut at {length}"


def test_a_cut_within_the_last_number_is_told_as_such(tmp_path: Path) -> None:
    assert refusal(tmp_path, TEXT.rstrip("0\n")).place == "end"


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path, "").place == "end"
    assert "missing required field" in refusal(tmp_path, "\n").reason


def test_a_file_a_thousand_times_too_large_is_refused(tmp_path: Path) -> None:
    comment = "# " + "x" * 998 + "\n"
    huge = TEXT + comment * (MAX_PROFILE_BYTES // 1000)
    assert "larger than any profile" in refusal(tmp_path, huge).reason


@pytest.mark.parametrize("raw", [b"\xff\xfe\x00\n", b"\x00" * 9 + b"\n", b"schema = 1\n\x80 = 2\n"])
def test_bytes_that_are_no_text_are_refused(tmp_path: Path, raw: bytes) -> None:
    assert refusal(tmp_path, raw).place == "syntax"


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ("schema = 2\n", "schema = 2\ncolour = 3\n", "top level"),
        ("[supply]\n", "[supply]\nnominal_volts = 3.0\n", "supply"),
        ("[actuators.micro]\n", "[actuators.micro]\ngear = 2.0\n", "actuators"),
        ("[biped.gait]\n", "[biped.gait]\nstride = 1.0\n", "biped.gait"),
        ("[biped.balance]\n", "[biped.balance]\nstride = 1.0\n", "biped.balance"),
        ('name = "left_foot"\n', 'name = "left_foot"\nwidth = 1.0\n', "contacts"),
        ("vertical = {", "vertical = { ki = 1.0,", "biped.tasks.com.vertical"),
        ("[biped.qp]\n", "[biped.qp]\nwarm = true\n", "biped.qp"),
        ("[biped.estimator]\n", "[biped.estimator]\nmagic = 1\n", "biped.estimator"),
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
    "battery.low_v",
    "health.fall_height_m",
    "biped.gait.step_s",
    "biped.gait.apex",
    "biped.gait.freeze_s",
    "biped.gait.min_step_fraction",
    "biped.balance.rise_s",
    "biped.estimator.kinematics_noise",
    "biped.adaptation.momentum_rate",
    "biped.lean.speed",
    "biped.guided.lean_speed",
    "biped.constraints.friction",
    "biped.qp.eps_abs",
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
        ("fall_height_m", "-100.0"),
        ("largest_roll", "3.0"),
        ("max_iterations", "0"),
        ("max_iterations", "100000"),
        ("max_iterations", "1.5"),
        ("schema", "1"),
        ("schema", "0"),
    ],
)
def test_a_number_out_of_range_is_refused(tmp_path: Path, key: str, value: str) -> None:
    error = refusal(tmp_path, tuned(key, value))
    assert error.place.endswith(key)


@pytest.mark.parametrize(
    ("row", "words", "column"),
    [
        ('["head_pitch", "head", "pitch", "kbmb", nan, 1.2]', "", "kp"),
        ('["head_pitch", "head", "pitch", "kbmb", 40.0, -inf]', ">= 0", "kd"),
        ('["head_pitch", "head", "pitch", "kbmb", -40.0, 1.2]', ">= 0", "kp"),
        ('["head_pitch", "head", "pitch", "kbmb", 40.0]', "length", ""),
        ('["head_pitch", "head", "pitch", "kbmb", 40.0, 1.2, 0]', "length", ""),
        ('["head_pitch", "head", "pitch", "kbmb", "40", 1.2]', "Expected `float`", "kp"),
        ('[7, "head", "pitch", "kbmb", 40.0, 1.2]', "Expected `str`", "name"),
        ('["a\\nb", "head", "pitch", "kbmb", 40.0, 1.2]', "is not a valid name", ""),
    ],
)
def test_a_bad_row_is_refused_by_its_number(
    tmp_path: Path, row: str, words: str, column: str
) -> None:
    error = refusal(tmp_path, changed(FIRST_ROW, f"    {row},\n"))
    assert error.place.startswith("joints.rows[0]")
    assert words in error.reason
    assert not column or error.place.endswith(f", {column})")


def test_a_doubled_joint_is_refused_by_name(tmp_path: Path) -> None:
    error = refusal(tmp_path, changed(FIRST_ROW, FIRST_ROW * 2))
    assert error.place == "joints.rows"
    assert "joint 'head_pitch' is listed twice" in error.reason


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"left_knee", "left_leg"', '"left_knee", "left_lag"', "no limb is called"),
        ('"left_knee", "left_leg"', '"left_knee", ""', "no limb is called"),
        ('"left_knee", "left_leg"', '"left_knee", "left_arm"', "comes too late"),
        ('"right_ankle", "right_leg"', '"right_ankle", "right_hand"', "comes too late"),
        ('"left_wrist", "left_hand"', '"left_wrist", "left_arm"', "comes too late"),
        ('"left_hand", "thumb"', '"left_hand", "wrist"', "two 'wrist' joints"),
    ],
)
def test_a_wrong_limb_is_refused_with_its_joint(
    tmp_path: Path, old: str, new: str, words: str
) -> None:
    error = refusal(tmp_path, changed(old, new))
    assert error.place.startswith("joints.rows, ")
    assert words in error.reason


def test_limbs_in_another_order_are_refused(tmp_path: Path) -> None:
    lines = TEXT.splitlines(True)
    left = [line for line in lines if '"left_arm", "' in line and "kbmb" in line]
    right = [line for line in lines if '"right_arm", "' in line and "kbmb" in line]
    error = refusal(tmp_path, changed("".join(left + right), "".join(right + left)))
    assert error.place == "joints.rows, left_shoulder_pitch"


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
        ("contact_off_force", "37.0", "biped.estimator.contact_off_force"),
        ("critical_v", "21.0", "battery.critical_v"),
        ("solver", '"osqp"', "biped.qp.solver"),
        ("force_max", "1.0", "biped.constraints.force_min"),
        ("crouch_height", "0.9", "biped.balance.crouch_height"),
        ("fall_tilt_rad", "", "health"),
    ],
)
def test_what_contradicts_another_value_is_refused(
    tmp_path: Path, key: str, value: str, place: str
) -> None:
    assert refusal(tmp_path, tuned(key, value)).place == place


@pytest.mark.parametrize("name", ["", ".", "..", "/etc", "kid cosmo", "../kid_cosmo", "a\\nb"])
def test_a_name_that_leads_elsewhere_is_refused(tmp_path: Path, name: str) -> None:
    assert refusal(tmp_path, changed('name = "kid_cosmo"', f'name = "{name}"')).place == "name"


@pytest.mark.parametrize(
    "model", ["", ".", "..", "robot", "/etc/robot.xml", "../robot.xml", "a/robot.xml", "..\\a.xml"]
)
def test_a_model_that_is_no_plain_file_name_is_refused(tmp_path: Path, model: str) -> None:
    content = changed('model = "robot.xml"', f"model = '{model}'")
    assert refusal(tmp_path, content).place == "model"


SECOND_FOOT = TEXT[
    TEXT.index('[[contacts]]\nname = "right_foot"') : TEXT.index("# Where the fingers")
]


@pytest.mark.parametrize(
    ("old", "new", "place", "words"),
    [
        ("left_arm = [3, -8, 15]\n", "left_arm = [3, -8]\n", ".left_arm", "has 2 angles"),
        ("left_arm = [3, -8, 15]\n", "tail = [1]\n", "left_arm", "has 0 angles"),
        ("head = [0, 0]\n", "head = [0, 0]\ntail = [1]\n", ".tail", "no limb is called so"),
        ("[postures.rest]", "[postures.lie]", "postures", "'rest' is missing"),
        ('floor = "crouch"', 'floor = "lie"', "supports.floor", "no posture is called 'lie'"),
        ('floor = "crouch"', 'water = "crouch"', "supports.water", "is not a support"),
        ('yaw = "head_yaw"', 'yaw = "neck"', "gaze.yaw", "has a joint 'neck'"),
        (SECOND_FOOT, "", "contacts", "two feet"),
        ('[imu]\nframe = "imu"\n', "", "imu", "a biped needs one"),
        ("[biped]\n", "[fixed]\nrise_s = 1.0\nsettle_s = 1.0\n[biped]\n", "biped", "one of"),
        ('limb = "left_leg"\nframe', 'limb = "tail"\nframe', "contacts", "no limb is called"),
    ],
)
def test_a_structure_that_contradicts_itself_is_refused(
    tmp_path: Path, old: str, new: str, place: str, words: str
) -> None:
    error = refusal(tmp_path, TEXT.replace(old, new, 1))
    assert place in error.place
    assert words in error.reason


def test_hands_come_last(tmp_path: Path) -> None:
    swapped = TEXT.replace('title = "L hand", kind = "hand"', 'title = "L hand", kind = "arm"')
    swapped = swapped.replace('title = "L arm", kind = "arm"', 'title = "L arm", kind = "hand"')
    assert "hands come last" in refusal(tmp_path, swapped).reason


def test_robots_may_lie_in_another_folder(robots: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shows.folders.ROBOTS", robots / "none")
    assert robot_folders() == {}
    monkeypatch.setenv(VARIABLE, str(robots))
    assert robot_folders() == {"kid_cosmo": robots / "kid_cosmo"}


@pytest.fixture
def robots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with one robot whose profile the test may change."""
    monkeypatch.setattr("shows.folders.ROBOTS", tmp_path)
    (tmp_path / "kid_cosmo").mkdir()
    (tmp_path / "kid_cosmo" / "profile.toml").write_text(TEXT, encoding="utf-8")
    return tmp_path


def test_a_model_that_does_not_exist_is_refused(robots: Path) -> None:
    with pytest.raises(ProfileError, match="there is no file 'robot.xml' in") as caught:
        load_profile("kid_cosmo")
    assert caught.value.place == "model"
    (robots / "kid_cosmo" / "robot.xml").touch()
    assert load_profile("kid_cosmo").model == "robot.xml"


def test_a_folder_copied_without_a_new_name_is_refused(robots: Path) -> None:
    (robots / "kid_cosmo").rename(robots / "twin")
    with pytest.raises(ProfileError, match="the folder is called 'twin'") as caught:
        load_profile("twin")
    assert caught.value.place == "name"


def test_both_solvers_can_be_chosen(tmp_path: Path) -> None:
    path = tmp_path / "profile.toml"
    path.write_text(tuned("solver", '"proxqp"'), encoding="utf-8")
    assert read_profile(path).as_biped.qp.solver == "proxqp"


def test_a_profile_cannot_be_changed() -> None:
    profile = load_profile("kid_cosmo")
    with pytest.raises(AttributeError):
        profile.as_biped.gait.apex = 1.0  # type: ignore[misc]


def test_postures_are_in_radians_and_legs_are_alike() -> None:
    profile = load_profile("kid_cosmo")
    for name in ("rest", "crouch", "seat"):
        posture = profile.posture(name)
        np.testing.assert_array_equal(posture[8:13], posture[13:18])
        assert np.abs(posture).max() < 2.0


TABLES = ["gait", "balance", "estimator", "constraints", "qp"]
JUNK: st.SearchStrategy[Any] = st.one_of(
    st.none(), st.booleans(), st.text(max_size=5), st.lists(st.integers(), max_size=2)
)


@given(data=st.data())
def test_junk_in_any_place_is_refused(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    table: dict[str, Any] = tomllib.loads(TEXT)
    name = data.draw(st.sampled_from(TABLES))
    key = data.draw(st.sampled_from(sorted(table["biped"][name])))
    table["biped"][name][key] = data.draw(JUNK)
    folder = tmp_path_factory.mktemp("junk")
    assert refusal(folder, to_toml(table)).place.startswith(f"biped.{name}")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("200.0, 8.0]", "1300.0, 8.0]", "Expected at most 1200"),
        ("20.0, 0.4]", "0.0, 0.4]", "needs a stiffness"),
        ("20.0, 0.4]", "20.0, 31.0]", "Expected at most 30"),
    ],
)
def test_gains_fit_their_actuator(tmp_path: Path, old: str, new: str, words: str) -> None:
    text = (ROBOTS / "two_arms" / "profile.toml").read_text(encoding="utf-8")
    assert words in refusal(tmp_path, text.replace(old, new, 1)).reason


def test_only_a_robot_on_feet_moves_its_body(tmp_path: Path) -> None:
    text = (ROBOTS / "two_arms" / "profile.toml").read_text(encoding="utf-8")
    body = TEXT[TEXT.index("\n[body]\n") :].split("\n\n", 1)[0]
    error = refusal(tmp_path, f"{text}\n{body}\n")
    assert error.place == "body" and "[runner]" in error.reason


def test_a_person_leads_only_the_shift_of_the_body_farther_than_clips(tmp_path: Path) -> None:
    error = refusal(tmp_path, TEXT.replace("roll = { lower", "roll = { live = 0.3, lower", 1))
    assert error.place == "body" and "remove live" in error.reason
