"""What a take asks of a robot's limbs: directions and positions in the trunk's frame."""

from typing import Final

import numpy as np

from core.retarget.arm import Arm, human_side
from devices.interface import Floats
from shows.errors import ShowError
from shows.human import BONES, INDEX, PARENTS, trunk_axes

_LEAST_M: Final = 1e-3  # a shorter bone has no direction
_MIRROR: Final = np.array([1.0, -1.0, 1.0])


def in_trunk(positions: Floats, heads: Floats, mirror: bool) -> tuple[Floats, Floats]:
    """Return postures as seen from the person's trunk.

    Args:
        positions: of the joints (k, 22, 3) [m].
        heads: orientations of the head, bone to world (k, 3, 3).
        mirror: swap left and right of all directions, but not of the bones.

    Returns:
        Each bone's joint from its parent's (k, 22, 3) [m], and the axes of the
        head (k, 3, 3), in the axes of the trunk: x forward, y left, z up.
    """
    back = np.swapaxes(trunk_axes(positions), 1, 2)
    steps = positions - positions[:, [0, *PARENTS[1:]]]
    steps = np.einsum("tij,tbj->tbi", back, steps)
    head = back @ heads
    if mirror:
        steps = steps * _MIRROR
        head = head * _MIRROR[:, None]
    return steps, head


def arm_targets(
    name: str, lengths: Floats, steps: Floats, arm: Arm, mirror: bool
) -> tuple[Floats, Floats]:
    """Return where an arm's elbow and wrist ought to be, and its forearm's direction.

    The upper arm has the person's direction; the wrist is as far from the shoulder, by the robot's
    reach, as the person's by theirs.

    Args:
        name: of the take, for the error.
        lengths: of the person's bones (22) [m].
        steps: see `in_trunk`.
        arm: the arm.
        mirror: follow the other side's arm.

    Returns:
        Elbow and wrist in the base (k, 2, 3) [m], and the forearm's direction (k, 3).

    Raises:
        ShowError: the person's arm has no length.
    """
    side = human_side(arm, mirror)
    lower, hand = INDEX[f"{side}_lower_arm"], INDEX[f"{side}_hand"]
    if min(lengths[lower], lengths[hand]) < _LEAST_M:
        reason = f"the {side} arm has no length"
        raise ShowError(name, f"bone {BONES[hand]}", reason, "capture the arm")
    direction = unit(steps[:, lower])
    reach = steps[:, lower] + steps[:, hand]
    scale = arm.reach_m / (lengths[lower] + lengths[hand])
    places = np.stack((direction * arm.upper_m, reach * scale), axis=1)
    return arm.shoulder + places, unit(steps[:, hand])


def unit(vectors: Floats) -> Floats:
    """Return vectors (..., 3) at length 1; one without length points down."""
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    down = np.array([0.0, 0.0, -1.0])
    result: Floats = np.where(length > 1e-9, vectors / np.maximum(length, 1e-9), down)
    return result


def angle_deg(first: Floats, second: Floats) -> Floats:
    """Return the angle between directions (..., 3) of length 1 (...) [deg]."""
    across = np.linalg.norm(np.cross(first, second), axis=-1)
    angle: Floats = np.degrees(np.arctan2(across, (first * second).sum(axis=-1)))
    return angle
