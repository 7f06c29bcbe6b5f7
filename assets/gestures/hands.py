"""Hand shapes: thumb, index, middle, ring [deg], 0 open and 90 closed."""

from __future__ import annotations

Shape = tuple[float, float, float, float]

OPEN: Shape = (8.0, 6.0, 4.0, 8.0)
SPREAD: Shape = (4.0, 3.0, 3.0, 4.0)
SOFT: Shape = (22.0, 14.0, 20.0, 27.0)
"""Relaxed and slightly uneven, as an idle hand."""
FLAT: Shape = (30.0, 4.0, 3.0, 4.0)
CUP: Shape = (30.0, 36.0, 40.0, 42.0)
FIST: Shape = (72.0, 82.0, 85.0, 85.0)
THUMB_UP: Shape = (10.0, 84.0, 86.0, 86.0)
POINT: Shape = (62.0, 8.0, 82.0, 85.0)
VICTORY: Shape = (68.0, 9.0, 9.0, 80.0)


def hand(wrist: float, shape: Shape = SOFT) -> tuple[float, float, float, float, float]:
    """Return a hand group's pose: the wrist (positive turns the palm back or down) and a shape."""
    return (wrist, *shape)
