"""`footlight adapt` writes what a robot can play, and says why it leaves the rest out."""

from pathlib import Path

import pytest

from app.__main__ import main
from shows.folders import GESTURES, ROBOTS

ROBOT = "draco3"


def adapt(*options: str) -> int:
    return main(["adapt", "--robot", ROBOT, *options])


def test_bad_input_is_refused_before_anything_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "gestures"
    assert adapt("wink", "--out", str(out)) == 2
    assert "the library has no gesture 'wink'" in capsys.readouterr().err
    assert adapt("wave", "--from", ROBOT, "--out", str(out)) == 2
    assert "choose another --robot" in capsys.readouterr().err
    assert not out.exists()


def test_a_gesture_is_written_and_another_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert adapt("shake_head", "nod", "--out", str(tmp_path)) == 1
    printed = capsys.readouterr().out
    assert "no counterpart of head_yaw, which carries the meaning" in printed
    assert [path.name for path in tmp_path.iterdir()] == ["nod.json"]


def test_the_robot_has_every_gesture_but_those_that_need_its_missing_parts() -> None:
    own = {path.stem for path in (ROBOTS / ROBOT / "gestures").glob("*.json")}
    shared = {path.stem for path in GESTURES.glob("*.json")}
    assert shared - own == {"shake_head", "look_around", "thumbs_up"}
