"""`footlight import`: files of other programs become motions, or are refused with their line."""

import resource
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from app.__main__ import main
from app.exchange.report import Report, read_report
from core.robot.joint_table import known_robot
from shows.csv_motion import encode_csv
from shows.folders import GESTURES
from shows.joints import JointTable
from shows.motion import Motion, load_motion, load_raw_motion, mirror_motion, save_motion
from tests.shows.people import STYLES, Style
from tests.shows.performance import waving

ROBOT = "kid_cosmo"
MOTION_BUILDER = next(style for style in STYLES if style.title == "Perception Neuron")


def joints() -> JointTable:
    table = known_robot(ROBOT)
    assert table is not None
    return table


def perform(folder: Path, file: str, *options: str) -> int:
    out = [] if "--out" in options else ["--out", str(folder / "out.json")]
    report = ["--report", str(folder / "report.json")]
    return main(["import", str(folder / file), "--robot", ROBOT, *out, *report, *options])


def result(folder: Path) -> tuple[Motion, Report]:
    report = read_report(folder / "report.json")
    return load_raw_motion(Path(report.motion), joints()), report


def column(motion: Motion, joint: str) -> "np.ndarray":
    found: np.ndarray = motion.positions[:, motion.joint_names.index(joint)]
    return found


@pytest.mark.parametrize("style", STYLES, ids=lambda style: style.title)
def test_a_person_of_every_writer_waves(
    style: Style, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "wave.bvh").write_bytes(waving(style))
    assert perform(tmp_path, "wave.bvh") == 0
    motion, report = result(tmp_path)
    load_motion(tmp_path / "out.json", joints())  # within every limit
    assert (report.kind, report.unit, report.up) == ("person", style.unit, style.up)
    assert report.guessed == ("unit", "up") and not report.fault
    assert motion.source == "imported" and motion.title == "Wave"
    shown = capsys.readouterr().out
    assert f"{style.unit} (guessed)" in shown and "R arm" in shown
    raised = column(motion, "right_elbow")[len(motion.positions) // 2 :]
    assert raised.max() > 1.0, "the forearm is up"
    assert np.ptp(column(motion, "left_elbow")) < 0.05, "the other arm hangs"
    hand = {limb.limb: limb.hand_mean_cm for limb in report.limbs}
    left, right = hand["left_arm"], hand["right_arm"]
    assert left is not None and right is not None
    assert left < 0.1 and hand["head"] is None
    assert right == pytest.approx(8.1, abs=0.1), "raised in a sixth of a second, as in every file"


def test_options_of_a_person(tmp_path: Path) -> None:
    (tmp_path / "wave.bvh").write_bytes(waving(MOTION_BUILDER))
    options = ("--unit", "centimetre", "--up", "y", "--from", "0.1", "--to", "0.35", "--mirror")
    assert perform(tmp_path, "wave.bvh", *options, "--name", "out", "--title", "Hi there") == 0
    motion, report = result(tmp_path)
    assert report.guessed == () and motion.title == "Hi there"
    assert motion.duration_s == pytest.approx(0.25)
    assert column(motion, "left_elbow").max() > column(motion, "right_elbow").max() + 0.3


def test_a_table_is_taken_by_the_robot_s_joints(tmp_path: Path) -> None:
    wave = load_motion(GESTURES / "wave.json", joints())
    (tmp_path / "mine.csv").write_bytes(encode_csv(wave))
    assert perform(tmp_path, "mine.csv", "--mirror") == 0
    motion, report = result(tmp_path)
    assert report.kind == "table" and report.limbs == () and report.unit == ""
    expected = mirror_motion(wave, joints())
    assert motion.joint_names == expected.joint_names
    np.testing.assert_allclose(motion.positions, expected.positions, atol=1e-6)


def test_a_motion_is_copied_under_another_name(tmp_path: Path) -> None:
    wave = load_motion(GESTURES / "wave.json", joints())
    save_motion(wave, tmp_path / "wave.json")
    assert perform(tmp_path, "wave.json", "--out", str(tmp_path / "hello.json")) == 0
    motion, report = result(tmp_path)
    assert (motion.name, report.kind, motion.title) == ("hello", "motion", wave.title)
    np.testing.assert_array_equal(motion.positions, wave.positions)


FAST = "time_s,left_elbow\n0,0\n0.02,1.5\n0.04,0\n0.06,1.5\n"


def test_what_the_robot_cannot_follow_is_refused_or_kept_raw(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "fast.csv").write_text(FAST)
    assert perform(tmp_path, "fast.csv") == 2
    assert "left_elbow at 0.02 s" in capsys.readouterr().err
    assert not (tmp_path / "out.json").exists()
    assert perform(tmp_path, "fast.csv", "--raw") == 0
    _, report = result(tmp_path)
    assert "left_elbow at 0.02 s" in report.fault
    assert "beyond the limits" in capsys.readouterr().err


def test_parts_that_touch_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "wave.bvh").write_bytes(waving(MOTION_BUILDER))
    out = ["--out", str(tmp_path / "out.json"), "--report", str(tmp_path / "report.json")]
    assert main(["import", str(tmp_path / "wave.bvh"), "--robot", "two_arms", *out]) == 0
    report = read_report(tmp_path / "report.json")
    assert "table at 0.00 s" in report.touch  # its arms hang where the table is
    assert report.touch in capsys.readouterr().err


