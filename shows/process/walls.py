"""Bringing a recorded motion back within the limits: a limb that is pressed at its stop yields."""

from dataclasses import replace

import numpy as np

from shows.joints import POSITION_SLACK_RAD, JointTable
from shows.motion import Motion

BEYOND_RAD = 0.1
"""A position farther outside its limit is no measurement of a joint at its stop."""

APPROACH_RAD = 0.04
"""Distance from a limit at which a joint that goes beyond it is slowed."""


def within_limits(motion: Motion, joints: JointTable) -> Motion:
    """Return a motion whose joints stay within their limits, continuous in velocity as before.

    Only a joint that is beyond its limit is changed, by at most the distance by which it is beyond
    plus a quarter of APPROACH_RAD. A joint that is beyond by more than BEYOND_RAD is left as it is.

    Args:
        motion: the motion; its joints are known.
        joints: limits of the robot's joints.
    """
    positions = motion.positions.copy()
    for column, name in enumerate(motion.joint_names):
        q, index = positions[:, column], joints.index[name]
        lower, upper = joints.lower[index], joints.upper[index]
        for limit, way in ((upper, 1.0), (lower, -1.0)):
            begin = limit - way * APPROACH_RAD
            past = way * (q - begin)  # a view's new values are used for the other limit
            if APPROACH_RAD + POSITION_SLACK_RAD < past.max() <= APPROACH_RAD + BEYOND_RAD:
                bent = begin + way * APPROACH_RAD * np.tanh(past / APPROACH_RAD)
                q[:] = np.where(past > 0.0, bent, q)
    return replace(motion, positions=positions)
