"""The warm-up: it ends, and leaves no kernel to compile within the loop."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import core
import devices.sim
from core.run.warm_up import MOST_TICKS, STANDING_TICKS, warm_up
from tests.core.rig import profile

APART = frozenset({"lab", "mimesis", "retarget"})  # no tick calls these folders
CORE, SIMULATOR = Path(core.__file__).parent, Path(devices.sim.__file__).parent


def is_compiled(function: ast.FunctionDef) -> bool:
    marks = function.decorator_list
    return any(isinstance(mark, ast.Name) and mark.id == "compiled" for mark in marks)


def kernels(folder: Path) -> set[str]:
    """Return the compiled functions of a tick in a folder's sources, as `file.function`."""
    found: set[str] = set()
    for path in sorted(folder.rglob("*.py")):
        if not APART.isdisjoint(path.parts):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and is_compiled(node):
                found.add(f"{path.stem}.{node.name}")
    return found


def test_it_ends_with_a_step_and_not_for_want_of_patience() -> None:
    ticks = warm_up(profile())
    assert STANDING_TICKS < ticks < MOST_TICKS - 1


@pytest.mark.long
@pytest.mark.timeout(300)
def test_after_it_every_kernel_is_cached(tmp_path: Path) -> None:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-P", "-m", "core", "compile"],
        env=environment,
        cwd=CORE.parent,
        capture_output=True,
        text=True,
        timeout=290,
    )
    assert done.returncode == 0, done.stderr
    # An index is called FILE.FUNCTION-LINE.INTERPRETER.nbi.
    cached = {index.name.rsplit("-", 1)[0] for index in tmp_path.rglob("*.nbi")}
    assert len(kernels(CORE)) > 20
    assert kernels(CORE) - cached == set()
    assert len(kernels(SIMULATOR)) > 5
    assert kernels(SIMULATOR) - cached == set()


def called_from_python(folder: Path) -> set[str]:
    """Return the compiled functions with callers that are not compiled, as `file.function`."""
    known, found = kernels(folder), set()
    for path in sorted(folder.rglob("*.py")):
        if not APART.isdisjoint(path.parts):
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        homes = {node.name: path.stem for node in tree.body if isinstance(node, ast.FunctionDef)}
        for node in tree.body:
            if isinstance(node, ast.ImportFrom) and node.module:
                homes |= {name.name: node.module.rsplit(".", 1)[-1] for name in node.names}
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        for function in (one for one in functions if not is_compiled(one)):
            for part in ast.walk(function):
                if isinstance(part, ast.Call) and isinstance(part.func, ast.Name):
                    found.add(f"{homes.get(part.func.id, '')}.{part.func.id}")
    return found & known


@pytest.mark.timeout(120)
def test_after_it_no_kernel_that_python_calls_has_to_be_loaded_in_a_tick() -> None:
    script = """
import sys
from numba.core.dispatcher import Dispatcher
from core.robot.profile_file import load_profile
from core.run.warm_up import warm_up
for robot in ("kid_cosmo", "small_biped"):
    warm_up(load_profile(robot))
for name, module in sorted(sys.modules.items()):
    for value in list(vars(module).values()) if name.startswith("core.") else []:
        if isinstance(value, Dispatcher) and value.signatures:
            print(value.__module__.rsplit(".", 1)[1] + "." + value.__name__)
"""
    done = subprocess.run(
        [sys.executable, "-P", "-c", script],
        env={**os.environ, "PYTHONPATH": str(CORE.parent)},
        capture_output=True,
        text=True,
        timeout=110,
    )
    assert done.returncode == 0, done.stderr
    loaded = set(done.stdout.split())
    asked = called_from_python(CORE)
    assert len(asked) > 20
    assert asked - loaded == set()