def refused(folder: Path, file: str, capsys: pytest.CaptureFixture[str], *options: str) -> str:
    """Return the reason of a refusal; nothing is written."""
    before = sorted(folder.rglob("*"))
    assert perform(folder, file, *options) == 2
    out, err = capsys.readouterr()
    assert out == "" and sorted(folder.rglob("*")) == before
    lines = [line for line in err.splitlines() if line.startswith("footlight: ")]
    assert len(lines) == 1 and err.splitlines()[-1] == lines[0]
    return lines[0]


@pytest.mark.parametrize(
    ("file", "content", "why"),
    [
        ("a.fbx", b"x", "choose a file with .bvh, .csv, .json"),
        ("a.bvh", b"no skeleton", "a.bvh, line 1: 'no skeleton' is not expected here"),
        ("a.bvh", b"HIERARCHY\nROOT x\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\n", "no MOTION"),
        ("a.csv", b"time_s,left_elbow,tail,fin\n0,0,0,0\n1,0,0,0\n", "'tail', 'fin'"),
        ("a.csv", b"time_s,left_knee\n0,0\n1,0\n", "left_knee: a gesture cannot move a leg"),
        ("a.csv", b"time_s,left_elbow\n0,0\n1,nan\n", "a.csv, line 3: nan is not within"),
        ("a.csv", b"time_s,left_elbow\n0,0\n1\n", "line 3: has 1 values for 2 columns"),
        ("a.csv", b"", "is empty"),
        ("a.json", b'{"schema": 1', "a.json"),
        ("a.json", b'{"schema": 9}', "a.json, line 1"),
    ],
)
def test_what_is_no_motion_is_refused_with_its_line(
    file: str, content: bytes, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / file).write_bytes(content)
    assert why in refused(tmp_path, file, capsys)


def test_damaged_files_of_a_person_are_refused_with_their_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = waving(MOTION_BUILDER)
    lines = text.splitlines()
    first = lines.index(b"MOTION") + 3
    for content, why in (
        (b"\n".join(lines)[:-40], f"line {len(lines)}: frame {len(lines) - first} has"),
        (b"\n".join(lines[:-3]), "the file ends after"),
        (text.replace(lines[first + 4], lines[first + 4].replace(b" ", b" nan ", 1)), "frame 5"),
        (text.replace(b"LeftForeArm", b"Wing"), "no joint for left_lower_arm"),
    ):
        (tmp_path / "a.bvh").write_bytes(content)
        assert why in refused(tmp_path, "a.bvh", capsys)


@pytest.mark.parametrize(("file", "mebibytes"), [("a.bvh", 64), ("a.csv", 16), ("a.json", 16)])
def test_huge_files_are_refused_before_they_are_read(
    file: str, mebibytes: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with (tmp_path / file).open("wb") as stream:
        stream.truncate(mebibytes * 2**20 + 1)
    assert f"is larger than {mebibytes} MiB" in refused(tmp_path, file, capsys)


def test_nothing_is_overwritten_unless_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "wave.bvh").write_bytes(waving(MOTION_BUILDER))
    (tmp_path / "out.json").write_text("precious")
    assert "is there already" in refused(tmp_path, "wave.bvh", capsys)
    assert (tmp_path / "out.json").read_text() == "precious"
    assert perform(tmp_path, "wave.bvh", "--force") == 0
    load_motion(tmp_path / "out.json", joints())


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--out", "/does/not/exist/a.json"], "its folder does not exist"),
        (["--out", "My Wave.json"], "give --out my_wave.json"),
        (["--out", "wave.txt"], "its name in snake case and .json"),
        (["--from", "0.4", "--to", "0.1"], "fewer than two frames"),
        (["--from", "99"], "fewer than two frames"),
    ],
)
def test_options_that_do_not_fit_are_refused(
    options: list[str],
    why: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wave.bvh").write_bytes(waving(MOTION_BUILDER))
    assert why in refused(tmp_path, "wave.bvh", capsys, *options)


def test_a_full_disk_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "wave.bvh").write_bytes(waving(MOTION_BUILDER))
    before = sorted(tmp_path.iterdir())
    done = subprocess.run(
        [sys.executable, "-P", "-m", "app", "import", "wave.bvh", "--robot", ROBOT],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=50,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)),
    )
    assert done.returncode == 2
    assert "wave.json: could not be saved (File too large)" in done.stderr.splitlines()[-1]
    assert sorted(tmp_path.iterdir()) == before
