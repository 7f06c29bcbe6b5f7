"""A robot's gestures: its own come first, and those that it cannot play are left out."""

from pathlib import Path

import pytest

from shows.folders import GESTURES, VARIABLE, gesture_folders
from shows.gestures import find_gesture, load_gestures
from shows.motion import save_motion
from tests.shows.examples import ARMS, joint_table, wave_motion


def test_a_robots_own_gestures_come_before_the_shared_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "tester" / "gestures"
    save_motion(wave_motion(seconds=3.0), own / "wave.json")
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    assert gesture_folders("tester") == (own, GESTURES)
    assert gesture_folders("nobody") == (GESTURES,)
    shared = tmp_path / "shared"
    save_motion(wave_motion(), shared / "wave.json")
    save_motion(wave_motion("nod"), shared / "nod.json")
    gestures = load_gestures(joint_table(), (own, shared))
    assert gestures.motions["wave"].duration_s == 3.0
    assert set(gestures.motions) == {"nod", "wave"}
    assert gestures.warnings() == ()
    assert find_gesture("wave", (own, shared)) == own / "wave.json"
    assert find_gesture("bow", (own, shared)) is None


def test_gestures_that_a_robot_cannot_play_are_left_out_with_the_reason(tmp_path: Path) -> None:
    for name in ("nod", "wave"):
        save_motion(wave_motion(name), tmp_path / f"{name}.json")
    gestures = load_gestures(joint_table(ARMS), (tmp_path,))
    assert gestures.motions == {}
    (warning,) = gestures.warnings()
    assert warning.startswith("left out: nod, wave (")
    assert "tester has no joint 'head_yaw'" in warning
