"""Sets of flags."""

from hypothesis import given
from hypothesis import strategies as st

from core.safety.flags import HEALTHY, Flag, Flags


@given(st.sets(st.sampled_from(Flag)))
def test_flags_hold_exactly_what_they_were_made_of(raised: set[Flag]) -> None:
    flags = Flags.of(*raised)
    assert set(flags) == raised
    assert bool(flags) == bool(raised)
    assert all((flag in flags) == (flag in raised) for flag in Flag)


@given(st.lists(st.sets(st.sampled_from(Flag)), max_size=4))
def test_joined_flags_are_the_union(many: list[set[Flag]]) -> None:
    assert set(Flags.join(Flags.of(*raised) for raised in many)) == set().union(*many)


def test_healthy_is_nothing_raised() -> None:
    assert not HEALTHY
    assert list(HEALTHY) == []
    assert max(Flag) < 63, "the record keeps the bits in one integer"
