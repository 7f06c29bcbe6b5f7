"""A ring never grows, shows gaps as gaps, and keeps the peaks it is asked to keep."""

import math

import numpy as np

from app.console.live.ring import Ring


def test_nothing_is_not_a_number() -> None:
    ages, values = Ring(2, 1.0, 0.1).read(50.0)
    assert ages.shape == (11,) and values.shape == (2, 11)
    assert np.isnan(values).all()


def test_ages_rise_to_now() -> None:
    ages, _values = Ring(1, 1.0, 0.25).read(50.0)
    assert ages.tolist() == [-1.0, -0.75, -0.5, -0.25, 0.0]


def test_values_lie_at_their_ages_and_gaps_stay_gaps() -> None:
    ring = Ring(1, 1.0, 0.25)
    ring.push(50.0, 1.0)
    ring.push(50.5, 2.0)
    _ages, values = ring.read(50.75)
    assert values[0].tolist()[1:4:2] == [1.0, 2.0]
    assert math.isnan(values[0, 2]) and math.isnan(values[0, 4])


def test_what_is_older_than_the_span_is_forgotten() -> None:
    ring = Ring(1, 1.0, 0.25)
    ring.push(50.0, 1.0)
    assert np.isfinite(ring.read(51.0)[1]).sum() == 1
    assert not np.isfinite(ring.read(51.25)[1]).any()
    assert not np.isfinite(ring.read(1000.0)[1]).any(), "not even after many turns"


def test_of_one_bin_the_last_counts_or_the_largest() -> None:
    last, largest = Ring(1, 1.0, 0.25), Ring(1, 1.0, 0.25, largest=True)
    for ring in (last, largest):
        for value in (1.0, 9.0, math.nan, 2.0):
            ring.push(50.0, value)
    assert last.read(50.0)[1][0, -1] == 2.0
    assert largest.read(50.0)[1][0, -1] == 9.0


def test_a_new_turn_does_not_mix_with_the_old_peak() -> None:
    ring = Ring(1, 1.0, 0.25, largest=True)
    ring.push(50.0, 9.0)
    ring.push(51.25, 1.0)  # five bins later: the same place in the ring
    assert ring.read(51.25)[1][0, -1] == 1.0
