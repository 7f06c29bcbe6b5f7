"""A person of one size whose posture is keyed: angles of the upper body, places of hips and feet.

A bone's angles are roll, pitch and yaw about x, y and z of the bone before [deg]: it turns about
its own length first (yaw), then pitch, then roll. A positive pitch leads the trunk forward and a
hanging limb backward. The legs follow from hips and feet, the knees forward, the soles level.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from shows.human import (
    BONES,
    INDEX,
    OFFSETS_M,
    PARENTS,
    SIDES,
    HumanTake,
    axes_from,
    offset_of,
)

Floats: TypeAlias = NDArray[np.float64]
Keys: TypeAlias = Sequence[tuple[float, Sequence[float]]]
"""Times [s] and values, ascending; before the first and after the last key the value stays."""

RATE_HZ = 30.0
THIGH_M, SHANK_M = (-OFFSETS_M[bone][2] for bone in ("lower_leg", "foot"))
STANCE_M = OFFSETS_M["upper_leg"][1]
"""Distance of a hip, and of a standing foot, from the middle."""
HIPS_M = THIGH_M + SHANK_M - 0.01  # above the ankles; the knees are not locked


def eased(keys: Keys, times_s: Floats) -> Floats:
    """Return the values at times (k, n): from key to key without a jump of the acceleration."""
    found = np.tile(np.asarray(keys[0][1], dtype=np.float64), (times_s.size, 1))
    for (start_s, start), (end_s, end) in zip(keys, keys[1:], strict=False):
        u = np.clip((times_s - start_s) / (end_s - start_s), 0.0, 1.0)[:, None]
        way = u**3 * (10.0 - 15.0 * u + 6.0 * u**2)
        found += way * (np.asarray(end) - np.asarray(start))
    return found


def turned(angles_deg: Floats) -> Floats:
    """Return the rotations (k, 3, 3) of rolls, pitches and yaws (k, 3) [deg]."""
    turns = np.tile(np.eye(3), (len(angles_deg), 1, 1))
    for axis in range(3):
        i, j = (axis + 1) % 3, (axis + 2) % 3
        cosine, sine = (
            np.cos(np.radians(angles_deg[:, axis])),
            np.sin(np.radians(angles_deg[:, axis])),
        )
        turn = np.tile(np.eye(3), (len(angles_deg), 1, 1))
        turn[:, i, i] = turn[:, j, j] = cosine
        turn[:, i, j], turn[:, j, i] = -sine, sine
        turns = turns @ turn
    return turns


def take(
    name: str,
    duration_s: float,
    bones: Mapping[str, Keys],
    hips: Keys = ((0.0, (0.0, 0.0, 0.0)),),
    feet: Mapping[str, Keys] | None = None,
) -> HumanTake:
    """Return a take of keyed curves.

    Args:
        name: of the take.
        duration_s: its length [s].
        bones: angles of bones (roll, pitch, yaw) [deg]; what is not keyed stays at zero.
        hips: how far the hips are from where they stand (x, y, z) [m].
        feet: the same of a side's foot, with the yaw of both feet as they stand.
    """
    times_s = np.arange(round(duration_s * RATE_HZ) + 1) / RATE_HZ
    count = times_s.size
    points, turns = np.zeros((count, len(BONES), 3)), np.zeros((count, len(BONES), 3, 3))
    for index, (bone, parent) in enumerate(zip(BONES, PARENTS, strict=True)):
        local = turned(eased(bones.get(bone, ((0.0, (0.0, 0.0, 0.0)),)), times_s))
        if parent < 0:
            points[:, index] = eased(hips, times_s) + [0.0, 0.0, HIPS_M]
            turns[:, index] = local
            continue
        turns[:, index] = turns[:, parent] @ local
        points[:, index] = points[:, parent] + turns[:, parent] @ offset_of(bone)
    for side, sign in zip(SIDES, (1.0, -1.0), strict=True):
        ankle = eased((feet or {}).get(side, ((0.0, (0.0, 0.0, 0.0)),)), times_s)
        _stand(points, turns, side, ankle + [0.0, sign * STANCE_M, 0.0])
    return HumanTake(name, RATE_HZ, points, turns)


def _stand(points: Floats, turns: Floats, side: str, ankle: Floats) -> None:
    """Put a leg between its hip and its ankle (k, 3), in place."""
    thigh, shank, foot, toe = (
        INDEX[f"{side}_{part}"] for part in ("upper_leg", "lower_leg", "foot", "toe")
    )
    way = ankle - points[:, thigh]
    length = np.linalg.norm(way, axis=1, keepdims=True)
    if (length > THIGH_M + SHANK_M).any():
        raise ValueError(f"the {side} foot is out of reach")
    along = way / length
    left = turns[:, 0, :, 1]
    forward = np.cross(along, -left)
    forward -= (forward * along).sum(axis=1, keepdims=True) * along
    forward /= np.linalg.norm(forward, axis=1, keepdims=True)
    cosine = (THIGH_M**2 + length**2 - SHANK_M**2) / (2.0 * THIGH_M * length)
    knee = points[:, thigh] + THIGH_M * (cosine * along + np.sqrt(1.0 - cosine**2) * forward)
    points[:, shank], points[:, foot] = knee, ankle
    turns[:, thigh] = axes_from(points[:, thigh] - knee, left)
    turns[:, shank] = axes_from(knee - ankle, left)
    turns[:, foot] = turns[:, toe] = np.eye(3)
    points[:, toe] = ankle + offset_of(f"{side}_toe")
