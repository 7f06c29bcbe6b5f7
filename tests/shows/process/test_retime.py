"""Retimed motions are where they were, at other times, without a velocity step."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shows.motion import Marker
from shows.process.retime import Anchor, retime, retime_between, retime_markers
from shows.process.sampling import sampler
from tests.shows.examples import wave_motion
from tests.shows.process.examples import Waves, check_no_velocity_step, refusal, waves

NAN = float("nan")


@pytest.mark.parametrize("factor", [0.0, -1.0, NAN, float("inf"), 1e-9, 301.0])
def test_refuses_a_factor(factor: float) -> None:
    refusal(lambda: retime(wave_motion(), factor))


@pytest.mark.parametrize(
    ("anchors", "word"),
    [
        ([], "none is given"),
        ([(3.0, 4.0)], "outside the motion"),
        ([(-1.0, 1.0)], "outside the motion"),
        ([(1.0, -1.0)], "outside the motion"),
        ([(1.0, NAN)], "outside the motion"),
        ([(NAN, 1.0)], "outside the motion"),
        ([(0.0, 0.5)], "start would move"),
        ([(1.0, 0.0)], "does not follow"),
        ([(0.5, 1.0), (1.0, 0.9)], "does not follow"),
        ([(1.0, 1.5), (0.5, 2.0)], "does not follow"),
        ([(1.0, 700.0)], "more than 600 s"),
        ([(1.9, 3.0), (2.0, 3.001)], "less than a sample"),
    ],
)
def test_refuses_anchors(anchors: list[Anchor], word: str) -> None:
    assert word in refusal(lambda: retime_between(wave_motion(), anchors)).reason


def test_refuses_an_unknown_or_ambiguous_marker() -> None:
    motion = wave_motion()
    error = refusal(lambda: retime_markers(motion, {"down": 1.0}))
    assert error.place == "marker 'down'"
    assert "has no markers of this name; its markers are 'up'" in error.reason
    twice = replace(motion, markers=(Marker(0.5, "up"), Marker(0.7, "up")))
    assert "2 markers" in refusal(lambda: retime_markers(twice, {"up": 1.0})).reason


def test_a_factor_of_one_changes_nothing() -> None:
    motion = wave_motion()
    same = retime(motion, 1.0)
    np.testing.assert_allclose(same.positions, motion.positions, atol=1e-12)
    assert same.markers[0].time_s == pytest.approx(0.5)


@given(waves(), st.floats(0.3, 3.0))
def test_a_factor_keeps_poses_and_markers(source: Waves, factor: float) -> None:
    motion = source.motion()
    slower = retime(motion, factor)
    assert slower.duration_s == pytest.approx(motion.duration_s * factor, abs=0.00501)
    np.testing.assert_allclose(slower.positions[[0, -1]], motion.positions[[0, -1]], atol=1e-9)
    before, after = sampler(motion), sampler(slower)
    for old, new in zip(motion.markers, slower.markers, strict=True):
        assert new.name == old.name
        change = after(np.array([new.time_s])) - before(np.array([old.time_s]))
        assert np.abs(change).max() < 3e-3
    bound = 1.1 * source.most(2) / factor**2
    check_no_velocity_step(lambda m: retime(m, factor), source, bound)


@given(waves(), st.floats(0.3, 1.0), st.floats(1.5, 3.0))
def test_markers_move_where_they_should(source: Waves, early_s: float, late_s: float) -> None:
    motion = source.motion()
    warped = retime_markers(motion, {"late": late_s, "early": early_s})
    times_s = [marker.time_s for marker in warped.markers]
    assert times_s == pytest.approx([early_s, late_s], abs=1e-6)
    end = sampler(warped)(np.array([early_s, late_s]))
    np.testing.assert_allclose(end, sampler(motion)(np.array([0.5, 1.5])), atol=5e-3)
    np.testing.assert_allclose(warped.positions[[0, -1]], motion.positions[[0, -1]], atol=1e-9)
    assert early_s < warped.thumbnail_s < late_s
    pace = 3.4
    bound = source.most(2) * pace**2 + source.most(1) * 6.0 * pace / 0.3
    check_no_velocity_step(
        lambda m: retime_between(m, [(0.5, early_s), (1.5, late_s)]), source, bound
    )
