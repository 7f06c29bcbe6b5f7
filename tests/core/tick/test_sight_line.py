"""A point as seen from the eye goes back to the same place, or to the floor on its line."""

import math

import numpy as np
import pytest

from core.tick.sight_line import STEEPEST, Seen, point_of, seen_from, turned

EYE = np.array([0.4, -0.2, 1.0])


def test_a_point_that_was_seen_is_where_it_was() -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        point = np.array([*rng.uniform(-3.0, 3.0, 2), rng.uniform(0.0, 3.0)])
        assert point_of(EYE, seen_from(EYE, point)) == pytest.approx(point)


def test_a_point_below_the_floor_comes_to_the_floor_on_its_line() -> None:
    seen = Seen(0.5, -0.6, 8.0)
    point = point_of(EYE, seen)
    assert point[2] == pytest.approx(0.0)
    assert seen_from(EYE, point)[:2] == pytest.approx(seen[:2])


def test_a_shift_keeps_the_distance_and_never_passes_overhead() -> None:
    seen = turned(Seen(0.0, 0.0, 2.0), 0.3, 9.0)
    assert seen == (0.3, STEEPEST, 2.0)
    assert math.isclose(float(np.linalg.norm(point_of(EYE, seen) - EYE)), 2.0)
