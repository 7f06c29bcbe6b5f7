"""What the core would refuse is not asked, and the operator reads why."""

import msgspec
import pytest

from app.console.by_hand.permission import body_bar, head_bar, jump_bar, sway_bar, walk_bar
from core.link.partner import Follow, FollowStatus
from shows.gaits import GaitRange
from shows.joints import SwayRange
from tests.app.console.by_hand.body import limb
from tests.app.console.rig import HELLO, READY
from tests.core.tick.gaits import GAITS


def test_without_a_core_nothing_may_be_moved() -> None:
    assert "core" in head_bar(None, True)
    assert "core" in walk_bar(READY, False)


@pytest.mark.parametrize("mode", HELLO.mode_names)
def test_only_a_standing_robot_is_moved(mode: str) -> None:
    status = msgspec.structs.replace(READY, mode=mode)
    assert (head_bar(status, True) == "") == (mode in ("READY", "PERFORM", "WALK", "RECORD"))
    assert (walk_bar(status, True) == "") == (mode in ("READY", "WALK"))


def test_a_robot_sways_in_ready_only_if_it_has_a_range() -> None:
    hello = msgspec.structs.replace(HELLO, sway_range=SwayRange(0.05, 0.0, 0.08, 0.25))
    assert sway_bar(READY, True, hello) == "" and "does not sway" in sway_bar(READY, True, HELLO)
    walks = msgspec.structs.replace(READY, mode="WALK")
    assert "HOLD it first" in sway_bar(walks, True, hello)
    assert sway_bar(msgspec.structs.replace(READY, mode="PERFORM"), True, hello)
    assert sway_bar(msgspec.structs.replace(READY, action="HOLD"), True, hello)
    led = msgspec.structs.replace(READY, follow=FollowStatus(order=Follow()))
    assert "end following first" in sway_bar(led, True, hello)
    arms = msgspec.structs.replace(READY, follow=FollowStatus(order=Follow(limbs=("left_arm",))))
    assert sway_bar(arms, True, hello) == ""
    by_hand = msgspec.structs.replace(READY, body_led=True)
    assert "give it back" in sway_bar(by_hand, True, hello)


@pytest.mark.parametrize("mode", HELLO.mode_names)
def test_the_body_is_led_while_the_robot_stands_and_nobody_else_has_it(mode: str) -> None:
    hello = msgspec.structs.replace(HELLO, body_limb=limb())
    status = msgspec.structs.replace(READY, mode=mode)
    assert (body_bar(status, True, hello) == "") == (mode in ("READY", "PERFORM", "WALK"))
    assert "no body to lead" in body_bar(status, True, HELLO)
    seated = msgspec.structs.replace(hello, support="seated")
    assert "on its feet" in body_bar(status, True, seated)
    led = msgspec.structs.replace(status, follow=FollowStatus(order=Follow()))
    assert "end following first" in body_bar(led, True, hello)
    assert body_bar(status, False, hello)


def test_a_robot_jumps_in_ready_and_while_it_walks_or_says_why_not() -> None:
    hello = msgspec.structs.replace(HELLO, gaits=GAITS)
    for mode in HELLO.mode_names:
        bar = jump_bar(msgspec.structs.replace(READY, mode=mode), True, hello)
        assert (bar == "") == (mode in ("READY", "WALK"))
    assert jump_bar(msgspec.structs.replace(READY, action="HOLD"), True, hello)
    heavy = msgspec.structs.replace(HELLO, gaits=GaitRange(refused={"jump": "it is too heavy"}))
    assert jump_bar(READY, True, heavy) == "it is too heavy"


@pytest.mark.parametrize("action", ["HOLD", "SETTLE", "DAMP", "CUT", "of a later core"])
def test_a_fault_that_holds_the_robot_bars_both(action: str) -> None:
    status = msgspec.structs.replace(READY, action=action)
    assert head_bar(status, True) and walk_bar(status, True)


def test_a_warning_bars_nothing() -> None:
    status = msgspec.structs.replace(READY, action="WARN")
    assert not head_bar(status, True) and not walk_bar(status, True)
