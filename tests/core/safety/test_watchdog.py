"""The watchdog in a separate process, with real pipes and real signals."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from core.safety.watchdog import Ending, Heartbeat, open_pipe, watch

pytestmark = pytest.mark.realtime

ROOT = Path(__file__).parents[3]

# Beats on the pipe until told otherwise by its first argument.
CORE = """
import os, sys, time
from core.safety.watchdog import Heartbeat
heartbeat = Heartbeat(int(sys.argv[2]))
for i in range(30):
    heartbeat.beat(0.01 * i)
    time.sleep(0.005)
print("beating", flush=True)
if sys.argv[1] == "goodbye":
    heartbeat.close()
elif sys.argv[1] == "die":
    os.kill(os.getpid(), 9)
else:
    while True:
        heartbeat.beat(time.monotonic())
        time.sleep(0.005)
"""
WATCHDOG = """
import sys
from core.safety.watchdog import main
sys.exit(main(int(sys.argv[1]), lambda: print("killed", flush=True)))
"""


class Pair:
    """A core and its watchdog."""

    def __init__(self, manner: str) -> None:
        reader, writer = open_pipe()
        self.watchdog = self._start(WATCHDOG, str(reader), pass_fd=reader)
        self.core = self._start(CORE, manner, str(writer), pass_fd=writer)
        os.close(reader)
        os.close(writer)

    @staticmethod
    def _start(code: str, *arguments: str, pass_fd: int) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", code, *arguments],
            cwd=ROOT,
            pass_fds=(pass_fd,),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def beating(self) -> None:
        """Wait until the core is in its loop."""
        assert self.core.stdout is not None
        assert self.core.stdout.readline() == "beating\n"

    def end(self) -> tuple[int, str, str]:
        """Return the watchdog's exit status and its output."""
        out, err = self.watchdog.communicate(timeout=20)
        self.core.kill()
        self.core.communicate(timeout=20)
        return self.watchdog.returncode, out, err


def test_a_goodbye_kills_nothing() -> None:
    assert Pair("goodbye").end() == (0, "", "")


def test_a_core_that_died_is_killed_once() -> None:
    status, out, err = Pair("die").end()
    assert (status, out) == (1, "killed\n")
    ended = "its process was killed, and the power board opens the contactor."
    assert err == f"watchdog: The control core died: {ended}\n"


def test_a_core_that_hangs_is_killed_once() -> None:
    pair = Pair("beat")
    pair.beating()
    pair.core.send_signal(signal.SIGSTOP)
    assert pair.watchdog.stdout is not None
    assert pair.watchdog.stdout.readline() == "killed\n"
    pair.core.send_signal(signal.SIGCONT)  # it comes back too late
    time.sleep(0.1)
    pair.core.kill()
    status, out, err = pair.end()
    assert (status, out) == (1, "")
    assert err.count("was killed") == 1
    assert "silent for more than 100 ms" in err


def test_signals_that_end_the_others_do_not_end_it() -> None:
    pair = Pair("beat")
    pair.beating()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        pair.watchdog.send_signal(number)
    time.sleep(0.1)
    assert pair.watchdog.poll() is None
    pair.core.kill()
    assert pair.end()[:2] == (1, "killed\n")


def test_a_loop_that_never_began_is_no_reason_to_kill() -> None:
    reader, writer = open_pipe()
    os.close(writer)
    kills: list[int] = []
    assert watch(reader, lambda: kills.append(1)) is Ending.NEVER_BEAT
    assert kills == []
    os.close(reader)


def test_before_the_first_beat_silence_is_allowed() -> None:
    reader, writer = open_pipe()
    heartbeat = Heartbeat(writer)

    def begin_late() -> None:
        time.sleep(0.15)
        heartbeat.beat(0.0)
        heartbeat.close()

    thread = threading.Thread(target=begin_late)
    thread.start()
    kills: list[int] = []
    assert watch(reader, lambda: kills.append(1), silence_s=0.05) is Ending.GOODBYE
    thread.join()
    assert kills == []
    os.close(reader)


def test_beats_that_waited_for_a_slow_watchdog_count() -> None:
    """Beats that are already in the pipe are read before silence is judged."""
    reader, writer = open_pipe()
    heartbeat = Heartbeat(writer)
    heartbeat.beat(0.0)
    heartbeat.close()
    assert watch(reader, lambda: pytest.fail("killed"), silence_s=1e-9) is Ending.GOODBYE
    os.close(reader)


def test_a_kill_that_fails_is_told_and_not_raised() -> None:
    reader, writer = open_pipe()
    os.write(writer, b".")
    os.close(writer)
    said: list[str] = []

    def stuck() -> None:
        raise OSError("no permission")

    assert watch(reader, stuck, tell=said.append) is Ending.KILLED
    assert said == [
        "The control core died, and its process could not be killed (no permission): "
        "press the E-stop."
    ]
    os.close(reader)


def test_the_loop_is_never_blocked_and_notices_a_watchdog_that_does_not_read() -> None:
    reader, writer = open_pipe()
    heartbeat = Heartbeat(writer, period_s=0.01)
    for i in range(5000):
        heartbeat.beat(0.011 * i)
    seen = [heartbeat.alive]
    os.read(reader, 4096)
    heartbeat.beat(1000.0)
    seen.append(heartbeat.alive)
    os.close(reader)
    heartbeat.beat(2000.0)
    seen.append(heartbeat.alive)
    heartbeat.close()
    assert seen == [False, True, False]


def test_it_beats_no_more_often_than_its_period() -> None:
    reader, writer = open_pipe()
    heartbeat = Heartbeat(writer, period_s=0.01)
    for i in range(1000):
        heartbeat.beat(0.001 * i)
    assert 95 <= len(os.read(reader, 4096)) <= 101
    heartbeat.close()
    os.close(reader)
