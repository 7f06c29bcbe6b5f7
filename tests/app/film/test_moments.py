"""The moments of a motion that pictures show."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.film.moments import even_times, poses_at, telling_times
from shows.motion import Motion


def ramp() -> Motion:
    """Return a motion that moves in its last second of five only."""
    times = np.arange(501) / 100.0
    path = np.clip(times - 4.0, 0.0, 1.0)
    return Motion("ramp", ("a",), 100.0, path[:, None], thumbnail_s=4.5)


def test_a_pause_gets_fewer_pictures_than_the_movement() -> None:
    times = telling_times(ramp(), 0.0, 5.0, 8)
    assert times[0] == 0.0 and times[-1] == pytest.approx(5.0)
    assert sum(time > 4.0 for time in times) >= 4
    assert telling_times(ramp(), 0.0, 5.0, 1) == [4.5]
    still = Motion("still", ("a",), 50.0, np.zeros((101, 1)))
    np.testing.assert_allclose(telling_times(still, 0.0, 2.0, 5), [0.0, 0.5, 1.0, 1.5, 2.0])


@given(st.floats(0.02, 60.0), st.floats(1.0, 50.0))
def test_a_film_covers_the_motion(length_s: float, fps: float) -> None:
    times = even_times(0.0, length_s, fps)
    assert times[0] == 0.0 and times[-1] <= length_s + 1e-6
    assert length_s - times[-1] < 1.0 / fps + 1e-6


def test_the_pose_of_a_time_is_the_motion_s() -> None:
    (pose,) = poses_at(ramp(), [4.5])
    assert pose == {"a": pytest.approx(0.5, abs=1e-3)}
