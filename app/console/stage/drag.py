"""A pull at the robot's body with the mouse: a spring, whose force is bounded."""

from dataclasses import dataclass

import numpy as np

from app.picture.camera import Camera, Floats
from app.picture.robot_tree import RobotTree
from core.link.commands import Pull, Push

STIFFNESS = 220.0  # N/m
MOST_N = 120.0
LEAST_N = 1.0
PULL_S = 0.2  # of a limb; a lost message does not let go
PUSH_S = 0.06  # each message's push; the next comes before it ends
EVERY_S = 1.0 / 30.0
BESIDE_M = 0.025  # from a body's spheres, at which the mouse still grasps it


@dataclass(frozen=True, slots=True, eq=False)
class Drag:
    """Where the body was grasped.

    Attributes:
        place: in the world (3) [m].
        camera: the eye at that moment; the plane of the pull faces it.
    """

    place: Floats
    camera: Camera

    def target(self, x: float, y: float, width: float, height: float) -> Floats:
        """Return the place in the plane of the pull (3) [m] under a pixel of the picture."""
        direction = self.camera.ray(x, y, width, height)
        normal = self.camera.axes()[2]
        eye = self.camera.eye()
        depth = float(normal @ (self.place - eye)) / float(normal @ direction)
        target: Floats = eye + depth * direction
        return target

    def force(self, x: float, y: float, width: float, height: float) -> Floats:
        """Return the spring's force (3) [N] when the mouse is at a pixel of the picture."""
        force = STIFFNESS * (self.target(x, y, width, height) - self.place)
        size = float(np.linalg.norm(force))
        pulled: Floats = force * min(1.0, MOST_N / size) if size > 0.0 else force
        return pulled


def pull(link: str, point_in_link: Floats, target: Floats) -> Pull:
    """Return the command that pulls a point of a link (3) [m] toward a place (3) [m]."""
    x, y, z = point_in_link.tolist()
    to_x, to_y, to_z = target.tolist()
    return Pull(link, (x, y, z), (to_x, to_y, to_z), PULL_S)


def push(force: Floats) -> Push | None:
    """Return the command for a force [N]; None for one too weak to matter."""
    if np.linalg.norm(force) < LEAST_N:
        return None
    fx, fy, fz = force.tolist()
    return Push(fx, fy, fz, PUSH_S)


class Reach:
    """Spheres around the robot's bodies, to tell whether the mouse is upon one."""

    def __init__(self, tree: RobotTree) -> None:
        self._bodies: list[int] = []
        centres, radii = [], []
        for index, body in enumerate(tree.bodies):
            if not body.patches:
                continue
            corners = np.concatenate([patch.mesh.positions for patch in body.patches])
            low, high = corners.min(axis=0), corners.max(axis=0)
            # A row of spheres along the longest side fits a limb better than one.
            axis = int(np.argmax(high - low))
            radius = max(0.03, float(np.sort(high - low)[1]) / 2.0)
            count = max(1, round(float((high - low)[axis]) / (2.0 * radius)) * 2 - 1)
            for share in np.linspace(0.0, 1.0, count + 2)[1:-1]:
                centre = (low + high) / 2.0
                centre[axis] = low[axis] + share * (high - low)[axis]
                self._bodies.append(index)
                centres.append(centre)
                radii.append(radius + BESIDE_M)
        self._centres = np.array(centres, dtype=np.float64).reshape(-1, 3)
        self._radii = np.array(radii)

    def hit(self, poses: Floats, eye: Floats, direction: Floats) -> tuple[Floats, int] | None:
        """Return the point nearest the eye on a ray (3) [m] and its body; None beside the robot.

        Args:
            poses: of every body of the tree (n, 4, 4).
            eye: where the ray begins (3) [m].
            direction: of the ray (3), of length 1.
        """
        if not len(self._centres):
            return None
        frames = poses[self._bodies]
        centres = np.einsum("nij,nj->ni", frames[:, :3, :3], self._centres) + frames[:, :3, 3]
        along = (centres - eye) @ direction
        beside = np.linalg.norm(centres - eye - along[:, None] * direction, axis=1)
        struck = (beside < self._radii) & (along > 0.0)
        if not struck.any():
            return None
        nearest = int(np.where(struck, along, np.inf).argmin())
        place: Floats = eye + float(along[nearest]) * direction
        return place, self._bodies[nearest]
