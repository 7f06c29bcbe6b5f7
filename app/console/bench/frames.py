"""The benches of windows: start the window that is measured, and judge its frames."""

import json
import subprocess
import sys
from typing import Any

BAR_MS = 100.0
PATIENCE_S = 300.0


def measure(module: str, endpoint: str, robot: str) -> dict[str, Any]:
    """Return the figures of a window.

    Args:
        module: beside this one; it measures its window and prints the figures.
        endpoint: of the core.
        robot: its name.

    Raises:
        ValueError: the window did not come to its end.
    """
    done = subprocess.run(
        [sys.executable, "-P", "-m", f"app.console.bench.{module}", endpoint, robot],
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
