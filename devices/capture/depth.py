"""How far a person's joints are from a camera, bounded by the lengths of the bones.

A picture shows well how long a bone is across, and badly how far one end lies behind the other. A
bone that is seen at its full length across has both ends at the same distance.
"""

from typing import Final

import numpy as np

from devices.capture.landmarks import COUNT
from devices.interface import Floats

SETTLE_S: Final = 0.3
"""Time constant of the length that is seen across: one wrong picture must not count."""

SURE: Final = 0.95
"""Share of its length across from which a bone gets no depth: an error of 1 % would make 14 %."""

# Bones from landmark to landmark, with all that they carry; of both sides, as long as each other.
_TRUNK: Final = tuple(range(23))  # the hips carry it
_LIMBS: Final = (
    ((11, 13), (13, 15, 17, 19, 21)),
    ((13, 15), (15, 17, 19, 21)),
    ((23, 25), (25, 27, 29, 31)),
    ((25, 27), (27, 29, 31)),
)


class Depth:
    """Bounds the depth of one person's landmarks by the greatest lengths that were seen across."""

    def __init__(self) -> None:
        self._across = np.zeros(0)  # smoothed (5) [m]
        self._lengths = np.zeros(1 + len(_LIMBS))
        self._stamp_s = 0.0

    def bounded(self, points: Floats, stamp_s: float) -> Floats:
        """Return the landmarks with the nearest depths that their bones allow (33, 3) [m].

        Args:
            points: of the landmarks, x away from the camera, z up (33, 3) [m].
            stamp_s: of the picture [s].
        """
        assert points.shape == (COUNT, 3)
        across = np.array([_across(_trunk(points))] + [_seen(points, *ends) for ends, _ in _LIMBS])
        if not self._across.size:
            self._across = across
        share = min(1.0, max(0.0, stamp_s - self._stamp_s) / SETTLE_S)
        self._stamp_s = stamp_s
        self._across = self._across + share * (across - self._across)
        self._lengths = np.maximum(self._lengths, self._across)
        found = points.copy()
        trunk = _trunk(points)
        found[list(_TRUNK), 0] += _bound(trunk, self._lengths[0]) - trunk[0]
        for (ends, carried), length in zip(_LIMBS, self._lengths[1:].tolist(), strict=True):
            for right in (0, 1):
                begin, end = ends[0] + right, ends[1] + right
                wanted = found[begin, 0] + _bound(points[end] - points[begin], length)
                found[[one + right for one in carried], 0] += wanted - found[end, 0]
        return found


def _trunk(points: Floats) -> Floats:
    """Return the way from between the hips to between the shoulders (3)."""
    way: Floats = (points[11] + points[12] - points[23] - points[24]) / 2.0
    return way


def _across(way: Floats) -> float:
    return float(np.hypot(way[1], way[2]))


def _seen(points: Floats, begin: int, end: int) -> float:
    """Return how long a bone is seen across, of the side where it is longer [m]."""
    return max(_across(points[end + right] - points[begin + right]) for right in (0, 1))


def _bound(way: Floats, length: float) -> float:
    """Return the depth of a way (3), nearest to its own, that a bone of a length allows."""
    most = np.sqrt(max(0.0, (SURE * length) ** 2 - _across(way) ** 2))
    return float(np.clip(way[0], -most, most))
