"""Surfaces of boxes, spheres, capsules and cylinders, with outward normals."""

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from app.picture.mesh import Floats32, Mesh

Floats64 = npt.NDArray[np.float64]
Points = Sequence[tuple[float, ...]] | Sequence[Floats64]
ROUND = 24  # corners around a circle
RINGS = 6  # between a pole and the equator


def box(x: float, y: float, z: float) -> Mesh:
    """Return a box with edges of three lengths [m] around its middle."""
    positions: list[Floats64] = []
    normals: list[Floats64] = []
    triangles: list[tuple[int, ...]] = []
    half = np.array([x, y, z]) / 2.0
    for axis in range(3):
        u, v = np.eye(3)[(axis + 1) % 3], np.eye(3)[(axis + 2) % 3]
        for sign in (1.0, -1.0):
            normal = sign * np.eye(3)[axis]
            start = len(positions)
            across = u * sign
            positions += [half * (normal + a * across + b * v) for a, b in _CORNERS]
            normals += [normal] * 4
            triangles += [(start, start + 1, start + 2), (start, start + 2, start + 3)]
    return _mesh(positions, normals, triangles)


def sphere(radius: float) -> Mesh:
    """Return a sphere around its middle."""
    return capsule(radius, 0.0)


def capsule(radius: float, length: float) -> Mesh:
    """Return a capsule along z; the length is without its caps [m]."""
    profile = []
    for cap in (-1.0, 1.0):
        for ring in range(RINGS + 1):
            angle = (ring / RINGS - (1.0 if cap < 0.0 else 0.0)) * math.pi / 2.0
            across, along = math.cos(angle), math.sin(angle)
            profile.append((radius * across, cap * length / 2.0 + radius * along, across, along))
    return _turned(profile)


def cylinder(radius: float, length: float) -> Mesh:
    """Return a cylinder along z."""
    half = length / 2.0
    return _turned(
        [
            (0.0, -half, 0.0, -1.0),
            (radius, -half, 0.0, -1.0),
            (radius, -half, 1.0, 0.0),
            (radius, half, 1.0, 0.0),
            (radius, half, 0.0, 1.0),
            (0.0, half, 0.0, 1.0),
        ]
    )


_CORNERS = ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))


def _turned(profile: list[tuple[float, float, float, float]]) -> Mesh:
    """Return the surface that a profile sweeps about z: distance, height and normal of a point."""
    positions: list[tuple[float, ...]] = []
    normals: list[tuple[float, ...]] = []
    triangles: list[tuple[int, ...]] = []
    for distance, height, across, along in profile:
        for k in range(ROUND):
            turn = math.tau * k / ROUND
            cosine, sine = math.cos(turn), math.sin(turn)
            positions.append((distance * cosine, distance * sine, height))
            normals.append((across * cosine, across * sine, along))
    for row in range(len(profile) - 1):
        for k in range(ROUND):
            a, b = row * ROUND + k, row * ROUND + (k + 1) % ROUND
            triangles += [(a, b, b + ROUND), (a, b + ROUND, a + ROUND)]
    return _mesh(positions, normals, triangles)


def _mesh(positions: Points, normals: Points, triangles: Sequence[tuple[int, ...]]) -> Mesh:
    corners: Floats32 = np.array(positions, dtype=np.float32)
    found = np.array(triangles, dtype=np.int32)
    a, b, c = (corners[found[:, k]] for k in range(3))
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    return Mesh(corners, np.array(normals, dtype=np.float32), found[area > 1e-12])
