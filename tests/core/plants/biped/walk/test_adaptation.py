"""Habits find what is there, slowly, and never believe too much."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.plants.biped.walk import adaptation as habits
from core.plants.biped.walk.adaptation import GroundSlope, Punctuality, learn_offset, rise

OMEGA, DT, OBSERVER = 3.6, 1e-3, 0.06


def risen(ground: GroundSlope, dx: float, dy: float) -> float:
    return rise(ground.x, ground.y, dx, dy)


@pytest.mark.parametrize("true", [-0.012, 0.0, 0.02])
def test_the_observer_finds_where_the_mass_really_is(true: float) -> None:
    offset, x, u, estimate = np.zeros(2), 0.0, 0.0, 0.0
    for tick in range(8000):
        x = 0.05 * math.sin(0.01 * tick)  # of the model's CoM about the foot
        u += OMEGA**2 * DT * (x + true)
        estimate += OMEGA**2 * DT * (x + offset[1])
        surprise = u - estimate
        estimate += OBSERVER * surprise
        learn_offset(offset, 0.0, surprise)
    assert offset[1] == pytest.approx(true, abs=5e-4)
    assert offset[0] == 0.0


def test_a_mass_is_never_believed_to_be_far_away() -> None:
    offset = np.zeros(2)
    for _ in range(10_000):
        learn_offset(offset, 1.0, -1.0)
    assert offset.tolist() == [habits.LARGEST_OFFSET, -habits.LARGEST_OFFSET]


def test_steps_that_always_end_early_are_expected_to() -> None:
    punctuality = Punctuality()
    for _ in range(40):
        punctuality.learn(0.9)
    assert punctuality.share == pytest.approx(0.9, abs=1e-3)
    for _ in range(100):
        punctuality.learn(0.1)
    assert punctuality.share == pytest.approx(habits.EARLIEST)


@pytest.mark.parametrize("slope", [(0.05, 0.0), (0.0, -0.05), (0.03, 0.02)])
def test_steps_on_a_slope_tell_it(slope: tuple[float, float]) -> None:
    ground = GroundSlope()
    for step in range(100):
        dx, dy = 0.06, 0.21 * (-1) ** step
        ground.learn(dx, dy, slope[0] * dx + slope[1] * dy)
    assert risen(ground, 0.1, 0.2) == pytest.approx(slope[0] * 0.1 + slope[1] * 0.2, abs=1e-3)


def test_a_lone_bump_hardly_tilts_the_ground() -> None:
    ground = GroundSlope()
    ground.learn(0.06, 0.21, 0.01)
    assert abs(risen(ground, 0.06, 0.21)) < 0.002


@given(st.lists(st.tuples(*[st.floats(-0.5, 0.5)] * 3), max_size=50))
def test_no_step_is_expected_beyond_a_foots_height(steps: list[tuple[float, ...]]) -> None:
    ground = GroundSlope()
    for dx, dy, dz in steps:
        ground.learn(dx, dy, dz)
    rises = [risen(ground, dx, dy) for dx in (-0.3, 0.3) for dy in (-0.4, 0.4)]
    assert np.abs(rises).max() <= habits.HIGHEST_RISE


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_what_is_no_number_teaches_nothing(bad: float) -> None:
    offset, punctuality, ground = np.zeros(2), Punctuality(), GroundSlope()
    learn_offset(offset, bad, 0.0)
    punctuality.learn(bad)
    ground.learn(0.1, bad, 0.01)
    ground.learn(0.1, 0.2, bad)
    assert (*offset.tolist(), punctuality.share) == (0.0, 0.0, 1.0)
    assert risen(ground, 0.3, 0.4) == 0.0
