"""Sculpting with implicit fields: a solid is where its field is negative.

Fields need not be true distances: `polygonise` moves every vertex onto the zero level and takes
its normal from the gradient, so surfaces stay smooth at low triangle counts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]
Field: TypeAlias = Callable[[Floats], Floats]
Vector: TypeAlias = tuple[float, float, float]

_DIFFERENCE_M = 1e-5


@dataclass(frozen=True)
class Mesh:
    """Triangles with a normal per vertex; vertices (n, 3) [m], normals (n, 3), faces (k, 3)."""

    vertices: Floats
    normals: Floats
    faces: npt.NDArray[np.int64]

    def mirrored(self) -> Mesh:
        """Return the reflection in the plane y = 0, still facing outward."""
        flip = np.array([1.0, -1.0, 1.0])
        return Mesh(self.vertices * flip, self.normals * flip, self.faces[:, ::-1])


def joined(meshes: Sequence[Mesh]) -> Mesh:
    """Put several meshes into one, without welding them."""
    starts = np.cumsum([0] + [len(m.vertices) for m in meshes[:-1]])
    return Mesh(
        np.concatenate([m.vertices for m in meshes]),
        np.concatenate([m.normals for m in meshes]),
        np.concatenate([m.faces + start for m, start in zip(meshes, starts, strict=True)]),
    )


def ellipsoid(centre: Vector, radii: Vector) -> Field:
    """Return an ellipsoid with axes along x, y, z."""
    c, r = np.array(centre), np.array(radii)

    def field(p: Floats) -> Floats:
        k = np.linalg.norm((p - c) / r, axis=1)
        slope = np.linalg.norm((p - c) / r**2, axis=1)
        return np.asarray(k * (k - 1.0) / np.maximum(slope, 1e-9))

    return field


def ball(centre: Vector, radius: float) -> Field:
    """Return a sphere."""
    return ellipsoid(centre, (radius, radius, radius))


def cone(start: Vector, end: Vector, r_start: float, r_end: float) -> Field:
    """Return a capsule whose radius goes linearly from one end to the other."""
    a, along = np.array(start), np.array(end) - np.array(start)

    def field(p: Floats) -> Floats:
        t = np.clip((p - a) @ along / (along @ along), 0.0, 1.0)
        return np.asarray(
            np.linalg.norm(p - a - t[:, None] * along, axis=1) - (r_start + t * (r_end - r_start))
        )

    return field


def block(centre: Vector, half: Vector, edge: float) -> Field:
    """Return a box with edges rounded by `edge`."""
    c, h = np.array(centre), np.array(half) - edge

    def field(p: Floats) -> Floats:
        q = np.abs(p - c) - h
        outside = np.linalg.norm(np.maximum(q, 0.0), axis=1)
        return np.asarray(outside + np.minimum(q.max(axis=1), 0.0) - edge)

    return field


def _round_max(a: Floats, b: Floats, radius: float) -> Floats:
    if radius <= 0.0:
        return np.maximum(a, b)
    h = np.maximum(radius - np.abs(a - b), 0.0)
    return np.asarray(np.maximum(a, b) + h * h / (4.0 * radius))


def union(*parts: Field, blend: float = 0.0) -> Field:
    """Melt solids together; `blend` is the width of the seam [m]."""

    def field(p: Floats) -> Floats:
        value = parts[0](p)
        for part in parts[1:]:
            value = -_round_max(-value, -part(p), blend)
        return value

    return field


def common(*parts: Field, edge: float = 0.0) -> Field:
    """Keep what lies in every solid, with edges rounded by about `edge`."""

    def field(p: Floats) -> Floats:
        value = parts[0](p)
        for part in parts[1:]:
            value = _round_max(value, part(p), edge)
        return value

    return field


def grown(part: Field, by: float) -> Field:
    """Offset a surface outward by `by` [m]."""
    return lambda p: part(p) - by


def half_space(normal: Vector, offset: float) -> Field:
    """Return the points whose product with the unit normal is below `offset`."""
    n = np.array(normal) / np.linalg.norm(normal)
    return lambda p: p @ n - offset


def placed(part: Field, origin: Vector, x_axis: Vector, z_axis: Vector) -> Field:
    """Move a solid into the frame with the given origin and (orthogonalised) axes."""
    x = np.array(x_axis) / np.linalg.norm(x_axis)
    z = np.array(z_axis) - (np.array(z_axis) @ x) * x
    z /= np.linalg.norm(z)
    rotation = np.stack([x, np.cross(z, x), z], axis=1)
    o = np.array(origin)
    return lambda p: part((p - o) @ rotation)


def gradient(field: Field, p: Floats) -> Floats:
    """Return the field's slope at points (n, 3)."""
    out = np.empty_like(p)
    for axis in range(3):
        step = np.zeros(3)
        step[axis] = _DIFFERENCE_M
        out[:, axis] = (field(p + step) - field(p - step)) / (2.0 * _DIFFERENCE_M)
    return out


