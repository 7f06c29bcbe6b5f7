"""What the drawing of every part shares."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from looks.sculpt import Field, Floats, Mesh, Vector, joined
from looks.surfaces import cast

FORWARD: Vector = (1.0, 0.0, 0.0)
LEFT: Vector = (0.0, 1.0, 0.0)


@dataclass(frozen=True)
class Part:
    """A mesh of one material, in the frame of one body."""

    body: str
    material: str
    mesh: Mesh


def pair(mesh: Mesh) -> Mesh:
    """Return a mesh of the left side together with its mirror image."""
    return joined([mesh, mesh.mirrored()])


def seen_from_front(surface: Field, loop: Floats, centre: Vector) -> Floats:
    """Project a loop (n, 2) of (y, z) offsets onto a surface from the front."""
    start = np.concatenate([np.full((len(loop), 1), 0.4), loop + np.array(centre)[1:]], axis=1)
    return cast(surface, start, np.array([-1.0, 0.0, 0.0]), 0.5)


def around(surface: Field, centre: Vector, sides: int, tilt: float = 0.0) -> Floats:
    """Return the horizontal section (n, 3) of a solid through a point inside it."""
    angle = 2.0 * np.pi * (np.arange(sides) + 0.5) / sides
    ray = np.stack([np.cos(angle), np.sin(angle), tilt * np.cos(angle)], axis=1)
    return cast(surface, np.tile(np.array(centre, dtype=float), (sides, 1)), ray, 0.4)
