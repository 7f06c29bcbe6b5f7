"""The pose of the ghost: the reference, or a gesture in preview."""

import math
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from app.picture.protocol import Pose2
from app.picture.robot_tree import RobotTree
from shows.motion import Motion

Floats = npt.NDArray[np.float64]
APART_RAD, TOGETHER_RAD = 0.07, 0.05
REST_S = 0.6  # a preview pauses at its end before it begins again


def apart(
    tree: RobotTree, measured: Mapping[str, float], wanted: Mapping[str, float], shown: list[bool]
) -> list[bool]:
    """Return which bodies of the ghost are drawn: those that are not where the robot's are.

    Args:
        tree: the robot.
        measured: joint angles of the robot [rad].
        wanted: joint angles of the ghost [rad].
        shown: the bodies that were drawn before; a close body goes only when it is closer still.
    """
    gaps = np.zeros(len(tree.bodies))
    for index, body in enumerate(tree.bodies):
        gap = abs(wanted.get(body.joint, 0.0) - measured.get(body.joint, 0.0)) * abs(body.ratio)
        gaps[index] = gap + (gaps[body.parent] if body.parent >= 0 else 0.0)
    return [
        bool(gap > (TOGETHER_RAD if before else APART_RAD))
        for gap, before in zip(gaps, shown, strict=True)
    ]


def away(base: Floats, by: Pose2) -> Floats:
    """Return a base's pose (4, 4) after a way on the floor.

    Args:
        base: the robot's (4, 4).
        by: x and y in its heading frame [m], and yaw [rad].
    """
    x, y, yaw = by
    heading = math.atan2(base[1, 0], base[0, 0])
    cosine, sine = math.cos(yaw), math.sin(yaw)
    turn = np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])
    moved = base.copy()
    moved[:3, :3] = turn @ base[:3, :3]
    moved[0, 3] += x * math.cos(heading) - y * math.sin(heading)
    moved[1, 3] += x * math.sin(heading) + y * math.cos(heading)
    return moved


def moment(motion: Motion, elapsed_s: float) -> dict[str, float]:
    """Return the joint angles of a motion that plays again and again [rad]."""
    time_s = min(elapsed_s % (motion.duration_s + REST_S), motion.duration_s)
    place = time_s * motion.rate_hz
    row = min(int(place), len(motion.positions) - 2)
    share = place - row
    q = (1.0 - share) * motion.positions[row] + share * motion.positions[row + 1]
    return dict(zip(motion.joint_names, q.tolist(), strict=True))
