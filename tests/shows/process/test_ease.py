"""The weight of a fade is flat at both ends."""

import numpy as np

from shows.process.ease import ease


def test_goes_from_zero_to_one_without_a_corner() -> None:
    s = np.linspace(-0.5, 1.5, 2001)
    weight = ease(s)
    assert (np.diff(weight) >= 0.0).all()
    assert weight[0] == weight[500] == 0.0
    assert weight[-1] == weight[1500] == 1.0
    assert np.abs(np.diff(weight, 2)).max() < 6.0 * 1e-3**2
    np.testing.assert_allclose(weight + weight[::-1], 1.0, atol=1e-12)
