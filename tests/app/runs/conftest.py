"""Runs on disk for the tests of their window."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.commands.log import library
from app.runs.run import Run
from app.runs.source import Library
from tests.app.runs.recording import write_run


@pytest.fixture(scope="session")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_run(tmp_path_factory.mktemp("runs") / "run.mcap")


@pytest.fixture(scope="session")
def late(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run in which everything happens 1.5 s later."""
    return write_run(tmp_path_factory.mktemp("runs") / "late.mcap", late_s=1.5)


@pytest.fixture(scope="session")
def reading() -> Library:
    return library()


@pytest.fixture
def run(recorded: Path, reading: Library) -> Iterator[Run]:
    found = Run(recorded, reading)
    yield found
    found.close()
