"""The left arm, hand and leg; the right ones are their mirror images."""

from __future__ import annotations

import numpy as np
from meshes import Part, pair
from sculpt import Mesh, ball, block, common, cone, ellipsoid, half_space, polygonise, union
from shapes import LEFT
from surfaces import cast, cord, egg, grid_mesh, oval, shell, soft, turned


def arm_parts() -> list[Part]:
    """Return the left arm down to the wrist."""
    sleeve = soft(
        [(0.0, 0.0), (0.040, -0.01), (0.041, -0.08), (0.036, -0.13), (0.034, -0.20), (0.0, -0.205)]
    )
    forearm = soft(
        [
            (0.0, 0.0),
            (0.031, -0.005),
            (0.034, -0.06),
            (0.040, -0.11),
            (0.038, -0.165),
            (0.0, -0.168),
        ]
    )
    cuff = soft(
        [
            (0.030, -0.118),
            (0.043, -0.116),
            (0.0475, -0.124),
            (0.0475, -0.150),
            (0.043, -0.158),
            (0.030, -0.156),
        ]
    )
    pauldron = ball((0.0, 0.033, 0.0), 0.068)
    angle = 2 * np.pi * (np.arange(32) + 0.5) / 32
    band = np.stack([0.0672 * np.cos(angle), np.full(32, 0.0436), 0.0672 * np.sin(angle)], axis=1)
    button = soft([(0.0, 0.054), (0.019, 0.053), (0.024, 0.048), (0.025, 0.038)])
    return [
        Part("left_shoulder_link", "red", egg((0.0, 0.033, 0.0), (0.068, 0.068, 0.068), 24, LEFT)),
        Part(
            "left_shoulder_link",
            "yellow",
            cord(pauldron, band, 0.0105, 0.005, closed=True, sides=5),
        ),
        Part("left_upper_arm", "cream", turned(sleeve, 20)),
        Part("left_forearm", "yellow", egg((0.0, 0.0, 0.0), (0.048, 0.048, 0.048), 22, LEFT)),
        Part("left_forearm", "red", pair(turned(button, 14, (0.0, 0.0, 0.0), LEFT))),
        Part("left_forearm", "cream", turned(forearm, 20)),
        Part("left_forearm", "red", turned(cuff, 22)),
    ]


def hand_parts(palm_side: float) -> list[Part]:
    """Return the left hand; `palm_side` is the sign of y toward which its fingers close."""
    palm = union(
        ellipsoid((0.0, 0.0, -0.055), (0.049, 0.034, 0.045)),
        block((0.0, 0.0, -0.066), (0.043, 0.029, 0.029), 0.024),
        ball((0.0, 0.0, -0.004), 0.033),
        cone((0.015, -0.010, -0.045), (0.035, -0.018, -0.05), 0.022, 0.020),
        blend=0.022,
    )

    def finger(lean: float, first: float, second: float, radius: float) -> Mesh:
        """Two thick digits, the outer one bent toward the palm."""
        sine, cosine, bend = float(np.sin(lean)), float(np.cos(lean)), 0.62
        middle = (sine * first, 0.002 * palm_side, -cosine * first)
        tip = (
            middle[0] + sine * float(np.cos(bend)) * second,
            middle[1] + palm_side * float(np.sin(bend)) * second,
            middle[2] - cosine * float(np.cos(bend)) * second,
        )
        digits = union(
            cone((0, 0, 0), middle, radius * 1.08, radius),
            cone(middle, tip, radius * 1.03, radius * 0.97),
            blend=0.003,
        )
        return polygonise(digits, 0.0102)

    return [
        Part("left_hand", "silver", polygonise(palm, 0.0128)),
        Part("left_thumb_link", "silver", finger(0.85, 0.028, 0.024, 0.0182)),
        Part("left_index_link", "silver", finger(0.20, 0.033, 0.024, 0.0168)),
        Part("left_middle_link", "silver", finger(0.0, 0.036, 0.025, 0.0168)),
        Part("left_ring_link", "silver", finger(-0.20, 0.032, 0.023, 0.0163)),
    ]


