"""The head: a low shell with a camera band and two eyes, and the discs of its pitch axis."""

from __future__ import annotations

import numpy as np
from meshes import Part, pair
from sculpt import Floats, Mesh, polygonise
from shapes import FORWARD, LEFT, drum, ring
from surfaces import cord, oval, plate, seen_from_front

BACK = (-1.0, 0.0, 0.0)
EYE_Y, EYE_Z = 0.031, 0.022


def _skull(p: Floats) -> Floats:
    """Return a superellipsoid, a little narrower toward the chin."""
    height = (p[:, 2] - 0.019) / 0.057
    x = (p[:, 0] - 0.012) / (0.072 + 0.004 * height)
    y = p[:, 1] / (0.080 + 0.004 * height)
    power = 2.9
    k = (np.abs(x) ** power + np.abs(y) ** power + np.abs(height) ** power + 1e-12) ** (1 / power)
    return np.asarray((k - 1.0) * 0.06)


def head_parts() -> list[Part]:
    """Return the parts of the head."""
    band = oval(0.070, 0.031, 64, 4.0)
    rim = seen_from_front(_skull, band, (0.0, 0.0, EYE_Z))

    def eye(half: float, lift: float, up: float = 0.0, across: float = 0.0) -> Mesh:
        centre = (0.09, EYE_Y + across, EYE_Z + up)
        return plate(_skull, centre, oval(half, half, 32), lift, FORWARD, rings=2, edge=0.002)

    ring_path = seen_from_front(_skull, oval(0.0175, 0.0175, 36), (0.0, EYE_Y, EYE_Z))
    glint = plate(_skull, (0.09, EYE_Y + 0.005, EYE_Z + 0.006), oval(0.0035, 0.0035, 14), 0.0062)
    other = plate(_skull, (0.09, -EYE_Y + 0.005, EYE_Z + 0.006), oval(0.0035, 0.0035, 14), 0.0062)
    grip, bar = (-0.08, 0.0, 0.022), oval(0.020, 0.0035, 24, 4.0)
    return [
        Part("head", "white", polygonise(_skull, 0.0110)),
        Part("head", "ink", plate(_skull, (0.09, 0.0, EYE_Z), band, 0.0012, FORWARD, rings=4)),
        Part("head", "graphite", cord(_skull, rim, 0.0035, 0.0026, closed=True, sides=6)),
        Part("head", "steel", pair(cord(_skull, ring_path, 0.003, 0.0045, closed=True, sides=6))),
        Part("head", "cyan", pair(eye(0.0125, 0.003))),
        Part("head", "ink", pair(eye(0.0075, 0.0046))),
        Part("head", "white", glint),
        Part("head", "white", other),
        Part("head", "graphite", pair(drum((0.0, 0.079, 0.010), LEFT, 0.027, 0.007))),
        Part("head", "orange", pair(ring((0.0, 0.083, 0.010), LEFT, 0.020, 0.004, 0.002))),
        Part("head", "graphite", plate(_skull, grip, oval(0.034, 0.016, 40, 4.0), 0.0015, BACK)),
        Part("head", "orange", plate(_skull, grip, bar, 0.003, BACK, rings=2, edge=0.0015)),
    ]
