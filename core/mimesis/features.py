"""What a motion looks like, whoever makes it: arms by reach, the way of the body, its bearing."""

from collections import deque
from typing import Final

import numpy as np

from devices.interface import Floats
from shows.human import INDEX, SIDES, HumanTake, heading, trunk_axes

RATE_HZ: Final = 30.0
SIZE: Final = 19
ARMS, WAY, BEARING, GAZE = slice(0, 12), slice(12, 15), slice(15, 17), slice(17, 19)
MEAN_OF: Final = 5  # samples of the way's velocity
RISE_WEIGHT, TILT_WEIGHT, YAW_WEIGHT, GAZE_WEIGHT = 2.0, 2.0, 0.5, 3.0
PAUSE_SAMPLES: Final = 12  # at the begin of a demonstration, in which the performer stands still
VISIBLE: Final = 0.3  # change of a feature: a third of a reach, 17° of an arm
MARGIN_SAMPLES: Final = 5  # kept before and after the visible motion
LEAST_M: Final = 1e-3  # a shorter bone has no direction
HIPS = INDEX["hips"]


class FeatureStream:
    """Turns the postures of one performer into features, one after the other.

    Args:
        height_m: of the performer, `HumanTake.height_m`.
        reach_m: of each arm, left and right (2) [m].
        hips_m: height of the hips above the floor when the performer stands [m].
    """

    def __init__(self, height_m: float, reach_m: tuple[float, float], hips_m: float) -> None:
        self._height, self._reach, self._hips = height_m, reach_m, hips_m
        self._places: deque[tuple[float, float, float]] = deque(maxlen=MEAN_OF + 1)

    def features(self, positions: Floats, head: Floats) -> Floats:
        """Return the features of the next posture (19).

        They are the upper arm's direction and the hand by the reach in the axes of the trunk, left
        and right (12); the velocity forward and to the left, by the height [1/s], and the weighed
        yaw rate [rad/s], as means of the last five samples (3); the weighed rise of the hips, by
        their height, and the trunk's inclination forward (2); the weighed forward
        direction of the head, to the left and up in the axes of the trunk (2).

        Args:
            positions: of the joints in the world (22, 3) [m].
            head: orientation of the head, bone to world (3, 3).
        """
        out = np.empty(SIZE)
        axes = trunk_axes(positions)
        for i, side in enumerate(SIDES):
            shoulder = positions[INDEX[f"{side}_upper_arm"]]
            elbow = (positions[INDEX[f"{side}_lower_arm"]] - shoulder) @ axes
            hand = (positions[INDEX[f"{side}_hand"]] - shoulder) @ axes
            out[6 * i : 6 * i + 3] = elbow / max(float(np.linalg.norm(elbow)), LEAST_M)
            out[6 * i + 3 : 6 * i + 6] = hand / max(self._reach[i], LEAST_M)
        x, y, z = positions[HIPS].tolist()
        yaw = heading(positions)
        self._places.append((x, y, yaw))
        out[WAY] = self._way(yaw)
        lean = float(axes[:2, 2] @ (np.cos(yaw), np.sin(yaw)))
        out[BEARING] = RISE_WEIGHT * (z / self._hips - 1.0), TILT_WEIGHT * lean
        out[GAZE] = GAZE_WEIGHT * (head[:, 0] @ axes)[1:]
        return out

    def _way(self, yaw: float) -> tuple[float, float, float]:
        """Return the velocity forward and to the left by the height, and the weighed yaw rate."""
        places = self._places
        (x0, y0, yaw0), (x1, y1, yaw1) = places[0], places[-1]
        duration_s = max(len(places) - 1, 1) / RATE_HZ
        dx, dy = (x1 - x0) / duration_s / self._height, (y1 - y0) / duration_s / self._height
        turn = float(np.remainder(yaw1 - yaw0 + np.pi, 2.0 * np.pi) - np.pi)
        cosine, sine = float(np.cos(yaw)), float(np.sin(yaw))
        forward, left = cosine * dx + sine * dy, cosine * dy - sine * dx
        return forward, left, YAW_WEIGHT * turn / duration_s


def stream_for(take: HumanTake) -> FeatureStream:
    """Return the stream for the performer of a take, who stands at its begin."""
    lengths = take.bone_lengths()
    feet = [INDEX[f"{side}_foot"] for side in SIDES]
    hips = float((take.positions[:, HIPS, 2] - take.positions[:, feet, 2].min(axis=1)).max())
    reach = [float(lengths[INDEX[f"{s}_lower_arm"]] + lengths[INDEX[f"{s}_hand"]]) for s in SIDES]
    return FeatureStream(take.height_m, (reach[0], reach[1]), hips)


def features_of(take: HumanTake) -> Floats:
    """Return the features of a take at 30 Hz (k, 19)."""
    count = max(2, round(take.duration_s * RATE_HZ) + 1)
    at = np.clip(np.arange(count) / RATE_HZ * take.rate_hz, 0.0, len(take.positions) - 1.0)
    low = np.minimum(at.astype(int), len(take.positions) - 2)
    share = (at - low)[:, None, None]
    positions = (1.0 - share) * take.positions[low] + share * take.positions[low + 1]
    feet = [INDEX[f"{side}_foot"] for side in SIDES]
    positions[:, :, 2] -= take.positions[:, feet, 2].min()
    heads = take.orientations[np.round(at).astype(int), INDEX["head"]]
    stream = stream_for(take)
    rows = [stream.features(*posture) for posture in zip(positions, heads, strict=True)]
    return np.stack(rows)


def demonstration(features: Floats) -> Floats:
    """Return the motion of a demonstration, relative to the pause that it begins with (k, d).

    A performer never stands twice alike; what counts is how the motion differs from the pause.

    Args:
        features: of a performer who stands still, moves, and stands still again (n, d).
    """
    pause = features[:PAUSE_SAMPLES].mean(axis=0)
    relative = features - pause
    visible = np.nonzero(np.abs(relative).max(axis=1) > VISIBLE)[0]
    if len(visible) == 0:
        return np.empty((0, features.shape[1]))
    first = max(int(visible[0]) - MARGIN_SAMPLES, 0)
    result: Floats = relative[first : int(visible[-1]) + MARGIN_SAMPLES + 1]
    return result
