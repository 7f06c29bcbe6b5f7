"""`footlight bench` with a console on a screen: presses are answered, however slow the machine."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.console.bench.sound_server import why_not
from tests.system.screen import REPOSITORY, Screen, missing_tools

MISSING = missing_tools()
pytestmark = [
    pytest.mark.skipif(bool(MISSING), reason=f"not installed: {MISSING} (make setup does it)"),
    pytest.mark.long,
    pytest.mark.timeout(240),
]


@pytest.fixture
def screen() -> Iterator[Screen]:
    found = Screen()
    yield found
    found.close()


def measured(screen: Screen, tmp_path: Path, *options: str) -> dict[str, Any]:
    """Run a bench, and return what it has written; whether the bars hold is the machine's."""
    file = tmp_path / "bench.json"
    path = [str(REPOSITORY), os.environ.get("PYTHONPATH", "")]
    done = subprocess.run(
        [
            *(sys.executable, "-P", "-m", "app", "bench", "--json", str(file)),
            *options,
        ],
        env=screen.environment() | {"PYTHONPATH": os.pathsep.join(part for part in path if part)},
        capture_output=True,
        text=True,
        timeout=200.0,
    )
    assert done.returncode in (0, 1) and file.exists(), done.stderr
    report: dict[str, Any] = json.loads(file.read_text())
    return report | {"printed": done.stdout}


def test_presses_are_answered_and_the_figures_written(screen: Screen, tmp_path: Path) -> None:
    report = measured(screen, tmp_path, "--console", "--seconds", "2", "--presses", "2")
    assert (report["presses"], report["unanswered"]) == ({"go": 2, "stop": 2}, 0)
    for name in ("gui_latency_ms", "go_latency_ms", "stop_latency_ms"):
        assert 0.0 <= report[name]["median"] <= report[name]["p99"] <= report[name]["max"]
    assert min(report["console_memory"]["resident_mb"]) > 50.0
    assert "STOP to the damping command" in report["printed"]


def test_a_phrase_is_heard_after_a_press_of_each_control(screen: Screen, tmp_path: Path) -> None:
    lacking = why_not()
    if lacking is not None:
        pytest.skip(lacking)
    report = measured(screen, tmp_path, "--phrases", "--presses", "3")
    for control in ("handset", "key", "cart", "controller"):
        heard = report[control]
        assert heard["heard"] >= 1 and heard["median"] <= heard["p99"] <= heard["max"], report