def _onto_surface(field: Field, p: Floats, reach: float) -> Floats:
    for _ in range(4):
        slope = gradient(field, p)
        step = field(p)[:, None] * slope / np.maximum((slope**2).sum(axis=1), 1e-4)[:, None]
        length = np.linalg.norm(step, axis=1, keepdims=True)
        p = p - step * np.minimum(1.0, reach / np.maximum(length, 1e-12))
    return p


def polygonise(field: Field, cell: float, reach: float = 0.5, relax: int = 3) -> Mesh:
    """Mesh the zero level of a field by surface nets, relaxed along the surface.

    Args:
        field: solid, negative inside, within `reach` of the origin on every axis.
        cell: edge of the sampling grid, about the edge of the triangles [m].
        reach: half-width of the search box [m].
        relax: rounds of smoothing that even out the triangles.
    """
    low, high = _bounds(field, reach, cell)
    axes = [
        np.arange(np.floor(a / cell) - 1, np.ceil(b / cell) + 2) + 0.5
        for a, b in zip(low, high, strict=True)
    ]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1) * cell
    inside = (field(grid.reshape(-1, 3)) < 0.0).reshape(grid.shape[:3])
    nx, ny, nz = (int(size) - 1 for size in grid.shape[:3])
    corners = np.zeros((nx, ny, nz), dtype=np.int64)
    for i, j, k in np.ndindex(2, 2, 2):
        corners += inside[i : i + nx, j : j + ny, k : k + nz]
    active = (corners > 0) & (corners < 8)
    number = np.full(active.shape, -1)
    number[active] = np.arange(active.sum())
    points = grid[:-1, :-1, :-1][active] + 0.5 * cell
    quads = np.concatenate([_quads(inside, number, axis) for axis in range(3)])
    points = _onto_surface(field, points, cell)
    pairs = np.concatenate([quads[:, [i, (i + 1) % 4]] for i in range(4)])
    count = np.bincount(pairs.ravel(), minlength=len(points))[:, None]
    for _ in range(relax):
        total = np.zeros_like(points)
        np.add.at(total, pairs[:, 0], points[pairs[:, 1]])
        np.add.at(total, pairs[:, 1], points[pairs[:, 0]])
        points = _onto_surface(field, 0.5 * points + 0.5 * total / count, cell)
    normals = gradient(field, points)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    return Mesh(points, normals, _triangles(points, quads))


def _bounds(field: Field, reach: float, cell: float) -> tuple[Floats, Floats]:
    pitch = 0.02
    axis = np.arange(-reach, reach + pitch, pitch)
    p = np.stack(np.meshgrid(axis, axis, axis, indexing="ij"), axis=-1).reshape(-1, 3)
    near = p[field(p) < 2.0 * pitch]
    if not len(near):
        raise ValueError("nothing to polygonise: the field is positive everywhere in reach")
    return near.min(axis=0) - cell, near.max(axis=0) + cell


def _quads(
    inside: npt.NDArray[np.bool_], number: npt.NDArray[np.int64], axis: int
) -> npt.NDArray[np.int64]:
    """Return the quads (k, 4) of cells around every grid edge along `axis` that is crossed."""
    b, c = (axis + 1) % 3, (axis + 2) % 3
    turned_inside = np.transpose(inside, (axis, b, c))
    cells = np.transpose(number, (axis, b, c))
    start, end = turned_inside[:-1, 1:-1, 1:-1], turned_inside[1:, 1:-1, 1:-1]
    i, j, k = np.nonzero(start != end)
    quad = np.stack(
        [cells[i, j, k], cells[i, j + 1, k], cells[i, j + 1, k + 1], cells[i, j, k + 1]], axis=1
    )
    backward = end[i, j, k]
    quad[backward] = quad[backward][:, ::-1]
    return quad


def _triangles(points: Floats, quads: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Split quads along the shorter diagonal; a clear margin keeps ties the same everywhere."""
    corner = points[quads]
    first = np.linalg.norm(corner[:, 0] - corner[:, 2], axis=1)
    second = np.linalg.norm(corner[:, 1] - corner[:, 3], axis=1)
    other = second < 0.97 * first
    rolled = np.where(other[:, None], np.roll(quads, -1, axis=1), quads)
    return np.concatenate([rolled[:, [0, 1, 2]], rolled[:, [0, 2, 3]]])
