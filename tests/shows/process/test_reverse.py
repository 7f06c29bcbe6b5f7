"""A reversed motion ends where it began."""

import numpy as np
from hypothesis import given

from shows.process.reverse import reverse
from tests.shows.process.examples import Waves, waves


@given(waves())
def test_twice_is_the_same(source: Waves) -> None:
    motion = source.motion()
    backward = reverse(motion)
    np.testing.assert_array_equal(backward.positions, motion.positions[::-1])
    assert [m.name for m in backward.markers] == ["late", "early"]
    assert abs(backward.markers[0].time_s - (motion.duration_s - 1.5)) < 1e-9
    twice = reverse(backward)
    np.testing.assert_array_equal(twice.positions, motion.positions)
    assert np.allclose([m.time_s for m in twice.markers], [m.time_s for m in motion.markers])
