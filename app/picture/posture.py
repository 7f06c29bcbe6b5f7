"""The robot's posture as the core's messages give it, in the words of its tree."""

from math import isfinite

from app.picture.robot_tree import Floats, RobotTree, base_pose
from core.link.scene import Scene


def angles(joint_names: tuple[str, ...], q: tuple[float, ...]) -> dict[str, float]:
    """Return joint angles by name [rad]; those that are not known are left out."""
    pairs = zip(joint_names, q, strict=False)
    return {name: angle for name, angle in pairs if isfinite(angle)}


def base(scene: Scene, tree: RobotTree) -> Floats:
    """Return the pose of the base (4, 4); that of the model if it is not known."""
    numbers = (*scene.base_position, *scene.base_rpy)
    if not scene.q or not all(map(isfinite, numbers)):
        return tree.bodies[0].frame
    return base_pose(scene.base_position, scene.base_rpy)
