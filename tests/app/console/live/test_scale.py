"""A scale grows at once in round steps and shrinks late, so that it does not dance."""

import math

import pytest

from app.console.live.scale import CALM_S, CalmScale, round_up


@pytest.mark.parametrize(
    ("value", "rounded"), [(0.013, 0.02), (1.0, 1.0), (1.01, 2.0), (3.0, 5.0), (700.0, 1000.0)]
)
def test_steps_are_round(value: float, rounded: float) -> None:
    assert round_up(value) == pytest.approx(rounded)


def test_what_fits_changes_nothing() -> None:
    scale = CalmScale(0.0, 300.0)
    assert not scale.fit(0.0, 5.0, 299.0)
    assert not scale.fit(0.0, math.nan, math.nan)
    assert (scale.low, scale.high) == (0.0, 300.0)


def test_it_grows_at_once_on_the_side_that_needs_it() -> None:
    scale = CalmScale(-0.5, 0.5)
    assert scale.fit(0.0, -0.2, 0.7)
    assert (scale.low, scale.high) == pytest.approx((-0.5, 1.5))
    assert scale.fit(0.0, -1.0, 0.7)
    assert scale.low == pytest.approx(-1.5)


def test_it_shrinks_only_after_a_while_of_less() -> None:
    scale = CalmScale(0.0, 300.0)
    scale.fit(0.0, 0.0, 1500.0)
    assert scale.high == 2000.0
    assert not scale.fit(1.0, 0.0, 20.0)
    assert not scale.fit(1.0 + CALM_S - 0.1, 0.0, 20.0)
    assert scale.fit(1.0 + CALM_S, 0.0, 20.0)
    assert scale.high == 300.0


def test_a_peak_in_between_makes_it_wait_again() -> None:
    scale = CalmScale(0.0, 300.0)
    scale.fit(0.0, 0.0, 1500.0)
    scale.fit(1.0, 0.0, 20.0)
    scale.fit(4.0, 0.0, 1500.0)
    assert not scale.fit(1.0 + CALM_S, 0.0, 20.0)
    assert scale.high == 2000.0
