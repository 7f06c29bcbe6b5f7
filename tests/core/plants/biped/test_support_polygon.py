"""The support polygon is the convex hull of its points."""

import math
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from core.link.message import Vector3
from core.plants.biped.support_polygon import convex_hull

GRID = st.integers(-20, 20)  # cm: coarse, so that points fall together and onto lines
POINTS = st.lists(st.tuples(GRID, GRID), max_size=8)


def turn(a: Vector3, b: Vector3, c: Vector3) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


@given(POINTS)
def test_a_hull_turns_left_at_every_corner_and_holds_every_point(
    places: list[tuple[int, int]],
) -> None:
    points = [(float(x), float(y), 0.0) for x, y in places]
    hull = convex_hull(points)
    assert set(hull) <= set(points) and len(set(hull)) == len(hull)
    if len(hull) < 3:
        assert len(hull) == min(2, len(set(points)))
        return
    for i, corner in enumerate(hull):
        after = hull[(i + 1) % len(hull)]
        assert turn(corner, after, hull[(i + 2) % len(hull)]) > 0.0
        assert all(turn(corner, after, point) >= 0.0 for point in points)


@given(POINTS, st.randoms())
def test_the_order_of_the_points_does_not_matter(
    places: list[tuple[int, int]], random: Random
) -> None:
    points = [(float(x), float(y), 0.0) for x, y in places]
    other = list(points)
    random.shuffle(other)
    assert convex_hull(points) == convex_hull(other)


def test_points_on_a_line_give_its_ends() -> None:
    line = [(0.1 * i, 0.2 * i, 0.0) for i in (2, 0, 3, 1)]
    assert convex_hull(line) == (line[1], line[2])
    assert convex_hull([]) == ()
    assert convex_hull([line[0], line[0]]) == (line[0],)


def test_what_is_no_number_breaks_nothing() -> None:
    nan = math.nan
    points = [(nan, nan, nan), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0)]
    assert len(convex_hull(points)) <= 2 * len(points)
