"""Quaternions become rotations and come back."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.capture.errors import CaptureError
from devices.capture.rotation import quaternions, rotations

parts = st.lists(st.floats(-1.0, 1.0), min_size=4, max_size=4)


@given(parts.filter(lambda q: np.linalg.norm(q) > 0.1), st.floats(0.991, 1.009))
def test_a_quaternion_comes_back_with_the_length_1(q: list[float], length: float) -> None:
    unit = np.array(q) / np.linalg.norm(q)
    (turn,) = rotations(unit[None] * length)
    np.testing.assert_allclose(turn @ turn.T, np.eye(3), atol=1e-12)
    (back,) = quaternions(turn[None])
    assert back[0] >= 0.0
    assert abs(back @ unit) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize(
    "bad", [(0, 0, 0, 0), (1.02, 0, 0, 0), (np.nan, 1, 0, 0), (1e300, 0, 0, 0)]
)
def test_what_is_no_rotation_is_refused(bad: tuple[float, ...]) -> None:
    with pytest.raises(CaptureError):
        rotations(np.array([(1.0, 0.0, 0.0, 0.0), bad]))
