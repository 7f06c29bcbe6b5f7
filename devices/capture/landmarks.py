"""Landmarks of a person in a picture, as a pose model gives them, as the skeleton of all sources.

The model is BlazePose: 33 landmarks about the middle of the hips in metres of its own, x to the
right in the picture, y down, z away from the camera. Source: Bazarevsky et al., "BlazePose:
On-device Real-time Body Pose tracking", arXiv:2006.10204, 2020.
"""

from typing import Final

import numpy as np

from devices.capture.errors import CaptureError, Refusal
from devices.capture.rotation import checked_points
from devices.capture.skeleton import BONES, INDEX, SIDES, Pose
from devices.interface import Floats

COUNT: Final = 33
LEAST_SEEN: Final = 0.5
"""Share of certainty from which a landmark counts as seen."""

_NOSE: Final = 0
_EAR: Final = {"left": 7, "right": 8}
_NUMBER: Final = {  # of the left side; the right one's is the next
    "upper_arm": 11,
    "lower_arm": 13,
    "hand": 15,
    "upper_leg": 23,
    "lower_leg": 25,
    "foot": 27,
    "toe": 31,
}
_NEEDED: Final = [
    number + right for part, number in _NUMBER.items() if part != "toe" for right in (0, 1)
]
# Along the line from between the hips to between the shoulders.
_TRUNK: Final = {"spine_1": 0.25, "spine_2": 0.5, "spine_3": 0.8, "neck": 1.0}
_HEAD: Final = 0.7  # base of the skull, along the line from between the shoulders to the ears


def points_of(landmarks: Floats) -> Floats:
    """Return the landmarks of a person who is seen, x away from the camera, z up (33, 3) [m].

    Args:
        landmarks: x, y, z of the model [m] and certainty of each (33, 4).

    Raises:
        CaptureError: a number is impossible, nobody is seen, or a joint of arms or legs is hidden.
    """
    if np.isnan(landmarks).all():
        raise CaptureError(Refusal.NOBODY, "nobody is seen")
    points = checked_points(landmarks[:, [2, 0, 1]] * [1.0, -1.0, -1.0])
    if not (landmarks[_NEEDED, 3] >= LEAST_SEEN).all():
        raise CaptureError(Refusal.HIDDEN, "arms or legs are not all in sight")
    return points


def pose_of(points: Floats, stamp_s: float) -> Pose:
    """Return the posture of a person, the middle of the hips at the origin.

    The world is that of a level camera: x away from it, y to the left in its picture, z up. The
    bones are told from the T-pose; a forearm does not tell how it is turned about its length.

    Args:
        points: of the landmarks in that world (33, 3) [m].
        stamp_s: time of the picture [s].
    """
    joints = np.zeros((len(BONES), 3))
    for part, number in _NUMBER.items():
        for right, side in enumerate(SIDES):
            joints[INDEX[f"{side}_{part}"]] = points[number + right]
    hips, chest = _middle(joints, "upper_leg"), _middle(joints, "upper_arm")
    ears = (points[_EAR["left"]] + points[_EAR["right"]]) / 2.0
    joints[INDEX["hips"]] = hips
    for bone, share in _TRUNK.items():
        joints[INDEX[bone]] = hips + share * (chest - hips)
    joints[INDEX["head"]] = chest + _HEAD * (ears - chest)
    for side in SIDES:
        joints[INDEX[f"{side}_shoulder"]] = joints[INDEX["spine_3"]]
    look = points[_NOSE] - ears
    left = points[_EAR["left"]] - points[_EAR["right"]]
    return Pose(stamp_s, joints - hips, _turns(joints, _axes(np.cross(look, left), left)))


def _middle(joints: Floats, part: str) -> Floats:
    middle: Floats = (joints[INDEX[f"left_{part}"]] + joints[INDEX[f"right_{part}"]]) / 2.0
    return middle


def _turns(joints: Floats, head: Floats) -> Floats:
    """Return how the bones are turned by where their joints are (22, 3, 3).

    Trunk and legs lie along z, y toward the person's left; an arm turns the shortest way from
    level.

    Args:
        joints: of the bones (22, 3).
        head: axes of the head (3, 3).
    """
    chest = joints[INDEX["neck"]] - joints[INDEX["hips"]]
    hips_left, chest_left = (
        joints[INDEX[f"left_{part}"]] - joints[INDEX[f"right_{part}"]]
        for part in ("upper_leg", "upper_arm")
    )
    low, high = _axes(chest, hips_left), _axes(chest, chest_left)
    turns = np.empty((len(BONES), 3, 3))
    turns[[INDEX["hips"], INDEX["spine_1"]]] = low
    turns[[INDEX[bone] for bone in ("spine_2", "spine_3", "neck")]] = high
    turns[INDEX["head"]] = head
    for side, sign in zip(SIDES, (1.0, -1.0), strict=True):
        at = {part: INDEX[f"{side}_{part}"] for part in ("shoulder", *_NUMBER)}
        turns[at["shoulder"]] = high
        for bone, end in (("upper_arm", "lower_arm"), ("lower_arm", "hand")):
            along = joints[at[end]] - joints[at[bone]]
            turns[at[bone]] = _shortest(sign * high[:, 1], along) @ high
        turns[at["hand"]] = turns[at["lower_arm"]]
        for bone, end in (("upper_leg", "lower_leg"), ("lower_leg", "foot")):
            turns[at[bone]] = _axes(joints[at[bone]] - joints[at[end]], low[:, 1])
        sole = joints[at["toe"]] - joints[at["foot"]]
        turns[[at["foot"], at["toe"]]] = _axes(np.cross(sole, low[:, 1]), low[:, 1])
    return turns


def _axes(up: Floats, left: Floats) -> Floats:
    """Return the rotation whose z lies along `up`, y toward `left`; the identity on one line."""
    x = np.cross(left, up)
    lengths = np.linalg.norm(up), np.linalg.norm(x)
    if min(lengths) < 1e-9:
        return np.eye(3)
    z, x = up / lengths[0], x / lengths[1]
    return np.column_stack((x, np.cross(z, x), z))


def _shortest(start: Floats, along: Floats) -> Floats:
    """Return the shortest rotation from a unit vector to a vector; the identity if none is."""
    end = along / max(float(np.linalg.norm(along)), 1e-9)
    axis, cosine = np.cross(start, end), float(start @ end)
    if cosine < -1.0 + 1e-6 or not along.any():
        return np.eye(3)
    x, y, z = axis.tolist()
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    turn: Floats = np.eye(3) + cross + cross @ cross / (1.0 + cosine)
    return turn
