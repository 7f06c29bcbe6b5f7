"""The torso: chest with its lamp, waist, pelvis with the hips' housings, and the pack."""

from __future__ import annotations

import numpy as np
from meshes import Part, pair
from sculpt import Field, block, cone, joined, polygonise, union
from shapes import drum, limb, pulley
from surfaces import around, cord, oval, plate, seen_from_behind, seen_from_front

CHEST = limb(
    [
        (0.296, -0.038, 0.0, 0.062, 0.098),
        (0.262, -0.036, 0.0, 0.080, 0.122),
        (0.205, -0.030, 0.0, 0.090, 0.120),
        (0.150, -0.026, 0.0, 0.084, 0.104),
        (0.098, -0.024, 0.0, 0.068, 0.086),
    ],
    3.0,
    0.024,
)
TILT = np.radians(30.0)  # of the axes of hip yaw and shoulder pitch
DOWN = (0.0, float(np.sin(TILT)), -float(np.cos(TILT)))  # the left hip's yaw axis, downward


def _pelvis() -> Field:
    hip = np.array([0.0, 0.06, -0.08938])
    top, end = hip - 0.052 * np.array(DOWN), hip + 0.004 * np.array(DOWN)
    left = cone((top[0], top[1], top[2]), (end[0], end[1], end[2]), 0.044, 0.042)
    right = cone((top[0], -top[1], top[2]), (end[0], -end[1], end[2]), 0.044, 0.042)
    middle = block((-0.008, 0.0, -0.042), (0.058, 0.062, 0.036), 0.026)
    return union(left, right, middle, blend=0.03)


def torso_parts() -> list[Part]:
    """Return the parts of the torso."""
    waist = limb(
        [
            (0.125, -0.022, 0.0, 0.056, 0.070),
            (0.050, -0.016, 0.0, 0.047, 0.056),
            (-0.030, -0.008, 0.0, 0.050, 0.060),
        ],
        2.6,
    )
    pack = block((-0.128, 0.0, 0.195), (0.034, 0.082, 0.078), 0.022)
    lid = block((-0.150, 0.0, 0.195), (0.020, 0.062, 0.058), 0.014)
    lamp_z = 0.222
    lamp = (0.06, 0.0, lamp_z)
    rim = seen_from_front(CHEST, oval(0.026, 0.026, 40), (0.0, 0.0, lamp_z))
    shoulder = (0.0, float(np.cos(TILT)), float(np.sin(TILT)))
    at = np.array([-0.05, 0.156, 0.2625]) - 0.078 * np.array(shoulder)
    hip = np.array([0.0, 0.06, -0.08938])
    socket = hip + 0.040 * np.array(DOWN)
    seam = around(CHEST, (-0.024, 0.0, 0.124), 48)
    ribs = [
        cord(waist, around(waist, (-0.015, 0.0, z), 36), 0.0075, 0.0045, closed=True, sides=5)
        for z in (0.012, 0.034, 0.056, 0.078)
    ]
    slots = [
        cord(
            lid,
            seen_from_behind(lid, np.linspace(-0.036, 0.036, 9), z, -0.15),
            0.0045,
            0.0016,
            False,
            4,
        )
        for z in (0.170, 0.195, 0.220)
    ]
    return [
        Part("torso", "white", polygonise(CHEST, 0.0150)),
        Part("torso", "graphite", polygonise(waist, 0.0190)),
        Part("torso", "white", polygonise(_pelvis(), 0.0125)),
        Part("torso", "graphite", polygonise(pack, 0.0115)),
        Part("torso", "white", polygonise(lid, 0.0110)),
        Part("torso", "graphite", cord(CHEST, seam, 0.0032, 0.0020, closed=True, sides=4)),
        Part("torso", "graphite", joined(ribs)),
        Part("torso", "graphite", joined(slots)),
        Part("torso", "graphite", plate(CHEST, lamp, oval(0.026, 0.026, 40), 0.002)),
        Part("torso", "orange", cord(CHEST, rim, 0.0048, 0.0055, closed=True, sides=6)),
        Part(
            "torso", "cyan", plate(CHEST, lamp, oval(0.012, 0.012, 28), 0.0045)
        ),
        Part("torso", "graphite", drum((-0.012, 0.0, 0.312), (0.0, 0.0, 1.0), 0.034, 0.034)),
        Part("torso", "graphite", pair(drum((at[0], at[1], at[2]), shoulder, 0.044, 0.034))),
        Part(
            "torso", "steel",
            pair(pulley((socket[0], socket[1], socket[2]), DOWN, 0.0455, 0.007)),
        ),
    ]  # fmt: skip
