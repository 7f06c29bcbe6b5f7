"""The robot's posture as the core's messages give it, in the words of its tree."""

from functools import lru_cache
from math import isfinite

from app.picture.outline import outline
from app.picture.robot_tree import Floats, RobotTree, base_pose
from core.link.scene import Scene


def angles(joint_names: tuple[str, ...], q: tuple[float, ...]) -> dict[str, float]:
    """Return joint angles by name [rad]; those that are not known are left out."""
    pairs = zip(joint_names, q, strict=False)
    return {name: angle for name, angle in pairs if isfinite(angle)}


def base(scene: Scene, tree: RobotTree, feet: bool = True) -> Floats:
    """Return the pose of the base (4, 4); that of the model if it is not known.

    Args:
        scene: the core's picture.
        tree: the robot.
        feet: it stands on feet. Of one that is fixed, the core says no height: the lowest part of
            its model stands on the floor.
    """
    numbers = (*scene.base_position, *scene.base_rpy)
    if not scene.q or not all(map(isfinite, numbers)):
        return tree.bodies[0].frame
    x, y, z = scene.base_position
    return base_pose((x, y, z if feet else z + _depth(tree)), scene.base_rpy)


@lru_cache(maxsize=2)
def _depth(tree: RobotTree) -> float:
    """Return how far a model reaches below its base with all joints at zero [m]."""
    return -outline(tree).lowest(
        tree.forward_kinematics({}, base_pose((0.0, 0.0, 0.0), (0.0,) * 3))
    )
