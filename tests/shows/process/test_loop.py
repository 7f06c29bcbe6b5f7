"""A loop repeats without a seam; what is not in the fade stays."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shows.motion import Motion
from shows.process.loop import loop
from tests.shows.examples import wave_motion
from tests.shows.process.examples import Waves, check_no_velocity_step, refusal, waves


@pytest.mark.parametrize("blend_s", [0.0, -1.0, 1e-6, 1.1, float("nan"), float("inf")])
def test_refuses(blend_s: float) -> None:
    assert refusal(lambda: loop(wave_motion(), blend_s)).place == "blend_s"


def test_refuses_a_motion_of_two_samples() -> None:
    motion = Motion("short", ("a",), 50.0, np.zeros((2, 1)))
    assert "too short" in refusal(lambda: loop(motion, 0.01)).reason


@given(waves(), st.floats(0.2, 1.0))
def test_has_no_seam(source: Waves, blend_s: float) -> None:
    motion = source.motion()
    looped = loop(motion, blend_s)
    np.testing.assert_array_equal(looped.positions[0], looped.positions[-1])
    fade = round(blend_s * 100.0)
    assert len(looped.positions) == len(motion.positions) - fade
    np.testing.assert_array_equal(
        looped.positions[fade:-1], motion.positions[fade : len(looped.positions) - 1]
    )
    least_s = blend_s - 0.005
    bound = (
        source.most(2)
        + 2.0 * 2.0 * source.most(1) * 1.875 / least_s
        + 2.0 * source.most(0) * 5.774 / least_s**2
    )
    check_no_velocity_step(lambda m: loop(m, blend_s), source, bound, repeat=2)


def test_markers_of_the_end_move_to_the_beginning() -> None:
    motion = Waves(np.ones((1, 2)), np.ones((1, 2)), np.ones((1, 2)), 2.0).motion()
    looped = loop(motion, 0.8)
    names = [(marker.name, round(marker.time_s, 9)) for marker in looped.markers]
    assert names == [("late", 0.3), ("early", 0.5)]
    assert looped.thumbnail_s == motion.thumbnail_s
