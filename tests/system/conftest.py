"""What system tests of the console begin with."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.system import inside
from tests.system.screen import Screen, until

HERE = Path(__file__).parent
OTHER = """
from PySide6.QtWidgets import QApplication, QLabel
application = QApplication(["other"])
label = QLabel("another program")
label.setWindowTitle("Another program")
label.resize(120, 60)
label.show()
application.exec()
"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder: it starts real processes."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.realtime)


@pytest.fixture
def screen() -> Iterator[Screen]:
    """A screen of its own."""
    found = Screen()
    yield found
    found.close()


@pytest.fixture
def asker(monkeypatch: pytest.MonkeyPatch) -> Iterator[inside.Asker]:
    """Whom a console that is started with `inside.MODULE` answers."""
    found = inside.Asker()
    monkeypatch.setenv(inside.ADDRESS, found.name)
    yield found
    found.close()


@pytest.fixture
def other(screen: Screen) -> Iterator[str]:
    """Another program's window: its number."""
    program = [sys.executable, "-P", "-c", OTHER]
    process = subprocess.Popen(program, env=screen.environment(), stderr=subprocess.DEVNULL)
    yield until(lambda: screen.do("search", "--onlyvisible", "--name", "^Another") or None, "it")
    process.terminate()
    process.wait()
