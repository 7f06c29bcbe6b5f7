"""Silence is the loss of the link, whatever the receiver says."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.families.crsf.wire.link import LOST_S, is_lost


@pytest.mark.parametrize(
    ("age_s", "quality", "lost"),
    [
        (0.0, None, False),
        (0.2, None, False),
        (0.2, 100, False),
        (0.2, 1, False),
        (0.26, 100, True),
        (5.0, 100, True),
        (0.0, 0, True),
        (0.26, 0, True),
    ],
)
def test_age_decides_and_a_quality_of_zero_decides_sooner(
    age_s: float, quality: int | None, lost: bool
) -> None:
    assert is_lost(100.0 + age_s, 100.0, quality) is lost


@pytest.mark.parametrize("last_s", [-math.inf, math.inf, math.nan, 100.5])
def test_an_invalid_age_is_a_lost_link(last_s: float) -> None:
    assert is_lost(100.0, last_s, 100)


@given(st.floats(0, 1e6), st.floats(0, 10), st.none() | st.integers(0, 100))
def test_a_link_once_lost_stays_so_until_a_frame_comes(
    last_s: float, wait_s: float, quality: int | None
) -> None:
    if is_lost(last_s + wait_s, last_s, quality):
        assert is_lost(last_s + wait_s + 0.1, last_s, quality)
    assert is_lost(last_s + LOST_S * 1.01 + 1e-3, last_s, quality)
