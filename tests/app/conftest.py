"""Windows are tried in a real Qt, without a screen."""

import gc
import os
from collections.abc import Callable

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.console.toolkit.singletons import keep_singletons

keep_singletons()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Collect garbage in the thread of the windows only, as the program does."""
    gc.disable()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown() -> None:
    """Collect it here, once the windows of a test are gone."""
    gc.collect(1)
    gc.enable()


class PatientBot(QtBot):
    """Waits longer than a busy machine needs; what never comes fails all the same."""

    def waitUntil(self, callback: Callable[[], bool | None], *, timeout: int = 30_000) -> None:
        super().waitUntil(callback, timeout=timeout)


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    """A robot at the keyboard."""
    return PatientBot(request)
