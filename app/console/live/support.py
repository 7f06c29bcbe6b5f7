"""How far a point on the floor lies inside the feet's support, along and across the heading."""

import math

import numpy as np
from numpy.typing import NDArray

from core.link.scene import Scene

Floats = NDArray[np.float64]
NOWHERE = (math.nan, math.nan)


def margins(corners: Floats, point: tuple[float, float], yaw: float) -> tuple[float, float]:
    """Return the distances [m] to the nearer edge along and across; negative outside.

    Each is measured on the line through the point; beside the polygon, on the nearest line
    that meets it.

    Args:
        corners: of a convex polygon, in order, or both ends of a line (n, 2), world frame [m].
        point: world frame [m].
        yaw: heading of the robot [rad].
    """
    if len(corners) < 2:
        return NOWHERE
    cosine, sine = math.cos(yaw), math.sin(yaw)
    turn = np.array([[cosine, -sine], [sine, cosine]])
    polygon: Floats = corners @ turn
    x, y = (np.array(point) @ turn).tolist()
    return _slice_margin(polygon, x, y), _slice_margin(polygon[:, ::-1], y, x)


def scene_margins(scene: Scene) -> tuple[float, float, float]:
    """Return how far the centre of mass lies inside, along and across, and the capture point [m].

    The capture point's is the smaller of its two. NaN while no foot carries weight.
    """
    if len(scene.support) < 2:
        return (math.nan, math.nan, math.nan)
    corners = np.array(scene.support)[:, :2]
    yaw = scene.base_rpy[2]
    along, across = margins(corners, (scene.com[0], scene.com[1]), yaw)
    return along, across, min(margins(corners, scene.capture_point, yaw))


def _slice_margin(polygon: Floats, u: float, v: float) -> float:
    """Return the distance along the first axis to the nearer end of the slice at `v`."""
    v = float(np.clip(v, polygon[:, 1].min(), polygon[:, 1].max()))
    ends: list[float] = []
    for start, end in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
        (u0, v0), (u1, v1) = start.tolist(), end.tolist()
        if min(v0, v1) <= v <= max(v0, v1):
            if v0 == v1:
                ends += [u0, u1]
            else:
                ends.append(u0 + (u1 - u0) * (v - v0) / (v1 - v0))
    return min(u - min(ends), max(ends) - u)
