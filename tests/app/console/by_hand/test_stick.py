"""Sticks of a controller: their rest is their middle, and both ends stay where they were."""

import math

from hypothesis import given
from hypothesis import strategies as st

from app.console.by_hand.stick import Centre, centre_of

ways = st.floats(-1.0, 1.0)


@given(st.tuples(*[st.floats(-0.3, 0.3)] * 4), st.tuples(*[ways] * 4))
def test_a_centred_stick_rests_at_zero_and_reaches_both_ends(
    rest: tuple[float, ...], axes: tuple[float, ...]
) -> None:
    centre = Centre(rest)
    assert centre.correct(rest) == (0.0,) * 4
    assert all(-1.0 <= value <= 1.0 for value in centre.correct(axes))
    assert all(math.isclose(value, 1.0) for value in centre.correct((1.0,) * 4))
    assert all(math.isclose(value, -1.0) for value in centre.correct((-1.0,) * 4))


def test_a_stick_that_is_held_is_no_centre() -> None:
    assert centre_of((0.1, -0.05, 0.0, 0.0)) == Centre((0.1, -0.05, 0.0, 0.0))
    assert centre_of((0.1, -0.5, 0.0, 0.0)) is None
