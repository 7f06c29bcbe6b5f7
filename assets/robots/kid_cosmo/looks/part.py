"""What the drawing of every part shares."""

from __future__ import annotations

import numpy as np
from sculpt import Field, Floats, Vector
from surfaces import cast

FORWARD: Vector = (1.0, 0.0, 0.0)
LEFT: Vector = (0.0, 1.0, 0.0)


def around(surface: Field, centre: Vector, sides: int, tilt: float = 0.0) -> Floats:
    """Return the horizontal section (n, 3) of a solid through a point inside it."""
    angle = 2.0 * np.pi * (np.arange(sides) + 0.5) / sides
    ray = np.stack([np.cos(angle), np.sin(angle), tilt * np.cos(angle)], axis=1)
    return cast(surface, np.tile(np.array(centre, dtype=float), (sides, 1)), ray, 0.4)
