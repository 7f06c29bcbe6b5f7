"""The support polygon of feet that carry weight."""

from collections.abc import Sequence

from core.link.message import Vector3


def convex_hull(points: Sequence[Vector3]) -> tuple[Vector3, ...]:
    """Return the corners of the convex hull of some points seen from above, counter-clockwise.

    A point between two corners is no corner. Points on one line give its two ends, one point itself
    (Andrew, "Another efficient algorithm for convex hulls in two dimensions").

    Args:
        points: in any order; z goes along.
    """
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return tuple(ordered)
    return (*_chain(ordered), *_chain(ordered[::-1]))


def _chain(points: Sequence[Vector3]) -> list[Vector3]:
    """Return the lower hull of points sorted by x, without its last corner."""
    chain: list[Vector3] = []
    for point in points:
        while len(chain) > 1 and _turn(chain[-2], chain[-1], point) <= 0.0:
            chain.pop()
        chain.append(point)
    return chain[:-1]


def _turn(a: Vector3, b: Vector3, c: Vector3) -> float:
    """Return twice the area of a triangle seen from above, positive if it turns left [m²]."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
