"""Saving a motion as a gesture of the show: at the rate of gestures, within the limits."""

from dataclasses import replace

import numpy as np

from shows.joints import JointTable
from shows.motion import Marker, Motion, check_motion
from shows.process.sampling import sampler
from shows.process.walls import within_limits

RATE_HZ = 100.0


def gesture_of(motion: Motion, name: str, title: str, joints: JointTable) -> Motion:
    """Return a motion as a gesture; a recorded one that was pressed at a stop keeps its limits.

    Args:
        motion: as edited.
        name: name of the gesture.
        title: label that an operator reads.
        joints: the robot's joints and limits.

    Raises:
        ShowError: the robot cannot follow it; the first fault in time.
    """
    gesture = motion
    if motion.rate_hz > RATE_HZ:
        count = int(np.floor(motion.duration_s * RATE_HZ + 1e-6)) + 1
        times_s = np.arange(count) / RATE_HZ
        end_s = float(times_s[-1])
        markers = tuple(Marker(min(m.time_s, end_s), m.name) for m in motion.markers)
        gesture = replace(
            motion, rate_hz=RATE_HZ, positions=sampler(motion)(times_s), markers=markers
        )
    if gesture.source == "recorded" and all(name in joints.index for name in gesture.joint_names):
        gesture = within_limits(gesture, joints)
    away = np.abs(gesture.positions - gesture.positions[0]).sum(axis=1)
    gesture = replace(
        gesture,
        name=name,
        title=title,
        thumbnail_s=float(away.argmax()) / gesture.rate_hz,
    )
    check_motion(gesture, joints, f"{name}.json")
    return gesture
