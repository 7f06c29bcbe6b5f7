"""How low a robot reaches: a limp one lies on the floor, whatever height was measured last."""

import math
from functools import lru_cache
from math import isfinite

import numpy as np
from msgspec.structs import replace

from app.picture import posture
from app.picture.robot_tree import Floats, RobotTree
from core.link.hello import Hello
from core.link.message import Vector3
from core.link.scene import Scene
from core.link.status import Status

LIMP = frozenset({"OFF", "DAMPED", "FAULT", "ESTOP"})
DIRECTIONS = 240  # in which a body's outermost corners are looked for


class Outline:
    """The outermost corners of every body, which tell how low it reaches at any attitude."""

    def __init__(self, tree: RobotTree) -> None:
        self._corners: list[tuple[int, Floats]] = []
        for index, body in enumerate(tree.bodies):
            if body.patches:
                found = np.concatenate([patch.mesh.positions for patch in body.patches])
                outermost = np.unique(np.argmax(found @ _directions().T, axis=0))
                self._corners.append((index, found[outermost].astype(np.float64)))

    def height(self, poses: Floats) -> float:
        """Return the height from the lowest to the highest corner [m]; see `lowest`."""
        heights = [poses[i, 2, :3] @ corners.T + poses[i, 2, 3] for i, corners in self._corners]
        return float(np.ptp(np.concatenate(heights))) if heights else 0.0

    def lowest(self, poses: Floats) -> float:
        """Return the height of the lowest corner [m] for the pose of every body (n, 4, 4)."""
        heights = (poses[i, 2, :3] @ corners.T + poses[i, 2, 3] for i, corners in self._corners)
        return min((float(height.min()) for height in heights), default=0.0)


@lru_cache(maxsize=2)
def outline(tree: RobotTree) -> Outline:
    """Return the outline of a robot, which takes a while the first time."""
    return Outline(tree)


def is_laid(hello: Hello | None, status: Status | None) -> bool:
    """Return whether nothing but the floor supports a robot without torque."""
    return (
        hello is not None
        and status is not None
        and hello.support == "floor"
        and status.mode in LIMP
    )


def laid(scene: Scene, joint_names: tuple[str, ...], tree: RobotTree) -> Scene:
    """Return a picture in which a limp robot lies on the floor.

    The estimate of its place lives by feet that carry it. Where it fell they carry nothing, and
    the height is the last one. A hanging or seated robot stays at its measured position.
    """
    if not scene.q or not all(map(isfinite, (*scene.base_position, *scene.base_rpy))):
        return scene
    poses = tree.forward_kinematics(posture.angles(joint_names, scene.q), posture.base(scene, tree))
    drop = outline(tree).lowest(poses)
    return replace(
        scene,
        base_position=_lowered(scene.base_position, drop),
        com=_lowered(scene.com, drop),
        soles=tuple(_lowered(sole, drop) for sole in scene.soles),
        support=tuple(_lowered(corner, drop) for corner in scene.support),
    )


def _lowered(point: Vector3, drop_m: float) -> Vector3:
    x, y, z = point
    return x, y, z - drop_m


def _directions() -> Floats:
    """Return directions that lie evenly around (n, 3): a Fibonacci lattice."""
    places = np.arange(DIRECTIONS) + 0.5
    z = 1.0 - 2.0 * places / DIRECTIONS
    around = math.pi * (1.0 + math.sqrt(5.0)) * places
    radius = np.sqrt(1.0 - z * z)
    return np.stack([radius * np.cos(around), radius * np.sin(around), z], axis=1)
