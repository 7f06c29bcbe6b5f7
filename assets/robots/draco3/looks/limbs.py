"""The left arm and leg; the right ones are their mirror images."""

from __future__ import annotations

import numpy as np
from meshes import Part
from sculpt import (
    Mesh,
    Vector,
    ball,
    block,
    common,
    cone,
    half_space,
    joined,
    polygonise,
    union,
)
from shapes import FORWARD, LEFT, UP, drum, limb, plank, pulley, ring, slab, sleeve, studs

KNEE_RADIUS = 0.05587  # of both pulleys, which roll on one another
KNEE = (0.0, 0.0, -0.32423)
HALF = 0.022  # of the pulleys' thickness


def arm_parts() -> list[Part]:
    """Return the left arm with its gripper."""
    upper = sleeve(
        [
            (-0.062, 0.0, 0.0, 0.031, 0.031),
            (-0.090, 0.0, 0.0, 0.036, 0.036),
            (-0.150, 0.0, 0.0, 0.033, 0.033),
            (-0.212, 0.0, 0.0, 0.027, 0.028),
        ],
        2.3,
        sides=28,
        rows=12,
    )
    cap = common(ball((0.0, 0.006, 0.0), 0.048), half_space((0, 0, -1), 0.034), edge=0.01)
    forearm = sleeve(
        [
            (-0.040, 0.0, 0.0, 0.027, 0.027),
            (-0.064, 0.0, 0.0, 0.031, 0.031),
            (-0.100, 0.0, 0.0, 0.028, 0.028),
            (-0.132, 0.0, 0.0, 0.022, 0.022),
        ],
        2.3,
        sides=28,
        rows=10,
    )
    palm = limb(
        [(-0.016, 0.0, 0.0, 0.014, 0.016), (-0.036, 0.0, 0.0, 0.017, 0.030),
         (-0.056, 0.0, 0.0, 0.016, 0.031)], 3.0, 0.006,
    )  # fmt: skip
    return [
        Part("left_shoulder_link", "graphite", drum((0.0, -0.040, 0.0), LEFT, 0.043, 0.040)),
        Part("left_shoulder_link", "orange", ring((0.0, -0.030, 0.0), LEFT, 0.043, 0.004, 0.0015)),
        Part("left_shoulder_yoke", "white", polygonise(cap, 0.0095)),
        Part("left_upper_arm", "graphite", drum((0.0, 0.0, -0.048), UP, 0.032, 0.020)),
        Part("left_upper_arm", "white", upper),
        Part("left_upper_arm", "graphite", drum((0.0, 0.0, -0.232), UP, 0.020, 0.026)),
        Part("left_elbow_link", "graphite", drum((0.0, 0.0, 0.0), LEFT, 0.032, 0.032)),
        Part("left_elbow_link", "orange", joined([
            drum((0.0, 0.033, 0.0), LEFT, 0.018, 0.003, 0.0015),
            drum((0.0, -0.033, 0.0), LEFT, 0.018, 0.003, 0.0015),
        ])),
        Part("left_elbow_link", "graphite", drum((0.0, 0.0, -0.030), UP, 0.024, 0.014)),
        Part("left_forearm", "white", forearm),
        Part("left_forearm", "graphite", drum((0.0, 0.0, -0.143), UP, 0.016, 0.016)),
        Part("left_hand", "graphite", drum((0.0, 0.0, 0.0), LEFT, 0.020, 0.024, 0.003)),
        Part("left_hand", "graphite", polygonise(palm, 0.0070)),
        Part("left_hand", "steel", joined([_finger(1.0), _finger(-1.0)])),
        Part("left_hand", "orange", joined([_pad(1.0), _pad(-1.0)])),
    ]  # fmt: skip


def _finger(side: float) -> Mesh:
    """Return a finger of two digits, bent inward."""
    root, knuckle, tip = (
        (0.0, side * y, z) for y, z in ((0.020, -0.054), (0.036, -0.086), (0.019, -0.130))
    )
    digits = union(
        cone(root, knuckle, 0.010, 0.009), cone(knuckle, tip, 0.009, 0.0065), blend=0.004
    )
    return polygonise(digits, 0.0055)


def _pad(side: float) -> Mesh:
    inner = cone((0.0, side * 0.0285, -0.092), (0.0, side * 0.0155, -0.127), 0.0065, 0.0055)
    return polygonise(inner, 0.0050)


def leg_parts() -> list[Part]:
    """Return the left leg: hip, thigh, the rolling knee, shank, ankle and foot."""
    return _hip() + _thigh() + _knee() + _shank() + _foot()


def _hip() -> list[Part]:
    return [
        Part("left_hip_link", "graphite", drum((0.0, 0.0, -0.020), UP, 0.034, 0.036)),
        Part("left_hip_yoke", "graphite", drum((0.0, 0.0, 0.0), FORWARD, 0.034, 0.048)),
        Part("left_hip_yoke", "graphite", drum((0.0, 0.0, 0.0), LEFT, 0.034, 0.044)),
        Part("left_hip_yoke", "steel", pulley((0.052, 0.0, 0.0), FORWARD, 0.038, 0.007)),
        Part("left_hip_yoke", "orange", drum((0.057, 0.0, 0.0), FORWARD, 0.012, 0.004, 0.0015)),
    ]


