"""The command from outside: exit statuses, signals, what is printed, what is left behind."""

import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from app.__main__ import main
from core.record.reader import read
from tests.core.record.records import write

REHEARSE = (sys.executable, "-m", "tests.app.rehearsal", "rehearse")


def children(pid: int) -> list[int]:
    """Return the processes whose parent is this one."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            cells = stat.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(cells[1]) == pid and cells[0] != "Z":
            found.append(int(stat.parent.name))
    return found


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def role(pid: int) -> bytes:
    """Return what a process of tests/stand_in.py was started as."""
    return Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")[3]


def wait_gone(pids: list[int]) -> None:
    deadline = time.monotonic() + 30.0
    while left := [pid for pid in pids if alive(pid)]:
        assert time.monotonic() < deadline, f"these are left: {left}"
        time.sleep(0.02)


@pytest.fixture
def running(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A rehearsal of a minute that has written part of its log."""
    log = tmp_path / "run.mcap"
    process = subprocess.Popen(
        [*REHEARSE, "--walk", "dur=60", "--log", str(log)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 40.0
    while not (log.exists() and log.stat().st_size > 50_000):
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.02)
    yield process
    process.kill()
    process.communicate()


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


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_all_and_the_log_is_whole(
    running: subprocess.Popen[str], tmp_path: Path, number: signal.Signals
) -> None:
    family = children(running.pid)
    assert len(family) == 5
    running.send_signal(number)
    _, errors = running.communicate(timeout=40)
    assert running.returncode == 1
    assert errors == f"footlight: ended by {number.name}\n"
    assert not [pid for pid in family if alive(pid)]
    assert read(tmp_path / "run.mcap").problem == ""


def test_a_killed_sibling_ends_all_with_a_sentence(
    running: subprocess.Popen[str], tmp_path: Path
) -> None:
    family = children(running.pid)
    scribe = next(p for p in family if role(p) == b"scribe")
    os.kill(scribe, signal.SIGKILL)
    _, errors = running.communicate(timeout=40)
    assert running.returncode == 1
    assert errors == "footlight: the scribe was killed (SIGKILL); the run ends without it\n"
    assert not [pid for pid in family if alive(pid)]
    assert len(read(tmp_path / "run.mcap").column("t")) > 100


def test_a_killed_command_leaves_no_process_behind(
    running: subprocess.Popen[str], tmp_path: Path
) -> None:
    family = children(running.pid)
    assert len(family) == 5
    running.kill()
    wait_gone(family)
    assert len(read(tmp_path / "run.mcap").column("t")) > 100


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
        (["--walk", "dur=1", "--log", "/does/not/exist.mcap"], "there is no folder /does/not"),
        (["--walk", "dur=1", "--log", "/"], "is a folder"),
        (["--walk", "dur=1", "--log", __file__], "would replace a file that is no record"),
    ],
)
def test_bad_input_is_refused_before_anything_starts(
    options: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rehearse", *options]) == 2
    out, err = capsys.readouterr()
    assert out == "" and len(err.splitlines()) == 1 and why in err


def test_help_tells_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["--help"])
    assert caught.value.code == 0
    assert {"rehearse", "core", "preflight", "log"} <= set(capsys.readouterr().out.split())


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
