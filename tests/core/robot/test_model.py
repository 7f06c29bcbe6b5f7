"""A profile that does not fit its model is refused in one sentence."""

import re
from pathlib import Path

import pytest

from core.errors import ProfileError
from core.plants.biped.model import RobotModel
from core.robot.model import joint_limits
from core.robot.profile import Profile
from core.robot.profile_file import read_profile
from tests.core.rig import profile

TEXT = (profile().model_path.parent / "profile.toml").read_text(encoding="utf-8")


def changed(tmp_path: Path, old: str, new: str) -> Profile:
    """Return the real profile with one text replaced."""
    assert TEXT.count(old) == 1, f"{old!r} is in the profile {TEXT.count(old)} times"
    path = tmp_path / "profile.toml"
    path.write_text(TEXT.replace(old, new), encoding="utf-8")
    return read_profile(path)


def refusal(odd: Profile) -> ProfileError:
    """Return the refusals of a profile by both functions that load the model."""
    with pytest.raises(ProfileError) as other:
        joint_limits(odd)
    with pytest.raises(ProfileError) as caught:
        RobotModel(odd)
    assert str(caught.value) == str(other.value)
    assert "\n" not in str(caught.value)
    return caught.value


def row(name: str) -> str:
    return next(line for line in TEXT.splitlines(True) if f'["{name}"' in line)


@pytest.mark.parametrize("name", ["left_nee", "left_knee_2", "left_hip"])
def test_a_joint_that_the_model_lacks_is_refused_by_name(tmp_path: Path, name: str) -> None:
    error = refusal(changed(tmp_path, '["left_knee"', f'["{name}"'))
    assert (error.file, error.place) == ("profile.toml", f"joints.rows, {name}")
    assert "robot.xml has no such joint" in error.reason


@pytest.mark.parametrize("limb", ["head", "left_arm", "right_leg", "left_hand"])
def test_a_joint_that_the_profile_lacks_is_refused_by_name(tmp_path: Path, limb: str) -> None:
    last = profile().joints_of(limb)[-1]
    still = re.sub(r"(?ms)^\[idle\].*(?=^\[hand_poses\])|^\[gaze\].*?(?=^\[)", "", TEXT)
    lines = [line for line in still.splitlines(True) if not line.startswith(f'    ["{last}"')]
    shorter = re.sub(rf"(?m)^({limb} = \[.*), [-\d.]+\]$", r"\1]", "".join(lines))
    path = tmp_path / "profile.toml"
    path.write_text(shorter, "utf-8")
    error = refusal(read_profile(path))
    assert error.place == "joints.rows"
    assert f"'{last}' is missing" in error.reason


@pytest.mark.parametrize(
    ("one", "other"),
    [("head_pitch", "head_yaw"), ("right_knee", "right_ankle"), ("left_index", "left_middle")],
)
def test_swapped_joints_are_refused(tmp_path: Path, one: str, other: str) -> None:
    both = row(one) + row(other)
    error = refusal(changed(tmp_path, both, row(other) + row(one)))
    assert error.place == f"joints.rows, {one}"
    assert f"comes before '{other}'" in error.reason


@pytest.mark.parametrize(
    ("name", "old", "angles", "reason"),
    [
        (
            "left_knee",
            "-20, -40, 20]",
            "-20, 1, 20]",
            "1 deg is outside its limits; choose -90",
        ),
        ("left_knee", "-20, -40, 20]", "-20, -91, 20]", "-91 deg is outside its limits"),
        ("head_pitch", "head = [0, 0]", "head = [31, 0]", "choose -30 to 30"),
    ],
)
def test_a_posture_beyond_a_limit_is_refused_with_both(
    tmp_path: Path, name: str, old: str, angles: str, reason: str
) -> None:
    path = tmp_path / "profile.toml"
    path.write_text(TEXT.replace(old, angles, 1), encoding="utf-8")
    error = refusal(read_profile(path))
    assert error.place == f"postures.rest, {name}"
    assert reason in error.reason


@pytest.mark.parametrize("content", [None, "", "<mujoco><worldbody>", "no xml\n\nat all"])
def test_a_model_that_cannot_be_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str | None
) -> None:
    monkeypatch.setattr("shows.folders.ROBOTS", tmp_path)
    (tmp_path / "kid_cosmo").mkdir()
    (tmp_path / "kid_cosmo" / "profile.toml").touch()
    if content is not None:
        (tmp_path / "kid_cosmo" / "robot.xml").write_text(content, encoding="utf-8")
    error = refusal(profile())
    assert (error.file, error.place) == ("robot.xml", "file")
    assert str(tmp_path) not in error.reason
