"""The lifeline: a process ends on request, and with its parent."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.realtime

CHILD = """
import sys, time
from core.run.lifeline import Lifeline
lifeline = Lifeline()
print("ready", flush=True)
while not lifeline.ended:
    time.sleep(0.01)
print(lifeline.signal_number, flush=True)
"""

PARENT = """
import os, subprocess, sys, time
environment = {**os.environ, "FOOTLIGHT_PARENT": str(os.getpid())}
child = subprocess.Popen([sys.executable, "-c", sys.argv[1]], env=environment,
                         stdout=subprocess.PIPE, process_group=0)
child.stdout.readline()
print(child.pid, flush=True)
time.sleep(60)
"""


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_is_noted_not_obeyed_blindly(number: signal.Signals) -> None:
    child = subprocess.Popen([sys.executable, "-c", CHILD], stdout=subprocess.PIPE, text=True)
    with child:
        assert child.stdout is not None
        child.stdout.readline()
        child.send_signal(number)
        assert child.stdout.readline() == f"{int(number)}\n"
        assert child.wait(20) == 0


def test_a_child_does_not_outlive_a_killed_parent() -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, CHILD], stdout=subprocess.PIPE, text=True
    )
    with parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        assert alive(pid)
        parent.kill()
        deadline = time.monotonic() + 20.0
        while alive(pid):
            assert time.monotonic() < deadline, "the child outlived its parent"
            time.sleep(0.01)


def test_a_parent_that_is_gone_already_ends_the_child_at_once() -> None:
    environment = {**os.environ, "FOOTLIGHT_PARENT": "1"}
    script = "from core.run.lifeline import Lifeline; print(Lifeline().ended)"
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout == "True\n"
