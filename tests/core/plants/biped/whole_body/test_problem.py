"""A problem that is not made of numbers is found out."""

import numpy as np
import pytest

from core.plants.biped.whole_body.problem import all_finite


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("place", [0, 17, 35])
def test_one_wrong_number_among_many_is_found(place: int, wrong: float) -> None:
    values = np.linspace(-1e300, 1e300, 36)
    assert all_finite(values)
    values[place] = wrong
    assert not all_finite(values)
