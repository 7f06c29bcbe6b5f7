"""Bins hold the lowest and the highest value of each short time, whatever comes in what pieces."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from app.console.telemetry.bins import Bins, binned

COUNT, PERIOD_S = 8, 0.1
steps = st.lists(st.integers(1, 300), min_size=1, max_size=60)  # [ms]


@given(steps, st.lists(st.integers(1, 10), max_size=20), st.data())
def test_the_ring_holds_what_a_whole_look_at_the_samples_finds(
    gaps_ms: list[int], pieces: list[int], data: st.DataObject
) -> None:
    times_s = np.cumsum(gaps_ms) / 1000.0
    values = np.array(
        data.draw(st.lists(st.integers(-9, 9), min_size=len(times_s), max_size=len(times_s))),
        dtype=np.float32,
    )
    bins = Bins(PERIOD_S, COUNT)
    begin = 0
    for size in [*pieces, len(times_s)]:
        bins.add(times_s[begin : begin + size], values[begin : begin + size])
        begin += size
    found_s, found = bins.read()
    numbers = (times_s / PERIOD_S).astype(int)
    last = numbers[-1]
    for place, number in enumerate(range(last + 1 - COUNT, last + 1)):
        inside = values[numbers == number]
        low, high = found[2 * place : 2 * place + 2]
        if len(inside):
            assert (low, high) == (inside.min(), inside.max())
        else:
            assert np.isnan(low) and np.isnan(high)
        assert abs(found_s[2 * place] - (number + 0.5) * PERIOD_S) < 1e-9


def test_a_clock_that_begins_again_begins_a_new_ring() -> None:
    bins = Bins(PERIOD_S, COUNT)
    bins.add(np.array([100.0]), np.array([5.0], dtype=np.float32))
    bins.add(np.array([0.05]), np.array([1.0], dtype=np.float32))
    _, values = bins.read()
    assert values[-1] == 1.0 and np.isnan(values[:-2]).all()


@given(st.integers(1, 400), st.integers(2, 50))
def test_a_span_is_binned_without_losing_its_extremes(count: int, bins: int) -> None:
    times_s = np.arange(count, dtype=np.float64) / 100.0
    values = np.sin(np.arange(count, dtype=np.float32))
    found_s, found = binned(times_s, values, 0.0, 4.0, bins)
    assert len(found_s) == len(found) <= max(2 * bins + 2, count)
    assert (found.min(), found.max()) == (values.min(), values.max())
    assert (np.diff(found_s) >= 0.0).all()
