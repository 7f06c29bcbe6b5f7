"""Which limbs a gesture is asked to move, and how they are called."""

from app.console.gestures.limbs import LIMBS, groups_for, in_words


def test_all_that_it_moves_needs_no_list() -> None:
    assert groups_for(("head", "left_arm"), LIMBS) is None
    assert groups_for(("left_arm",), ("left_arm",)) is None


def test_some_are_named_in_the_cores_order() -> None:
    assert groups_for(LIMBS, ("right_arm", "head")) == ("head", "right_arm")


def test_none_is_none_at_all() -> None:
    assert groups_for(("head",), ("left_arm",)) == ()
    assert groups_for((), LIMBS) == ()


def test_limbs_in_a_few_words() -> None:
    assert in_words(LIMBS) == "all limbs"
    assert in_words(("right_arm", "head", "left_arm")) == "head, arms"
    assert in_words(("right_hand",)) == "r hand"
