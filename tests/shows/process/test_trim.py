"""A trimmed motion is a span of the old one; nothing else changes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shows.motion import Motion
from shows.process.trim import trim
from tests.shows.examples import wave_motion
from tests.shows.process.examples import Waves, check_no_velocity_step, refusal, waves


@pytest.mark.parametrize(
    ("start_s", "end_s", "word"),
    [
        (1.0, 1.0, "is empty"),
        (1.0, 0.5, "is empty"),
        (1.0, 1.001, "shorter than a sample"),
        (1.995, 2.0, "shorter than a sample"),
        (-0.1, 1.0, "not within 0 to 2 s"),
        (0.0, 2.1, "not within 0 to 2 s"),
        (float("nan"), 1.0, "nan is not within"),
        (0.0, float("inf"), "inf is not within"),
    ],
)
def test_refuses(start_s: float, end_s: float, word: str) -> None:
    assert word in refusal(lambda: trim(wave_motion(), start_s, end_s)).reason


def test_a_span_between_samples_is_kept_as_it_is() -> None:
    motion = wave_motion()
    kept = trim(motion, 0.4, 1.6)
    np.testing.assert_allclose(kept.positions, motion.positions[20:81], atol=1e-12)
    whole = trim(motion, 0.0, motion.duration_s)
    np.testing.assert_allclose(whole.positions, motion.positions, atol=1e-12)
    assert (whole.markers, whole.thumbnail_s) == (motion.markers, motion.thumbnail_s)


def test_markers_and_thumbnail_follow_or_are_dropped() -> None:
    motion = Waves(np.ones((1, 2)), np.ones((1, 2)), np.ones((1, 2)), 2.0).motion()
    kept = trim(motion, 0.4, 1.2)
    assert [(round(m.time_s, 9), m.name) for m in kept.markers] == [(0.1, "early")]
    assert kept.thumbnail_s == pytest.approx(0.6)
    assert trim(motion, 1.2, 2.0).thumbnail_s == 0.0


@given(waves(), st.floats(0.0, 0.9), st.floats(1.1, 2.0))
def test_has_no_velocity_step(source: Waves, start_s: float, end_s: float) -> None:
    def make(motion: Motion) -> Motion:
        return trim(motion, start_s, end_s)

    check_no_velocity_step(make, source, 1.05 * source.most(2))
    kept = make(source.motion())
    assert abs(kept.duration_s - (end_s - start_s)) <= 0.5 / 100.0 + 1e-9 or (
        kept.duration_s <= end_s - start_s
    )
