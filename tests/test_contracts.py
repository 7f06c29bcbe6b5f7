"""The import contracts of pyproject.toml hold on a small tree and catch each violation in it."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tracked import REPOSITORY

TREE = {
    "app/__init__.py": "",
    "app/__main__.py": "import app.commands.run\n",
    "app/commands/__init__.py": "",
    "app/commands/run.py": (
        "def main():\n"
        "    from core.__main__ import run\n"
        "    from core.lab.evaluate import table\n"
        "    from core.record.export import read\n"
    ),
    "app/client.py": "from core.link.client import Client\nimport shows.document\n",
    "core/__init__.py": "",
    "core/__main__.py": "import core.tick.loop\nfrom devices.sim.body import Body\n",
    "core/lab/__init__.py": "",
    "core/lab/bench/__init__.py": "",
    "core/lab/bench/run.py": "import core.__main__\n",
    "core/lab/evaluate.py": "import core.lab.bench.run\n",
    "core/link/__init__.py": "",
    "core/link/client.py": "import core.link.commands\n",
    "core/link/commands.py": "",
    "core/tick/__init__.py": "",
    "core/tick/loop.py": (
        "import pinocchio\nfrom devices.interface import Body\nimport shows.document\n"
    ),
    "core/tick/modes.py": "",
    "core/record/__init__.py": "",
    "core/record/export.py": "import core.link.commands\n",
    "devices/__init__.py": "",
    "devices/errors.py": "",
    "devices/interface.py": "",
    "devices/sim/__init__.py": "",
    "devices/sim/body.py": "import mujoco\nfrom devices.interface import Body\n",
    "shows/__init__.py": "",
    "shows/document.py": "",
}
LAYERS = "The rooms lie in layers"
QT = "Qt stays in app"
HEAVY = "app has no dynamics, solver, simulator or wire"
LINK = "app reaches core through core.link (the commands start processes)"
DEVICE = "app names no device"
ROOT = "Only core.__main__ names a driver, the twin or the simulator"
LAB = "The loop's process never imports evaluation and benchmarks"
VIOLATIONS = [
    ("devices.interface", "core.link.commands", LAYERS),
    ("shows.document", "devices.interface", LAYERS),
    ("core.link.commands", "app.client", LAYERS),
    ("core.tick.loop", "PySide6", QT),
    ("shows.document", "pyqtgraph", QT),
    ("app.client", "mujoco", HEAVY),
    ("app.client", "core.tick.modes", LINK),
    ("app.client", "core.record.export", LINK),
    ("app.client", "devices.interface", DEVICE),
    ("core.link.client", "core.tick.loop", HEAVY),  # which imports the dynamics
    ("core.tick.loop", "devices.sim.body", ROOT),
    ("core.__main__", "core.lab.bench.run", LAB),
    ("app.commands.run", "serial", HEAVY),
]


def _lint(folder: Path) -> subprocess.CompletedProcess[str]:
    shutil.copy(REPOSITORY / "pyproject.toml", folder)
    return subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command as c; c()"]
        + ["--no-cache"],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder), "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


def _build(folder: Path) -> None:
    for name, text in TREE.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def test_the_contracts_allow_the_designed_imports(tmp_path: Path) -> None:
    _build(tmp_path)
    result = _lint(tmp_path)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the report on a tree that holds every violation."""
    folder = tmp_path_factory.mktemp("tree")
    _build(folder)
    for module, imported, _ in VIOLATIONS:
        path = folder / f"{module.replace('.', '/')}.py"
        with path.open("a", encoding="utf-8") as file:
            file.write(f"import {imported}\n")
    result = _lint(folder)
    assert result.returncode == 1, result.stdout + result.stderr
    return result.stdout


@pytest.mark.parametrize(("module", "imported", "contract"), VIOLATIONS)
def test_the_contracts_catch_a_violation(
    report: str, module: str, imported: str, contract: str
) -> None:
    assert f"{contract} BROKEN" in report
    title = rf"^{re.escape(contract)}\n-+\n"
    section = re.search(rf"{title}(.*?)(?=^[^\n]+\n-{{4,}}\n|\Z)", report, re.M | re.S)
    assert section and f"{module} -> {imported} (" in section[1]
