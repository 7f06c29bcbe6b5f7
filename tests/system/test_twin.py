"""A rehearsal on the twin: real drivers, and every device's bytes on serial lines."""

import os
import signal
import time
from pathlib import Path

import numpy as np
import pytest

from core.record.export import arrays
from core.record.reader import read
from core.safety.modes import Mode
from tests.processes import wait_gone
from tests.system.test_rehearsal import family, start

pytestmark = pytest.mark.timeout(600)  # two processes go through seconds of a robot's time
TWIN = ("--body", "twin", "--pace", "max")


@pytest.mark.long
def test_it_walks_on_the_twin_and_leaves_nothing_behind(tmp_path: Path) -> None:
    log = tmp_path / "run.mcap"
    ports = tmp_path / "ports"
    ports.mkdir()
    options = ("--walk", "vx=0.15,dur=2", "--ports", str(ports), "--log", str(log))
    run = start(*TWIN, *options)
    out, errors = run.communicate(timeout=550)
    assert (run.returncode, errors) == (0, ""), out
    found = arrays(read(log))
    assert found["base_position_true"][-1, 0] > 0.15
    measured = found["mode"] == Mode.WALK
    errors_rad = found["q"][measured][:, :18] - found["q_true"][measured][:, :18]
    assert np.abs(errors_rad).max() < 2e-3
    assert list(ports.iterdir()) == []


def test_a_line_that_is_unplugged_is_named_within_a_quarter_of_a_second(tmp_path: Path) -> None:
    log, faults = tmp_path / "run.mcap", tmp_path / "faults"
    faults.write_text("4.5 unplug head\n4.9 plug head\n")
    run = start(*TWIN, "--walk", "dur=4", "--faults", str(faults), "--log", str(log))
    out, _ = run.communicate(timeout=550)
    assert run.returncode == 1 and "an actuator does not answer" in out.lower()
    recording = read(log)
    told = [
        (when, text)
        for when, text in zip(recording.event_t, recording.event_text, strict=True)
        if text.startswith("head bus: ") and "unplugged" in text
    ]
    assert len(told) == 2, out
    assert 4.5 <= told[0][0] <= 4.75
    assert "over: " in told[1][1] and 4.9 <= told[1][0] <= 5.4


@pytest.mark.long
def test_a_killed_twin_ends_the_run_with_a_sentence(tmp_path: Path) -> None:
    log = tmp_path / "run.mcap"
    run = start(*TWIN, "--walk", "dur=60", "--log", str(log))
    deadline_s = time.monotonic() + 300.0
    while not (log.exists() and log.stat().st_size > 300_000):
        assert run.poll() is None and time.monotonic() < deadline_s
        time.sleep(0.1)
    members = family(run.pid)
    os.kill(members["twin"], signal.SIGKILL)
    _, errors = run.communicate(timeout=100)
    assert run.returncode != 0
    # Whichever of the core and whoever started it notices first.
    assert errors == "footlight: the twin was killed (SIGKILL); the run ends without it\n"
    wait_gone(list(members.values()))


@pytest.mark.long
def test_a_twin_that_stands_still_for_seconds_only_makes_the_run_slow(tmp_path: Path) -> None:
    log = tmp_path / "run.mcap"
    run = start("--body", "twin", "--pace", "real", "--walk", "dur=1", "--log", str(log))
    deadline_s = time.monotonic() + 300.0
    while not (log.exists() and log.stat().st_size > 300_000):
        assert run.poll() is None and time.monotonic() < deadline_s, run.communicate()
        time.sleep(0.1)
    twin = family(run.pid)["twin"]
    os.kill(twin, signal.SIGSTOP)
    time.sleep(3.0)
    os.kill(twin, signal.SIGCONT)
    out, errors = run.communicate(timeout=550)
    assert (run.returncode, errors) == (0, ""), out
    assert any("% of real time" in text for text in read(log).event_text)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (("--faults", "nowhere"), "--ports and --faults are for --body twin"),
        (("--body", "twin", "--faults", "nowhere"), "there is no file nowhere"),
        (
            ("--body", "twin", "--ports", "nowhere"),
            "there is no folder nowhere: make it, or leave --ports out",
        ),
    ],
)
def test_orders_without_a_twin_or_without_a_file_are_refused(
    options: tuple[str, ...], text: str
) -> None:
    run = start("--walk", "dur=1", *options)
    _, errors = run.communicate(timeout=50)
    assert run.returncode == 2 and errors == f"footlight: {text}\n"


@pytest.mark.long
def test_a_script_that_cannot_be_read_ends_the_run_with_the_reason(tmp_path: Path) -> None:
    faults = tmp_path / "faults"
    faults.write_text("1.0 explode\n")
    run = start(*TWIN, "--walk", "dur=1", "--faults", str(faults))
    _, errors = run.communicate(timeout=200)
    assert run.returncode != 0
    assert len(errors.splitlines()) == 1 and "line 1 of the script" in errors
