"""Where the robot's base is in the picture."""

import math

import numpy as np

from app.console.context.core_link import CoreLink
from app.picture import posture
from app.picture.floor import is_laid, laid
from app.picture.robot_tree import Floats, RobotTree
from core.link.scene import Scene


def seen_scene(link: CoreLink, tree: RobotTree) -> Scene | None:
    """Return the scene as the picture shows it: a robot without torque lies on the floor."""
    if link.scene is None or link.hello is None:
        return None
    if is_laid(link.hello, link.status):
        return laid(link.scene, link.hello.joint_names, tree)
    return link.scene


def base_of(link: CoreLink, tree: RobotTree) -> Floats | None:
    """Return the pose of the base in the world (4, 4); None before the first scene."""
    scene = seen_scene(link, tree)
    if scene is None or link.hello is None:
        return None
    return posture.base(scene, tree, bool(link.hello.feet))


def base_from_place(link: CoreLink, tree: RobotTree | None) -> Floats:
    """Return the pose of the base (4, 4) in the frame of the robot's place on the floor."""
    base = None if tree is None else base_of(link, tree)
    if base is None:
        return np.eye(4)
    yaw = math.atan2(base[1, 0], base[0, 0])
    cosine, sine = math.cos(yaw), math.sin(yaw)
    place = np.eye(4)
    place[:2, :2] = [[cosine, -sine], [sine, cosine]]
    place[:2, 3] = base[:2, 3]
    found: Floats = np.linalg.inv(place) @ base
    return found
