"""Pictures are made one at a time, once each."""

from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from app.console.gestures.stick_figure import stick_figure
from app.console.gestures.thumbnails import Thumbnails
from shows.motion import Motion
from tests.app.console.gestures.motions import motion


def test_each_is_made_once_and_kept(qtbot: QtBot) -> None:
    made: list[str] = []

    def render(wanted: Motion) -> QImage:
        made.append(wanted.name)
        return stick_figure(wanted)

    thumbnails = Thumbnails(render)
    motions = [motion("a"), motion("b")]
    assert [thumbnails.of(each) for each in motions] == [None, None]
    thumbnails.of(motions[0])
    assert made == []  # nothing is made while something is drawn
    with qtbot.waitSignals([thumbnails.made, thumbnails.made]):
        pass
    assert made == ["a", "b"]
    assert thumbnails.of(motions[0]) is not None
    thumbnails.renew(lambda wanted: QImage(8, 8, QImage.Format.Format_RGB32))
    with qtbot.waitSignals([thumbnails.made, thumbnails.made]):
        pass
    again = thumbnails.of(motions[1])
    assert again is not None and again.width() == 8
    assert made == ["a", "b"]
