"""Converts the key poses of a gesture to a smooth motion.

A gesture is a sequence of key poses with times, in degrees. Every joint has a curve of its own:
elbow, wrist, fingers and head follow the shoulder with a delay (overlap), one side of the body
follows the other, a pose may be overshot before it settles, and a breathing motion is added.
Curves are monotone between keys, so that only requested overshoots occur, and are smoothed with
zero phase.

The score has a head, two arms and two hands with four fingers. Any robot that has the joints named
here can play its gestures. Gestures of other robots use the same curves (see two_arms.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

RATE_HZ = 50.0
FINE_HZ = 500.0
SMOOTHING_S = 0.06
"""Width of one box filter of the smoothing; three of them make the curves at least C2."""
LEAD_IN_S = 0.1
"""Rest before the first and after the last key: half the width of the smoothing, rounded up."""

FINGERS = ("thumb", "index", "middle", "ring")
GROUPS: Mapping[str, tuple[str, ...]] = {
    "head": ("head_pitch", "head_yaw"),
    "left_arm": ("left_shoulder_pitch", "left_shoulder_roll", "left_elbow"),
    "right_arm": ("right_shoulder_pitch", "right_shoulder_roll", "right_elbow"),
    "left_hand": ("left_wrist", *(f"left_{finger}" for finger in FINGERS)),
    "right_hand": ("right_wrist", *(f"right_{finger}" for finger in FINGERS)),
}
JOINT_NAMES = tuple(joint for joints in GROUPS.values() for joint in joints)

REST_DEG: Mapping[str, float] = {
    "shoulder_pitch": 3.0,
    "shoulder_roll": -8.0,
    "elbow": 15.0,
    **dict.fromkeys(FINGERS, 20.0),
}
"""The rest posture, equal on both sides; a joint that is not listed rests at zero."""

LAG_S: Mapping[str, float] = {
    "head_pitch": 0.03,
    "head_yaw": 0.0,
    "shoulder_roll": 0.02,
    "elbow": 0.05,
    "wrist": 0.09,
    "thumb": 0.10,
    "index": 0.08,
    "middle": 0.11,
    "ring": 0.14,
}
"""Delay of each joint relative to the shoulder [s]."""

BREATH_PERIOD_S = 2.9
BREATH_DEG: Mapping[str, float] = {"shoulder_roll": -1.0, "head_pitch": -0.8, "elbow": 0.8}

Values = Sequence[float | None]


def plain(joint: str) -> str:
    """Return the joint's name without its side."""
    return joint.removeprefix("left_").removeprefix("right_")


def rest_deg(joint: str) -> float:
    """Return the rest angle of a joint [deg]."""
    return REST_DEG.get(plain(joint), 0.0)


