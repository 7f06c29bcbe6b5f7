"""A reference that nobody has written asks for nothing."""

from core.plants.biped.walk.reference import LegReference, Phase


def test_it_begins_standing_on_both_feet() -> None:
    reference = LegReference()
    assert reference.phase is Phase.STAND
    assert (reference.swing_side, reference.stance_side) == (-1, -1)
    assert list(reference.load_limit) == [0.0, 0.0]
    assert not reference.swing.any() and not reference.com_acceleration.any()


def test_two_references_share_nothing() -> None:
    one, other = LegReference(), LegReference()
    one.load_limit[0] = 5.0
    one.swing[0, 0] = 1.0
    assert other.load_limit[0] == 0.0
    assert other.swing[0, 0] == 0.0
