"""`footlight inertia`: a table, a file, and one sentence for what it refuses."""

import json
from pathlib import Path

import pytest

from app.__main__ import main
from app.commands.values import mass_move, pose_grid

SMALL = ["--grid", "1x2x3"]


def test_all_robots_are_in_one_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "inertia.json"
    assert main(["inertia", *SMALL, "--json", str(file)]) == 0
    shown = capsys.readouterr().out
    models = ["DRACO 3", "DRACO 3, collocated", "Kid Cosmo", "Two Arms"]
    assert all(model in shown for model in models)
    assert "DRACO 3 compared with DRACO 3, collocated: range of the CII -" in shown
    rows = json.loads(file.read_text(encoding="utf-8"))["rows"]
    assert [row["model"] for row in rows] == models
    assert [row["poses"] for row in rows] == [6] * 4


def test_moves_together_are_a_design(capsys: pytest.CaptureFixture[str]) -> None:
    moves = ["--move", "1:left_thigh:torso", "--move", "1:right_thigh:torso@origin"]
    assert main(["inertia", "draco3", *SMALL, *moves]) == 0
    text = "1 kg left_thigh → torso, 1 kg right_thigh → torso@origin"
    assert f"compared with DRACO 3, {text}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["nobody"], "no robot is called 'nobody'"),
        (["draco3", "--move", "1:left_toe:torso"], "DRACO 3 has no link 'left_toe'"),
        (["--move", "1:left_thigh:torso"], "--move changes one robot: name it"),
        (["--json", "/nowhere/inertia.json"], "its folder does not exist"),
        (["--json", "/tmp"], "/tmp cannot be written: it is a folder"),
        (["--plot", "/dev/null"], "/dev/null takes no figures: it is no folder"),
        (["two_arms", *SMALL, "--json", "/dev/full"], "the results cannot be written"),
    ],
)
def test_bad_input_is_refused_in_one_line(
    arguments: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["inertia", *arguments]) == 2
    said = capsys.readouterr().err.strip()
    assert reason in said and said.startswith("footlight: ") and "\n" not in said


@pytest.mark.parametrize("text", ["", "3x3", "0x1x2", "1x1x1", "1x1x2x2", "100x100x100", "axbxc"])
def test_no_grid(text: str) -> None:
    with pytest.raises(Exception, match="is no grid from 1x1x2"):
        pose_grid(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("2:thigh", "is not KG:FROM:TO"),
        ("2:thigh:shank:foot", "is not KG:FROM:TO"),
        ("2:thigh:", "is not KG:FROM:TO"),
        ("2:thigh:thigh", "moves nothing"),
        ("-2:thigh:shank", "outside 0.001 to 100"),
        ("nan:thigh:shank", "not finite"),
    ],
)
def test_no_move(text: str, reason: str) -> None:
    with pytest.raises(Exception, match=reason):
        mass_move(text)