def _sole() -> Mesh:
    """A rocker sole: flat between the line contacts, rising a little beyond them."""
    loop = oval(0.1345, 0.0545, 36, 2.7)
    loop[:, 1] *= 0.96 + 0.04 * np.tanh(20.0 * loop[:, 0])
    profile = soft(
        [
            (0.0, -0.080),
            (0.90, -0.080),
            (0.97, -0.079),
            (1.0, -0.070),
            (1.0, -0.055),
            (0.96, -0.047),
            (0.5, -0.045),
        ]
    )
    x = 0.0125 + profile[:, :1] * loop[:, 0]
    beyond = np.maximum(x - 0.105, 0.0) + np.maximum(-0.088 - x, 0.0)
    lift = 5.0 * beyond**2 * np.clip((-0.045 - profile[:, 1:]) / 0.035, 0.0, 1.0)
    points = np.stack([x, 0.006 + profile[:, :1] * loop[:, 1], profile[:, 1:] + lift], axis=-1)
    return grid_mesh(points, points - np.array([0.0125, 0.006, -0.06]), wrap=True)


def leg_parts() -> list[Part]:
    """Return the left leg: trouser leg, knee shell, and the boot in shaft and shoe."""
    thigh = soft(
        [
            (0.0, 0.060),
            (0.045, 0.048),
            (0.059, 0.0),
            (0.055, -0.09),
            (0.049, -0.18),
            (0.044, -0.25),
            (0.036, -0.29),
            (0.0, -0.295),
        ]
    )
    shank = soft([(0.0, 0.0), (0.040, -0.01), (0.043, -0.08), (0.040, -0.15), (0.03, -0.2)], 1)
    shaft = soft(
        [
            (0.030, -0.138),
            (0.0525, -0.142),
            (0.0525, -0.20),
            (0.048, -0.25),
            (0.044, -0.275),
            (0.0, -0.280),
        ]
    )
    cuff = soft(
        [
            (0.040, -0.128),
            (0.053, -0.126),
            (0.0585, -0.134),
            (0.0585, -0.160),
            (0.053, -0.168),
            (0.040, -0.166),
        ]
    )
    button = soft([(0.0, 0.0605), (0.021, 0.0595), (0.027, 0.054), (0.028, 0.040)])
    upper = union(
        ellipsoid((0.067, 0.006, -0.042), (0.078, 0.054, 0.046)),
        ellipsoid((-0.046, 0.006, -0.040), (0.070, 0.049, 0.044)),
        ball((0.0, 0.003, 0.0), 0.0525),
        blend=0.035,
    )
    shoe = common(upper, half_space((0, 0, -1), 0.062))
    angle = 2 * np.pi * (np.arange(32) + 0.5) / 32
    ray = np.stack([0.36 * np.sin(angle), np.cos(angle), np.sin(angle)], axis=1)
    cap_loop = cast(shoe, np.tile(np.array([0.080, 0.006, -0.045]), (32, 1)), ray, 0.2)
    return [
        Part("left_thigh", "navy", turned(thigh, 22, (0.0, 0.001, 0.0))),
        Part("left_shank", "navy", turned(shank, 20)),
        Part("left_shank", "yellow", egg((0.004, 0.002, 0.0), (0.056, 0.056, 0.054), 24, LEFT)),
        Part("left_shank", "red", turned(button, 16, (0.004, 0.0, 0.0), LEFT)),
        Part("left_shank", "yellow", turned(shaft, 24, (0.0, 0.003, 0.0))),
        Part("left_shank", "red", turned(cuff, 26, (0.0, 0.003, 0.0))),
        Part("left_foot", "yellow", polygonise(shoe, 0.0152)),
        Part(
            "left_foot",
            "red",
            shell(shoe, (0.070, 0.006, -0.045), cap_loop, (1.0, 0.0, -0.1), 6, 0.003),
        ),
        Part("left_foot", "red", cord(shoe, cap_loop, 0.006, 0.0055, closed=True, sides=4)),
        Part("left_foot", "graphite", _sole()),
    ]
