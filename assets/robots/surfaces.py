"""Meshes drawn directly: turned bodies, plates and cords lying on a sculpted surface."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from sculpt import Field, Floats, Mesh, Vector, gradient


def grid_mesh(points: Floats, outward: Floats, wrap: bool) -> Mesh:
    """Join a grid of points (rows, columns, 3) into a smooth mesh.

    Args:
        points: a row or column may be collapsed into one point, which becomes a pole.
        outward: directions broadcastable to `points` that the surface faces on the whole.
        wrap: the last column joins the first.
    """
    rows, columns = points.shape[:2]
    index = np.arange(rows * columns).reshape(rows, columns)
    if wrap:
        index = np.concatenate([index, index[:, :1]], axis=1)
    a, b, c, d = index[:-1, :-1], index[1:, :-1], index[1:, 1:], index[:-1, 1:]
    faces = np.concatenate(
        [np.stack([a, b, c], -1).reshape(-1, 3), np.stack([a, c, d], -1).reshape(-1, 3)]
    )
    flat = np.round(points.reshape(-1, 3), 7) + 0.0
    _, first, number = np.unique(flat, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    vertices = flat[first[order]]
    faces = rank[number.reshape(-1)][faces]
    corner = np.sort(faces, axis=1)
    faces = faces[(corner[:, 0] != corner[:, 1]) & (corner[:, 1] != corner[:, 2])]
    hint = np.broadcast_to(outward, points.shape).reshape(-1, 3)[first[order]]
    normals = _normals(vertices, faces)
    if (normals * hint).sum() < 0.0:
        faces, normals = faces[:, ::-1], -normals
    return Mesh(vertices, normals, faces)


def _normals(vertices: Floats, faces: np.ndarray) -> Floats:
    corner = vertices[faces]
    area = np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
    normals = np.zeros_like(vertices)
    for i in range(3):
        np.add.at(normals, faces[:, i], area)
    return np.asarray(normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-15))


def frame(axis: Vector, up: Vector = (0.0, 0.0, 1.0)) -> Floats:
    """Return a rotation whose columns are two directions across an axis, then the axis."""
    w = np.array(axis) / np.linalg.norm(axis)
    u = np.cross(up, w)
    u = np.cross((1.0, 0.0, 0.0), w) if np.linalg.norm(u) < 1e-6 else u
    u /= np.linalg.norm(u)
    return np.stack([u, np.cross(w, u), w], axis=1)


def soft(points: Sequence[tuple[float, float]], rounds: int = 1) -> Floats:
    """Round the corners of an open polyline by Chaikin's cutting; the ends stay."""
    p = np.array(points)
    for _ in range(rounds):
        cut = np.stack([0.75 * p[:-1] + 0.25 * p[1:], 0.25 * p[:-1] + 0.75 * p[1:]], axis=1)
        p = np.concatenate([p[:1], cut.reshape(-1, 2), p[-1:]])
    return p


def soft_loop(points: Sequence[tuple[float, float]], rounds: int = 2) -> Floats:
    """Round the corners of a closed polygon by Chaikin's cutting."""
    p = np.array(points)
    for _ in range(rounds):
        q = np.roll(p, -1, axis=0)
        p = np.stack([0.75 * p + 0.25 * q, 0.25 * p + 0.75 * q], axis=1).reshape(-1, 2)
    return p


def oval(half_across: float, half_up: float, sides: int, power: float = 2.0) -> Floats:
    """Return a superellipse as a loop (sides, 2)."""
    angle = 2.0 * np.pi * (np.arange(sides) + 0.5) / sides
    c, s = np.cos(angle), np.sin(angle)
    size = (np.abs(c) ** power + np.abs(s) ** power) ** (-1.0 / power)
    return np.stack([half_across * size * c, half_up * size * s], axis=1)


