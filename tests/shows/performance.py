"""A person who waves, in the styles of several programs."""

import numpy as np

from shows.bvh import encode_bvh
from shows.joints import Floats
from tests.shows.people import Style, write

COUNT = 60  # frames at 120 a second
DOWN = np.array([0.08, -0.12, -1.0])
RAISED, FOREARM = np.array([0.25, -0.95, 0.0]), np.array([0.15, 0.0, 1.0])


def turned_to(side: str, directions: Floats) -> Floats:
    """Return the shortest rotations from the T-pose's arm to directions (k, 3, 3)."""
    along = np.array([0.0, 1.0 if side == "left" else -1.0, 0.0])
    found = []
    for direction in directions:
        end = direction / np.linalg.norm(direction)
        x, y, z = np.cross(along, end)
        cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
        found.append(np.eye(3) + cross + cross @ cross / (1.0 + along @ end))
    return np.array(found)


def waving(style: Style, count: int = COUNT) -> bytes:
    """Return the file of a person who raises the right hand and waves with it."""
    share = np.minimum(1.0, 3.0 * np.linspace(0.0, 1.0, count))[:, None]
    wave = 0.4 * np.sin(np.linspace(0.0, 9.0, count))[:, None] * share
    upper = DOWN + share * (RAISED - DOWN)
    fore = DOWN + share * (FOREARM - DOWN) + wave * [0.0, 1.0, 0.0]
    mirrored = np.array([1.0, -1.0, 1.0])
    left = np.tile(DOWN * mirrored, (count, 1))
    turns = {}
    for side, arm, hand in (("left", left, left), ("right", upper, fore)):
        raised = turned_to(side, arm)
        turns[f"{side}_upper_arm"] = raised
        turns[f"{side}_lower_arm"] = np.swapaxes(raised, 1, 2) @ turned_to(side, hand)
    return encode_bvh(write(style, turns, np.zeros((count, 3))))
