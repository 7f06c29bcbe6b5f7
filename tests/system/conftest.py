"""The system tests share rehearsals: one with the sample show, one with a short show."""

import subprocess
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from tests.system import short_show
from tests.system.screen import Screen, until
from tests.system.sharing import FAILED, Session, Shared

HERE = Path(__file__).parent
# The tests of a shared rehearsal, one module after the other. What ends it comes last.
ORDER = (
    "test_console",
    "test_controller",
    "test_push",
    "test_endings",
    "test_newcomer",
    "test_recovery",
    "test_hang",
    "test_focus",
)
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
    """Mark every test of this folder, and put those that share a rehearsal in their order."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.realtime)
    items.sort(key=_rank)


def _rank(item: pytest.Item) -> int:
    shares = item.path.parent == HERE and item.path.stem in ORDER
    return ORDER.index(item.path.stem) if shares else -1


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Note a failure, after which a rehearsal is not shared any more."""
    report = yield
    if report.failed:
        item.stash[FAILED] = True
    return report


@pytest.fixture
def screen() -> Iterator[Screen]:
    """Return a screen of the test's own."""
    found = Screen()
    yield found
    found.close()


@pytest.fixture(scope="session")
def with_sample_show(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shared]:
    """Return the rehearsal of the sample show."""
    found = Shared(lambda: tmp_path_factory.mktemp("sample"))
    yield found
    found.close()


@pytest.fixture(scope="session")
def with_short_show(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shared]:
    """Return the rehearsal of the short show."""
    found = Shared(lambda: tmp_path_factory.mktemp("short"), short_show.save)
    yield found
    found.close()


@pytest.fixture
def sample(with_sample_show: Shared, request: pytest.FixtureRequest) -> Iterator[Session]:
    """Return the session of the sample show."""
    yield from with_sample_show.lend(request.node)


@pytest.fixture
def short(with_short_show: Shared, request: pytest.FixtureRequest) -> Iterator[Session]:
    """Return the session of the short show."""
    yield from with_short_show.lend(request.node)


@pytest.fixture
def other_program() -> Callable[[Screen], AbstractContextManager[str]]:
    """Return what opens another program's window on a screen, and returns its number."""

    @contextmanager
    def opened(screen: Screen) -> Iterator[str]:
        program = [sys.executable, "-P", "-c", OTHER]
        process = subprocess.Popen(program, env=screen.environment(), stderr=subprocess.DEVNULL)
        try:
            yield until(
                lambda: screen.do("search", "--onlyvisible", "--name", "^Another") or None,
                "the other program's window opens",
            )
        finally:
            process.terminate()
            process.wait()

    return opened
