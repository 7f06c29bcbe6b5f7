"""Where the names of spots stand, so that they hide neither each other nor a spot."""

from collections.abc import Sequence
from typing import Final, TypeAlias

Point: TypeAlias = tuple[float, float]
Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, right and bottom [px]."""

SIDES: Final[tuple[Point, ...]] = ((0.0, 1.0), (0.0, -1.0), (1.0, 0.0), (-1.0, 0.0))
"""Directions from a spot to its name, the usual one first: below, above, right, left."""


def sides_of(
    spots: Sequence[Point], sizes: Sequence[Point], radius_px: float, picture: Point
) -> list[Point]:
    """Return the side of each name, one after the other where it hides least.

    Args:
        spots: their places, y downward [px].
        sizes: width and height of the names [px].
        radius_px: of a spot.
        picture: its width and height; a name beyond its edges is not read [px].
    """
    taken: list[Box] = [
        (x - radius_px, y - radius_px, x + radius_px, y + radius_px) for x, y in spots
    ]
    chosen: list[Point] = []
    for spot, size in zip(spots, sizes, strict=True):
        boxes = [box_at(spot, size, side, radius_px) for side in SIDES]
        costs = [
            sum(_shared(box, other) for other in taken) + _beyond(box, picture) for box in boxes
        ]
        best = costs.index(min(costs))
        chosen.append(SIDES[best])
        taken.append(boxes[best])
    return chosen


def box_at(spot: Point, size: Point, side: Point, radius_px: float) -> Box:
    """Return the box of a name beside its spot [px]."""
    x = spot[0] + side[0] * (radius_px + 0.5 * size[0])
    y = spot[1] + side[1] * (radius_px + 0.5 * size[1])
    return x - 0.5 * size[0], y - 0.5 * size[1], x + 0.5 * size[0], y + 0.5 * size[1]


def _shared(one: Box, other: Box) -> float:
    """Return the area that two boxes share [px²]."""
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    return max(width, 0.0) * max(height, 0.0)


def _beyond(box: Box, picture: Point) -> float:
    """Return the area of a box that is not in the picture [px²]."""
    whole = (box[2] - box[0]) * (box[3] - box[1])
    return whole - _shared(box, (0.0, 0.0, *picture))
