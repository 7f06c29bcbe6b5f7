"""Smoothing has the stated gain and no delay, and keeps ends and peaks."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shows.motion import Motion
from shows.process.smooth import smooth
from tests.shows.examples import wave_motion
from tests.shows.process.examples import Waves, check_no_velocity_step, refusal, waves


@pytest.mark.parametrize(
    ("bandwidth_hz", "word"),
    [
        (0.0, "not more than 0"),
        (-1.0, "not more than 0"),
        (float("nan"), "nan"),
        (float("inf"), "inf"),
        (25.0, "not below half the rate of 50 Hz"),
    ],
)
def test_refuses(bandwidth_hz: float, word: str) -> None:
    error = refusal(lambda: smooth(wave_motion(), bandwidth_hz))
    assert word in error.reason
    assert error.place == "bandwidth_hz"


@pytest.mark.parametrize("bandwidth_hz", [0.5, 2.0, 5.0, 20.0])
@pytest.mark.parametrize("rate_hz", [50.0, 200.0, 1000.0])
@pytest.mark.parametrize(("ratio", "gain"), [(0.5, 0.9936), (1.0, 0.7071), (2.0, 0.0363)])
def test_has_the_stated_gain_and_no_phase(
    bandwidth_hz: float, rate_hz: float, ratio: float, gain: float
) -> None:
    frequency_hz = ratio * bandwidth_hz
    if frequency_hz > 0.45 * rate_hz:
        return
    periods = 40.0
    t = np.arange(round(periods / frequency_hz * rate_hz) + 1) / rate_hz
    wave = np.exp(2j * np.pi * frequency_hz * t)
    raw = Motion("wave", ("a", "b"), rate_hz, np.column_stack([wave.real, wave.imag]))
    smoothed = smooth(raw, bandwidth_hz).positions
    middle = slice(len(t) // 4, -len(t) // 4)
    response = ((smoothed[:, 0] + 1j * smoothed[:, 1]) / wave)[middle].mean()
    assert abs(response) == pytest.approx(gain, rel=0.02)
    assert abs(np.angle(response)) < 1e-3


def test_an_impulse_spreads_evenly_to_both_sides() -> None:
    positions = np.zeros((401, 1))
    positions[200] = 1.0
    smoothed = smooth(Motion("impulse", ("a",), 100.0, positions), 3.0).positions
    np.testing.assert_allclose(smoothed, smoothed[::-1], atol=1e-12)


@given(waves(highest_hz=2.0), st.floats(4.0, 9.0))
def test_slow_peaks_and_ends_stay(source: Waves, bandwidth_hz: float) -> None:
    raw = source.motion()
    smoothed = smooth(raw, bandwidth_hz)
    extent = np.ptp(raw.positions, axis=0)
    for peak in (np.max, np.min):
        change = np.abs(peak(smoothed.positions, axis=0) - peak(raw.positions, axis=0))
        assert (change <= 0.02 * extent).all()
    np.testing.assert_allclose(
        smoothed.positions[[0, -1]], raw.positions[[0, -1]], rtol=0.0, atol=1e-3
    )
    assert smoothed.markers == raw.markers


@given(st.integers(2, 60), st.floats(0.01, 40.0), st.integers(0, 99))
def test_any_length_and_any_noise_keep_the_ends(count: int, bandwidth: float, seed: int) -> None:
    positions = np.random.default_rng(seed).normal(0.0, 1.0, (count, 2))
    smoothed = smooth(Motion("noise", ("a", "b"), 100.0, positions), bandwidth).positions
    np.testing.assert_array_equal(smoothed[[0, -1]], positions[[0, -1]])


def test_noise_is_reduced_and_a_constant_stays() -> None:
    raw = wave_motion(rate_hz=200.0)
    noise = np.random.default_rng(1).normal(0.0, 0.005, raw.positions.shape)
    smoothed = smooth(replace(raw, positions=raw.positions + noise), 5.0)
    left = smoothed.positions - raw.positions
    assert np.sqrt(np.mean(left[20:-20] ** 2)) < 0.3 * 0.005
    still = replace(raw, positions=np.full_like(raw.positions, 0.7))
    np.testing.assert_allclose(smooth(still, 5.0).positions, 0.7, atol=1e-12)


@given(waves(), st.floats(2.0, 10.0))
def test_has_no_velocity_step(source: Waves, bandwidth_hz: float) -> None:
    check_no_velocity_step(lambda m: smooth(m, bandwidth_hz), source, 1.6 * source.most(2))
