"""`footlight evaluate` with its processes: however it ends, none is left."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.processes import arguments, descendants, wait_gone

REPOSITORY = Path(__file__).parents[2]
WORKERS = 2


def workers(pid: int) -> list[int]:
    return [p for p in descendants(pid) if any("spawn_main" in cell for cell in arguments(p))]


@pytest.fixture
def evaluating() -> Iterator["subprocess.Popen[str]"]:
    """An evaluation whose workers are at work."""
    command = (sys.executable, "-m", "app", "evaluate", "terrain", "--seeds", "2", "--jobs", "2")
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=REPOSITORY
    )
    deadline = time.monotonic() + 50.0
    while len(workers(process.pid)) < WORKERS:
        assert process.poll() is None and time.monotonic() < deadline, process.communicate()
        time.sleep(0.05)
    time.sleep(1.0)  # they are loading what they need, or walking
    yield process
    process.kill()
    process.communicate()


@pytest.mark.long
def test_an_interrupt_ends_all_with_a_sentence(evaluating: "subprocess.Popen[str]") -> None:
    members = workers(evaluating.pid)
    evaluating.send_signal(signal.SIGINT)
    _, errors = evaluating.communicate(timeout=30)
    assert evaluating.returncode == 1
    assert errors.splitlines()[-1] == "footlight: ended by SIGINT"
    assert "Traceback" not in errors
    wait_gone(members)


def test_a_worker_that_is_killed_ends_all_with_a_sentence(
    evaluating: "subprocess.Popen[str]",
) -> None:
    members = workers(evaluating.pid)
    os.kill(members[0], signal.SIGKILL)
    _, errors = evaluating.communicate(timeout=30)
    assert evaluating.returncode != 0
    assert "one of its processes was ended from outside" in errors
    assert "Traceback" not in errors
    wait_gone(members)


@pytest.mark.long
def test_workers_end_with_a_command_that_is_killed(evaluating: "subprocess.Popen[str]") -> None:
    members = workers(evaluating.pid)
    evaluating.kill()
    wait_gone(members)
