"""The person as capsules between the joints of a human skeleton: radii, and the head."""

from collections.abc import Sequence

import numpy as np

from app.picture.robot_tree import Floats
from core.link.message import Vector3
from shows.human import BONES, INDEX, PARENTS

SHORT_M = 0.005  # a shorter bone is not drawn
SKULL_M = 0.105  # radius of the head, whose joint is at its base
RADIUS_M = 0.055  # of a capsule that is not in RADII_M
RADII_M = {  # of the capsule that ends at a joint, by the joint's name without side and number
    "spine": 0.105,
    "shoulder": 0.06,
    "lower_arm": 0.05,
    "hand": 0.04,
    "upper_leg": 0.085,
    "lower_leg": 0.07,
    "foot": 0.05,
    "toe": 0.04,
}


def radius_of(bone: str) -> float:
    """Return the radius of the capsule that ends at a bone's joint [m]."""
    part = bone.removeprefix("left_").removeprefix("right_")
    return RADII_M.get(part.rstrip("_0123456789"), RADIUS_M)


def joints_of(positions: Sequence[Vector3]) -> Floats | None:
    """Return positions of the joints as an array (22, 3) [m]; None for anything else."""
    if len(positions) != len(BONES):
        return None
    found: Floats = np.array(positions, dtype=np.float64)
    return found if np.isfinite(found).all() else None


def skull(joints: Floats) -> Floats:
    """Return the middle of the head (3) [m].

    Args:
        joints: positions of the joints (22, 3) [m].
    """
    index = INDEX["head"]
    head = joints[index]
    along = head - joints[PARENTS[index]]
    length = float(np.linalg.norm(along))
    up = along / length if length > SHORT_M else np.array([0.0, 0.0, 1.0])
    found: Floats = head + 0.9 * SKULL_M * up
    return found