def _thigh() -> list[Part]:
    shell = sleeve(
        [
            (0.036, 0.0, 0.037, 0.028, 0.009),
            (0.0, 0.0, 0.036, 0.043, 0.012),
            (-0.052, 0.0, 0.034, 0.050, 0.014),
            (-0.088, 0.003, 0.012, 0.056, 0.037),
            (-0.120, 0.005, 0.003, 0.059, 0.047),
            (-0.160, 0.005, 0.001, 0.057, 0.046),
            (-0.215, 0.003, 0.0, 0.050, 0.042),
            (-0.300, 0.0, 0.0, 0.043, 0.036),
        ],
        2.5,
        (KNEE[2], KNEE_RADIUS + 0.005),
        36,
        26,
    )
    return [
        Part("left_thigh", "white", shell),
        Part("left_thigh", "steel", pulley((0.0, 0.056, 0.0), LEFT, 0.044, 0.008)),
        Part("left_thigh", "orange", drum((0.0, 0.062, 0.0), LEFT, 0.013, 0.004, 0.0015)),
        Part("left_thigh", "graphite", polygonise(
            block((0.0, 0.0, -0.268), (0.036, 0.018, 0.040), 0.008), 0.0125
        )),
        *_wheel("left_thigh", KNEE),
    ]  # fmt: skip


def _wheel(body: str, centre: Vector) -> list[Part]:
    """Return a pulley of the knee: its studs show how it rolls."""
    return [
        Part(body, "steel", pulley(centre, LEFT, KNEE_RADIUS, HALF, 44)),
        Part(body, "graphite", studs(centre, LEFT, 0.0475, 0.0038, HALF + 0.0007)),
    ]


def _knee() -> list[Part]:
    """Return the link between the two axes: a bar on either side of the pulleys."""
    end = (0.0, 0.0, -0.11174)
    turn = np.linspace(-0.32 * np.pi, 0.32 * np.pi, 12)
    arc = np.stack([0.023 * np.sin(turn), 0.05587 + 0.023 * np.cos(turn)], axis=1)
    outline = np.concatenate(
        [arc, [[0.0155, 0.02], [0.0155, -0.02]], -arc, [[-0.0155, -0.02], [-0.0155, 0.02]]]
    )
    bars = [plank(outline, (0.0, side * (HALF + 0.0058), -0.05587), 0.0042) for side in (1.0, -1.0)]
    caps = [
        drum((0.0, side * (HALF + 0.0105), z), LEFT, 0.013, 0.0025, 0.0012, 24)
        for side in (1.0, -1.0)
        for z in (0.0, end[2])
    ]
    return [
        Part("left_knee_link", "graphite", joined(bars)),
        Part("left_knee_link", "orange", joined(caps)),
    ]


def _shank() -> list[Part]:
    shell = sleeve(
        [
            (-0.030, -0.001, 0.0, 0.042, 0.035),
            (-0.095, -0.006, 0.001, 0.047, 0.039),
            (-0.150, -0.004, 0.003, 0.040, 0.035),
            (-0.208, 0.0, 0.006, 0.028, 0.027),
        ],
        2.4,
        (0.0, KNEE_RADIUS + 0.005),
        32,
        18,
    )
    return [
        Part("left_shank", "white", shell),
        *_wheel("left_shank", (0.0, 0.0, 0.0)),
        Part("left_shank", "graphite", polygonise(
            block((0.0, 0.0, -0.056), (0.034, 0.018, 0.040), 0.008), 0.0125
        )),
        Part("left_shank", "graphite", drum((0.0, 0.006, -0.225), UP, 0.019, 0.028)),
    ]  # fmt: skip


def _foot() -> list[Part]:
    middle = (0.0, -0.0084)
    bottom = -0.0878
    sole = np.array(
        [
            (0.0, bottom),
            (0.96, bottom),
            (0.985, bottom + 0.001),
            (1.0, bottom + 0.004),
            (1.0, bottom + 0.010),
            (0.98, bottom + 0.0125),
            (0.0, bottom + 0.0125),
        ]
    )
    welt = np.array(
        [(0.9, -0.078), (0.97, -0.0775), (0.97, -0.0725), (0.95, -0.0715), (0.0, -0.0715)]
    )
    cover = limb(
        [
            (-0.018, -0.002, 0.0, 0.026, 0.026),
            (-0.040, 0.000, -0.003, 0.040, 0.034),
            (-0.058, 0.003, -0.0084, 0.082, 0.042),
            (-0.070, 0.000, -0.0084, 0.101, 0.0445),
            (-0.084, 0.000, -0.0084, 0.101, 0.0445),
        ],
        4.0,
        0.006,
    )
    return [
        Part("left_ankle_link", "graphite", drum((0.0, 0.0, 0.0), LEFT, 0.025, 0.032)),
        Part("left_ankle_link", "orange", joined([
            drum((0.0, 0.032, 0.0), LEFT, 0.012, 0.003, 0.0015),
            drum((0.0, -0.032, 0.0), LEFT, 0.012, 0.003, 0.0015),
        ])),
        Part("left_foot", "graphite", drum((0.0, 0.0, 0.0), FORWARD, 0.022, 0.036)),
        Part("left_foot", "graphite", slab(0.110, 0.050, middle, sole)),
        Part("left_foot", "orange", slab(0.110, 0.050, middle, welt)),
        Part("left_foot", "white", polygonise(cover, 0.0105)),
    ]  # fmt: skip
