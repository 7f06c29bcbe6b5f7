"""Pictures are made one at a time, once each."""

import gc
import weakref

from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from app.console.gestures.thumbnails import Thumbnails
from shows.motion import Motion
from tests.app.console.gestures.motions import motion, picture


def test_each_is_made_once_and_kept(qtbot: QtBot) -> None:
    made: list[str] = []

    def render(wanted: Motion) -> QImage:
        made.append(wanted.name)
        return picture(wanted)

    thumbnails = Thumbnails(render)
    motions = [motion("a"), motion("b")]
    assert [thumbnails.of(each) for each in motions] == [None, None]
    thumbnails.of(motions[0])
    qtbot.waitUntil(lambda: thumbnails.of(motions[1]) is not None)
    assert thumbnails.of(motions[0]) is not None
    assert made == ["a", "b"]


def test_pictures_of_another_robot_are_made_again(qtbot: QtBot) -> None:
    made: list[str] = []

    def render(wanted: Motion) -> QImage:
        made.append(wanted.name)
        return picture(wanted)

    thumbnails, wave = Thumbnails(render), motion("wave")
    for _ in range(2):
        assert thumbnails.of(wave) is None
        qtbot.waitUntil(lambda: thumbnails.of(wave) is not None)
        thumbnails.forget()
    assert made == ["wave", "wave"]


def test_a_gesture_that_is_gone_keeps_no_picture(qtbot: QtBot) -> None:
    thumbnails, gone = Thumbnails(picture), motion("gone")
    with qtbot.waitSignal(thumbnails.made):
        thumbnails.of(gone)
    seen = weakref.ref(gone)
    del gone
    gc.collect()
    assert seen() is None
