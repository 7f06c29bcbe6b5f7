"""Calibration by a T-pose: how a person's bones stand in the frames of a source.

The person stands upright for 2 s with feet parallel, arms level to the sides and palms down. From
the T-pose follow the bones' lengths, the floor, the heading, and how a bone that is not turned in
shows/human.py's sense stands in the source's frames.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from core.link.catalogue import partner as why
from core.link.statement import Statement
from devices.interface import Floats, PoseFrame
from shows.human import (
    BONES,
    INDEX,
    PARENTS,
    SIDES,
    chain_height,
    heading,
    shortest_turn,
)

HOLD_S: Final = 2.0
"""Time for which the T-pose is held."""
MOST_GAP_S: Final = 0.2
MOST_MOVED_M: Final = 0.05
MOST_LEAN_DEG: Final = 15.0
MOST_OFF_LEVEL_DEG: Final = 20.0
MOST_BENT_DEG: Final = 25.0
LEAST_M: Final = 0.3
MOST_M: Final = 2.5
_MISSING: Final = 0.9  # share of the time that must have arrived
_UP: Final = np.array([0.0, 0.0, 1.0])
_FEET: Final = [INDEX[f"{side}_{part}"] for side in SIDES for part in ("foot", "toe")]
_ALONG: Final = {"upper_arm": "lower_arm", "upper_leg": "lower_leg", "lower_leg": "foot"}


@dataclass(frozen=True, eq=False)
class Calibration:
    """How a source's frames become postures of shows/human.py's skeleton.

    Attributes:
        lengths: of the bones, each from its parent's joint; 0 for the hips (22) [m].
        origin: below the hips on the floor, in the source's world (3) [m].
        heading: direction in which the person faced, about z from x [rad].
        references: each bone's rotation from the reference posture to the source's (22, 3, 3).
        scale: height of the robot by that of the person.
    """

    lengths: Floats = field(repr=False)
    origin: Floats
    heading: float
    references: Floats = field(repr=False)
    scale: float

    def applied(self, frame: PoseFrame) -> PoseFrame:
        """Return a frame of the source as a posture of the person.

        The world is that of the T-pose: the origin below the hips on the floor, x where the person
        faced. The orientations are the identity when the person stands upright with hanging arms.
        """
        back = _about_z(-self.heading)
        return PoseFrame(
            frame.stamp_s,
            frame.arrival_s,
            (frame.positions - self.origin) @ back.T,
            back @ frame.orientations @ self.references,
        )


def calibrated(frames: Sequence[PoseFrame], robot_height_m: float) -> Calibration | Statement:
    """Return the calibration by frames of a T-pose, or why there is none.

    Args:
        frames: of a source over 2 s, in the order of their stamps.
        robot_height_m: height of the robot's head above its ankles, limbs straight [m].
    """
    stamps_s = np.array([frame.stamp_s for frame in frames])
    heard_s = float(stamps_s[-1] - stamps_s[0]) if frames else 0.0
    if heard_s < _MISSING * HOLD_S:
        return why.CAPTURE_MISSING(heard_s=heard_s, needed_s=HOLD_S)
    gap_s = float(np.diff(stamps_s).max())
    if gap_s > MOST_GAP_S:
        return why.CAPTURE_GAP(gap_s=gap_s)
    paths = np.array([frame.positions for frame in frames])
    points: Floats = np.median(paths, axis=0)
    lengths = np.linalg.norm(points - points[np.maximum(PARENTS, 0)], axis=1)
    height_m = chain_height(dict(zip(BONES, lengths.tolist(), strict=True)))
    if not LEAST_M <= height_m <= MOST_M:
        return why.CAPTURE_SIZE(height_m=height_m)
    moved = np.linalg.norm(paths - points, axis=2).max(axis=0)
    if moved.max() > MOST_MOVED_M:
        return why.PERSON_MOVED(bone=BONES[int(moved.argmax())], moved_m=float(moved.max()))
    reason = _wrong_pose(points)
    if reason is not None:
        return reason
    yaw = heading(points)
    origin = np.array([*points[0, :2], points[_FEET, 2].min()])
    held = _mean_turns(np.array([frame.orientations for frame in frames]))
    references = np.swapaxes(held, 1, 2) @ _about_z(yaw) @ _t_pose(points @ _about_z(yaw))
    return Calibration(lengths, origin, yaw, references, robot_height_m / height_m)


def _wrong_pose(points: Floats) -> Statement | None:
    """Return why a posture (22, 3) is no T-pose; None if it is one."""
    feet = points[[INDEX[f"{side}_foot"] for side in SIDES]].mean(axis=0)
    lean_deg = max(
        _angle_deg(points[INDEX["head"]] - points[0], _UP), _angle_deg(points[0] - feet, _UP)
    )
    if lean_deg > MOST_LEAN_DEG:
        return why.PERSON_NOT_UPRIGHT(lean_deg=lean_deg)
    left = points[INDEX["left_upper_leg"]] - points[INDEX["right_upper_leg"]]
    for side, sign in zip(SIDES, (1.0, -1.0), strict=True):
        shoulder, elbow, hand = (
            points[INDEX[f"{side}_{part}"]] for part in ("upper_arm", "lower_arm", "hand")
        )
        off_deg = _angle_deg(hand - shoulder, sign * left * [1.0, 1.0, 0.0])
        if off_deg > MOST_OFF_LEVEL_DEG:
            return why.ARM_NOT_LEVEL(side=side, off_deg=off_deg)
        bent_deg = _angle_deg(hand - elbow, elbow - shoulder)
        if bent_deg > MOST_BENT_DEG:
            return why.ARM_NOT_STRAIGHT(side=side, off_deg=bent_deg)
    return None


def _t_pose(points: Floats) -> Floats:
    """Return how the bones are turned in a T-pose, by shows/human.py's definition (22, 3, 3).

    Trunk, head and feet stand as in the reference posture. Arms and legs are turned the shortest
    way from hanging to where they lie.

    Args:
        points: of the joints, the person facing along x (22, 3) [m].
    """
    turns = np.tile(np.eye(3), (len(BONES), 1, 1))
    for side in SIDES:
        for bone, end in (*_ALONG.items(), ("lower_arm", "hand")):
            start, stop = INDEX[f"{side}_{bone}"], INDEX[f"{side}_{end}"]
            turns[start] = shortest_turn(-_UP, points[stop] - points[start])
        turns[INDEX[f"{side}_hand"]] = turns[INDEX[f"{side}_lower_arm"]]
    return turns


def _about_z(angle: float) -> Floats:
    cosine, sine = np.cos(angle), np.sin(angle)
    return np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])


def _angle_deg(first: Floats, second: Floats) -> float:
    """Return the angle between two vectors [deg]; 180 if one has no length."""
    lengths = float(np.linalg.norm(first) * np.linalg.norm(second))
    if lengths < 1e-9:
        return 180.0
    return float(np.degrees(np.arccos(np.clip(first @ second / lengths, -1.0, 1.0))))


def _mean_turns(turns: Floats) -> Floats:
    """Return the rotation nearest to the mean of each bone's (22, 3, 3), by polar decomposition."""
    left, _, right = np.linalg.svd(turns.mean(axis=0))
    signs = np.ones((len(BONES), 3))
    signs[:, 2] = np.linalg.det(left @ right)
    mean: Floats = (left * signs[:, None, :]) @ right
    return mean
