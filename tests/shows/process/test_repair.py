"""Outliers, dropouts and lost spans are replaced; everything else stays to the last bit."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shows.motion import Motion
from shows.process.repair import PART, repair
from tests.shows.examples import wave_motion
from tests.shows.process.examples import Waves, refusal, waves


@pytest.mark.parametrize(
    ("settings", "place"),
    [
        ({"tolerance_rad": 0.0}, "tolerance_rad"),
        ({"window_s": -1.0}, "window_s"),
        ({"window_s": 1.1}, "window_s"),
        ({"threshold": float("nan")}, "threshold"),
        ({"longest_dropout_s": float("inf")}, "longest_dropout_s"),
        ({"lost": ((0.5, 0.7), (1.0, 1.0))}, "lost span 2"),
        ({"lost": ((1.0, 0.5),)}, "lost span 1"),
        ({"lost": ((float("nan"), 0.5),)}, "lost span 1"),
        ({"lost": ((0.0, 0.5),)}, "lost span 1"),
        ({"lost": ((1.5, 2.0),)}, "lost span 1"),
        ({"lost": ((7.0, 8.0),)}, "lost span 1"),
    ],
)
def test_refuses(settings: dict[str, Any], place: str) -> None:
    assert refusal(lambda: repair(wave_motion(), **settings)).place == place


def test_outliers_are_found_on_both_sides_of_the_parts_that_are_compared() -> None:
    clean = wave_motion(seconds=100.0, rate_hz=200.0)
    assert len(clean.positions) > PART + 10
    positions = clean.positions.copy()
    places = [PART - 2, PART + 1, len(positions) - 9]
    positions[places, 0] += 0.5
    _, spans = repair(replace(clean, positions=positions))
    assert [round(200.0 * span.start_s) for span in spans] == places


@given(waves(), st.sampled_from([50.0, 100.0, 200.0, 1000.0]))
def test_a_good_motion_is_not_changed(source: Waves, rate_hz: float) -> None:
    motion = source.motion(rate_hz)
    repaired, spans = repair(motion)
    assert spans == ()
    np.testing.assert_array_equal(repaired.positions, motion.positions)


def paused(rate_hz: float, noise_rad: float) -> Motion:
    """Return a motion that raises an arm, rests for a second and goes on."""
    t = np.arange(round(4.0 * rate_hz) + 1) / rate_hz
    rise = 0.5 - 0.5 * np.cos(np.pi * np.clip(t, 0.0, 1.0))
    further = 0.5 - 0.5 * np.cos(np.pi * np.clip(t - 2.0, 0.0, 1.0))
    q = (1.5 * rise - 2.0 * further)[:, None]
    noise = np.random.default_rng(2).normal(0.0, 1.0, q.shape)
    return Motion("paused", ("arm",), rate_hz, q + noise_rad * noise)


@pytest.mark.parametrize("rate_hz", [50.0, 200.0, 1000.0])
@pytest.mark.parametrize("noise_rad", [0.0, 1e-4, 2e-3])
def test_a_rest_is_not_changed(rate_hz: float, noise_rad: float) -> None:
    motion = paused(rate_hz, noise_rad)
    repaired, spans = repair(motion)
    assert spans == ()
    np.testing.assert_array_equal(repaired.positions, motion.positions)
    coarse = replace(motion, positions=motion.positions.round(2))
    assert np.abs(repair(coarse)[0].positions - coarse.positions).max() < 0.011


@given(waves(1.0), st.integers(15, 180), st.integers(1, 2), st.floats(0.25, 9.0), st.booleans())
def test_outliers_are_replaced(
    source: Waves, first: int, count: int, height: float, up: bool
) -> None:
    motion = source.motion()
    positions = motion.positions.copy()
    positions[first : first + count, 1] += height if up else -height
    repaired, spans = repair(replace(motion, positions=positions))
    assert np.abs(repaired.positions - motion.positions).max() < 0.02
    assert [(s.joint, s.cause) for s in spans] == [(motion.joint_names[1], "outlier")]
    assert spans[0].start_s == pytest.approx(first / 100.0)
    assert spans[0].end_s == pytest.approx((first + count - 1) / 100.0)


def test_a_dropout_is_bridged_and_named() -> None:
    motion = paused(200.0, 0.0)
    positions = motion.positions.copy()
    positions[90:110] = positions[89]
    repaired, spans = repair(replace(motion, positions=positions))
    assert [(s.cause, s.start_s, s.end_s) for s in spans] == [("dropout", 0.45, 0.545)]
    assert np.abs(repaired.positions - motion.positions).max() < 0.005


def test_a_glitch_after_a_rest_leaves_the_rest_alone() -> None:
    motion = paused(200.0, 0.0)
    positions = motion.positions.copy()
    positions[300:304] += 0.5
    repaired, spans = repair(replace(motion, positions=positions))
    assert [(s.cause, s.start_s, s.end_s) for s in spans] == [("outlier", 1.5, 1.515)]
    np.testing.assert_allclose(repaired.positions, motion.positions, atol=1e-9)


def test_a_lost_span_is_bridged_in_every_joint() -> None:
    motion = wave_motion(rate_hz=100.0)
    positions = motion.positions.copy()
    positions[50:71] = 7.0
    lost = replace(motion, positions=positions)
    repaired, spans = repair(lost, lost=((0.5, 0.7),))
    assert [(s.joint, s.cause) for s in spans] == [(j, "lost") for j in motion.joint_names]
    assert np.abs(repaired.positions - motion.positions).max() < 0.03
    inside = slice(45, 76)
    jump = np.abs(np.diff(repaired.positions[inside], 2, axis=0)).max() * 100.0**2
    assert jump < 3.0 * motion.peak_acceleration().max()
