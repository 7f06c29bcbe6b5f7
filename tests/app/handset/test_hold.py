"""A control is let go by the last hand that holds it, and not by a key that repeats."""

from pytestqt.qtbot import QtBot

from app.handset.hold import Hold


def test_the_first_takes_it_and_the_last_lets_it_go(qtbot: QtBot) -> None:
    hold, seen = Hold(), list[bool]()
    hold.changed.connect(seen.append)
    hold.take("key")
    hold.take("pressed")
    hold.let_go("key")
    hold.let_go("key")
    assert seen == [True]
    hold.let_go("pressed")
    assert seen == [True, False]
    hold.let_go_soon("pressed")
    qtbot.wait(60)
    assert seen == [True, False]


def test_a_key_that_repeats_does_not_let_go(qtbot: QtBot) -> None:
    hold, seen = Hold(), list[bool]()
    hold.changed.connect(seen.append)
    for _ in range(5):
        hold.take("key")
        hold.let_go_soon("key")
    hold.take("key")
    qtbot.wait(60)
    assert seen == [True]
    hold.let_go_soon("key")
    qtbot.waitUntil(lambda: seen == [True, False])


def test_what_is_dropped_stays_dropped(qtbot: QtBot) -> None:
    hold, seen = Hold(), list[bool]()
    hold.changed.connect(seen.append)
    hold.take("key")
    hold.take("kept")
    hold.drop("kept")
    assert hold.held
    hold.drop()
    assert seen == [True, False]
    hold.let_go_soon("key")
    hold.let_go("kept")
    qtbot.wait(60)
    assert seen == [True, False]
