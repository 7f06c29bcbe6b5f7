"""A person's landmarks as a pose model would tell them without error."""

import numpy as np

from devices.capture.landmarks import COUNT
from devices.capture.skeleton import INDEX, SIDES
from devices.interface import Floats

_NUMBER = {
    "upper_arm": 11, "lower_arm": 13, "hand": 15,
    "upper_leg": 23, "lower_leg": 25, "foot": 27, "toe": 31,
}  # fmt: skip


def landmarks(points: Floats, turns: Floats) -> Floats:
    """Return the landmarks of a person who faces along x (33, 4), as a camera before them sees it.

    Args:
        points: of the joints (22, 3) [m].
        turns: of the bones (22, 3, 3).
    """
    found = np.zeros((COUNT, 3))
    for part, number in _NUMBER.items():
        for right, side in enumerate(SIDES):
            found[number + right] = points[INDEX[f"{side}_{part}"]]
    shoulders = (found[11] + found[12]) / 2.0
    head, axes = points[INDEX["head"]], turns[INDEX["head"]]
    ears = shoulders + (head - shoulders) / 0.7
    found[0] = ears + axes @ [0.1, 0.0, 0.0]
    found[7], found[8] = ears + axes @ [0.0, 0.07, 0.0], ears - axes @ [0.0, 0.07, 0.0]
    found -= (found[23] + found[24]) / 2.0
    return np.column_stack((found[:, 1], -found[:, 2], -found[:, 0], np.ones(COUNT)))
