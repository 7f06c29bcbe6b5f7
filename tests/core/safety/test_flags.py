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


def test_healthy_is_nothing_raised() -> None:
    assert not HEALTHY
    assert list(HEALTHY) == []
    assert max(Flag) < 63, "the record keeps the bits in one integer"
