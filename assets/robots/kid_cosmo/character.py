"""The looks of the robot child, body by body, in the frames of robot.xml.

Left limbs are drawn and the right ones mirrored. Parts of the same body and material become one
mesh.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sculpt import (
    Field,
    Floats,
    Mesh,
    Vector,
    ball,
    block,
    common,
    cone,
    ellipsoid,
    gradient,
    grown,
    half_space,
    joined,
    placed,
    polygonise,
    union,
)
from surfaces import cast, cord, egg, grid_mesh, oval, plate, shell, soft, soft_loop, turned

FORWARD: Vector = (1.0, 0.0, 0.0)
LEFT: Vector = (0.0, 1.0, 0.0)


@dataclass(frozen=True)
class Part:
    """A mesh of one material, in the frame of one body."""

    body: str
    material: str
    mesh: Mesh


def _pair(mesh: Mesh) -> Mesh:
    return joined([mesh, mesh.mirrored()])


def _seen_from_front(surface: Field, loop: Floats, centre: Vector) -> Floats:
    """Project a loop (n, 2) of (y, z) offsets onto a surface from the front."""
    start = np.concatenate([np.full((len(loop), 1), 0.4), loop + np.array(centre)[1:]], axis=1)
    return cast(surface, start, np.array([-1.0, 0.0, 0.0]), 0.5)


def _around(surface: Field, centre: Vector, sides: int, tilt: float = 0.0) -> Floats:
    """Return the horizontal section (n, 3) of a solid through a point inside it."""
    angle = 2.0 * np.pi * (np.arange(sides) + 0.5) / sides
    ray = np.stack([np.cos(angle), np.sin(angle), tilt * np.cos(angle)], axis=1)
    return cast(surface, np.tile(np.array(centre, dtype=float), (sides, 1)), ray, 0.4)


def _skull() -> Field:
    return union(
        ellipsoid((0.0, 0.0, 0.193), (0.200, 0.206, 0.196)),
        ellipsoid((0.004, 0.0, 0.165), (0.194, 0.212, 0.163)),
        blend=0.05,
    )


def head_parts() -> list[Part]:
    """Return the helmet with its rim, crest, ears and antenna, and the face in its window."""
    skull, centre = _skull(), (0.0, 0.0, 0.180)
    window = _seen_from_front(skull, oval(0.160, 0.128, 60, 2.5), (0.0, 0.0, 0.174))
    arc = np.linspace(np.radians(36.0), np.radians(208.0), 32)
    ray = np.stack([np.cos(arc), 0.0 * arc, np.sin(arc)], axis=1)
    crest = cast(skull, np.tile(np.array(centre), (len(arc), 1)), ray, 0.4)
    ear = soft([(0.0, 0.043), (0.034, 0.043), (0.040, 0.040), (0.046, 0.043), (0.062, 0.040), (0.066, 0.022), (0.066, 0.0)])
    lamp = soft([(0.0, 0.052), (0.028, 0.050), (0.037, 0.044), (0.039, 0.030)], 2)
    return [
        Part("head", "red", shell(skull, centre, window, (-1.0, 0.0, 0.0), 18, 0.006)),
        Part("head", "cream", shell(skull, centre, window, (1.0, 0.0, -0.06), 10, -0.002)),
        Part("head", "yellow", cord(skull, window, 0.0155, 0.017, closed=True, sides=8)),
        Part("head", "yellow", cord(skull, crest, 0.026, 0.021, closed=False, sides=8)),
        Part("head", "yellow", _pair(turned(ear, 26, (-0.005, 0.192, 0.180), LEFT))),
        Part("head", "teal", _pair(turned(lamp, 20, (-0.005, 0.192, 0.180), LEFT))),
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
    at = _seen_from_front(face, np.array([[0.074, 0.194]]), (0.0, 0.0, 0.0))[0]
    normal = gradient(face, at[None])[0]
    axis = normal / np.linalg.norm(normal) + np.array([0.7, 0.0, 0.0])
    axis /= np.linalg.norm(axis)
    gaze: Vector = (axis[0], axis[1], axis[2])
    origin = at - 0.002 * axis
    eye = placed(ellipsoid((0, 0, 0), (0.016, 0.044, 0.058)), (origin[0], origin[1], origin[2]), gaze, (0, 0, 1))

    def on_eye(across: float, up: float, loop: Floats, lift: float, mirror: bool = True) -> Mesh:
        middle = (origin[0], origin[1] + across, origin[2] + up)
        mesh = plate(eye, middle, loop, lift, gaze, rings=2, edge=0.002)
        return _pair(mesh) if mirror else mesh

    def on_face(y: float, z: float, loop: Floats, lift: float, edge: float) -> Mesh:
        return plate(face, (0.18, y, z), loop, lift, FORWARD, rings=2, edge=edge)

    smile = soft_loop(
        [(-0.068, 0.022), (-0.034, 0.008), (0.0, 0.004), (0.034, 0.008), (0.068, 0.022), (0.064, -0.008),
         (0.042, -0.038), (0.0, -0.049), (-0.042, -0.038), (-0.064, -0.008)]
    )
    tongue = soft_loop([(-0.034, -0.004), (0.0, 0.009), (0.034, -0.004), (0.027, -0.018), (0.0, -0.0225), (-0.027, -0.018)])
    brow = cast(
        face,
        np.stack([np.full(9, 0.4), np.linspace(0.048, 0.104, 9), 0.279 - 7.0 * (np.linspace(0.048, 0.104, 9) - 0.073) ** 2], axis=1),
        np.array([-1.0, 0.0, 0.0]),
        0.5,
    )
    glints = [on_eye(-0.001, 0.017, oval(0.0105, 0.012, 14), 0.0042, False)]
    glints.append(on_eye(-0.021, 0.017, oval(0.0105, 0.012, 14), 0.0042, False).mirrored())
    glints.append(on_eye(-0.016, -0.016, oval(0.0055, 0.006, 10), 0.0042, False))
    glints.append(on_eye(-0.006, -0.016, oval(0.0055, 0.006, 10), 0.0042, False).mirrored())
    return [
        Part("head", "white", _pair(egg((origin[0], origin[1], origin[2]), (0.044, 0.058, 0.016), 28, gaze, 0.5))),
        Part("head", "teal", on_eye(-0.007, -0.003, oval(0.033, 0.044, 24), 0.0015)),
        Part("head", "ink", on_eye(-0.010, -0.003, oval(0.0235, 0.033, 20), 0.0028)),
        Part("head", "white", joined(glints)),
        Part("head", "ink", on_face(0.0, 0.108, smile, 0.002, 0.003)),
        Part("head", "coral", on_face(0.0, 0.0865, tongue, 0.0045, 0.003)),
        Part("head", "ink", _pair(cord(face, brow, 0.0090, 0.009, closed=False, sides=6))),
        Part("head", "blush", _pair(on_face(0.118, 0.128, oval(0.021, 0.015, 20), 0.0010, 0.001))),
        Part("head", "blush", egg((0.197, 0.0, 0.147), (0.012, 0.010, 0.009), 12, FORWARD, 0.6)),
    ]


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
        _torso_hull, ball((-0.002, 0.120, 0.352), 0.060), ball((-0.002, -0.120, 0.352), 0.060), blend=0.06
    )
    jacket = common(body, half_space((0, 0, -1), -0.080), edge=0.016)
    seat = union(grown(_torso_hull, -0.009), ellipsoid((0.0, 0.0, 0.030), (0.108, 0.126, 0.060)), blend=0.03)
    trousers = common(seat, half_space((0, 0, 1), 0.075))
    badge_z = 0.240
    zip_path = _seen_from_front(body, np.stack([np.zeros(18), np.linspace(0.092, 0.376, 18)], axis=1), (0, 0, 0))
    seat_loop = _around(grown(_torso_hull, -0.009), (0.0, 0.0, 0.058), 40)
    hem_loop = _around(body, (0.0, 0.0, 0.096), 40)
    tips = np.pi / 2 + np.pi / 5 * np.arange(10)
    radius = np.where(np.arange(10) % 2 == 0, 0.052, 0.0245)
    corners = np.stack([radius * np.cos(tips), radius * np.sin(tips)], axis=1)
    star = np.concatenate([corners[:, None] * (1 - t) + np.roll(corners, -1, axis=0)[:, None] * t for t in (0.0, 0.25, 0.5, 0.75)], axis=1).reshape(-1, 2)
    badge_loop = _seen_from_front(body, oval(0.064, 0.064, 44), (0.0, 0.0, badge_z))
    collar_path = _around(_torso_hull, (0.0, 0.0, 0.400), 28)
    pack = block((-0.116, 0.0, 0.235), (0.034, 0.084, 0.092), 0.030)
    bottle = soft([(0.0, 0.062), (0.012, 0.062), (0.026, 0.052), (0.027, 0.020), (0.027, -0.05), (0.020, -0.056), (0.024, -0.078), (0.0, -0.074)])
    socket = soft([(0.0, 0.034), (0.044, 0.032), (0.048, 0.024), (0.048, 0.0)])
    buckle = block((0.117, 0.0, 0.058), (0.013, 0.031, 0.023), 0.009)
    neck = soft([(0.0, 0.07), (0.055, 0.07), (0.06, 0.04), (0.066, 0.0), (0.070, -0.03), (0.06, -0.05)])
    return [
        Part("torso", "red", polygonise(jacket, 0.0200)),
        Part("torso", "dark_red", cord(body, hem_loop, 0.019, 0.010, closed=True, sides=6)),
        Part("torso", "navy", polygonise(trousers, 0.0210)),
        Part("torso", "yellow", cord(grown(_torso_hull, -0.009), seat_loop, 0.0185, 0.009, closed=True, sides=6)),
        Part("torso", "silver", polygonise(buckle, 0.0125)),
        Part("torso", "yellow", cord(body, zip_path, 0.0105, 0.006, closed=False, sides=5)),
        Part("torso", "cream", cord(_torso_hull, collar_path, 0.028, 0.024, closed=True, sides=8)),
        Part("torso", "navy", plate(body, (0.13, 0.0, badge_z), oval(0.066, 0.066, 44), 0.006, FORWARD)),
        Part("torso", "cream", cord(body, badge_loop, 0.0075, 0.010, closed=True, sides=6)),
        Part("torso", "yellow", plate(body, (0.13, 0.0, badge_z - 0.002), star, 0.011, FORWARD, rings=3, edge=0.004)),
        Part("torso", "navy", polygonise(pack, 0.0205)),
        Part("torso", "silver", _pair(turned(bottle, 16, (-0.146, 0.045, 0.240)))),
        Part("torso", "graphite", _pair(turned(socket, 20, (0.0, 0.15, 0.36), LEFT))),
        Part("neck", "graphite", turned(neck, 24)),
    ]


def arm_parts() -> list[Part]:
    """Return the left arm down to the wrist."""
    sleeve = soft([(0.0, 0.0), (0.040, -0.01), (0.041, -0.08), (0.036, -0.13), (0.034, -0.20), (0.0, -0.205)])
    forearm = soft([(0.0, 0.0), (0.031, -0.005), (0.034, -0.06), (0.040, -0.11), (0.038, -0.165), (0.0, -0.168)])
    cuff = soft([(0.030, -0.118), (0.043, -0.116), (0.0475, -0.124), (0.0475, -0.150), (0.043, -0.158), (0.030, -0.156)])
    pauldron = ball((0.0, 0.033, 0.0), 0.068)
    angle = 2 * np.pi * (np.arange(32) + 0.5) / 32
    band = np.stack([0.0672 * np.cos(angle), np.full(32, 0.0436), 0.0672 * np.sin(angle)], axis=1)
    button = soft([(0.0, 0.054), (0.019, 0.053), (0.024, 0.048), (0.025, 0.038)])
    return [
        Part("left_shoulder_link", "red", egg((0.0, 0.033, 0.0), (0.068, 0.068, 0.068), 24, LEFT)),
        Part("left_shoulder_link", "yellow", cord(pauldron, band, 0.0105, 0.005, closed=True, sides=5)),
        Part("left_upper_arm", "cream", turned(sleeve, 20)),
        Part("left_forearm", "yellow", egg((0.0, 0.0, 0.0), (0.048, 0.048, 0.048), 22, LEFT)),
        Part("left_forearm", "red", _pair(turned(button, 14, (0.0, 0.0, 0.0), LEFT))),
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
    profile = soft([(0.0, -0.080), (0.90, -0.080), (0.97, -0.079), (1.0, -0.070), (1.0, -0.055), (0.96, -0.047), (0.5, -0.045)])
    x = 0.0125 + profile[:, :1] * loop[:, 0]
    beyond = np.maximum(x - 0.105, 0.0) + np.maximum(-0.088 - x, 0.0)
    lift = 5.0 * beyond**2 * np.clip((-0.045 - profile[:, 1:]) / 0.035, 0.0, 1.0)
    points = np.stack([x, 0.006 + profile[:, :1] * loop[:, 1], profile[:, 1:] + lift], axis=-1)
    return grid_mesh(points, points - np.array([0.0125, 0.006, -0.06]), wrap=True)


def leg_parts() -> list[Part]:
    """Return the left leg: trouser leg, knee shell, and the boot in shaft and shoe."""
    thigh = soft([(0.0, 0.060), (0.045, 0.048), (0.059, 0.0), (0.055, -0.09), (0.049, -0.18), (0.044, -0.25), (0.036, -0.29), (0.0, -0.295)])
    shank = soft([(0.0, 0.0), (0.040, -0.01), (0.043, -0.08), (0.040, -0.15), (0.03, -0.2)], 1)
    shaft = soft([(0.030, -0.138), (0.0525, -0.142), (0.0525, -0.20), (0.048, -0.25), (0.044, -0.275), (0.0, -0.280)])
    cuff = soft([(0.040, -0.128), (0.053, -0.126), (0.0585, -0.134), (0.0585, -0.160), (0.053, -0.168), (0.040, -0.166)])
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
    cap_loop = cast(upper, np.tile(np.array([0.080, 0.006, -0.045]), (32, 1)), ray, 0.2)
    return [
        Part("left_thigh", "navy", turned(thigh, 22, (0.0, 0.001, 0.0))),
        Part("left_shank", "navy", turned(shank, 20)),
        Part("left_shank", "yellow", egg((0.004, 0.002, 0.0), (0.056, 0.056, 0.054), 24, LEFT)),
        Part("left_shank", "red", turned(button, 16, (0.004, 0.0, 0.0), LEFT)),
        Part("left_shank", "yellow", turned(shaft, 24, (0.0, 0.003, 0.0))),
        Part("left_shank", "red", turned(cuff, 26, (0.0, 0.003, 0.0))),
        Part("left_foot", "yellow", polygonise(shoe, 0.0152)),
        Part("left_foot", "red", shell(upper, (0.070, 0.006, -0.045), cap_loop, (1.0, 0.0, -0.1), 6, 0.003)),
        Part("left_foot", "red", cord(upper, cap_loop, 0.006, 0.0055, closed=True, sides=4)),
        Part("left_foot", "graphite", _sole()),
    ]