def turned(
    profile: Floats, sides: int, centre: Vector = (0, 0, 0), axis: Vector = (0.0, 0.0, 1.0)
) -> Mesh:
    """Turn a profile of (radius, height) [m] about an axis through `centre`."""
    angle = 2.0 * np.pi * (np.arange(sides) + 0.5) / sides
    radius, height = profile[:, :1], profile[:, 1:]
    local = np.stack(
        [
            radius * np.cos(angle),
            radius * np.sin(angle),
            np.broadcast_to(height, (len(profile), sides)),
        ],
        -1,
    )
    middle = np.array([0.0, 0.0, height.mean()])
    rotation = frame(axis)
    return grid_mesh(
        local @ rotation.T + np.array(centre), (local - middle) @ rotation.T, wrap=True
    )


def egg(
    centre: Vector, radii: Vector, sides: int, axis: Vector = (0, 0, 1), visible: float = 1.0
) -> Mesh:
    """Return an ellipsoid; `radii` are across, up and along `axis`.

    `visible` is the share, counted from the tip of the axis, that is built: the rest is hidden.
    """
    rings = max(4, round(sides * visible / 2))
    polar = np.linspace(0.0, np.pi * visible, rings + 1)[:, None]
    angle = 2.0 * np.pi * (np.arange(sides) + 0.5) / sides
    unit = np.stack(
        [np.sin(polar) * np.cos(angle), np.sin(polar) * np.sin(angle), np.cos(polar) + 0 * angle],
        -1,
    )
    rotation = frame(axis)
    return grid_mesh(
        (unit * np.array(radii)) @ rotation.T + np.array(centre), unit @ rotation.T, wrap=True
    )


def cast(surface: Field, start: Floats, direction: Floats, reach: float) -> Floats:
    """Follow rays out of a solid (or into it) to its surface, by bisection; arrays (..., 3)."""
    origin = start.reshape(-1, 3)
    along = np.broadcast_to(direction, start.shape).reshape(-1, 3)
    near, far = np.zeros(len(origin)), np.full(len(origin), reach)
    side = surface(origin) < 0.0
    for _ in range(40):
        middle = 0.5 * (near + far)
        same = (surface(origin + middle[:, None] * along) < 0.0) == side
        near, far = np.where(same, middle, near), np.where(same, far, middle)
    return np.asarray((origin + near[:, None] * along).reshape(start.shape))


def seen_from_front(surface: Field, loop: Floats, centre: Vector) -> Floats:
    """Project a loop (n, 2) of (y, z) offsets onto a surface from the front."""
    start = np.concatenate([np.full((len(loop), 1), 0.4), loop + np.array(centre)[1:]], axis=1)
    return cast(surface, start, np.array([-1.0, 0.0, 0.0]), 0.5)


def seen_from_behind(surface: Field, y: Floats, z: float, inside: float) -> Floats:
    """Project a level line of points onto a surface from behind; `inside` is x of its inside."""
    start = np.stack([np.full_like(y, inside - 0.2), y, np.full_like(y, z)], axis=1)
    return cast(surface, start, np.array([1.0, 0.0, 0.0]), 0.2)


def around(surface: Field, centre: Vector, sides: int, tilt: float = 0.0) -> Floats:
    """Return the horizontal section (n, 3) of a solid through a point inside it."""
    angle = 2.0 * np.pi * (np.arange(sides) + 0.5) / sides
    ray = np.stack([np.cos(angle), np.sin(angle), tilt * np.cos(angle)], axis=1)
    return cast(surface, np.tile(np.array(centre, dtype=float), (sides, 1)), ray, 0.4)


def _lifted(surface: Field, points: Floats, lift: Floats) -> Floats:
    slope = gradient(surface, points.reshape(-1, 3))
    slope /= np.linalg.norm(slope, axis=1, keepdims=True)
    return np.asarray(points + lift * slope.reshape(points.shape))


