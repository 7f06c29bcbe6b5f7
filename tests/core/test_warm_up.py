"""The warm-up: it ends by itself, and leaves no kernel to be compiled within the loop."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import core
import devices.sim
from core.warm_up import MOST_TICKS, STANDING_TICKS, warm_up
from tests.core.rig import profile

CORE, SIMULATOR = Path(core.__file__).parent, Path(devices.sim.__file__).parent


def kernels(folder: Path) -> set[str]:
    """Return the compiled functions of a folder's sources, as `file.function`."""
    found: set[str] = set()
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and any(
                isinstance(mark, ast.Name) and mark.id == "compiled" for mark in node.decorator_list
            ):
                found.add(f"{path.stem}.{node.name}")
    return found


def test_it_ends_with_a_step_and_not_for_want_of_patience() -> None:
    ticks = warm_up(profile())
    assert STANDING_TICKS < ticks < MOST_TICKS - 1


@pytest.mark.timeout(120)
def test_after_it_every_kernel_is_cached(tmp_path: Path) -> None:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-P", "-m", "core", "compile"],
        env=environment,
        cwd=CORE.parent,
        capture_output=True,
        text=True,
        timeout=110,
    )
    assert done.returncode == 0, done.stderr
    # An index is called FILE.FUNCTION-LINE.INTERPRETER.nbi.
    cached = {index.name.rsplit("-", 1)[0] for index in tmp_path.rglob("*.nbi")}
    assert len(kernels(CORE)) > 20
    assert kernels(CORE) - cached == set()
    assert len(kernels(SIMULATOR)) > 5
    assert kernels(SIMULATOR) - cached == set()
