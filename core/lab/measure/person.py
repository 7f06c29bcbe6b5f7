"""A person who does what a robot does: takes for experiments where no performer is at hand."""

from dataclasses import replace

import numpy as np

from core.retarget.limbs import RetargetLimbs, arm_features
from core.retarget.settings import RetargetSettings
from core.retarget.track import features_at
from devices.interface import Floats
from shows.human import BONES, INDEX, PARENTS, HumanTake, offset_of
from shows.motion import Motion

SCALE = 1.0 / 0.78
"""A person's lengths by the robot's."""
HIPS_M = 0.95
"""Height of the hips of a person who stands upright."""


def standing(count: int) -> tuple[Floats, Floats]:
    """Return a person who stands still, arms down: positions (k, 22, 3), orientations."""
    positions = np.zeros((22, 3))
    positions[0, 2] = HIPS_M
    for index, (bone, parent) in enumerate(zip(BONES, PARENTS, strict=True)):
        if parent >= 0:
            positions[index] = positions[parent] + offset_of(bone)
    return np.tile(positions, (count, 1, 1)), np.tile(np.eye(3), (count, 22, 1, 1))


def person_of(motion: Motion, limbs: RetargetLimbs) -> HumanTake:
    """Return the take of a person whose arms are the robot's, larger, and who does its motion.

    Args:
        motion: of the robot.
        limbs: its arms and its head.
    """
    count = len(motion.positions)
    positions, orientations = standing(count)
    column = {name: i for i, name in enumerate(motion.joint_names)}
    for arm in limbs.arms:
        still = np.tile(arm.chain.rest, (count, 1))
        for i, name in enumerate(arm.chain.joints):
            if name in column:
                still[:, i] = motion.positions[:, column[name]]
        points = features_at(arm.chain, arm_features(arm, RetargetSettings()), still)
        places = np.concatenate((np.tile(arm.shoulder, (count, 1, 1)), points), axis=1) * SCALE
        for i, bone in enumerate(("upper_arm", "lower_arm", "hand")):
            positions[:, INDEX[f"{arm.human}_{bone}"]] = places[:, i]
    shoulders = positions[:, [INDEX["left_upper_arm"], INDEX["right_upper_arm"]]].mean(axis=1)
    for side, way in (("left", 1.0), ("right", -1.0)):
        positions[:, INDEX[f"{side}_upper_leg"]] = shoulders + [0.0, 0.1 * way, -0.6]
    if limbs.head is not None:
        chain = limbs.head.chain
        q = np.tile(chain.rest, (count, 1))
        for i, name in enumerate(chain.joints):
            if name in column:
                q[:, i] = motion.positions[:, column[name]]
        axes = features_at(chain, limbs.head.features(1.0), q)
        x, z = axes[:, 0], axes[:, 1]
        orientations[:, INDEX["head"]] = np.stack((x, np.cross(z, x), z), axis=-1)
    return HumanTake(motion.name, motion.rate_hz, positions, orientations)


def in_a_manner(
    motion: Motion,
    limbs: RetargetLimbs,
    random: np.random.Generator,
    pace: float,
    size: float,
    offset_deg: float,
) -> Motion:
    """Return a motion as another performance of it.

    Args:
        motion: of the robot.
        limbs: its arms and its head, whose rest posture stays.
        random: draws the manner.
        pace: largest change of its duration, as a share.
        size: largest change of its distance from rest, as a share.
        offset_deg: deviation of a constant angle added to each joint [deg].
    """
    chains = [arm.chain for arm in limbs.arms]
    chains += [limbs.head.chain] if limbs.head is not None else []
    rest = {
        name: float(angle)
        for chain in chains
        for name, angle in zip(chain.joints, chain.rest, strict=True)
    }
    about = np.array([rest.get(name, 0.0) for name in motion.joint_names])
    factor = 1.0 + random.uniform(-size, size)
    shift = np.radians(offset_deg) * random.standard_normal(len(about))
    return replace(
        motion,
        rate_hz=motion.rate_hz / (1.0 + random.uniform(-pace, pace)),
        positions=about + factor * (motion.positions - about) + shift,
    )
