"""Postures of a person, as a source measures them: from the T-pose."""

import numpy as np

from devices.capture.rotation import rotations
from devices.capture.skeleton import BONES, PARENTS
from devices.interface import Floats
from tests.shows.people import offset_of


def posture(seed: int = 0, size: float = 0.5) -> tuple[Floats, Floats]:
    """Return positions (22, 3) and orientations (22, 3, 3) with bones turned at random.

    Args:
        seed: of the turns.
        size: of the turns; 0 is the T-pose.
    """
    draw = np.random.default_rng(seed)
    q = np.column_stack((np.ones(len(BONES)), size * draw.uniform(-0.5, 0.5, (len(BONES), 3))))
    local = rotations(q / np.linalg.norm(q, axis=1, keepdims=True))
    points, turns = np.zeros((len(BONES), 3)), np.zeros((len(BONES), 3, 3))
    for index, (bone, parent) in enumerate(zip(BONES, PARENTS, strict=True)):
        above = np.eye(3) if parent < 0 else turns[parent]
        start = np.zeros(3) if parent < 0 else points[parent]
        points[index], turns[index] = start + above @ offset_of(bone), above @ local[index]
    return points, turns
