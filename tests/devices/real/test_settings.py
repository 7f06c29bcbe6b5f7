"""What hangs on which line: the robot's own file, and files that are wrong."""

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from devices.errors import DeviceError
from devices.families.bear.family import Bears
from devices.real.settings import load_hardware
from devices.real.tables import MOST_BYTES
from tests.tracked import REPOSITORY

FILE = REPOSITORY / "assets" / "robots" / "kid_cosmo" / "hardware.toml"


def written(tmp_path: Path, old: str = "", new: str = "") -> Path:
    text = FILE.read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "hardware.toml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return path


def test_the_robots_own_file_lists_its_actuators() -> None:
    hardware = load_hardware(FILE)
    lines = [row.line for row in hardware.actuator_rows]
    counts = {line: lines.count(line) for line in sorted(set(lines))}
    assert counts == {"head": 2, "left_arm": 3, "left_leg": 5, "right_arm": 3, "right_leg": 5}
    assert {row.gear for row in hardware.actuator_rows if "knee" in row.joint} == {3.0}
    assert hardware.lines["receiver"].baud == 420_000
    table = hardware.actuators["bear"]
    assert isinstance(table, Bears) and not table.gains_while_enabled
    assert hardware.family_of("head") == "bear" and hardware.family_of("imu") == ""


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("schema = 2", "schema = 1", "schema"),
        ("patience_s", "patience", "unknown field"),
        ("silent_s = 0.1\n", "", "silent_s"),
        ("baud = 8_000_000", "baud = 12", "baud"),
        ("patience_s = 0.00025", "patience_s = 0.1", "patience_s"),
        ("patience_s = 0.00025", "patience_s = nan", "patience_s"),
        ("hot_c = 110.0", "hot_c = 80.0", "warm_c must be below"),
        ('"left_knee", "left_leg", 4', '"left_knee", "left_leg", 5', "id 5 is on line 'left_leg'"),
        ('"left_knee", "left_leg", 4', '"left_knee", "left_legs", 4', "'left_legs'"),
        ('"left_knee", "left_leg", 4', '"left_knee", "left_leg", 253', "is not 0 to 252"),
        ('"left_knee"', '"right_knee"', "'right_knee' has two actuators"),
        ("4, 3.0, 1]", "4, 3.0, 0]", "1 or -1"),
        ("4, 3.0, 1]", "4, 0.0, 1]", "actuators.bear.rows 11 (gear): Expected"),
        ('"gear", "sign"]', '"sign", "gear"]', "the columns"),
        ('line = "imu"', 'line = "ims"', "imu.line is 'ims'"),
        ('line = "boards"\nsource', 'line = "head"\nsource', "contacts.line is 'head'"),
        ("source = 0x61", "source = 0x60", "source '0x60' is used twice"),
        ("source = 0x61", "source = 0x20", "contacts[1].source"),
        ('"right_heel"', '"left_heel"', "switch 'left_heel' is used twice"),
        ("right hand's board", "left hand's board", '"left hand\'s board" is used twice'),
        ('line = "safe_remote"', 'line = "boards"', "safe_remote.line is 'boards'"),
        ('line = "boards"\nsource', 'line = "imu"\nsource', "'imu', which contacts uses"),
        ('line = "boards"\nsource', 'line = "legs"\nsource', "'legs', which is not among"),
        ('["left_ring", 1', '["left_wrist", 1', "joint 'left_wrist' has two motors"),
        ('wiring = "parallel"', 'wiring = "both"', "batteries.wiring"),
        ('line = "safe_remote"', 'line = "safe_remote"\nrate = 3', "unknown field `rate`"),
        ("[imu]", "[imus]", "imu"),
        ("[actuators.bear]", "[actuators.servo]", "actuators.servo: there is no such family"),
        ("[actuators.bear]", "[actuators.bear", "not valid TOML"),
    ],
)
def test_a_wrong_file_is_refused_with_one_sentence(
    tmp_path: Path, old: str, new: str, words: str
) -> None:
    with pytest.raises(DeviceError, match=re.escape(words)) as refusal:
        load_hardware(written(tmp_path, old, new))
    text = str(refusal.value)
    assert text.startswith("hardware.toml: ")
    assert "\n" not in text


def test_a_device_that_a_robot_has_not_is_left_out(tmp_path: Path) -> None:
    path = written(tmp_path, '[native_handset]\nline = "native_handset"\n')
    assert load_hardware(path).native_handset is None


def test_a_file_that_cannot_be_read_is_reported(tmp_path: Path) -> None:
    with pytest.raises(DeviceError, match="no such file"):
        load_hardware(tmp_path / "hardware.toml")
    with pytest.raises(DeviceError, match="cannot be read"):
        load_hardware(tmp_path)
    (tmp_path / "hardware.toml").write_bytes(b"#" * (MOST_BYTES + 1))
    with pytest.raises(DeviceError, match="too large"):
        load_hardware(tmp_path / "hardware.toml")
    (tmp_path / "hardware.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(DeviceError, match="not valid"):
        load_hardware(tmp_path / "hardware.toml")


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_whatever_is_changed_is_taken_or_refused_in_words(
    tmp_path: Path, data: st.DataObject
) -> None:
    text = FILE.read_text(encoding="utf-8")
    at = data.draw(st.integers(0, len(text) - 1))
    length = data.draw(st.integers(0, 30))
    new = data.draw(st.text(max_size=12))
    path = tmp_path / "hardware.toml"
    path.write_text(text[:at] + new + text[at + length :], encoding="utf-8", newline="")
    try:
        load_hardware(path)
    except DeviceError as refusal:
        assert "\n" not in str(refusal)
