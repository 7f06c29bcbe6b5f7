"""Making a motion larger or smaller."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal, TypeAlias

import numpy as np

from shows.errors import ShowError
from shows.joints import Floats
from shows.motion import Motion
from shows.process.bounds import check_within

Centre: TypeAlias = Literal["mean", "first"] | Mapping[str, float]


def scale_amplitude(motion: Motion, factor: float, about: Centre = "mean") -> Motion:
    """Return a motion whose distance from a pose is multiplied.

    Args:
        motion: the motion.
        factor: 1 changes nothing, 0 leaves the pose alone.
        about: the pose that stays: each joint's mean over time, the first pose, or the angle of
            each joint [rad].

    Raises:
        ShowError: the factor is negative or not finite, or the pose lacks a joint.
    """
    check_within(
        motion.name, "factor", factor, 0.0, np.inf, "", "choose a factor above 0, such as 0.8"
    )
    centre = _centre(motion, about)
    return replace(motion, positions=centre + factor * (motion.positions - centre))


def _centre(motion: Motion, about: Centre) -> Floats:
    if about == "mean":
        mean: Floats = motion.positions.mean(axis=0)
        return mean
    if about == "first":
        first: Floats = motion.positions[0]
        return first
    missing = [joint for joint in motion.joint_names if joint not in about]
    if missing:
        reason = f"the pose has no angle of {missing[0]}"
        raise ShowError(motion.name, "about", reason, "give the angle of every joint")
    for joint in motion.joint_names:
        limit = 100.0
        check_within(
            motion.name, f"about {joint}", about[joint], -limit, limit, "rad", "correct the angle"
        )
    return np.array([about[joint] for joint in motion.joint_names], dtype=np.float64)
