"""Panels are tried in a real Qt, without a screen, on a real link."""

import os
from collections.abc import Callable, Iterator

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.console.context import Context
from app.console.core_link import CoreLink
from app.console.cues.actions import release_clipboard
from app.console.document import Document
from app.console.lock import EditLock
from app.console.notices import Notices
from app.console.preferences import PreferencesStore
from app.console.singletons import keep_singletons
from tests.app.console.rig import ROBOT, LineCore

keep_singletons()


class PatientBot(QtBot):
    """Waits longer than a busy machine needs; what never comes fails all the same."""

    def waitUntil(self, callback: Callable[[], bool | None], *, timeout: int = 30_000) -> None:
        super().waitUntil(callback, timeout=timeout)


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    """A robot at the keyboard."""
    return PatientBot(request)


@pytest.fixture(scope="session", autouse=True)
def clipboard(qapp: QApplication) -> Iterator[None]:
    """What tests copy is given up before Python ends."""
    yield
    release_clipboard()


@pytest.fixture
def core() -> Iterator[LineCore]:
    """A core on the link; a test that stops it need not start it again."""
    with LineCore() as found:
        yield found


@pytest.fixture
def context(core: LineCore, qtbot: QtBot) -> Iterator[Context]:
    """What a panel is given, connected to the core."""
    link = CoreLink(core.endpoint, ROBOT)
    found = Context(link, Document(), EditLock(), Notices(), PreferencesStore())
    link.start()
    qtbot.waitUntil(lambda: link.connected)
    yield found
    link.close()
