"""The head: a wide pebble with a dark visor, two lit eyes, a smile, and ears that lie back."""

from __future__ import annotations

import numpy as np
from meshes import Part, pair
from sculpt import Field, Floats, Mesh, ball, cone, polygonise, union
from shapes import FORWARD, UP, drum
from surfaces import cord, oval, plate, seen_from_front

EYE_Y, EYE_Z = 0.025, 0.037
VISOR_Z = 0.033


def _skull(p: Floats) -> Floats:
    """Return a superellipsoid, a little fuller in its lower half."""
    height = (p[:, 2] - 0.031) / 0.047
    x = (p[:, 0] - 0.002) / (0.060 - 0.003 * height)
    y = p[:, 1] / (0.075 - 0.004 * height)
    power = 2.5
    k = (np.abs(x) ** power + np.abs(y) ** power + np.abs(height) ** power + 1e-12) ** (1 / power)
    return np.asarray((k - 1.0) * 0.055)


def _ear() -> Field:
    """Return the left ear, from its root in the skull to its tip behind it."""
    root, middle, tip = (-0.004, 0.044, 0.058), (-0.022, 0.058, 0.076), (-0.050, 0.066, 0.0815)
    return union(cone(root, middle, 0.0135, 0.0135), cone(middle, tip, 0.0135, 0.0110), blend=0.01)


def head_parts() -> list[Part]:
    """Return the parts of the neck and of the head."""
    visor = oval(0.057, 0.0265, 64, 3.2)
    rim = seen_from_front(_skull, visor, (0.0, 0.0, VISOR_Z))
    turn = np.radians(np.linspace(-52.0, 52.0, 15))
    curve = np.stack([0.012 * np.sin(turn), 0.027 - 0.012 * np.cos(turn)], axis=1)
    smile = seen_from_front(_skull, curve, (0.0, 0.0, 0.0))

    def eye(half_across: float, half_up: float, lift: float, up: float = 0.0) -> Mesh:
        loop = oval(half_across, half_up, 32, 2.3)
        return plate(_skull, (0.07, EYE_Y, EYE_Z + up), loop, lift, FORWARD, rings=2, edge=0.0015)

    return [
        Part("neck_link", "slate", drum((0.0, 0.0, 0.004), UP, 0.019, 0.026, 0.005)),
        Part("head", "slate", polygonise(ball((0.0, 0.0, -0.004), 0.0205), 0.0050)),
        Part("head", "white", polygonise(_skull, 0.0062)),
        Part("head", "ink", plate(_skull, (0.07, 0.0, VISOR_Z), visor, 0.0012, FORWARD, rings=5)),
        Part("head", "slate", cord(_skull, rim, 0.0024, 0.0022, closed=True, sides=6)),
        Part("head", "glow", pair(eye(0.0085, 0.0125, 0.0024))),
        Part("head", "glow", cord(_skull, smile, 0.0013, 0.0026, closed=False, sides=5)),
        Part("head", "mint", pair(polygonise(_ear(), 0.0042))),
    ]
