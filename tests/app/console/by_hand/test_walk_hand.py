"""Walking needs a dead-man that is held; whatever ends the hold, zero is sent once."""

import time

import msgspec
import pytest
from pytestqt.qtbot import QtBot

from app.console.by_hand.walk_hand import WalkHand
from app.console.context.context import Context
from core.link.commands import Walk
from core.link.hello import WalkRange
from tests.app.console.rig import HELLO, LineCore

FORWARD = Walk(vx=0.125)  # half of the show's bound of 0.25 m/s


def hand_of(context: Context) -> WalkHand:
    return WalkHand(context.link, context.document, context.preferences)


def walk(hand: WalkHand, core: LineCore, qtbot: QtBot) -> None:
    assert hand.press("pad")
    hand.steer("pad", 1.0, 0.0, 0.0)
    qtbot.waitUntil(lambda: FORWARD in core.commands)


def test_without_the_dead_man_nothing_walks(context: Context, core: LineCore, qtbot: QtBot) -> None:
    hand = hand_of(context)
    hand.steer("pad", 1.0, 0.0, 0.0)
    hand.steer("", 1.0, 0.0, 0.0)
    hand.let_go("pad")
    qtbot.wait(150)
    assert core.commands == []


def test_it_is_streamed_while_held_and_ends_in_one_zero(
    context: Context, core: LineCore, qtbot: QtBot
) -> None:
    hand = hand_of(context)
    walk(hand, core, qtbot)
    qtbot.waitUntil(lambda: core.commands.count(FORWARD) >= 3)
    hand.let_go("pad")
    qtbot.waitUntil(lambda: core.commands[-1:] == [Walk()])
    qtbot.wait(150)
    assert core.commands[-2:] == [FORWARD, Walk()]
    hand.steer("pad", 1.0, 0.0, 0.0)
    qtbot.wait(120)
    assert core.commands[-1:] == [Walk()]


def test_a_dead_man_that_was_pressed_while_the_console_hung_is_not_taken(
    context: Context, core: LineCore, qtbot: QtBot
) -> None:
    hand = hand_of(context)
    refusals: list[str] = []
    context.link.refused.connect(refusals.append)
    context.link.presses.note(1.5)
    assert not hand.press("keys")
    assert refusals == [
        "the walk was not sent: pressed 1.5 s ago, while the console hung; press again"
    ]
    context.link.presses.note(0.1)
    walk(hand, core, qtbot)


def test_a_console_that_hung_ends_the_hold(context: Context, core: LineCore, qtbot: QtBot) -> None:
    hand = hand_of(context)
    walk(hand, core, qtbot)
    context.link.presses.clock = lambda: time.monotonic() + 1.5
    qtbot.waitUntil(lambda: not hand.holder)
    qtbot.waitUntil(lambda: core.commands[-1:] == [Walk()])


def test_the_share_the_show_and_the_robot_limit_it(
    context: Context, core: LineCore, qtbot: QtBot
) -> None:
    hand = hand_of(context)

    def becomes(velocity: Walk) -> None:
        def asked() -> bool:
            hand.press("pad")  # anew: a machine that is busy for 0.2 s ends the hold
            hand.steer("pad", -1.0, 1.0, -1.0)
            return hand.velocity == velocity

        qtbot.waitUntil(asked)

    becomes(Walk(-0.075, 0.06, -0.3))
    context.preferences.change(
        msgspec.structs.replace(context.preferences.value, walk_speed_share=1.0)
    )
    becomes(Walk(-0.15, 0.12, -0.6))
    show = context.document.show
    bounds = msgspec.structs.replace(show.settings.walk, backward=0.05)
    settings = msgspec.structs.replace(show.settings, walk=bounds)
    context.document.edit("bounds", msgspec.structs.replace(show, settings=settings))
    becomes(Walk(-0.05, 0.12, -0.6))
    core.hello = msgspec.structs.replace(HELLO, walk=WalkRange(0.5, 0.1, 0.2))
    becomes(Walk(-0.05, 0.1, -0.2))


def test_the_first_dead_man_keeps_it(context: Context) -> None:
    hand = hand_of(context)
    assert hand.press("controller")
    assert not hand.press("keys")
    hand.steer("keys", 1.0, 0.0, 0.0)
    hand.let_go("keys")
    assert hand.holder == "controller"
    assert hand.velocity == Walk()


@pytest.mark.parametrize(
    "change", [{"mode": "PERFORM"}, {"mode": "FAULT"}, {"action": "HOLD"}], ids=str
)
def test_what_bars_walking_ends_it_and_needs_a_new_press(
    context: Context, core: LineCore, qtbot: QtBot, change: dict[str, str]
) -> None:
    hand = hand_of(context)
    walk(hand, core, qtbot)
    core.set(**change)
    qtbot.waitUntil(lambda: not hand.holder)
    qtbot.waitUntil(lambda: core.commands[-1:] == [Walk()])
    assert not hand.press("pad")
    core.set(mode="READY", action="NONE")
    qtbot.waitUntil(lambda: hand.bar == "")
    hand.steer("pad", 1.0, 0.0, 0.0)
    qtbot.wait(120)
    assert core.commands[-1:] == [Walk()]
    walk(hand, core, qtbot)


def test_a_hold_from_anywhere_ends_it(context: Context, core: LineCore, qtbot: QtBot) -> None:
    hand = hand_of(context)
    walk(hand, core, qtbot)
    link = context.link
    core.set(mode="WALK")
    qtbot.waitUntil(lambda: link.status is not None and link.status.mode == "WALK")
    core.set(mode="READY")
    qtbot.waitUntil(lambda: not hand.holder)
    qtbot.waitUntil(lambda: core.commands[-1:] == [Walk()])


def test_a_pause_within_a_hold_does_not_end_it(
    context: Context, core: LineCore, qtbot: QtBot
) -> None:
    hand = hand_of(context)
    walk(hand, core, qtbot)
    link = context.link
    core.set(mode="WALK")
    qtbot.waitUntil(lambda: link.status is not None and link.status.mode == "WALK")
    hand.steer("pad", 0.0, 0.0, 0.0)
    core.set(mode="READY")  # the core does so by itself after a second of standing
    qtbot.waitUntil(lambda: link.status is not None and link.status.mode == "READY")
    qtbot.wait(60)
    hand.steer("pad", 1.0, 0.0, 0.0)
    qtbot.wait(60)
    assert hand.holder == "pad"


def test_a_lost_core_ends_it_and_its_return_does_not_walk(
    context: Context, core: LineCore, qtbot: QtBot
) -> None:
    hand = hand_of(context)
    refusals: list[str] = []
    context.link.refused.connect(refusals.append)
    walk(hand, core, qtbot)
    core.stop()
    qtbot.waitUntil(lambda: not hand.holder)
    with LineCore(core.endpoint) as again:
        qtbot.waitUntil(lambda: context.link.connected)
        hand.steer("pad", 1.0, 0.0, 0.0)
        qtbot.wait(150)
        assert again.commands == []
    assert refusals == []


def test_halt_ends_anybodys_hold(context: Context, core: LineCore, qtbot: QtBot) -> None:
    hand = hand_of(context)
    walk(hand, core, qtbot)
    hand.halt()
    hand.halt()
    qtbot.waitUntil(lambda: core.commands[-1:] == [Walk()])
    assert core.commands.count(Walk()) == 1
