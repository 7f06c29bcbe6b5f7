"""The plane of the map keeps true distances, and is always seen from the same side."""

import numpy as np
import pytest

from app.console.partner.projection import projection_of

PLACES = [(3.0, 1.0, 0.5), (-2.0, 0.5, 1.0), (0.0, -1.5, 2.0)]  # three points lie in a plane


def test_distances_in_the_plane_are_true() -> None:
    flat = projection_of(PLACES).flat(PLACES)
    for i, j in ((0, 1), (0, 2), (1, 2)):
        true = np.linalg.norm(np.subtract(PLACES[i], PLACES[j]))
        assert np.linalg.norm(flat[i] - flat[j]) == pytest.approx(true)


def test_the_side_does_not_depend_on_the_order() -> None:
    some = projection_of(PLACES).flat(PLACES)
    other = projection_of(PLACES[::-1]).flat(PLACES)
    assert np.allclose(some, other)


@pytest.mark.parametrize("places", [[], [(1.0, 2.0, 3.0)], [(1.0, 2.0, 3.0)] * 3, PLACES[:2]])
def test_few_or_equal_places_have_a_plane(places: list[tuple[float, float, float]]) -> None:
    found = projection_of(places)
    assert np.allclose(found.axes @ found.axes.T, np.eye(2))
    assert found.flat(places).shape == (len(places), 2)
