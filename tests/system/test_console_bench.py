"""`footlight bench --console` on a screen: every press is answered, however slow the machine."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

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


def test_presses_are_answered_and_the_figures_written(screen: Screen, tmp_path: Path) -> None:
    file = tmp_path / "bench.json"
    path = [str(REPOSITORY), os.environ.get("PYTHONPATH", "")]
    done = subprocess.run(
        [
            *(sys.executable, "-P", "-m", "app", "bench", "--console", "--json", str(file)),
            *("--seconds", "2", "--presses", "2"),
        ],
        env=screen.environment() | {"PYTHONPATH": os.pathsep.join(part for part in path if part)},
        capture_output=True,
        text=True,
        timeout=200.0,
    )
    assert done.returncode in (0, 1), done.stderr  # whether the bars hold is the machine's
    assert file.exists(), done.stderr
    report = json.loads(file.read_text())
    assert (report["presses"], report["unanswered"]) == ({"go": 2, "stop": 2}, 0)
    for name in ("gui_latency_ms", "go_latency_ms", "stop_latency_ms"):
        assert 0.0 <= report[name]["median"] <= report[name]["p99"] <= report[name]["max"]
    assert min(report["console_memory"]["resident_mb"]) > 50.0
    assert "STOP to the damping command" in done.stdout
