"""Between samples a motion is smooth; outside it rests."""

import numpy as np
from hypothesis import given

from shows.motion import Motion
from shows.process.sampling import sampler, with_times
from tests.shows.process.examples import Waves, waves


@given(waves())
def test_between_samples_it_is_what_was_sampled(source: Waves) -> None:
    coarse, fine = source.motion(50.0), source.motion(100.0)
    times_s = np.arange(len(fine.positions)) / 100.0
    np.testing.assert_allclose(sampler(coarse)(times_s), fine.positions, atol=2e-3)


def test_outside_it_rests_and_two_samples_are_enough() -> None:
    motion = Motion("short", ("a",), 10.0, np.array([[0.0], [1.0]]))
    positions = sampler(motion)(np.array([-1.0, 0.0, 0.05, 0.1, 9.0]))
    np.testing.assert_allclose(positions[:, 0], [0.0, 0.0, 0.5, 1.0, 1.0])


@given(waves())
def test_markers_stay_inside_and_in_order(source: Waves) -> None:
    motion = source.motion()
    swapped = with_times(motion, motion.positions, lambda time_s: 100.0 - 99.0 * time_s)
    assert [marker.time_s for marker in swapped.markers] == [0.0, motion.duration_s]
    assert [marker.name for marker in swapped.markers] == ["late", "early"]
    none = with_times(motion, motion.positions, lambda _: None)
    assert (none.markers, none.thumbnail_s) == ((), 0.0)
