"""A point of the room as seen from the eye: azimuth, elevation and distance; pure functions."""

import math
from typing import NamedTuple, TypeAlias

import numpy as np

from devices.interface import Floats

SpacePoint: TypeAlias = tuple[float, float, float]
STEEPEST = 1.3  # elevation, at which an azimuth still has a meaning [rad]


class Seen(NamedTuple):
    """A point as seen from an eye.

    Attributes:
        azimuth: to the left of the x axis of the world [rad].
        elevation: above the horizontal [rad].
        distance: from the eye [m].
    """

    azimuth: float
    elevation: float
    distance: float


def seen_from(eye: Floats, point: Floats) -> Seen:
    """Return a point as seen from an eye, both in the world (3) [m]."""
    x, y, z = (point - eye).tolist()
    level = math.hypot(x, y)
    return Seen(math.atan2(y, x), math.atan2(z, level), math.hypot(level, z))


def point_of(eye: Floats, seen: Seen) -> Floats:
    """Return a point in the world (3) [m]; one below the floor moves on its line to the floor.

    Args:
        eye: in the world, whose floor is at height 0 (3) [m].
        seen: the point as seen from there.
    """
    level, rise = math.cos(seen.elevation), math.sin(seen.elevation)
    away = seen.distance
    if rise < 0.0 < eye[2]:
        away = min(away, float(eye[2]) / -rise)
    way = (level * math.cos(seen.azimuth), level * math.sin(seen.azimuth), rise)
    point: Floats = eye + away * np.array(way)
    return point


def turned(seen: Seen, left_rad: float, up_rad: float) -> Seen:
    """Return a point that has moved around the eye, at its distance [rad]."""
    elevation = min(max(seen.elevation + up_rad, -STEEPEST), STEEPEST)
    return Seen(seen.azimuth + left_rad, elevation, seen.distance)
