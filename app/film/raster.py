"""Draws triangles by the processor: which is seen at each pixel, and how the light falls on it."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar, cast

import numba
import numpy as np
import numpy.typing as npt

Floats32 = npt.NDArray[np.float32]
Integers = npt.NDArray[np.int32]
Function = TypeVar("Function", bound=Callable[..., Any])


class Light(NamedTuple):
    """The light of a picture, and the colours of what it falls on besides the robot; linear.

    Attributes:
        sun: direction toward the light that casts shadows (3), of length 1.
        sun_right: a direction across it (3), the x of the shadow map.
        sun_up: the y of the shadow map (3).
        filling: direction toward the light without shadows (3), of length 1.
        floor: colour of the floor (3).
        backdrop: colour far away (3).
    """

    sun: Floats32
    sun_right: Floats32
    sun_up: Floats32
    filling: Floats32
    floor: Floats32
    backdrop: Floats32


class View(NamedTuple):
    """An eye, as the kernels take it.

    Attributes:
        eye: its place in the world (3) [m].
        axes: its right, up and backward directions as rows (3, 3).
        focus: pixels at a distance of 1 m for a length of 1 m.
    """

    eye: Floats32
    axes: Floats32
    focus: float


class ShadowMap(NamedTuple):
    """Distances from the sun.

    Attributes:
        depth: along the sun's direction, the nearest is the largest (s, s) [m].
        left: x of its first column across the sun [m].
        bottom: y of its first row [m].
        scale: its pixels by metre.
    """

    depth: Floats32
    left: float
    bottom: float
    scale: float


def _compiled(function: Function) -> Function:
    """Compile a kernel at its first call; its machine code is cached beside the module."""
    return cast(
        Function, numba.njit(cache=True, error_model="numpy", fastmath=True, nogil=True)(function)
    )


@_compiled
def fill(
    x: Floats32,
    y: Floats32,
    nearness: Floats32,
    triangles: Integers,
    depth: Floats32,
    owner: Integers,
) -> None:
    """Write the nearest triangle of each pixel.

    Args:
        x: of the corners (n) [pixels].
        y: of the corners (n) [pixels].
        nearness: of the corners, larger is nearer (n); not positive is behind the eye.
        triangles: three corners each (m, 3).
        depth: nearness at each pixel (h, w); it begins at the smallest that is seen.
        owner: index of the triangle at each pixel (h, w); it begins at -1.
    """
    height, width = depth.shape
    for index in range(len(triangles)):
        a, b, c = triangles[index]
        if nearness[a] <= 0.0 or nearness[b] <= 0.0 or nearness[c] <= 0.0:
            continue
        ax, ay, bx, by, cx, cy = x[a], y[a], x[b], y[b], x[c], y[c]
        area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
        if area == 0.0:
            continue
        left = max(0, int(math.floor(min(ax, bx, cx))))
        right = min(width - 1, int(math.ceil(max(ax, bx, cx))))
        top = max(0, int(math.floor(min(ay, by, cy))))
        bottom = min(height - 1, int(math.ceil(max(ay, by, cy))))
        for row in range(top, bottom + 1):
            for column in range(left, right + 1):
                px, py = column + 0.5, row + 0.5
                u = ((bx - px) * (cy - py) - (by - py) * (cx - px)) / area
                v = ((cx - px) * (ay - py) - (cy - py) * (ax - px)) / area
                w = 1.0 - u - v
                if u < 0.0 or v < 0.0 or w < 0.0:
                    continue
                near = u * nearness[a] + v * nearness[b] + w * nearness[c]
                if near > depth[row, column]:
                    depth[row, column] = near
                    owner[row, column] = index


@_compiled
def _lit(
    shadow: ShadowMap, light: Light, place: Floats32, bias: float, reach: int, step: int
) -> float:
    """Return the share of the sun that a place (3) sees, over a square of the shadow map."""
    sx = (place * light.sun_right).sum()
    sy = (place * light.sun_up).sum()
    depth = (place * light.sun).sum() + bias
    column = int((sx - shadow.left) * shadow.scale)
    row = int((sy - shadow.bottom) * shadow.scale)
    size = shadow.depth.shape[0]
    if not (-reach <= column < size + reach and -reach <= row < size + reach):
        return 1.0
    seen, count = 0.0, 0
    for j in range(row - reach, row + reach + 1, step):
        for i in range(column - reach, column + reach + 1, step):
            count += 1
            if not (0 <= i < size and 0 <= j < size) or shadow.depth[j, i] <= depth:
                seen += 1.0
    return seen / count


@_compiled
def shade(
    owner: Integers,
    triangles: Integers,
    places: Floats32,
    normals: Floats32,
    colours: Floats32,
    view: View,
    light: Light,
    shadow: ShadowMap,
    ground: float,
    canvas: Floats32,
) -> None:
    """Write the linear colour of each pixel.

    Args:
        owner: index of the triangle at each pixel; -1 where there is none (h, w).
        triangles: three corners each (m, 3).
        places: of the corners in the world (n, 3) [m].
        normals: at the corners (n, 3).
        colours: at the corners, linear (n, 3).
        view: the eye.
        light: the light.
        shadow: distances from the sun.
        ground: height of the floor [m].
        canvas: the result (h, w, 3).
    """
    height, width = owner.shape
    ray, place, normal = np.empty(3, np.float32), np.empty(3, np.float32), np.empty(3, np.float32)
    for row in range(height):
        for column in range(width):
            across = (column + 0.5 - 0.5 * width) / view.focus
            upward = (0.5 * height - row - 0.5) / view.focus
            for k in range(3):
                ray[k] = across * view.axes[0, k] + upward * view.axes[1, k] - view.axes[2, k]
            index = owner[row, column]
            if index < 0:
                fade, dark = 1.0, 1.0
                if ray[2] < -1e-4:
                    reach = (ground - view.eye[2]) / ray[2]
                    for k in range(3):
                        place[k] = view.eye[k] + reach * ray[k]
                    away = math.sqrt(place[0] ** 2 + place[1] ** 2)
                    fade = min(1.0, max(0.0, (away - 0.7) / 1.9))
                    fade = fade * fade * (3.0 - 2.0 * fade)
                    dark = 0.42 + 0.58 * _lit(shadow, light, place, 0.004, 8, 2)
                for k in range(3):
                    floor = light.floor[k] * dark
                    canvas[row, column, k] = floor + fade * (light.backdrop[k] - floor)
                continue
            a, b, c = triangles[index]
            # Where the ray meets the triangle: its shares of the three corners.
            ab, ac = places[b] - places[a], places[c] - places[a]
            to = view.eye - places[a]
            cross = np.cross(ray, ac)
            det = (ab * cross).sum()
            u = (to * cross).sum() / det if det != 0.0 else 0.33
            v = (ray * np.cross(to, ab)).sum() / det if det != 0.0 else 0.33
            u, v = min(1.0, max(0.0, u)), min(1.0, max(0.0, v))
            for k in range(3):
                place[k] = places[a, k] + u * ab[k] + v * ac[k]
                normal[k] = (1.0 - u - v) * normals[a, k] + u * normals[b, k] + v * normals[c, k]
            length = math.sqrt((normal * normal).sum()) + 1e-9
            facing = 0.0
            for k in range(3):
                normal[k] /= length
                facing -= normal[k] * ray[k]
            if facing < 0.0:
                for k in range(3):
                    normal[k] = -normal[k]
            sun = max(0.0, (normal * light.sun).sum())
            if sun > 0.0:
                sun *= _lit(shadow, light, place, 0.012, 2, 1)
            fill_ = max(0.0, (normal * light.filling).sum())
            sky = 0.5 + 0.5 * normal[2]
            half = np.sqrt((ray * ray).sum())
            shine = 0.0
            for k in range(3):
                shine += normal[k] * (light.sun[k] - ray[k] / half)
            shine = max(0.0, shine / 2.0) ** 40 * min(1.0, 4.0 * sun)
            rim = (1.0 - min(1.0, abs(facing) / half)) ** 3
            power = 0.16 + 0.20 * sky + 0.78 * sun + 0.20 * fill_
            for k in range(3):
                canvas[row, column, k] = colours[a, k] * power + 0.16 * shine + 0.05 * rim * sky
