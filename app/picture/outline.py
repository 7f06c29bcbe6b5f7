"""The outermost corners of a robot's bodies."""

import math
from functools import lru_cache

import numpy as np

from app.picture.robot_tree import Floats, RobotTree

DIRECTIONS = 480  # in which a body's outermost corners are looked for


class Outline:
    """The outermost corners of every body, which tell how low it reaches at any attitude.

    Attributes:
        corners: index of each drawn body, and its corners in the body's frame (k, 3) [m].
    """

    def __init__(self, tree: RobotTree) -> None:
        self.corners: list[tuple[int, Floats]] = []
        for index, body in enumerate(tree.bodies):
            if body.patches:
                found = np.concatenate([patch.mesh.positions for patch in body.patches])
                outermost = np.unique(np.argmax(found @ _directions().T, axis=0))
                self.corners.append((index, found[outermost].astype(np.float64)))

    def height(self, poses: Floats) -> float:
        """Return the height from the lowest to the highest corner [m]; see `lowest`."""
        heights = [poses[i, 2, :3] @ corners.T + poses[i, 2, 3] for i, corners in self.corners]
        return float(np.ptp(np.concatenate(heights))) if heights else 0.0

    def lowest(self, poses: Floats) -> float:
        """Return the height of the lowest corner [m] for the pose of every body (n, 4, 4)."""
        heights = (poses[i, 2, :3] @ corners.T + poses[i, 2, 3] for i, corners in self.corners)
        return min((float(height.min()) for height in heights), default=0.0)


@lru_cache(maxsize=2)
def outline(tree: RobotTree) -> Outline:
    """Return the outline of a robot, which takes a while the first time."""
    return Outline(tree)


def _directions() -> Floats:
    """Return directions that lie evenly around (n, 3): a Fibonacci lattice."""
    places = np.arange(DIRECTIONS) + 0.5
    z = 1.0 - 2.0 * places / DIRECTIONS
    around = math.pi * (1.0 + math.sqrt(5.0)) * places
    radius = np.sqrt(1.0 - z * z)
    return np.stack([radius * np.cos(around), radius * np.sin(around), z], axis=1)
