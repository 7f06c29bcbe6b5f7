"""The body is streamed while it is led, by one hand, and given back or left as was chosen."""

import time

import msgspec
import pytest
from pytestqt.qtbot import QtBot

from app.console.by_hand.body_hand import BodyHand
from app.console.context.context import Context
from core.link.body import LeadBody, ReleaseBody
from tests.app.console.by_hand.body import give_body, limb, wait_until_led
from tests.app.console.rig import LineCore

LEAN = LeadBody(roll=limb().roll.upper, pitch=-limb().pitch.lower)


@pytest.fixture
def hand(context: Context, core: LineCore, qtbot: QtBot) -> BodyHand:
    give_body(core, context, qtbot)
    return BodyHand(context.link, context.preferences)


def test_a_robot_without_a_body_has_nothing_to_lead(context: Context, core: LineCore) -> None:
    hand = BodyHand(context.link, context.preferences)
    assert hand.bar == "this robot has no body to lead"
    assert not hand.take("pad")
    hand.lean("pad", 1.0, 1.0)
    assert hand.target is None and core.commands == []


def test_a_body_that_was_not_taken_is_not_led(hand: BodyHand, core: LineCore, qtbot: QtBot) -> None:
    hand.lean("pad", 1.0, 1.0)
    hand.turn("", 1.0)
    hand.let_go("pad")
    qtbot.wait(120)
    assert core.commands == [] and hand.target is None


def test_it_is_streamed_while_held_and_released_once(
    hand: BodyHand, core: LineCore, qtbot: QtBot
) -> None:
    assert hand.take("pad")
    hand.lean("pad", 1.0, -1.0)
    qtbot.waitUntil(lambda: core.commands.count(LEAN) >= 3)
    hand.let_go("pad")
    qtbot.waitUntil(lambda: core.commands[-1:] == [ReleaseBody()])
    qtbot.wait(120)
    assert core.commands[0] == core.commands[-1] == ReleaseBody() and hand.target is None
    assert core.commands.count(ReleaseBody()) == 2, "a hold begins with one"


def test_the_body_of_another_console_is_not_taken_but_can_be_given_back(
    hand: BodyHand, context: Context, core: LineCore, qtbot: QtBot
) -> None:
    wait_until_led(core, context, qtbot, True)
    assert "another console" in hand.bar and not hand.take("pad")
    hand.lean("pad", 1.0, 1.0)
    assert core.commands == []
    hand.release()
    qtbot.waitUntil(lambda: core.commands == [ReleaseBody()])
    wait_until_led(core, context, qtbot, False)
    assert hand.bar == "" and hand.take("pad")
    hand.lean("pad", 1.0, 1.0)
    wait_until_led(core, context, qtbot, True)
    assert hand.bar == "", "it is led from here"


def test_lean_shift_and_turn_add_up(hand: BodyHand, core: LineCore, qtbot: QtBot) -> None:
    hand.take("pad")
    hand.lean("pad", 1.0, -1.0)
    hand.shift("pad", -1.0, -0.5)
    hand.turn("pad", 0.5)
    body = limb()
    whole = msgspec.structs.replace(
        LEAN, yaw=-0.5 * body.yaw.lower, height=-0.5 * body.height.lower, left=body.left.upper
    )
    assert hand.target == whole
    qtbot.waitUntil(lambda: whole in core.commands)


def test_the_first_hand_keeps_it(hand: BodyHand) -> None:
    assert hand.take("pad")
    assert not hand.take("controller")
    hand.turn("pad", 0.5)
    hand.turn("controller", -1.0)
    hand.let_go("controller")
    assert hand.holder == "pad" and hand.target == LeadBody(yaw=-0.5 * limb().yaw.lower)


def test_a_console_that_hung_lets_the_body_go_and_takes_no_late_press(
    hand: BodyHand, context: Context, core: LineCore, qtbot: QtBot
) -> None:
    assert hand.take("pad")
    hand.lean("pad", 1.0, -1.0)
    context.link.presses.clock = lambda: time.monotonic() + 1.5
    qtbot.waitUntil(lambda: not hand.holder)
    qtbot.waitUntil(lambda: core.commands[-1:] == [ReleaseBody()])
    context.link.presses.note(1.5)
    assert not hand.take("keys")


@pytest.mark.parametrize("stays", [False, True])
def test_what_ends_the_lead_in_the_core_ends_the_hold(
    hand: BodyHand, context: Context, core: LineCore, qtbot: QtBot, stays: bool
) -> None:
    if stays:
        context.preferences.change(
            msgspec.structs.replace(context.preferences.value, body_spring_back=False)
        )
    assert hand.take("pad")
    hand.lean("pad", 1.0, -1.0)
    if stays:
        hand.let_go("pad")
    assert hand.target == LEAN and hand.holder == ("" if stays else "pad")
    wait_until_led(core, context, qtbot, True)
    wait_until_led(core, context, qtbot, False)  # as after a HOLD
    qtbot.waitUntil(lambda: hand.target is None and not hand.holder)
    qtbot.waitUntil(lambda: core.commands[-1:] == [ReleaseBody()])
    hand.lean("pad", 0.5, 0.5)  # the same hold does not count again
    qtbot.wait(120)
    assert core.commands[-1:] == [ReleaseBody()]


def test_it_stays_streamed_when_that_was_chosen_until_it_is_given_back(
    hand: BodyHand, context: Context, core: LineCore, qtbot: QtBot
) -> None:
    context.preferences.change(
        msgspec.structs.replace(context.preferences.value, body_spring_back=False)
    )
    hand.take("pad")
    hand.lean("pad", 1.0, -1.0)
    hand.let_go("pad")
    count = core.commands.count(LEAN)
    qtbot.waitUntil(lambda: core.commands.count(LEAN) > count + 3)  # the core would forget it
    assert core.commands.count(ReleaseBody()) == 1 and hand.take("slider")
    hand.turn("slider", -1.0)
    assert hand.target == msgspec.structs.replace(LEAN, yaw=limb().yaw.upper)
    hand.let_go("slider")
    hand.release()
    qtbot.waitUntil(lambda: core.commands[-1:] == [ReleaseBody()])
    assert hand.target is None


def test_a_lost_core_and_a_fault_end_it(hand: BodyHand, core: LineCore, qtbot: QtBot) -> None:
    hand.take("pad")
    hand.lean("pad", 1.0, -1.0)
    core.set(mode="FAULT")
    qtbot.waitUntil(lambda: not hand.holder)
    qtbot.waitUntil(lambda: core.commands[-1:] == [ReleaseBody()])
    core.set(mode="READY")
    qtbot.waitUntil(lambda: hand.bar == "")
    hand.take("pad")
    hand.lean("pad", 0.5, -1.0)
    core.stop()
    qtbot.waitUntil(lambda: not hand.holder)
    assert hand.target is None
