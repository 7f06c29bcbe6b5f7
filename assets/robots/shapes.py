"""The shapes that parts of several robots share: shells along z, drums, pulleys and soles."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from sculpt import Field, Floats, Mesh, Vector, joined
from surfaces import grid_mesh, oval, soft, turned

FORWARD: Vector = (1.0, 0.0, 0.0)
LEFT: Vector = (0.0, 1.0, 0.0)
UP: Vector = (0.0, 0.0, 1.0)
Knot = tuple[float, float, float, float, float]


def limb(knots: Sequence[Knot], power: float = 2.4, edge: float = 0.012) -> Field:
    """Return a solid along z whose superelliptic section goes smoothly from knot to knot.

    Args:
        knots: z, the section's centre x and y, and half its width along x and y, z falling [m].
        power: of the superellipse; 2 is an ellipse.
        edge: radius of the rounded ends [m].
    """
    table = np.array(knots)[::-1]
    low, high = table[0, 0], table[-1, 0]

    def field(p: Floats) -> Floats:
        z = np.clip(p[:, 2], low, high)
        cx, cy, hx, hy = _smooth(table, z)
        k = (np.abs((p[:, 0] - cx) / hx) ** power + np.abs((p[:, 1] - cy) / hy) ** power) ** (
            1.0 / power
        )
        side = (k - 1.0) * np.minimum(hx, hy)
        end = np.maximum(low - p[:, 2], p[:, 2] - high)
        a, b = side + edge, end + edge
        outside = np.sqrt(np.maximum(a, 0.0) ** 2 + np.maximum(b, 0.0) ** 2)
        return np.asarray(outside + np.minimum(np.maximum(a, b), 0.0) - edge)

    return field


def _smooth(table: Floats, z: Floats) -> Floats:
    """Return centre and half widths (4, n) at heights, by cubic Hermite splines."""
    at = table[:, 0]
    slopes = np.gradient(table[:, 1:], at, axis=0)
    i = np.clip(np.searchsorted(at, z) - 1, 0, len(at) - 2)
    span = at[i + 1] - at[i]
    t = ((z - at[i]) / span)[:, None]
    left, right = table[i, 1:], table[i + 1, 1:]
    rise, fall = slopes[i] * span[:, None], slopes[i + 1] * span[:, None]
    value = (
        (2 * t**3 - 3 * t**2 + 1) * left
        + (t**3 - 2 * t**2 + t) * rise
        + (3 * t**2 - 2 * t**3) * right
        + (t**3 - t**2) * fall
    )
    return np.asarray(value.T)


def sleeve(
    knots: Sequence[Knot],
    power: float = 2.4,
    arch: tuple[float, float] | None = None,
    sides: int = 32,
    rows: int = 16,
) -> Mesh:
    """Return the shell of a limb, with rounded ends; an arch leaves room for a wheel.

    Args:
        knots: as those of `limb`.
        power: of the superellipse; 2 is an ellipse.
        arch: z of the wheel's axis, which lies along y beyond one end, and the arch's radius [m].
        sides: points around it.
        rows: rings along it.
    """
    table = np.array(knots)[::-1]
    low, high = table[0, 0], table[-1, 0]
    section = oval(1.0, 1.0, sides, power)

    def ends(x: Floats) -> tuple[Floats, Floats]:
        bottom, top = np.full_like(x, low), np.full_like(x, high)
        if arch is not None:
            axis, radius = arch
            rise = np.sqrt(np.maximum(radius**2 - x**2, 0.0))
            if axis < 0.5 * (low + high):
                bottom = axis + rise
            else:
                top = axis - rise
        return bottom, top

    def place(share: float, size: float, x: Floats) -> Floats:
        bottom, top = ends(x)
        z = bottom + share * (top - bottom)
        cx, cy, hx, hy = _smooth(table, np.clip(z, low, high))
        return np.stack([cx + size * hx * section[:, 0], cy + size * hy * section[:, 1], z], axis=1)

    round_m = 0.006 / (high - low)
    path = [(0.0, size) for size in (0.0, 0.35, 0.7, 0.86)]
    path += [(0.3 * round_m, 0.955)]
    path += [(share, 1.0) for share in np.linspace(round_m, 1.0 - round_m, rows)]
    path += [(1.0 - 0.3 * round_m, 0.955)]
    path += [(1.0, size) for size in (0.86, 0.7, 0.35, 0.0)]
    rings = []
    for share, size in path:
        x = np.zeros(sides)
        for _ in range(6):  # the arch's height depends on where the ring is
            ring_points = place(share, size, x)
            x = ring_points[:, 0]
        rings.append(ring_points)
    points = np.array(rings)
    axis_points = points.mean(axis=1, keepdims=True)
    axis_points[..., 2] = np.clip(
        points[..., 2].mean(axis=1, keepdims=True), low + 0.01, high - 0.01
    )
    return grid_mesh(points, points - axis_points, wrap=True)


def drum(
    centre: Vector, axis: Vector, radius: float, half: float, bevel: float = 0.003, sides: int = 24
) -> Mesh:
    """Return a cylinder with bevelled edges."""
    b = bevel
    profile = [
        (0.0, -half), (radius - b, -half), (radius, -half + b),
        (radius, half - b), (radius - b, half), (0.0, half),
    ]  # fmt: skip
    fine = _with_edges(profile) if radius > 0.015 else np.array(profile)
    return turned(fine, sides, centre, axis)


def _with_edges(profile: Sequence[tuple[float, float]]) -> Floats:
    """Add points beside each corner, so that the flat parts between them are shaded flat."""
    p = np.array(profile)
    found = [p[0]]
    for a, b in zip(p[:-1], p[1:], strict=True):
        length = float(np.linalg.norm(b - a))
        inset = min(0.0006, 0.2 * length) / length
        if length > 0.005:
            found += [a + inset * (b - a), b - inset * (b - a)]
        found.append(b)
    return np.array(found)


def ring(
    centre: Vector, axis: Vector, radius: float, width: float, height: float, sides: int = 28
) -> Mesh:
    """Return a band of a width along its axis that stands out of a radius by a height."""
    profile = soft(
        [
            (radius - 0.003, -width),
            (radius + height, -0.9 * width),
            (radius + height, 0.9 * width),
            (radius - 0.003, width),
        ]
    )
    return turned(profile, sides, centre, axis)


def pulley(centre: Vector, axis: Vector, radius: float, half: float, sides: int = 30) -> Mesh:
    """Return a pulley with two cable grooves in its rim and a dished face on both sides."""
    r, h = radius, half
    rim = [
        (0.0, -0.55 * h), (0.66 * r, -0.55 * h), (0.74 * r, -h), (0.97 * r, -h), (r, -0.9 * h),
        (r, -0.62 * h), (0.95 * r, -0.5 * h), (r, -0.38 * h),
        (r, 0.38 * h), (0.95 * r, 0.5 * h), (r, 0.62 * h),
        (r, 0.9 * h), (0.97 * r, h), (0.74 * r, h), (0.66 * r, 0.55 * h), (0.0, 0.55 * h),
    ]  # fmt: skip
    return turned(np.array(rim), sides, centre, axis)


def studs(centre: Vector, axis: Vector, distance: float, size: float, half: float) -> Mesh:
    """Return six studs about an axis: they show how far a wheel has turned."""
    c, w = np.array(centre), np.array(axis)
    u = np.array([w[1], w[2], w[0]])
    v = np.cross(w, u)
    turns = np.pi / 3.0 * (np.arange(6) + 0.5)
    places = [c + distance * (np.cos(t) * u + np.sin(t) * v) for t in turns]
    return joined([drum((p[0], p[1], p[2]), axis, size, half, 0.0012, 8) for p in places])


def slab(
    half_x: float,
    half_y: float,
    centre: tuple[float, float],
    profile: Floats,
    corner: float = 0.016,
) -> Mesh:
    """Return a plate with rounded corners, from a profile of (share of its size, z) [m]."""
    angle = 2.0 * np.pi * (np.arange(64) + 0.5) / 64
    c, s = np.cos(angle), np.sin(angle)
    loop = np.stack([half_x * np.sign(c) - 0.0 * s, half_y * np.sign(s)], axis=1)
    loop = np.sign(loop) * (np.abs(loop) - corner) + corner * np.stack([c, s], axis=1)
    inward = profile[:, :1, None] * np.array([1.0, 1.0])
    xy = loop[None] * inward + np.array(centre)
    z = np.broadcast_to(profile[:, 1:, None], (*xy.shape[:2], 1))
    points = np.concatenate([xy, z], axis=2)
    middle = np.array([*centre, float(profile[:, 1].mean())])
    return grid_mesh(points, points - middle, wrap=True)


def plank(outline: Floats, centre: Vector, half: float, bevel: float = 0.0012) -> Mesh:
    """Return a plate across y from its outline (n, 2) of x and z about its middle [m]."""
    size = float(np.linalg.norm(outline, axis=1).max())
    b, c = bevel / size, bevel
    profile = _with_edges([(0.0, -half), (1.0 - b, -half), (1.0, c - half), (1.0, half - c),
                           (1.0 - b, half), (0.0, half)])  # fmt: skip
    points = np.empty((len(profile), len(outline), 3))
    points[..., [0, 2]] = profile[:, :1, None] * outline
    points[..., 1] = profile[:, 1:]
    return grid_mesh(points + np.array(centre), points, wrap=True)
