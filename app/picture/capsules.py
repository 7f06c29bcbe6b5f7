"""Capsules around the bodies of a robot and the bones of a person, and how far they are apart."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from app.picture.outline import outline
from app.picture.robot_tree import Floats, RobotTree
from app.picture.skeleton import SKULL_M, radius_of, skull
from core.link.message import Vector3
from shows.human import INDEX, PARENTS

GIRTH = 80.0  # percent of a body's outermost corners that its capsule holds across


@dataclass(frozen=True, eq=False)
class Capsules:
    """Some capsules in one frame.

    Attributes:
        starts: of their axes (n, 3) [m].
        ends: of their axes (n, 3) [m].
        radii: (n) [m].
    """

    starts: Floats
    ends: Floats
    radii: Floats

    def gap(self, others: "Capsules") -> tuple[float, Vector3]:
        """Return the least distance from others, and where it is.

        Returns:
            Distance of the surfaces, negative where they meet, infinite without any [m], and the
            nearest point of these axes [m].
        """
        if not (self.radii.size and others.radii.size):
            return math.inf, (0.0, 0.0, 0.0)
        shape = len(self.radii), len(others.radii)
        here, there = nearest(
            np.broadcast_to(self.starts[:, None], (*shape, 3)),
            np.broadcast_to(self.ends[:, None], (*shape, 3)),
            np.broadcast_to(others.starts, (*shape, 3)),
            np.broadcast_to(others.ends, (*shape, 3)),
        )
        apart = np.linalg.norm(there - here, axis=-1) - self.radii[:, None] - others.radii
        least = np.unravel_index(int(apart.argmin()), shape)
        x, y, z = here[least].tolist()
        return float(apart[least]), (x, y, z)


def nearest(p: Floats, q: Floats, r: Floats, s: Floats) -> tuple[Floats, Floats]:
    """Return the nearest points of segments p to q and r to s (..., 3) [m].

    C. Ericson, Real-Time Collision Detection (2005), section 5.1.9; segments may be points.
    """
    along, across, away = q - p, s - r, p - r
    a, e = (along * along).sum(-1), (across * across).sum(-1)
    b, c, f = (along * across).sum(-1), (along * away).sum(-1), (across * away).sum(-1)
    a_safe, e_safe = np.maximum(a, 1e-12), np.maximum(e, 1e-12)
    slope = a * e - b * b
    u = np.where(slope > 1e-12, np.clip((b * f - c * e) / np.maximum(slope, 1e-12), 0.0, 1.0), 0.0)
    v = np.clip((b * u + f) / e_safe, 0.0, 1.0)
    u = np.clip((b * v - c) / a_safe, 0.0, 1.0)
    return p + u[..., None] * along, r + v[..., None] * across


class RobotCapsules:
    """A capsule along each drawn body of a robot.

    Args:
        tree: the robot.

    Attributes:
        bodies: index of the body of each (n).
    """

    def __init__(self, tree: RobotTree) -> None:
        fitted = [(index, *_fitted(corners)) for index, corners in outline(tree).corners]
        self.bodies = np.array([index for index, *_ in fitted], dtype=np.intp)
        self._starts = np.array([start for _, start, _, _ in fitted]).reshape(-1, 3)
        self._ends = np.array([end for _, _, end, _ in fitted]).reshape(-1, 3)
        self._radii = np.array([radius for *_, radius in fitted])

    def at(self, poses: Floats, some: npt.NDArray[np.intp]) -> Capsules:
        """Return some of them in the world.

        Args:
            poses: of every body (k, 4, 4).
            some: places in `bodies`.
        """
        turns, places = poses[self.bodies[some], :3, :3], poses[self.bodies[some], :3, 3]
        starts = (turns @ self._starts[some][..., None])[..., 0] + places
        ends = (turns @ self._ends[some][..., None])[..., 0] + places
        return Capsules(starts, ends, self._radii[some])


def _fitted(corners: Floats) -> tuple[Floats, Floats, float]:
    """Return the axis and the radius of a capsule about corners (k, 3), along their long way."""
    middle = 0.5 * (corners.min(axis=0) + corners.max(axis=0))
    _, _, ways = np.linalg.svd(corners - corners.mean(axis=0), full_matrices=False)
    way = ways[0]
    along = (corners - middle) @ way
    across = np.linalg.norm(corners - middle - along[:, None] * way, axis=1)
    radius = float(np.percentile(across, GIRTH))
    low, high = float(along.min()) + radius, float(along.max()) - radius
    low, high = min(low, 0.0), max(high, 0.0)
    return middle + low * way, middle + high * way, radius


def bones(joints: Floats, names: tuple[str, ...], scale: float) -> Capsules:
    """Return the capsules of some bones of a person, each from its parent's joint to its own.

    Args:
        joints: positions of the joints (22, 3) [m].
        names: of the bones; "head" is the skull.
        scale: of the person's size, for the radii.
    """
    ends = np.array([INDEX[name] for name in names])
    starts, points = joints[np.array(PARENTS)[ends]].copy(), joints[ends].copy()
    radii = scale * np.array([radius_of(name) for name in names])
    if "head" in names:
        place = names.index("head")
        neck = joints[PARENTS[INDEX["head"]]]
        starts[place] = points[place] = neck + scale * (skull((joints - neck) / scale))
        radii[place] = scale * SKULL_M
    return Capsules(starts, points, radii)
