"""A fit is never further from the samples than it may be, and has few keys."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shows.motion import Motion
from shows.process.curves import bake
from shows.process.fit import fit
from tests.shows.examples import wave_motion
from tests.shows.process.examples import Waves, refusal, waves


@pytest.mark.parametrize("error_rad", [0.0, -1.0, 1e-9, 2.0, float("nan"), float("inf")])
def test_refuses(error_rad: float) -> None:
    assert refusal(lambda: fit(wave_motion(), error_rad)).place == "max_error_rad"


@given(waves(), st.floats(-6.0, -0.5), st.sampled_from([0.0, 1e-4, 1e-2]), st.integers(0, 99))
def test_keeps_the_error(source: Waves, exponent: float, noise_rad: float, seed: int) -> None:
    motion = source.motion()
    noise = np.random.default_rng(seed).normal(0.0, 1.0, motion.positions.shape)
    motion = replace(motion, positions=motion.positions + noise_rad * noise)
    error_rad = 10.0**exponent
    curves = fit(motion, error_rad)
    assert np.abs(bake(curves, motion).positions - motion.positions).max() <= error_rad
    assert all(key.slope_in == key.slope_out for curve in curves for key in curve.keys)


@given(st.integers(2, 30), st.integers(0, 999), st.floats(-6.0, -0.5))
def test_keeps_the_error_of_anything(count: int, seed: int, exponent: float) -> None:
    positions = np.random.default_rng(seed).choice([-3.0, 0.0, 0.0, 1.0], (count, 2))
    motion = Motion("jumps", ("a", "b"), 100.0, positions)
    baked = bake(fit(motion, 10.0**exponent), motion)
    assert np.abs(baked.positions - positions).max() <= 10.0**exponent


def test_simple_shapes_have_few_keys() -> None:
    t = np.arange(401) / 100.0
    bump = np.exp(-((t - 2.0) ** 2) / 0.1)
    motion = Motion("a", ("a", "b", "c"), 100.0, np.column_stack([t, t**3 - 6.0 * t, bump]))
    line, cubic, bell = fit(motion, 1e-3)
    assert len(line.keys) == len(cubic.keys) == 2
    assert len(bell.keys) <= 12
    assert len(fit(wave_motion(), 5e-3)[1].keys) <= 7


@given(waves())
def test_a_wider_error_needs_fewer_keys_than_samples(source: Waves) -> None:
    for curve in fit(source.motion(200.0), 0.01):
        assert len(curve.keys) <= 2 + 6.0 * 2.0 * source.duration_s