@dataclass
class Score:
    """The keys of a gesture.

    Attributes:
        name: Name of the file, snake case.
        title: The name that the console displays.
        tags: Words for the search.
        needs: Joints that carry the meaning; a robot without them cannot make the gesture.
        lead: The side that moves first, "left" or "right".
        trail_s: Delay of the other side [s].
        overlap: Scale of the delays; 0 moves all joints at once.
        breath: Scale of the breathing.
        thumbnail_s: Time of the pose in the gesture's picture, in the motion's time [s].
        markers: Named times, in the motion's time [s].
        keys: The keys of each joint: time [s] and angle [deg].
    """

    name: str
    title: str
    tags: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    lead: str = "right"
    trail_s: float = 0.05
    overlap: float = 1.0
    breath: float = 1.0
    thumbnail_s: float = 0.0
    markers: list[tuple[float, str]] = field(default_factory=list)
    keys: dict[str, list[tuple[float, float]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Start every joint at rest."""
        self.keys = {joint: [(0.0, rest_deg(joint))] for joint in JOINT_NAMES}

    def key(
        self, time_s: float, *, over: float = 0.0, settle_s: float = 0.22, **poses: Values
    ) -> Score:
        """Set a pose of some groups at a time.

        Args:
            time_s: Time at which the leading joint arrives.
            over: Overshoot as a fraction of the distance from the previous key.
            settle_s: Time from the overshoot to the pose.
            poses: Group name to its angles [deg] in the group's order; None leaves a joint alone.
        """
        for group, values in poses.items():
            for joint, value in zip(GROUPS[group], values, strict=True):
                if value is not None:
                    self._add(joint, time_s + self._lag_s(joint), value, over, settle_s)
        return self

    def mark(self, time_s: float, name: str) -> Score:
        """Add a marker, in the time of the keys."""
        self.markers.append((round(time_s + LEAD_IN_S, 3), name))
        return self

    def rest(
        self, time_s: float, groups: Sequence[str] = tuple(GROUPS), *, over: float = 0.0
    ) -> Score:
        """Return groups to rest."""
        home = {group: [rest_deg(joint) for joint in GROUPS[group]] for group in groups}
        return self.key(time_s, over=over, settle_s=0.3, **home)

    def positions(self) -> NDArray[np.float64]:
        """Return the sampled motion, shape (samples, joints) in the order of JOINT_NAMES [rad]."""
        last_s = max(keys[-1][0] for keys in self.keys.values())
        samples = int(np.ceil(round((last_s + 2.0 * LEAD_IN_S) * RATE_HZ, 6))) + 1
        stride = round(FINE_HZ / RATE_HZ)
        fine_s = np.arange((samples - 1) * stride + 1) / FINE_HZ
        curves = [smooth(monotone(self.keys[joint], fine_s - LEAD_IN_S)) for joint in JOINT_NAMES]
        degrees = np.stack(curves, axis=1) + self._breath_deg(fine_s)
        return np.asarray(np.round(np.radians(degrees[::stride]), 5), dtype=np.float64)

    def _add(self, joint: str, time_s: float, value: float, over: float, settle_s: float) -> None:
        keys = self.keys[joint]
        if time_s <= keys[-1][0]:
            raise ValueError(f"{self.name}: the keys of {joint} do not ascend at {time_s:.2f} s")
        if over:
            keys.append((time_s, value + over * (value - keys[-1][1])))
            time_s += settle_s
        keys.append((time_s, value))

    def _lag_s(self, joint: str) -> float:
        trailing = joint.startswith(("left_", "right_")) and not joint.startswith(self.lead)
        return self.overlap * LAG_S.get(plain(joint), 0.0) + (self.trail_s if trailing else 0.0)

    def _breath_deg(self, times_s: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the breathing motion, zero at both ends [deg]."""
        edge = np.clip(np.minimum(times_s, times_s[-1] - times_s) / 0.6, 0.0, 1.0)
        window = edge**3 * (10.0 - 15.0 * edge + 6.0 * edge**2)
        wave = window * 0.5 * (1.0 - np.cos(2.0 * np.pi * times_s / BREATH_PERIOD_S))
        depth = np.array([BREATH_DEG.get(plain(joint), 0.0) for joint in JOINT_NAMES])
        return np.asarray(self.breath * wave[:, None] * depth, dtype=np.float64)


def monotone(
    keys: Sequence[tuple[float, float]],
    times_s: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Interpolate keys without overshoot, at rest before the first and after the last.

    Cubic Hermite with the harmonic-mean slopes of Fritsch and Butland (1984): a key that is an
    extreme, or one end of a constant interval, gets slope zero.
    """
    at = np.array([key[0] for key in keys])
    value = np.array([key[1] for key in keys])
    if len(keys) == 1:
        return np.full(times_s.shape, value[0])
    gap = np.diff(at)
    secant = np.diff(value) / gap
    slope = np.zeros(len(keys))
    before, after = secant[:-1], secant[1:]
    inner = before * after > 0.0
    w1, w2 = 2.0 * gap[1:] + gap[:-1], gap[1:] + 2.0 * gap[:-1]
    slope[1:-1][inner] = (w1 + w2)[inner] / (w1[inner] / before[inner] + w2[inner] / after[inner])
    t = np.clip(times_s, at[0], at[-1])
    i = np.clip(np.searchsorted(at, t, side="right") - 1, 0, len(gap) - 1)
    s = (t - at[i]) / gap[i]
    h = gap[i]
    rise = value[i + 1] - value[i]
    return np.asarray(
        value[i]
        + s**2 * (3.0 - 2.0 * s) * rise
        + h * s * (1.0 - s) * ((1.0 - s) * slope[i] - s * slope[i + 1]),
        dtype=np.float64,
    )


def smooth(curve: NDArray[np.float64]) -> NDArray[np.float64]:
    """Smooth a finely sampled curve with three centred box filters; its ends are held."""
    half = round(0.5 * SMOOTHING_S * FINE_HZ)
    box = np.full(2 * half + 1, 1.0 / (2 * half + 1))
    padded = np.pad(curve, 3 * half, mode="edge")
    for _ in range(3):
        padded = np.convolve(padded, box, mode="valid")
    return np.asarray(padded, dtype=np.float64)
