"""`footlight export`: data that other programs read back, and pictures for people without this."""

import os
import resource
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image as Pictures

from app.__main__ import main
from core.robot.joint_table import known_robot
from shows.document import Show
from shows.folders import GESTURES, ROBOTS
from shows.joints import JointTable
from shows.motion import Motion, load_motion, load_raw_motion
from shows.storage import save_show
from tests.app.console.record.test_panel import write_take

WAVES = {
    "kid_cosmo": GESTURES / "wave.json",
    "two_arms": ROBOTS / "two_arms" / "gestures" / "arm_wave.json",
}


def joints(robot: str = "kid_cosmo") -> JointTable:
    table = known_robot(robot)
    assert table is not None
    return table


def export(motion: object, out: Path, *options: str, robot: str = "kid_cosmo") -> int:
    return main(["export", str(motion), str(out), "--robot", robot, *options])


def apart(first: Motion, second: Motion) -> float:
    """Return the largest difference of two motions [rad]; a joint that one lacks is at zero."""
    names = sorted({*first.joint_names, *second.joint_names})
    whole = []
    for motion in (first, second):
        path = np.zeros((len(motion.positions), len(names)))
        for index, name in enumerate(names):
            if name in motion.joint_names:
                path[:, index] = motion.positions[:, motion.joint_names.index(name)]
        whole.append(path)
    return float(np.abs(whole[0] - whole[1]).max())


def size_of(path: Path) -> tuple[int, int]:
    with Pictures.open(path) as picture:
        return picture.size


@pytest.mark.parametrize("robot", WAVES)
@pytest.mark.parametrize("suffix", [".json", ".csv", ".bvh"])
def test_what_is_exported_is_imported_again(robot: str, suffix: str, tmp_path: Path) -> None:
    wave = load_motion(WAVES[robot], joints(robot))
    out, back = tmp_path / f"copy{suffix}", tmp_path / "back.json"
    assert export(WAVES[robot].stem, out, robot=robot) == 0
    assert main(["import", str(out), "--robot", robot, "--out", str(back)]) == 0
    again = load_motion(back, joints(robot))
    assert again.rate_hz == wave.rate_hz and len(again.positions) == len(wave.positions)
    if suffix == ".bvh":  # its joints are those of limbs; the body over the feet is not among them
        kept = [i for i, name in enumerate(wave.joint_names) if not name.startswith("body_")]
        names = tuple(wave.joint_names[i] for i in kept)
        wave = replace(wave, joint_names=names, positions=wave.positions[:, kept])
    assert apart(again, wave) < 2e-6


def test_a_span_of_a_file_of_a_take_and_of_a_show(tmp_path: Path) -> None:
    write_take(tmp_path / "arm_1.take")
    assert export(tmp_path / "arm_1.take", tmp_path / "a.json", "--from", "1", "--to", "2") == 0
    taken = load_raw_motion(tmp_path / "a.json", joints())
    assert taken.duration_s == pytest.approx(1.0) and taken.source == "recorded"
    own = Motion("mine", ("left_elbow",), 50.0, np.linspace(0.0, 0.5, 40)[:, None])
    save_show(Show(name="Gala"), tmp_path / "gala", (own,), {})
    show = ["--show", str(tmp_path / "gala")]
    assert export("mine", tmp_path / "b.csv", *show) == 0
    assert export(tmp_path / "b.csv", tmp_path / "c.json") == 0
    assert apart(load_motion(tmp_path / "c.json", joints()), own) < 1e-6


def test_an_animated_picture_has_its_frames_and_its_duration(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ("--size", "96x120", "--fps", "10", "--from", "1", "--to", "2", "--paper", "dark")
    assert export("wave", tmp_path / "wave.gif", *options) == 0
    with Pictures.open(tmp_path / "wave.gif") as picture:
        assert (picture.size, picture.n_frames) == ((96, 120), 11)  # type: ignore[attr-defined]
        total = 0
        for index in range(11):
            picture.seek(index)
            total += picture.info["duration"]
        assert total == 1100 + 600  # the last picture stays
        colours = np.asarray(picture.convert("RGB")).reshape(-1, 3)
    assert len(np.unique(colours, axis=0)) > 40, "there is a robot in it"
    out, err = capsys.readouterr()
    assert "11 pictures, 1.70 s" in out and "11 of 11 pictures drawn" in err


def test_a_strip_has_its_pictures(tmp_path: Path, qapp: object) -> None:
    common = ("--size", "96x120", "--view", "left")
    assert export("wave", tmp_path / "one.png", *common, "--count", "1") == 0
    assert export("wave", tmp_path / "four.png", *common, "--count", "4", "--title", "Hi") == 0
    sizes = [size_of(tmp_path / f"{name}.png") for name in ("one", "four")]
    assert sizes[0][1] == sizes[1][1] and sizes[1][0] - sizes[0][0] == pytest.approx(303, abs=4)


def test_pictures_need_no_display(tmp_path: Path) -> None:
    hidden = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    command = [sys.executable, "-P", "-m", "app", "export", "wave", "wave.png"]
    done = subprocess.run(
        [*command, "--robot", "kid_cosmo", "--size", "64x64", "--count", "2"],
        cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=55,
    )  # fmt: skip
    assert (done.returncode, done.stderr.count("pictures drawn")) == (0, 2), done.stderr
    assert size_of(tmp_path / "wave.png")[0] > 128


@pytest.mark.parametrize(
    ("motion", "out", "options", "why"),
    [
        ("wave", "wave.mp4", [], "choose one of .json, .csv, .bvh, .gif, .png"),
        ("wave", "wave", [], "ends with no format"),
        ("nothing_like_it", "a.csv", [], "is no gesture of library, robot"),
        ("nothing.json", "a.csv", [], "nothing.json: does not exist"),
        ("person.bvh", "a.csv", [], "import it first"),
        ("wave", "no/such/a.csv", [], "its folder does not exist"),
        ("wave", "My Wave.json", [], "name the file my_wave.json"),
        ("wave", "taken.csv", [], "is there already"),
        ("wave", "a.csv", ["--from", "3", "--to", "1"], "the span from 3 s to 1 s is empty"),
        ("wave", "a.csv", ["--to", "99"], "99"),
        ("wave", "a.gif", ["--fps", "50", "--size", "1920x1920"], "a smaller size"),
    ],
)
def test_what_cannot_be_exported_is_refused_in_one_line(
    motion: str,
    out: str,
    options: list[str],
    why: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("taken.csv").write_text("precious")
    Path("person.bvh").write_text("HIERARCHY")
    assert export(motion, Path(out), *options) == 2
    printed, err = capsys.readouterr()
    last = err.splitlines()[-1]
    assert printed == "" and last.startswith("footlight: ") and why in last
    assert Path("taken.csv").read_text() == "precious"
    assert sorted(os.listdir()) == ["person.bvh", "taken.csv"]


def test_a_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    (tmp_path / "wave.csv").write_text("precious")
    done = subprocess.run(
        [sys.executable, "-P", "-m", "app", "export", "wave", "wave.csv", "--force"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=50,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000)),
    )
    assert done.returncode == 2
    assert "could not be saved (File too large)" in done.stderr.splitlines()[-1]
    assert (tmp_path / "wave.csv").read_text() == "precious"
    assert os.listdir(tmp_path) == ["wave.csv"]
