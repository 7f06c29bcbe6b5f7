"""A label that is narrower than its text shows its beginning, and all of it in the tooltip."""

from pytestqt.qtbot import QtBot

from app.console.cues.elided import Elided

LONG = "cue 8 failed its preflight: right elbow 112 % of torque at 3.42 s " * 3


def test_a_long_text_asks_for_no_more_room(qtbot: QtBot) -> None:
    label = Elided()
    qtbot.addWidget(label)
    before = label.sizeHint(), label.minimumSizeHint()
    label.say(LONG)
    assert (label.sizeHint(), label.minimumSizeHint()) == before
    assert label.toolTip() == LONG
    label.set_lines(2)
    assert label.sizeHint().height() > before[0].height()


def test_what_is_drawn_follows_text_and_colour(qtbot: QtBot) -> None:
    label = Elided()
    qtbot.addWidget(label)
    label.resize(120, 24)
    label.say(LONG)
    plain = label.grab().toImage()
    label.say(LONG, "#ff0000")
    red = label.grab().toImage()
    label.say("short", "#ff0000")
    assert plain != red
    assert label.grab().toImage() != red
