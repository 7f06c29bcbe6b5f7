"""A gap is bridged by the cubic that its edges determine."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from shows.process.gaps import bridge, runs


def test_runs_are_found_at_both_ends_too() -> None:
    mask = np.array([True, False, True, True, False, True])
    assert runs(mask) == [(0, 0), (2, 3), (5, 5)]
    assert runs(np.zeros(3, dtype=np.bool_)) == []


@given(st.integers(5, 25), st.integers(0, 20), st.integers(0, 2**32 - 1))
def test_a_parabola_is_restored_exactly(first: int, extra: int, seed: int) -> None:
    a, b, c = np.random.default_rng(seed).uniform(-1.0, 1.0, 3)
    t = np.arange(60) / 50.0
    whole = a * t * t + b * t + c
    missing = np.zeros(60, dtype=np.bool_)
    missing[first : first + extra + 1] = True
    broken = np.where(missing, 99.0, whole)
    np.testing.assert_allclose(bridge(broken, missing, 50.0), whole, atol=1e-9)


def test_at_an_end_the_edge_is_held() -> None:
    missing = np.array([True, True, False, False, True])
    held = bridge(np.array([9.0, 9.0, 1.0, 2.0, 9.0]), missing, 50.0)
    np.testing.assert_array_equal(held, [1.0, 1.0, 1.0, 2.0, 2.0])
