"""The torso: jacket with emblem, belt, trousers, the pack on the back, and the neck."""

from __future__ import annotations

import numpy as np
from meshes import Part, pair
from sculpt import (
    Floats,
    ball,
    block,
    common,
    ellipsoid,
    grown,
    half_space,
    polygonise,
    union,
)
from shapes import FORWARD, LEFT
from surfaces import around, cord, oval, plate, seen_from_front, soft, turned


def _torso_hull(p: Floats) -> Floats:
    """Superellipsoid of the torso, a little slimmer toward the neck."""
    height = (p[:, 2] - 0.195) / 0.222
    x = (p[:, 0] - 0.004 + 0.006 * height) / (0.122 * (1.0 - 0.08 * height))
    y = p[:, 1] / 0.158
    power = 2.7
    k = (np.abs(x) ** power + np.abs(y) ** power + np.abs(height) ** power + 1e-12) ** (1 / power)
    return np.asarray((k - 1.0) * 0.14)


def torso_parts() -> list[Part]:
    """Return jacket, belt and trousers, the emblem, and the pack on the back."""
    body = union(
        _torso_hull,
        ball((-0.002, 0.120, 0.352), 0.060),
        ball((-0.002, -0.120, 0.352), 0.060),
        blend=0.06,
    )
    jacket = common(body, half_space((0, 0, -1), -0.080), edge=0.016)
    seat = union(
        grown(_torso_hull, -0.009), ellipsoid((0.0, 0.0, 0.030), (0.108, 0.126, 0.060)), blend=0.03
    )
    trousers = common(seat, half_space((0, 0, 1), 0.075))
    badge_z = 0.240
    zip_path = seen_from_front(
        body, np.stack([np.zeros(18), np.linspace(0.092, 0.376, 18)], axis=1), (0, 0, 0)
    )
    seat_loop = around(grown(_torso_hull, -0.009), (0.0, 0.0, 0.058), 40)
    hem_loop = around(body, (0.0, 0.0, 0.096), 40)
    tips = np.pi / 2 + np.pi / 5 * np.arange(10)
    radius = np.where(np.arange(10) % 2 == 0, 0.052, 0.0245)
    corners = np.stack([radius * np.cos(tips), radius * np.sin(tips)], axis=1)
    star = np.concatenate(
        [
            corners[:, None] * (1 - t) + np.roll(corners, -1, axis=0)[:, None] * t
            for t in (0.0, 0.25, 0.5, 0.75)
        ],
        axis=1,
    ).reshape(-1, 2)
    badge_loop = seen_from_front(body, oval(0.064, 0.064, 44), (0.0, 0.0, badge_z))
    collar_path = around(_torso_hull, (0.0, 0.0, 0.400), 28)
    pack = block((-0.116, 0.0, 0.235), (0.034, 0.084, 0.092), 0.030)
    bottle = soft(
        [
            (0.0, 0.062),
            (0.012, 0.062),
            (0.026, 0.052),
            (0.027, 0.020),
            (0.027, -0.05),
            (0.020, -0.056),
            (0.024, -0.078),
            (0.0, -0.074),
        ]
    )
    socket = soft([(0.0, 0.034), (0.044, 0.032), (0.048, 0.024), (0.048, 0.0)])
    buckle = block((0.117, 0.0, 0.058), (0.013, 0.031, 0.023), 0.009)
    neck = soft(
        [(0.0, 0.07), (0.055, 0.07), (0.06, 0.04), (0.066, 0.0), (0.070, -0.03), (0.06, -0.05)]
    )
    return [
        Part("torso", "red", polygonise(jacket, 0.0200)),
        Part("torso", "dark_red", cord(body, hem_loop, 0.019, 0.010, closed=True, sides=6)),
        Part("torso", "navy", polygonise(trousers, 0.0210)),
        Part(
            "torso",
            "yellow",
            cord(grown(_torso_hull, -0.009), seat_loop, 0.0185, 0.009, closed=True, sides=6),
        ),
        Part("torso", "silver", polygonise(buckle, 0.0125)),
        Part("torso", "yellow", cord(body, zip_path, 0.0105, 0.006, closed=False, sides=5)),
        Part("torso", "cream", cord(_torso_hull, collar_path, 0.028, 0.024, closed=True, sides=8)),
        Part(
            "torso",
            "navy",
            plate(body, (0.13, 0.0, badge_z), oval(0.066, 0.066, 44), 0.006, FORWARD),
        ),
        Part("torso", "cream", cord(body, badge_loop, 0.0075, 0.010, closed=True, sides=6)),
        Part(
            "torso",
            "yellow",
            plate(body, (0.13, 0.0, badge_z - 0.002), star, 0.011, FORWARD, rings=3, edge=0.004),
        ),
        Part("torso", "navy", polygonise(pack, 0.0205)),
        Part("torso", "silver", pair(turned(bottle, 16, (-0.146, 0.045, 0.240)))),
        Part("torso", "graphite", pair(turned(socket, 20, (0.0, 0.15, 0.36), LEFT))),
        Part("neck", "graphite", turned(neck, 24)),
    ]
