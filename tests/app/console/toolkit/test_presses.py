"""A press that waited for a program that hung is known by its age."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.console.toolkit.presses import LATE_S, WRAP_MS, Presses, ScreenClock, Stream


class Clock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


def key(stamp_ms: int) -> QKeyEvent:
    event = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_G, Qt.KeyboardModifier.NoModifier)
    event.setTimestamp(stamp_ms)
    return event


@given(
    boot_s=st.floats(1.0, 1e7),
    waited_s=st.floats(0.0, 3600.0),
)
def test_its_age_is_how_long_it_waited_however_long_the_host_has_run(
    boot_s: float, waited_s: float
) -> None:
    clock = ScreenClock()
    clock.age_s(boot_s, round(1e3 * boot_s) % WRAP_MS)
    age_s = clock.age_s(boot_s + waited_s, round(1e3 * boot_s) % WRAP_MS)
    assert age_s == pytest.approx(waited_s, abs=0.002)


@given(behind_s=st.floats(1.1 * LATE_S, 1e6), sign=st.sampled_from((-1, 1)))
def test_of_a_screen_that_counts_from_somewhere_else_no_age_is_known(
    behind_s: float, sign: int
) -> None:
    clock = ScreenClock()
    for now_s in (2e6, 2e6 + 5.0):
        assert clock.age_s(now_s, round(1e3 * (now_s - sign * behind_s))) == 0.0


def test_a_press_is_late_until_the_program_is_idle(qtbot: QtBot) -> None:
    now, target = Clock(), QObject()
    presses = Presses(clock=now)
    presses.hear_first()
    try:
        QApplication.sendEvent(target, key(1_000_000))
        assert presses.late == ""
        now.now_s += 3.2
        QApplication.sendEvent(target, key(1_000_100))
        assert presses.late == "pressed 3.1 s ago, while the console hung; press again"
        QApplication.sendEvent(target, key(0))  # made up on the way: it has no time of its own
        assert presses.late
        qtbot.waitUntil(lambda: presses.late == "")
        QApplication.sendEvent(target, key(1_000_100))
        QApplication.sendEvent(target, key(1_003_150))
        assert presses.late == ""
    finally:
        application = QApplication.instance()
        assert application is not None
        application.removeEventFilter(presses)


def test_a_stream_that_did_not_flow_is_as_old_as_its_gap(qtbot: QtBot) -> None:
    now, parent = Clock(), QObject()
    presses = Presses(clock=now)
    heard: list[str] = []
    stream = Stream(1, presses, parent)
    stream.beat.connect(lambda: heard.append(presses.late))
    stream.start()
    qtbot.waitUntil(lambda: len(heard) >= 2)
    assert not any(heard)
    now.now_s += 2.0
    qtbot.waitUntil(lambda: any(heard))
    assert [text for text in heard if text] == [
        "pressed 2.0 s ago, while the console hung; press again"
    ]
    stream.stop()
    count = len(heard)
    qtbot.wait(20)
    assert len(heard) == count


def test_the_clock_is_the_one_that_x_and_wayland_stamp_by() -> None:
    assert Presses().clock is time.monotonic
