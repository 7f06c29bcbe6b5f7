"""The window is tried on a real twin."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.handset.said import Hands
from app.handset.twin import Twin
from devices.twin.__main__ import ask
from devices.twin.exchange import CLOCK_SOCKET
from tests.devices.twin import rig


class Running:
    """A twin in a process of its own.

    Attributes:
        folder: in which it runs.
        process: its own.
    """

    def __init__(self, folder: Path, process: subprocess.Popen[bytes]) -> None:
        self.folder, self.process = folder, process

    def tell(self, what: str) -> dict[str, object]:
        """Return what it tells to somebody else."""
        told: dict[str, object] = json.loads(ask(self.folder, f"tell {what}").removeprefix("ok "))
        return told


@pytest.fixture(scope="package")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A twin for all tests that leave it alive."""
    folder = tmp_path_factory.mktemp("twin")
    with rig.process(folder) as child:
        rig.wait_for(folder / CLOCK_SOCKET)
        yield Running(folder, child)


@pytest.fixture
def running(shared: Running) -> Running:
    """The twin, with nobody's hands on its handset."""
    for order in ("lay_down", "handset on", "close a", "close b", "remote_stop off"):
        assert ask(shared.folder, order) == "ok"
    return shared


@pytest.fixture
def twin(running: Running, qtbot: QtBot) -> Iterator[Twin]:
    """A line to it, on which it has told how it is."""
    found = Twin(running.folder)
    qtbot.waitUntil(lambda: isinstance(found.hands, Hands))
    yield found
    found.close()
