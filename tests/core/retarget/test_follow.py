"""The follower keeps every limit, and keeps to its path where none holds it back."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.retarget.follow import follow, smoothed
from devices.interface import Floats

SPEED, ACCELERATION = 6.0, 80.0


def followed(path: Floats, rate_hz: float) -> Floats:
    one = np.ones(path.shape[1])
    return follow(path, rate_hz, -2.0 * one, 2.0 * one, SPEED * one, ACCELERATION * one, 25.0)


def test_a_gentle_path_is_followed_exactly_and_without_lag() -> None:
    t = np.arange(300) / 60.0
    path = np.stack((np.sin(3.0 * t), 0.3 * np.cos(9.0 * t)), axis=1)
    np.testing.assert_allclose(followed(path, 60.0), path, atol=1e-9)


def test_smoothing_keeps_slow_motion_and_removes_noise() -> None:
    t = np.arange(600) / 120.0
    slow = np.sin(2.0 * np.pi * t)[:, None]
    np.testing.assert_allclose(smoothed(slow, 120.0, 0.02)[20:-20], slow[20:-20], atol=2e-4)
    fast = np.sin(2.0 * np.pi * 30.0 * t)[:, None]
    assert np.abs(smoothed(fast, 120.0, 0.02)[40:-40]).max() < 0.02
    line = np.linspace(0.0, 1.0, 50)[:, None]
    np.testing.assert_allclose(smoothed(line, 60.0, 0.02), line, atol=1e-12)
    np.testing.assert_array_equal(smoothed(line, 60.0, 0.0), line)


def test_a_jump_is_crossed_around_its_middle() -> None:
    path = np.where(np.arange(240) < 120, -1.0, 1.0)[:, None].astype(float)
    result = followed(path, 120.0)[:, 0]
    assert result[119:121].mean() == pytest.approx(0.0, abs=0.03)
    np.testing.assert_allclose(result, -result[::-1], atol=1e-6)
    away = np.abs(result - path[:, 0]) > 0.05
    assert away.sum() / 120.0 < 0.75, "a third of a second at the limits, and their ramps"


@given(st.integers(0, 10_000), st.sampled_from([10.0, 30.0, 50.0, 120.0, 500.0]))
def test_no_limit_is_ever_broken(seed: int, rate_hz: float) -> None:
    rng = np.random.default_rng(seed)
    path = np.cumsum(rng.normal(0.0, rng.uniform(0.01, 1.0), (80, 2)), axis=0)
    path[40:] += rng.uniform(-3.0, 3.0, 2)
    result = followed(path, rate_hz)
    assert np.abs(result).max() <= 2.0
    speed = np.diff(result, axis=0) * rate_hz
    assert np.abs(speed).max() <= SPEED + 1e-9
    assert np.abs(np.diff(speed, axis=0)).max() * rate_hz <= 1.001 * ACCELERATION
