"""The command from outside: exit statuses, signals, what is printed, what is left behind."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from app.__main__ import main
from core.record.reader import read
from tests.core.record.records import write

pytestmark = pytest.mark.realtime

REHEARSE = (sys.executable, "-m", "tests.app.rehearsal", "rehearse")


def run(*options: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([*REHEARSE, *options], capture_output=True, text=True, timeout=50)


def test_a_run_that_completes(tmp_path: Path) -> None:
    log = tmp_path / "run.mcap"
    done = run("--walk", "dur=3", "--pace", "max", "--log", str(log))
    assert (done.returncode, done.stderr) == (0, "")
    assert "core: started" in done.stdout and "cues played" in done.stdout
    assert f"log: {log}\n" in done.stdout
    assert read(log).problem == ""


def test_a_fall_ends_with_exit_status_1() -> None:
    done = run("--walk", "dur=3", "--pace", "max", "--seed", "1")
    assert done.returncode == 1
    assert done.stderr == "footlight: it fell at 0.50 s\n"
    assert "falls" in done.stdout


def test_what_the_core_refuses_is_exit_status_2() -> None:
    done = run("--walk", "dur=3", "--seed", "4")
    assert (done.returncode, done.stderr) == (2, "footlight: show.json is truncated\n")


def test_a_terminal_sees_a_live_panel() -> None:
    leader, follower = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "120", "LINES": "40"}
    process = subprocess.Popen(
        [*REHEARSE, "--walk", "dur=1.5"], stdout=follower, stderr=follower, env=environment
    )
    os.close(follower)
    seen = b""
    while True:
        try:
            part = os.read(leader, 65536)
        except OSError:  # how Linux says that the other end was closed
            break
        if not part:
            break
        seen += part
    os.close(leader)
    assert process.wait(20) == 0
    assert b"READY" in seen and b"\x1b[" in seen and b"position" in seen


def test_the_core_runs_until_it_is_ended() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.app.rehearsal", "core"], stdout=subprocess.PIPE, text=True
    )
    with process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("the core listens on tcp/127.0.0.1:")
        for text in process.stdout:
            if "READY" in text:
                break
        process.terminate()
        assert process.wait(40) == 0


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["some_show", "--walk", "vx=0.1"], "either plays a show or walks"),
        (["--gestures", "wave"], "--gestures plays while walking: add --walk"),
        (["/does/not/exist"], "there is no show /does/not/exist"),
        (["--walk", "dur=1", "--support", "crane"], "Kid Cosmo has floor, gantry, seated"),
        (["--walk", "dur=1", "--log", "/does/not/exist.mcap"], "there is no folder /does/not"),
        (["--walk", "dur=1", "--log", "/"], "is a folder"),
        (["--walk", "dur=1", "--log", __file__], "would replace a file that is not a record"),
    ],
)
def test_bad_input_is_refused_before_anything_starts(
    options: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rehearse", *options]) == 2
    out, err = capsys.readouterr()
    assert out == "" and len(err.splitlines()) == 1 and why in err


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["speed"], "the bench has no part 'speed'"),
        (["tick", "--json", "/does/not/exist.json"], "its folder does not exist"),
        (["memory", "--log", "/does/not/exist.mcap"], "there is no folder /does/not"),
        (["tick", "--console"], "leave out PART"),
        (["--console", "--json", "/does/not/exist.json"], "its folder does not exist"),
        (["--console"], "there is no display"),
    ],
)
def test_what_cannot_be_benched_is_refused(
    options: list[str],
    why: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        monkeypatch.setenv(name, "1")  # what the command sets ends with the test
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    assert main(["bench", *options]) == 2
    out, err = capsys.readouterr()
    assert out == "" and len(err.splitlines()) == 1 and why in err


def test_help_tells_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["--help"])
    assert caught.value.code == 0
    assert {"rehearse", "console", "core", "preflight", "bench", "log"} <= set(
        capsys.readouterr().out.split()
    )


@pytest.mark.parametrize(
    "words",
    [
        ["rehearse"],
        ["console"],
        ["core"],
        ["handset"],
        ["preflight", "show"],
        ["evaluate", "stand"],
        ["bench", "tick"],
        ["doctor"],
        ["commission", "scan"],
    ],
    ids=lambda words: words[0],
)
def test_every_command_refuses_an_unknown_robot_in_one_sentence(
    words: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        monkeypatch.setenv(name, "1")  # what the command sets ends with the test
    assert main([*words, "--robot", "hal"]) == 2
    out, err = capsys.readouterr()
    assert out == "" and len(err.splitlines()) == 1
    assert "no robot is called 'hal'; known are: " in err and "kid_cosmo" in err
    monkeypatch.setenv("FOOTLIGHT_ROBOT", "eve")
    assert main(words) == 2
    assert "'eve'" in capsys.readouterr().err


def test_help_loads_no_solver_no_link_and_no_toolkit() -> None:
    script = (
        "import sys\n"
        "from app.__main__ import main\n"
        "try:\n    main(['rehearse', '--help'])\n"
        "except SystemExit:\n    pass\n"
        "heavy = {'numpy', 'zenoh', 'msgspec', 'pinocchio', 'mujoco', 'PySide6', 'rich'}\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, capture_output=True)


def test_log_export_and_show(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record, target = write(tmp_path / "run.mcap"), tmp_path / "run.npz"
    assert main(["log", "export", str(record), str(target)]) == 0
    assert f"{target}: 2500 ticks, 7 events" in capsys.readouterr().out
    with np.load(target) as found:
        assert len(found["q"]) == 2500
    assert main(["log", "show", str(record)]) == 0
    out, err = capsys.readouterr()
    assert "READY" in out and "joint_5 at 0.12 s" in out and err == ""


def test_a_cut_log_is_shown_with_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = write(tmp_path / "run.mcap")
    record.write_bytes(record.read_bytes()[:300_000])
    assert main(["log", "show", str(record)]) == 0
    assert main(["log", "export", str(record), str(tmp_path / "run.npz")]) == 0
    out, err = capsys.readouterr()
    assert "duration" in out
    assert [("its end is missing" in text) for text in err.splitlines()] == [True, True]


@pytest.mark.parametrize("content", [None, b"", b"PK\x03\x04 and more"])
def test_what_is_no_log_is_refused(
    tmp_path: Path, content: bytes | None, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "odd.mcap"
    if content is not None:
        path.write_bytes(content)
    assert main(["log", "show", str(path)]) == 2
    assert main(["log", "export", str(path), str(tmp_path / "out.npz")]) == 2
    out, err = capsys.readouterr()
    assert out == "" and len(err.splitlines()) == 2 and str(path) in err
    assert not (tmp_path / "out.npz").exists()
