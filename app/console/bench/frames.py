"""The bench of the timeline: starts the window that is measured, and judges its frames."""

import json
import subprocess
import sys
from typing import Any

BAR_MS = 100.0
PATIENCE_S = 300.0


def measure(endpoint: str, robot: str) -> dict[str, Any]:
    """Return the times of the frames of each deed, and the size of the window.

    Raises:
        ValueError: the window did not come to its end.
    """
    done = subprocess.run(
        [sys.executable, "-P", "-m", "app.console.bench.long_show", endpoint, robot],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    lines = done.stdout.strip().splitlines()
    if done.returncode or not lines:
        raise ValueError(f"the window ended early: {done.stderr.strip()[-300:]}")
    found: dict[str, Any] = json.loads(lines[-1])
    return found


def rows_of(found: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the rows of the table."""
    return [
        (
            deed,
            f"{spread['median']:.0f} / {spread['p99']:.0f} / {spread['max']:.0f}   "
            f"max <= {BAR_MS:.0f}   {'pass' if spread['max'] <= BAR_MS else 'FAIL'}",
        )
        for deed, spread in found["frames"].items()
    ]
