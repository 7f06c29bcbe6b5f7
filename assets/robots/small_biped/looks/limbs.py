"""The left arm, hand and leg; the right ones are their mirror images."""

from __future__ import annotations

import numpy as np
from meshes import Part
from sculpt import Mesh, ball, block, cone, joined, polygonise, union
from shapes import LEFT, UP, drum, limb, ring, slab, sleeve

KNEE = -0.11  # of the thigh's frame
WHEEL = 0.0235  # radius of the knee


def arm_parts() -> list[Part]:
    """Return the left arm down to the wrist."""
    upper = sleeve(
        [
            (-0.012, 0.0, 0.0, 0.0150, 0.0150),
            (-0.026, 0.0, 0.0, 0.0178, 0.0178),
            (-0.044, 0.0, 0.0, 0.0172, 0.0172),
            (-0.066, 0.0, 0.0, 0.0150, 0.0150),
        ],
        2.2,
        sides=24,
        rows=9,
    )
    forearm = sleeve(
        [
            (-0.008, 0.0, 0.0, 0.0150, 0.0150),
            (-0.030, 0.0, 0.0, 0.0180, 0.0180),
            (-0.050, 0.0, 0.0, 0.0205, 0.0200),
            (-0.064, 0.0, 0.0, 0.0205, 0.0200),
        ],
        2.2,
        sides=24,
        rows=9,
    )
    return [
        Part("left_shoulder_link", "slate", drum((0.0, -0.004, 0.0), LEFT, 0.0185, 0.020)),
        Part("left_shoulder_yoke", "mint", polygonise(ball((0.0, 0.0, 0.0), 0.0255), 0.0050)),
        Part("left_upper_arm", "white", upper),
        Part("left_forearm", "slate", polygonise(ball((0.0, 0.0, 0.0), 0.0172), 0.0044)),
        Part("left_forearm", "white", forearm),
        Part("left_forearm", "mint", ring((0.0, 0.0, -0.057), UP, 0.0200, 0.0055, 0.0022)),
    ]


def hand_parts() -> list[Part]:
    """Return the left hand; its fingers close toward -y."""
    palm = union(
        ball((0.0, 0.0, -0.002), 0.0140),
        block((0.0, 0.0, -0.023), (0.0205, 0.0095, 0.0165), 0.0085),
        cone((0.010, -0.003, -0.012), (0.0185, -0.004, -0.015), 0.0080, 0.0070),
        blend=0.007,
    )

    def finger(lean: float, length: float, radius: float) -> Mesh:
        """Return two digits, the outer one bent a little toward the palm."""
        sine, cosine = float(np.sin(lean)), float(np.cos(lean))
        middle = (sine * 0.55 * length, 0.0, -cosine * 0.55 * length)
        tip = (sine * length, -0.26 * length, -cosine * 0.95 * length)
        digits = union(
            cone((0.0, 0.0, 0.0), middle, 1.05 * radius, radius),
            cone(middle, tip, radius, 0.92 * radius),
            blend=0.002,
        )
        return polygonise(digits, 0.0031)

    return [
        Part("left_hand", "slate", polygonise(palm, 0.0042)),
        Part("left_thumb_link", "slate", finger(0.75, 0.018, 0.0058)),
        Part("left_index_link", "slate", finger(0.12, 0.020, 0.0052)),
        Part("left_middle_link", "slate", finger(0.03, 0.022, 0.0052)),
        Part("left_ring_link", "slate", finger(-0.04, 0.020, 0.0052)),
        Part("left_little_link", "slate", finger(-0.14, 0.0165, 0.0050)),
    ]


def leg_parts() -> list[Part]:
    """Return the left leg: hip, thigh, knee, shank, ankle and shoe."""
    thigh = sleeve(
        [
            (-0.006, 0.0, 0.0, 0.0265, 0.0255),
            (-0.030, 0.0, 0.0, 0.0290, 0.0270),
            (-0.062, 0.001, 0.0, 0.0260, 0.0245),
            (-0.096, 0.004, 0.0, 0.0195, 0.0215),
        ],
        2.3,
        (KNEE, WHEEL + 0.0025),
        32,
        16,
    )
    shank = sleeve(
        [
            (-0.010, 0.004, 0.0, 0.0190, 0.0210),
            (-0.040, 0.001, 0.0, 0.0225, 0.0215),
            (-0.066, 0.0, 0.0, 0.0250, 0.0240),
            (-0.090, 0.0, 0.0, 0.0265, 0.0255),
        ],
        2.3,
        (0.0, WHEEL + 0.0025),
        32,
        16,
    )
    caps = [drum((0.0, side * 0.0215, 0.0), LEFT, 0.0150, 0.0025, 0.0015) for side in (1.0, -1.0)]
    return [
        Part("left_hip_link", "slate", drum((0.0, 0.0, 0.016), UP, 0.0235, 0.016)),
        Part("left_hip_yoke", "slate", polygonise(ball((0.0, 0.0, 0.0), 0.0270), 0.0060)),
        Part("left_thigh", "white", thigh),
        Part("left_thigh", "slate", polygonise(
            block((0.0, 0.0, -0.088), (0.012, 0.014, 0.020), 0.004), 0.0070
        )),
        Part("left_shank", "slate", drum((0.0, 0.0, 0.0), LEFT, WHEEL, 0.0205, 0.003, 36)),
        Part("left_shank", "slate", polygonise(
            block((0.0, 0.0, -0.022), (0.012, 0.014, 0.020), 0.004), 0.0070
        )),
        Part("left_shank", "slate", drum((0.0, 0.0, -0.092), UP, 0.0170, 0.0130)),
        Part("left_shank", "mint", joined(caps)),
        Part("left_shank", "white", shank),
        Part("left_shank", "mint", ring((0.0, 0.0, -0.082), UP, 0.0262, 0.0050, 0.0022)),
        *_foot(),
    ]  # fmt: skip


def _foot() -> list[Part]:
    bottom = -0.035
    sole = np.array(
        [
            (0.0, bottom),
            (0.96, bottom),
            (0.985, bottom + 0.0006),
            (1.0, bottom + 0.002),
            (1.0, bottom + 0.0060),
            (0.975, bottom + 0.0076),
            (0.0, bottom + 0.0076),
        ]
    )
    shoe = limb(
        [
            (0.004, -0.006, 0.0, 0.0200, 0.0195),
            (-0.008, -0.003, 0.0, 0.0265, 0.0230),
            (-0.018, 0.002, 0.0, 0.0420, 0.0265),
            (-0.031, 0.0, 0.0, 0.0480, 0.0285),
        ],
        2.8,
        0.008,
    )
    return [
        Part("left_ankle_link", "slate", polygonise(ball((0.0, 0.0, 0.0), 0.0195), 0.0050)),
        Part("left_foot", "slate", slab(0.050, 0.030, (0.0, 0.0), sole, 0.020)),
        Part("left_foot", "mint", polygonise(shoe, 0.0050)),
    ]
