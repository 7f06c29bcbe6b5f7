"""The pose of the ghost: the reference, or a gesture in preview."""

from collections.abc import Mapping

import numpy as np

from app.picture.robot_tree import RobotTree
from shows.motion import Motion

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
        gap = abs(wanted.get(body.joint, 0.0) - measured.get(body.joint, 0.0))
        gaps[index] = gap + (gaps[body.parent] if body.parent >= 0 else 0.0)
    return [
        bool(gap > (TOGETHER_RAD if before else APART_RAD))
        for gap, before in zip(gaps, shown, strict=True)
    ]


def moment(motion: Motion, elapsed_s: float) -> dict[str, float]:
    """Return the joint angles of a motion that plays again and again [rad]."""
    time_s = min(elapsed_s % (motion.duration_s + REST_S), motion.duration_s)
    place = time_s * motion.rate_hz
    row = min(int(place), len(motion.positions) - 2)
    share = place - row
    q = (1.0 - share) * motion.positions[row] + share * motion.positions[row + 1]
    return dict(zip(motion.joint_names, q.tolist(), strict=True))
