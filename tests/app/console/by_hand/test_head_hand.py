"""The head is streamed while it is held, by one hand, and given back or left as was chosen."""

import time

import msgspec
from pytestqt.qtbot import QtBot

from app.console.by_hand.head_hand import HeadHand
from app.console.context.context import Context
from core.link.commands import Head, ReleaseHead
from core.link.place import HoldPoint, ShiftPoint
from tests.app.console.rig import LineCore


def hand_of(context: Context) -> HeadHand:
    return HeadHand(context.link, context.preferences)


def wait_for_state(context: Context, core: LineCore, qtbot: QtBot, state: str) -> None:
    core.set(motion_states=(state, *("REST",) * 4))
    qtbot.waitUntil(
        lambda: context.link.status is not None and context.link.status.motion_states[0] == state
    )


def test_a_head_that_was_not_taken_does_not_turn(
    context: Context, core: LineCore, qtbot: QtBot
) -> None:
    hand = hand_of(context)
    hand.turn("pad", 0.5, 0.1)
    hand.turn("", 0.5, 0.1)
    hand.let_go("pad")
    qtbot.wait(120)
    assert core.commands == []


def test_it_is_streamed_while_held_and_released_once(
    context: Context, core: LineCore, qtbot: QtBot
) -> None:
    hand = hand_of(context)
    assert hand.take("pad")
    hand.turn("pad", 0.5, 0.1)
    qtbot.waitUntil(lambda: core.commands.count(Head(0.5, 0.1)) >= 3)
    hand.let_go("pad")
    qtbot.waitUntil(lambda: ReleaseHead() in core.commands)
    qtbot.wait(120)
    assert core.commands[-1:] == [ReleaseHead()]
    assert core.commands.count(ReleaseHead()) == 1
    assert hand.target is None


def test_a_console_that_hung_lets_the_head_go_and_takes_no_late_press(
    context: Context, core: LineCore, qtbot: QtBot
) -> None:
    hand = hand_of(context)
    assert hand.take("pad")
    hand.turn("pad", 0.5, 0.1)
    context.link.presses.clock = lambda: time.monotonic() + 1.5
    qtbot.waitUntil(lambda: not hand.holder)
    qtbot.waitUntil(lambda: core.commands[-1:] == [ReleaseHead()])
    context.link.presses.note(1.5)
    assert not hand.take("keys")


def test_it_stays_when_that_was_chosen_until_it_is_released(
    context: Context, core: LineCore, qtbot: QtBot
) -> None:
    context.preferences.change(
        msgspec.structs.replace(context.preferences.value, head_spring_back=False)
    )
    hand = hand_of(context)
    wait_for_state(context, core, qtbot, "JOYSTICK")
    hand.take("pad")
    hand.turn("pad", 0.5, 0.1)
    hand.let_go("pad")
    qtbot.waitUntil(lambda: core.commands[-1:] == [Head(0.5, 0.1)])
    count = len(core.commands)
    qtbot.wait(150)
    assert len(core.commands) == count  # no stream while nobody holds it
    assert hand.target == (0.5, 0.1)
    hand.release()
    qtbot.waitUntil(lambda: core.commands[-1:] == [ReleaseHead()])
    assert hand.target is None


def test_a_head_that_the_core_took_back_is_not_shown_as_held(
    context: Context, core: LineCore, qtbot: QtBot
) -> None:
    context.preferences.change(
        msgspec.structs.replace(context.preferences.value, head_spring_back=False)
    )
    hand = hand_of(context)
    wait_for_state(context, core, qtbot, "JOYSTICK")
    hand.take("pad")
    hand.turn("pad", 0.5, 0.1)
    hand.let_go("pad")
    assert hand.target is not None
    wait_for_state(context, core, qtbot, "REST")
    qtbot.waitUntil(lambda: hand.target is None)


def test_the_first_hand_keeps_it(context: Context, core: LineCore, qtbot: QtBot) -> None:
    hand = hand_of(context)
    assert hand.take("pad")
    assert not hand.take("controller")
    hand.turn("pad", 0.2, 0.0)
    hand.turn("controller", -1.0, 0.0)
    hand.let_go("controller")
    assert hand.holder == "pad" and hand.target == (0.2, 0.0)


def test_a_robot_that_falls_into_damping_takes_it_away(
    context: Context, core: LineCore, qtbot: QtBot
) -> None:
    hand = hand_of(context)
    hand.take("pad")
    hand.turn("pad", 0.5, 0.1)
    core.set(mode="FAULT")
    qtbot.waitUntil(lambda: not hand.holder)
    qtbot.waitUntil(lambda: core.commands[-1:] == [ReleaseHead()])
    core.set(mode="READY")
    qtbot.waitUntil(lambda: hand.bar == "")
    hand.turn("pad", 0.6, 0.1)  # the same hold does not count again
    qtbot.wait(120)
    assert core.commands[-1:] == [ReleaseHead()]
    core.set(mode="DAMPED")
    qtbot.waitUntil(lambda: hand.bar != "")
    assert not hand.take("pad")


def test_a_lost_core_ends_the_hold(context: Context, core: LineCore, qtbot: QtBot) -> None:
    hand = hand_of(context)
    refusals: list[str] = []
    context.link.refused.connect(refusals.append)
    hand.take("pad")
    hand.turn("pad", 0.5, 0.1)
    core.stop()
    qtbot.waitUntil(lambda: not hand.holder)
    assert hand.target is None
    assert refusals == []


def test_a_point_that_is_held_is_shifted_and_stays(
    context: Context, core: LineCore, qtbot: QtBot
) -> None:
    hand = hand_of(context)
    assert hand.take("controller")
    hand.steer("controller", 1.0, 0.0)
    qtbot.waitUntil(lambda: Head(-1.57, 0.0) in core.commands)
    hand.hold_point()
    qtbot.waitUntil(lambda: core.commands[-1:] == [HoldPoint()])
    assert not hand.holder and hand.target is None and ReleaseHead() not in core.commands
    core.set(look=(2.0, 0.5, 1.0))
    qtbot.waitUntil(lambda: hand.holds_point)
    assert hand.take("pad")
    hand.steer("pad", 0.5, -1.0)
    qtbot.waitUntil(lambda: core.commands.count(ShiftPoint(-0.5, 1.0)) >= 3)
    core.set(look=None)
    qtbot.waitUntil(lambda: not hand.holds_point)
    hand.steer("pad", 0.4, 0.0)
    qtbot.wait(80)
    assert not isinstance(core.commands[-1], Head), "a speed does not become a direction"
    hand.let_go("pad")
    qtbot.waitUntil(lambda: core.commands[-1:] == [ShiftPoint()])
    assert ReleaseHead() not in core.commands
