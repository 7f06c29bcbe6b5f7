"""Limbs of any robot: their order, their words, and those that a gesture is asked to move."""

import msgspec

from app.console.gestures.limbs import groups_for, in_words, moved_limbs
from shows.limbs import Limb
from tests.app.console.rig import HELLO

CHILD = moved_limbs(HELLO)
NAMES = HELLO.group_names
ARMS = (
    Limb(name="left_arm", title="L arm", kind="arm", side="left"),
    Limb(name="left_gripper", title="L gripper", kind="hand", side="left"),
    Limb(name="right_arm", title="R arm", kind="arm", side="right"),
)


def test_the_limbs_that_behaviour_moves_are_those_of_the_motion_states() -> None:
    assert tuple(limb.name for limb in CHILD) == NAMES
    assert "leg" not in {limb.kind for limb in CHILD}
    arms = msgspec.structs.replace(HELLO, limbs=ARMS, group_names=("right_arm", "left_gripper"))
    assert moved_limbs(arms) == (ARMS[2], ARMS[1])
    assert moved_limbs(None) == ()


def test_all_that_it_moves_needs_no_list() -> None:
    assert groups_for(("head", "left_arm"), NAMES) is None
    assert groups_for(("left_arm",), ("left_arm",)) is None


def test_some_are_named_in_the_cores_order() -> None:
    assert groups_for(NAMES, ("right_arm", "head")) == ("head", "right_arm")


def test_none_is_none_at_all() -> None:
    assert groups_for(("head",), ("left_arm",)) == ()
    assert groups_for((), NAMES) == ()


def test_limbs_in_a_few_words() -> None:
    assert in_words(NAMES, CHILD) == "all limbs"
    assert in_words(("right_arm", "head", "left_arm"), CHILD) == "head, arms"
    assert in_words(("right_hand",), CHILD) == "r hand"
    assert in_words(("left_gripper", "right_arm", "left_arm"), ARMS) == "all limbs"
    assert in_words(("right_arm", "left_arm"), ARMS) == "arms"
    assert in_words(("left_gripper", "right_arm"), ARMS) == "l gripper, r arm"
