"""Online adaptation converges slowly and stays within its bounds."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.plants.biped.walk.adaptation import GroundSlope, Punctuality, Unrest, learn_offset, rise
from tests.core.rig import profile

OMEGA, DT, OBSERVER = 3.6, 1e-3, 0.06
SETTINGS = profile().as_biped.adaptation
GAIN, LIMIT = SETTINGS.offset_rate * DT, SETTINGS.largest_offset


def risen(ground: GroundSlope, dx: float, dy: float) -> float:
    return rise(ground.slope, SETTINGS.largest_rise, dx, dy)


@pytest.mark.parametrize("true", [(-0.012, -0.012), (0.0, 0.02), (0.015, -0.01)])
def test_the_observer_finds_the_offset_of_the_com_over_each_foot(
    true: tuple[float, float],
) -> None:
    offsets, x, u, estimate = np.zeros((2, 2)), 0.0, 0.0, 0.0
    for tick in range(24_000):
        stance = tick // 400 % 2
        x = 0.05 * math.sin(0.01 * tick)  # of the model's CoM about the foot
        u += OMEGA**2 * DT * (x + true[stance])
        estimate += OMEGA**2 * DT * (x + offsets[stance, 1])
        innovation = u - estimate
        estimate += OBSERVER * innovation
        learn_offset(GAIN, LIMIT, offsets, stance, 0.0, innovation)
    assert offsets[:, 1].tolist() == pytest.approx(true, abs=2e-3)
    assert offsets[:, 0].tolist() == [0.0, 0.0]


def test_the_offset_is_bounded() -> None:
    offsets = np.zeros((2, 2))
    for _ in range(20_000):
        learn_offset(GAIN, LIMIT, offsets, 0, 1.0, -1.0)
    assert offsets.tolist() == [[LIMIT, -LIMIT]] * 2


def test_a_push_is_believed_that_is_far_above_the_unrest_of_the_robot_itself() -> None:
    unrest = Unrest()
    assert unrest.believes(0.03, DT) == 0.0  # as large may be that of an unknown robot
    for usual, push in ((0.004, 0.03), (0.025, 0.12)):
        for _ in range(20_000):
            believed = unrest.believes(usual, DT)
        assert believed == 0.0
        level = unrest.level
        for _ in range(200):
            believed = unrest.believes(push, DT)
        assert believed > 0.9
        assert unrest.level < 1.11 * level
    assert unrest.believes(math.nan, DT) == 0.0
    assert math.isfinite(unrest.level)


def test_punctuality_follows_early_steps_within_its_bound() -> None:
    punctuality = Punctuality(SETTINGS)
    for _ in range(40):
        punctuality.learn(0.9)
    assert punctuality.share == pytest.approx(0.9, abs=1e-3)
    punctuality.learn(0.1)  # a stumble
    assert punctuality.share > 0.9 - 0.01
    for _ in range(100):
        punctuality.learn(0.1)
    assert punctuality.share == pytest.approx(SETTINGS.earliest_share)
    for _ in range(100):
        punctuality.learn(1.05)
    assert punctuality.share == pytest.approx(1.05)
    for _ in range(100):
        punctuality.learn(1.5)
    assert punctuality.share == pytest.approx(SETTINGS.latest_share)


@pytest.mark.parametrize("slope", [(0.05, 0.0), (0.0, -0.05), (0.03, 0.02)])
def test_steps_on_a_slope_reveal_it(slope: tuple[float, float]) -> None:
    ground = GroundSlope(SETTINGS, np.zeros(2))
    for step in range(100):
        dx, dy = 0.06, 0.21 * (-1) ** step
        ground.learn(dx, dy, slope[0] * dx + slope[1] * dy)
    assert risen(ground, 0.1, 0.2) == pytest.approx(slope[0] * 0.1 + slope[1] * 0.2, abs=1e-3)


def test_a_lone_bump_hardly_tilts_the_ground() -> None:
    ground = GroundSlope(SETTINGS, np.zeros(2))
    ground.learn(0.06, 0.21, 0.01)
    assert abs(risen(ground, 0.06, 0.21)) < 0.002


@given(st.lists(st.tuples(*[st.floats(-0.5, 0.5)] * 3), max_size=50))
def test_the_expected_rise_is_bounded(steps: list[tuple[float, ...]]) -> None:
    ground = GroundSlope(SETTINGS, np.zeros(2))
    for dx, dy, dz in steps:
        ground.learn(dx, dy, dz)
    rises = [risen(ground, dx, dy) for dx in (-0.3, 0.3) for dy in (-0.4, 0.4)]
    assert np.abs(rises).max() <= SETTINGS.largest_rise


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_nan_and_infinity_teach_nothing(bad: float) -> None:
    offset, punctuality, ground = (
        np.zeros((2, 2)),
        Punctuality(SETTINGS),
        GroundSlope(SETTINGS, np.zeros(2)),
    )
    learn_offset(GAIN, LIMIT, offset, 0, bad, 0.0)
    punctuality.learn(bad)
    ground.learn(0.1, bad, 0.01)
    ground.learn(0.1, 0.2, bad)
    assert (*offset.ravel().tolist(), punctuality.share) == (0.0, 0.0, 0.0, 0.0, 1.0)
    assert risen(ground, 0.3, 0.4) == 0.0
