"""The steps that make a gesture of a raw take: rest is trimmed, noise is not taken for motion."""

import numpy as np
import pytest

from shows.joints import Floats
from shows.motion import Motion
from shows.process.cleaning import MARGIN_S, clean_up, moving_span
from shows.process.steps import Repair, SlowToLimits, Smooth, Trim

TIMES_S = np.arange(0.0, 6.0, 0.005)


def raw(path: Floats) -> Motion:
    noise = 0.0005 * np.random.default_rng(0).standard_normal((len(path), 1))
    return Motion("raw", ("elbow",), 200.0, path[:, None] + noise)


def hump(start_s: float, end_s: float) -> Floats:
    """Return a motion between two times and rest outside them."""
    share = np.clip((TIMES_S - start_s) / (end_s - start_s), 0.0, 1.0)
    return np.asarray(np.sin(np.pi * share) ** 2)


def test_the_rest_at_both_ends_is_found() -> None:
    span = moving_span(raw(hump(2.0, 4.0)))
    assert span is not None
    assert span == pytest.approx((2.0 - MARGIN_S, 4.0 + MARGIN_S), abs=0.2)


def test_nothing_is_trimmed_of_what_rests_or_moves_all_the_time() -> None:
    assert moving_span(raw(np.zeros(len(TIMES_S)))) is None
    assert moving_span(raw(np.sin(TIMES_S))) is None
    assert moving_span(raw(hump(3.0, 3.001))) is None


def test_the_steps_are_in_their_order() -> None:
    steps = clean_up(raw(hump(2.0, 4.0)))
    assert [type(step) for step in steps] == [Repair, Trim, Smooth, SlowToLimits]
    assert [type(step) for step in clean_up(raw(np.sin(TIMES_S)))] == [
        Repair,
        Smooth,
        SlowToLimits,
    ]
