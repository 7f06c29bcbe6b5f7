"""`footlight rehearse` with every real process: ends as it should, leaves nothing but its log."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from core.record.export import arrays
from core.record.reader import read
from core.record.schema import fields
from tests.processes import arguments, descendants, wait_gone

REHEARSE = (sys.executable, "-m", "app", "rehearse", "--headless")
REPOSITORY = Path(__file__).parents[2]


def start(*options: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [*REHEARSE, *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=REPOSITORY,
    )


def family(pid: int) -> dict[str, int]:
    """Return the role and number of every descendant."""
    lines = {child: arguments(child) for child in descendants(pid)}
    return {line[line.index("core") + 1]: child for child, line in lines.items() if "core" in line}


@pytest.fixture
def playing(tmp_path: Path) -> Iterator["subprocess.Popen[str]"]:
    """The sample show at its real pace, a second or so after its start."""
    log = tmp_path / "run.mcap"
    process = start("--log", str(log))
    deadline = time.monotonic() + 50.0
    while not (log.exists() and log.stat().st_size > 300_000):
        assert process.poll() is None and time.monotonic() < deadline, process.communicate()
        time.sleep(0.05)
    yield process
    process.kill()
    process.communicate()


def test_side_by_side_the_same_seed_makes_the_same_run(tmp_path: Path) -> None:
    logs = [tmp_path / "one.mcap", tmp_path / "two.mcap"]
    options = ("--walk", "vx=0.1,dur=1", "--gestures", "wave", "--pace", "max", "--seed", "7")
    runs = [start(*options, "--log", str(log)) for log in logs]
    for run in runs:
        out, errors = run.communicate(timeout=55)
        assert (run.returncode, errors) == (0, ""), out
        assert "distance walked" in out
    recordings = [read(log) for log in logs]
    assert [recording.problem for recording in recordings] == ["", ""]
    one, two = (arrays(recording) for recording in recordings)
    assert one.keys() == two.keys() >= {field.name for field in fields(True)}
    for name in one.keys() - {"tick_cpu_us", "qp_time_us"}:
        assert np.array_equal(one[name], two[name]), name
    # The first sample is read twice: before the loop, and again in its first tick.
    assert one["t"][0] == 0.0 and np.allclose(np.diff(one["t"][1:]), 1e-3)
    assert one["q"].shape == (len(one["t"]), 28) and np.all(np.isfinite(one["q_true"]))


@pytest.mark.parametrize(
    "number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.long)]
)
def test_a_signal_ends_all_and_the_log_is_whole(
    playing: "subprocess.Popen[str]", tmp_path: Path, number: signal.Signals
) -> None:
    members = family(playing.pid)
    assert set(members) == {"loop", "scribe", "stagehand", "voice", "watchdog"}
    playing.send_signal(number)
    out, errors = playing.communicate(timeout=50)
    assert playing.returncode == 1, out
    assert errors == f"footlight: ended by {number.name}\n"
    wait_gone(list(members.values()))
    assert read(tmp_path / "run.mcap").problem == ""


def test_a_killed_sibling_ends_all_with_a_sentence(
    playing: "subprocess.Popen[str]", tmp_path: Path
) -> None:
    members = family(playing.pid)
    os.kill(members["scribe"], signal.SIGKILL)
    _, errors = playing.communicate(timeout=50)
    assert playing.returncode == 1
    assert errors == "footlight: the scribe was killed (SIGKILL); the run ends without it\n"
    wait_gone(list(members.values()))
    assert len(read(tmp_path / "run.mcap").column("t")) > 100


@pytest.mark.long
def test_a_killed_command_leaves_no_process_and_a_readable_log(
    playing: "subprocess.Popen[str]", tmp_path: Path
) -> None:
    members = family(playing.pid)
    playing.kill()
    wait_gone(list(members.values()))
    assert len(read(tmp_path / "run.mcap").column("t")) > 100


def test_a_show_that_is_none_is_refused_before_the_robot_moves(tmp_path: Path) -> None:
    show, log = tmp_path / "show", tmp_path / "run.mcap"
    show.mkdir()
    (show / "show.json").write_text('{"schema": 2, "name": "cut')
    run = start(str(show), "--pace", "max", "--log", str(log))
    _, errors = run.communicate(timeout=50)
    assert run.returncode == 2
    assert len(errors.splitlines()) == 1 and "show.json" in errors
    assert not log.exists()


def test_a_gesture_that_is_none_is_refused() -> None:
    run = start("--walk", "dur=1", "--gestures", "moonwalk", "--pace", "max")
    _, errors = run.communicate(timeout=50)
    assert run.returncode == 2
    assert len(errors.splitlines()) == 1 and "moonwalk" in errors
