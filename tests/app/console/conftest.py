"""Panels are tried on a real link."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.console.context.context import Context
from app.console.context.core_link import CoreLink
from app.console.context.document import Document
from app.console.context.lock import EditLock
from app.console.context.notices import Notices
from app.console.preferences.store import PreferencesStore
from app.console.toolkit import clipboard as own_clipboard
from core.link.client import Client
from core.robot.profile_file import load_profile
from core.stage.stagehand import Stagehand
from tests.app.console.rig import ROBOT, LineCore

PATIENCE_S = 1.0  # a machine with other programs may silence the core's thread for a while


@pytest.fixture(scope="session", autouse=True)
def clipboard(qapp: QApplication) -> Iterator[None]:
    """What tests copy is given up before Python ends."""
    yield
    own_clipboard.release()


@pytest.fixture
def core() -> Iterator[LineCore]:
    """A core on the link; a test that stops it need not start it again."""
    with LineCore() as found:
        yield found


@pytest.fixture
def context(core: LineCore, qtbot: QtBot) -> Iterator[Context]:
    """What a panel is given, connected to the core."""
    link = CoreLink(core.endpoint, ROBOT, lost_s=PATIENCE_S)
    found = Context(link, Document(), EditLock(), Notices(), PreferencesStore())
    link.start()
    qtbot.waitUntil(lambda: link.connected)
    yield found
    link.close()


@pytest.fixture
def stagehand(core: LineCore) -> Iterator[Stagehand]:
    """The real stagehand of the robot, which a test lets step."""
    with Client(core.endpoint, ROBOT, "stagehand") as client:
        found = Stagehand(client, load_profile(ROBOT))
        yield found
        found.close()
