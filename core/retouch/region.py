"""A convex region of the ground, as corners and as half-planes."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from core.plants.biped.support_polygon import convex_hull
from devices.interface import Floats

Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True, eq=False)
class Region:
    """A convex polygon, a line or a point of the ground.

    A point p lies inside where normals @ p <= bounds.

    Attributes:
        corners: counter-clockwise (n, 2) [m].
        normals: outward unit vectors of the half-planes (m, 2).
        bounds: of the half-planes (m) [m].
    """

    corners: Floats
    normals: Floats = field(repr=False)
    bounds: Floats = field(repr=False)

    @classmethod
    def around(cls, points: Sequence[Point], share: float = 1.0) -> "Region":
        """Return the hull of points, or the share of it about the mean of its corners.

        Args:
            points: at least one [m].
            share: factor of its size, 0 to 1.
        """
        corners = np.array(convex_hull([(x, y, 0.0) for x, y in points]))[:, :2]
        middle = corners.mean(axis=0)
        corners = middle + share * (corners - middle)
        if len(corners) > 2:
            edges = np.roll(corners, -1, axis=0) - corners
        elif len(corners) == 2:
            edges = np.array([corners[1] - corners[0], corners[0] - corners[1]])
        else:
            edges = np.array([[1.0, 0.0], [-1.0, 0.0]])
        outward = np.stack((edges[:, 1], -edges[:, 0]), axis=1)
        outward /= np.maximum(np.linalg.norm(outward, axis=1, keepdims=True), 1e-12)
        starts = corners if len(corners) > 1 else np.repeat(corners, 2, axis=0)
        if len(corners) < 3:
            along = np.stack((-outward[:, 1], outward[:, 0]), axis=1)
            outward = np.concatenate((outward, along))
            starts = np.concatenate((starts, starts[::-1]))
        return cls(corners, outward, (outward * starts).sum(axis=1))

    def beyond(self, point: Floats) -> float:
        """Return the largest distance by which a point (2) violates a half-plane [m].

        It is negative inside.
        """
        return float((self.normals @ point - self.bounds).max())

    def nearest(self, point: Floats) -> Floats:
        """Return the point of the region that is nearest to a point (2) [m]."""
        if self.beyond(point) <= 0.0:
            return point.copy()
        starts, ends = self.corners, np.roll(self.corners, -1, axis=0)
        edges = ends - starts
        lengths = np.maximum((edges**2).sum(axis=1), 1e-24)
        shares = np.clip(((point - starts) * edges).sum(axis=1) / lengths, 0.0, 1.0)
        places = starts + shares[:, None] * edges
        best: Floats = places[((places - point) ** 2).sum(axis=1).argmin()]
        return best