def plate(
    surface: Field,
    centre: Vector,
    outline: Floats,
    lift: float,
    look: Vector = (1.0, 0.0, 0.0),
    rings: int = 4,
    edge: float = 0.004,
) -> Mesh:
    """Lay a rounded plate on a surface, as seen along `look`.

    Args:
        surface: the solid below.
        centre: point whose projection is the plate's middle [m].
        outline: loop (n, 2) around the centre, across and up as seen from outside [m].
        lift: how far the plate stands out [m].
        look: outward direction of projection.
        rings: rings between the middle and the rounded edge.
        edge: width of the rounded edge [m].
    """
    rotation = frame(look)
    size = np.linalg.norm(outline, axis=1).mean()
    steps = np.concatenate(
        [
            np.linspace(0.0, 1.0 - edge / size, rings + 1),
            1.0 - edge / size * np.array([0.5, 0.12, 0.0]),
        ]
    )
    height = np.concatenate(
        [np.full(rings + 1, lift), lift * np.array([0.87, 0.45, -1.0]) - np.array([0, 0, 0.002])]
    )
    flat = steps[:, None, None] * outline
    start = (
        np.array(centre)
        + flat[..., :1] * rotation[:, 0]
        + flat[..., 1:] * rotation[:, 1]
        + 0.15 * rotation[:, 2]
    )
    points = _lifted(surface, cast(surface, start, -rotation[:, 2], 0.3), height[:, None, None])
    return grid_mesh(points, rotation[:, 2], wrap=True)


def cord(
    surface: Field,
    path: Floats,
    width: float,
    height: float,
    closed: bool,
    sides: int = 8,
    sink: float = 0.004,
) -> Mesh:
    """Run a rounded strip along points (n, 3) of a surface; open ends are rounded off.

    Args:
        surface: the solid below.
        path: points on it [m].
        width: half-width of the strip [m].
        height: how far it stands out [m].
        closed: the last point joins the first.
        sides: facets over the strip's back.
        sink: how far its edges go below the surface [m].
    """
    normal = gradient(surface, path)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    tangent = (
        np.roll(path, -1, axis=0) - np.roll(path, 1, axis=0)
        if closed
        else np.gradient(path, axis=0)
    )
    across = np.cross(normal, tangent)
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    turn = np.linspace(0.0, np.pi, sides + 1)
    side = np.sign(np.cos(turn)) * np.abs(np.cos(turn)) ** 0.7
    rise = np.sin(turn) ** 0.7
    size = np.ones(len(path))
    if not closed:
        run = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(path, axis=0), axis=1))])
        inset = np.minimum(np.minimum(run, run[-1] - run) / width, 1.0)
        size = np.sqrt(np.maximum(1.0 - (1.0 - inset) ** 2, 0.0))
    points = (
        path[:, None]
        + (width * side[None, :] * size[:, None])[..., None] * across[:, None]
        + ((height + sink) * rise[None, :] * size[:, None] ** 0.5 - sink)[..., None]
        * normal[:, None]
    )
    hint = np.broadcast_to(normal[:, None], points.shape)
    if closed:
        return grid_mesh(points.transpose(1, 0, 2), hint.transpose(1, 0, 2), wrap=True)
    return grid_mesh(points, hint, wrap=False)


def shell(
    surface: Field, centre: Vector, loop: Floats, pole: Vector, rings: int, lift: float
) -> Mesh:
    """Cover a round solid from a closed loop (n, 3) of its surface to the pole in a direction."""
    c = np.array(centre)
    start = loop - c
    start /= np.linalg.norm(start, axis=1, keepdims=True)
    end = np.array(pole) / np.linalg.norm(pole)
    between = np.arccos(np.clip(start @ end, -1.0, 1.0))[None, :, None]
    share = np.linspace(0.0, 1.0, rings + 1)[:, None, None]
    ray = (np.sin((1 - share) * between) * start + np.sin(share * between) * end) / np.sin(between)
    ray[-1] = end
    points = cast(surface, np.broadcast_to(c, ray.shape).copy(), ray, 0.5)
    points[-1] = points[-1, 0]
    return grid_mesh(_lifted(surface, points, np.full((1, 1, 1), lift)), ray, wrap=True)
