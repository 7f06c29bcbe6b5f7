"""The trunk: pelvis, waist, the torso with its bow tie, and the pack on the back."""

from __future__ import annotations

import numpy as np
from meshes import Part, pair
from sculpt import ball, block, cone, ellipsoid, joined, polygonise, union
from shapes import FORWARD, LEFT, UP, drum, limb
from surfaces import around, cord, oval, plate, seen_from_behind

TORSO = limb(
    [
        (0.137, -0.002, 0.0, 0.032, 0.050),
        (0.120, -0.002, 0.0, 0.046, 0.069),
        (0.095, -0.001, 0.0, 0.053, 0.073),
        (0.058, 0.0, 0.0, 0.051, 0.065),
        (0.016, 0.0, 0.0, 0.042, 0.053),
    ],
    2.5,
    0.016,
)


def trunk_parts() -> list[Part]:
    """Return the parts of pelvis, waist and torso."""
    pelvis = union(
        ellipsoid((0.0, 0.0, 0.044), (0.046, 0.064, 0.033)),
        block((0.0, 0.0, 0.050), (0.040, 0.054, 0.020), 0.016),
        blend=0.01,
    )
    pack = block((-0.060, 0.0, 0.078), (0.019, 0.042, 0.040), 0.015)
    lines = [
        seen_from_behind(pack, np.linspace(-0.020, 0.020, 7), z, -0.06)
        for z in (0.066, 0.078, 0.090)
    ]
    slots = [cord(pack, line, 0.0028, 0.0010, closed=False, sides=4) for line in lines]
    hem = around(TORSO, (0.0, 0.0, 0.032), 48)
    return [
        Part("pelvis_link", "mint", polygonise(pelvis, 0.0062)),
        Part("waist_link", "slate", polygonise(
            ellipsoid((0.0, 0.0, 0.004), (0.0375, 0.048, 0.0375)), 0.0068
        )),
        Part("torso", "white", polygonise(TORSO, 0.0062)),
        Part("torso", "mint", cord(TORSO, hem, 0.0030, 0.0016, closed=True, sides=5)),
        Part("torso", "mint", polygonise(pack, 0.0060)),
        Part("torso", "slate", joined(slots)),
        Part("torso", "slate", drum((0.0, 0.0, 0.134), UP, 0.027, 0.006, 0.003)),
        Part("torso", "slate", pair(drum((0.0, 0.068, 0.108), LEFT, 0.0215, 0.009))),
        *_bow_tie(),
    ]  # fmt: skip


def _bow_tie() -> list[Part]:
    """Return the bow tie, and the two buttons below it."""
    x, z = 0.046, 0.112
    wing = union(
        cone((x, 0.004, z), (x - 0.002, 0.021, z + 0.007), 0.0045, 0.0062),
        cone((x, 0.004, z), (x - 0.002, 0.021, z - 0.007), 0.0045, 0.0062),
        cone((x - 0.002, 0.021, z + 0.006), (x - 0.002, 0.021, z - 0.006), 0.0058, 0.0058),
        blend=0.004,
    )
    buttons = [
        plate(TORSO, (0.06, 0.0, height), oval(0.0048, 0.0048, 24), 0.0020, FORWARD, 2, 0.0012)
        for height in (0.086, 0.066)
    ]
    return [
        Part("torso", "mint", pair(polygonise(wing, 0.0032))),
        Part("torso", "slate", polygonise(ball((x + 0.002, 0.0, z), 0.0070), 0.0032)),
        Part("torso", "slate", joined(buttons)),
    ]
