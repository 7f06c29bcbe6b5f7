"""The import contracts of pyproject.toml hold on a small tree and catch each violation in it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tracked import REPOSITORY

TREE = {
    "app/__init__.py": "",
    "app/__main__.py": (
        "def main():\n"
        "    from core.__main__ import run\n"
        "    from core.lab.evaluate import table\n"
        "    from core.record.export import read\n"
    ),
    "app/client.py": "from core.link.client import Client\nimport shows.document\n",
    "core/__init__.py": "",
    "core/__main__.py": "import core.tick.loop\nfrom devices.sim.body import Body\n",
    "core/lab/__init__.py": "",
    "core/lab/bench.py": "import core.__main__\n",
    "core/lab/evaluate.py": "import core.lab.bench\n",
    "core/link/__init__.py": "",
    "core/link/client.py": "import core.link.messages\n",
    "core/link/messages.py": "",
    "core/tick/__init__.py": "",
    "core/tick/loop.py": (
        "import pinocchio\nfrom devices.interface import Body\nimport shows.document\n"
    ),
    "core/record/__init__.py": "",
    "core/record/export.py": "import core.link.messages\n",
    "devices/__init__.py": "",
    "devices/errors.py": "",
    "devices/interface.py": "",
    "devices/sim/__init__.py": "",
    "devices/sim/body.py": "import mujoco\nfrom devices.interface import Body\n",
    "shows/__init__.py": "",
    "shows/document.py": "",
}
VIOLATIONS = [
    ("devices/interface.py", "import core.link.messages"),
    ("shows/document.py", "import devices.interface"),
    ("core/link/messages.py", "import app.client"),
    ("core/tick/loop.py", "from PySide6 import QtCore"),
    ("shows/document.py", "import pyqtgraph"),
    ("app/client.py", "import mujoco"),
    ("app/client.py", "import core.tick.loop"),
    ("app/client.py", "import core.record.export"),
    ("app/client.py", "import devices.interface"),
    ("core/link/client.py", "import core.tick.loop"),
    ("core/tick/loop.py", "import devices.sim.body"),
    ("core/__main__.py", "import core.lab.bench"),
    ("app/__main__.py", "import serial"),
]


def _lint(folder: Path) -> subprocess.CompletedProcess[str]:
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
    shutil.copy(REPOSITORY / "pyproject.toml", folder)
    for name, text in TREE.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def test_the_contracts_allow_the_designed_imports(tmp_path: Path) -> None:
    _build(tmp_path)
    result = _lint(tmp_path)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize(("module", "statement"), VIOLATIONS)
def test_the_contracts_catch_a_violation(tmp_path: Path, module: str, statement: str) -> None:
    _build(tmp_path)
    with (tmp_path / module).open("a", encoding="utf-8") as file:
        file.write(f"{statement}\n")
    result = _lint(tmp_path)
    assert result.returncode == 1, result.stdout + result.stderr
    assert "BROKEN" in result.stdout
