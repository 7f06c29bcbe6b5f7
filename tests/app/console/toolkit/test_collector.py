"""Widgets in a cycle are deleted in their own thread, whoever allocates meanwhile."""

import gc
import threading
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from app.console.toolkit.collector import STEP_MS, Collector


class Knot:
    """Part of a cycle, which says in which thread it is deleted."""

    ends: list[int] = []  # noqa: RUF012

    def __init__(self) -> None:
        self.me = self

    def __del__(self) -> None:
        self.ends.append(threading.get_ident())


@pytest.fixture
def collector(qtbot: QtBot) -> Iterator[Collector]:
    gc.enable()
    found = Collector()
    yield found
    found.deleteLater()


def test_a_worker_that_allocates_collects_nothing_and_the_windows_thread_soon_does(
    collector: Collector, qtbot: QtBot
) -> None:
    assert not gc.isenabled()
    gc.collect()
    Knot.ends.clear()
    for _ in range(50):
        Knot()
    kept: list[list[int]] = []

    def allocate() -> None:
        for _ in range(100_000):
            kept.append([])

    worker = threading.Thread(target=allocate)
    worker.start()
    worker.join()
    assert Knot.ends == []
    qtbot.waitUntil(lambda: len(Knot.ends) == 50, timeout=40 * STEP_MS)
    assert set(Knot.ends) == {threading.get_ident()}
    kept.clear()
