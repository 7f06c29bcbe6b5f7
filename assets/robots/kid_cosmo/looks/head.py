"""The head: a helmet with crest, ears and antenna, and the face in its window."""

from __future__ import annotations

import numpy as np
from meshes import Part, pair
from sculpt import (
    Field,
    Floats,
    Mesh,
    Vector,
    ellipsoid,
    gradient,
    grown,
    joined,
    placed,
    union,
)
from shapes import FORWARD, LEFT
from surfaces import cast, cord, egg, oval, plate, seen_from_front, shell, soft, soft_loop, turned


def _skull() -> Field:
    return union(
        ellipsoid((0.0, 0.0, 0.193), (0.200, 0.206, 0.196)),
        ellipsoid((0.004, 0.0, 0.165), (0.194, 0.212, 0.163)),
        blend=0.05,
    )


def head_parts() -> list[Part]:
    """Return the helmet with its rim, crest, ears and antenna, and the face in its window."""
    skull, centre = _skull(), (0.0, 0.0, 0.180)
    window = seen_from_front(skull, oval(0.160, 0.128, 60, 2.5), (0.0, 0.0, 0.174))
    arc = np.linspace(np.radians(36.0), np.radians(208.0), 32)
    ray = np.stack([np.cos(arc), 0.0 * arc, np.sin(arc)], axis=1)
    crest = cast(skull, np.tile(np.array(centre), (len(arc), 1)), ray, 0.4)
    ear = soft(
        [
            (0.0, 0.043),
            (0.034, 0.043),
            (0.040, 0.040),
            (0.046, 0.043),
            (0.062, 0.040),
            (0.066, 0.022),
            (0.066, 0.0),
        ]
    )
    lamp = soft([(0.0, 0.052), (0.028, 0.050), (0.037, 0.044), (0.039, 0.030)], 2)
    return [
        Part("head", "red", shell(skull, centre, window, (-1.0, 0.0, 0.0), 18, 0.006)),
        Part("head", "cream", shell(skull, centre, window, (1.0, 0.0, -0.06), 10, -0.002)),
        Part("head", "yellow", cord(skull, window, 0.0155, 0.017, closed=True, sides=8)),
        Part("head", "yellow", cord(skull, crest, 0.026, 0.021, closed=False, sides=8)),
        Part("head", "yellow", pair(turned(ear, 26, (-0.005, 0.192, 0.180), LEFT))),
        Part("head", "teal", pair(turned(lamp, 20, (-0.005, 0.192, 0.180), LEFT))),
        Part("head", "silver", _antenna((-0.030, 0.222, 0.215), (-0.080, 0.258, 0.335))),
        Part("head", "teal", egg((-0.084, 0.261, 0.346), (0.020, 0.020, 0.020), 14)),
        *_face_parts(skull),
    ]


def _antenna(foot: Vector, tip: Vector) -> Mesh:
    along = np.array(tip) - np.array(foot)
    length = float(np.linalg.norm(along))
    profile = soft([(0.013, 0.0), (0.013, 0.015), (0.0065, 0.022), (0.005, length)])
    return turned(profile, 10, foot, (along[0], along[1], along[2]))


def _face_parts(skull: Field) -> list[Part]:
    face = grown(skull, -0.002)
    at = seen_from_front(face, np.array([[0.074, 0.194]]), (0.0, 0.0, 0.0))[0]
    normal = gradient(face, at[None])[0]
    axis = normal / np.linalg.norm(normal) + np.array([0.7, 0.0, 0.0])
    axis /= np.linalg.norm(axis)
    gaze: Vector = (axis[0], axis[1], axis[2])
    origin = at - 0.002 * axis
    eye = placed(
        ellipsoid((0, 0, 0), (0.016, 0.044, 0.058)),
        (origin[0], origin[1], origin[2]),
        gaze,
        (0, 0, 1),
    )

    def on_eye(across: float, up: float, loop: Floats, lift: float, mirror: bool = True) -> Mesh:
        middle = (origin[0], origin[1] + across, origin[2] + up)
        mesh = plate(eye, middle, loop, lift, gaze, rings=2, edge=0.002)
        return pair(mesh) if mirror else mesh

    def on_face(y: float, z: float, loop: Floats, lift: float, edge: float) -> Mesh:
        return plate(face, (0.18, y, z), loop, lift, FORWARD, rings=2, edge=edge)

    smile = soft_loop(
        [
            (-0.068, 0.022),
            (-0.034, 0.008),
            (0.0, 0.004),
            (0.034, 0.008),
            (0.068, 0.022),
            (0.064, -0.008),
            (0.042, -0.038),
            (0.0, -0.049),
            (-0.042, -0.038),
            (-0.064, -0.008),
        ]
    )
    tongue = soft_loop(
        [
            (-0.034, -0.004),
            (0.0, 0.009),
            (0.034, -0.004),
            (0.027, -0.018),
            (0.0, -0.0225),
            (-0.027, -0.018),
        ]
    )
    brow = cast(
        face,
        np.stack(
            [
                np.full(9, 0.4),
                np.linspace(0.048, 0.104, 9),
                0.279 - 7.0 * (np.linspace(0.048, 0.104, 9) - 0.073) ** 2,
            ],
            axis=1,
        ),
        np.array([-1.0, 0.0, 0.0]),
        0.5,
    )
    glints = [on_eye(-0.001, 0.017, oval(0.0105, 0.012, 14), 0.0042, False)]
    glints.append(on_eye(-0.021, 0.017, oval(0.0105, 0.012, 14), 0.0042, False).mirrored())
    glints.append(on_eye(-0.016, -0.016, oval(0.0055, 0.006, 10), 0.0042, False))
    glints.append(on_eye(-0.006, -0.016, oval(0.0055, 0.006, 10), 0.0042, False).mirrored())
    return [
        Part(
            "head",
            "white",
            pair(egg((origin[0], origin[1], origin[2]), (0.044, 0.058, 0.016), 28, gaze, 0.5)),
        ),
        Part("head", "teal", on_eye(-0.007, -0.003, oval(0.033, 0.044, 24), 0.0015)),
        Part("head", "ink", on_eye(-0.010, -0.003, oval(0.0235, 0.033, 20), 0.0028)),
        Part("head", "white", joined(glints)),
        Part("head", "ink", on_face(0.0, 0.108, smile, 0.002, 0.003)),
        Part("head", "coral", on_face(0.0, 0.0865, tongue, 0.0045, 0.003)),
        Part("head", "ink", pair(cord(face, brow, 0.0090, 0.009, closed=False, sides=6))),
        Part("head", "blush", pair(on_face(0.118, 0.128, oval(0.021, 0.015, 20), 0.0010, 0.001))),
        Part("head", "blush", egg((0.197, 0.0, 0.147), (0.012, 0.010, 0.009), 12, FORWARD, 0.6)),
    ]
