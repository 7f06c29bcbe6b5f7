"""Idle life: a waiting child breathes, sways, glances about and fidgets, and never repeats.

The pose is a pure function of seed and time. It is laid down at even knots and joined by cubic
Hermite segments whose velocities are central differences of the knots, so that it is C¹ at
every instant whatever is added to it. Chance comes from generators seeded with (seed, what,
how many-th), hence no moment depends on what was played before it.
"""

import math
import random
from collections.abc import Mapping

import numpy as np

from core.behave.fidgets import FIDGETS, Fidget, Pose
from core.behave.hermite import fill_basis, new_basis
from devices.interface import Floats

KNOT_S = 0.04
GLANCE_S = 2.3
FIDGET_S = 8.0
HEAD_SPEED = 1.5
"""A glance's largest speed [rad/s]."""
CACHED = 64

SWAY = (
    # joint, amplitude [rad], time between turning points [s]
    ("head_pitch", 0.020, 3.1),
    ("head_yaw", 0.030, 3.7),
    ("left_shoulder_pitch", 0.035, 4.3),
    ("left_shoulder_roll", 0.015, 5.3),
    ("left_elbow", 0.045, 4.7),
    ("left_wrist", 0.080, 3.9),
    ("right_shoulder_pitch", 0.035, 4.1),
    ("right_shoulder_roll", 0.015, 5.9),
    ("right_elbow", 0.045, 5.1),
    ("right_wrist", 0.080, 4.5),
)
BREATH = (
    ("left_shoulder_roll", -0.018),
    ("right_shoulder_roll", -0.018),
    ("left_shoulder_pitch", 0.012),
    ("right_shoulder_pitch", 0.012),
    ("left_elbow", 0.010),
    ("right_elbow", 0.010),
    ("head_pitch", -0.012),
)
WEIGHT = (
    # The arms swing a little when the weight goes from leg to leg.
    ("left_shoulder_roll", -0.030),
    ("right_shoulder_roll", 0.030),
    ("left_shoulder_pitch", 0.025),
    ("right_shoulder_pitch", -0.025),
    ("head_yaw", 0.020),
)
FINGERS = ("thumb", "index", "middle", "ring")


def ease(u: float) -> float:
    """Return the quintic from 0 to 1 that starts and ends at rest; u outside is clamped."""
    if u <= 0.0:
        return 0.0
    if u >= 1.0:
        return 1.0
    return u * u * u * (10.0 + u * (6.0 * u - 15.0))


class Wander:
    """A smooth random walk between -1 and 1: random turning points, eased in between."""

    __slots__ = ("_left", "_name", "_period_s", "_right", "_segment")

    def __init__(self, name: str, period_s: float) -> None:
        self._name = name
        self._period_s = period_s
        self._segment: int | None = None
        self._left = 0.0
        self._right = 0.0

    def at(self, t: float) -> float:
        """Return its value at a time [s]."""
        place = t / self._period_s
        segment = math.floor(place)
        if segment != self._segment:
            self._segment = segment
            self._left = self._turn(segment)
            self._right = self._turn(segment + 1)
        return self._left + (self._right - self._left) * ease(place - segment)

    def _turn(self, n: int) -> float:
        return random.Random(f"{self._name}/{n}").uniform(-1.0, 1.0)


class IdleLife:
    """What the upper body adds to its rest posture while it waits.

    Args:
        columns: joint name to column of the upper order; joints that it lacks are left out.
        seed: two seeds live two different lives.
    """

    def __init__(self, columns: Mapping[str, int], seed: int) -> None:
        self._columns = columns
        self._width = len(columns)
        self._seed = seed
        self._wanders = [
            (columns[joint], size, Wander(f"{seed}/sway/{joint}", period_s))
            for joint, size, period_s in SWAY
            if joint in columns
        ]
        self._breath = [(columns[joint], size) for joint, size in BREATH if joint in columns]
        self._weight = [(columns[joint], size) for joint, size in WEIGHT if joint in columns]
        self._fingers = [
            (
                [columns[f"{side}_{f}"] for f in FINGERS if f"{side}_{f}" in columns],
                Wander(f"{seed}/fingers/{side}", 3.3 if side == "left" else 2.9),
            )
            for side in ("left", "right")
        ]
        self._breath_pace = Wander(f"{seed}/breath_pace", 7.0)
        self._breath_depth = Wander(f"{seed}/breath_depth", 9.0)
        self._shift = Wander(f"{seed}/weight", 6.1)
        self._glances: dict[int, tuple[float, float, float]] = {}
        self._fidgets: dict[int, Fidget | None] = {}
        self._poses: dict[int, Floats] = {}
        self._segments: dict[int, Floats] = {}
        self._basis, self._flat = new_basis()

    def sample(self, t: float, out: Floats) -> None:
        """Write position, velocity and acceleration (3, u) relative to rest, at a time [s]."""
        place = t / KNOT_S
        n = math.floor(place)
        knots = self._segments.get(n)
        if knots is None:
            knots = self._join(n)
        fill_basis(self._flat, place - n, KNOT_S, 1.0)
        self._basis.dot(knots, out)

    def _join(self, n: int) -> Floats:
        """Return the segment (4, u) from knot n to knot n + 1."""
        before, start, end, after = (self._pose(n + i) for i in (-1, 0, 1, 2))
        knots = np.empty((4, self._width))
        knots[0] = start
        knots[1] = (end - before) * (0.5 / KNOT_S)
        knots[2] = end
        knots[3] = (after - start) * (0.5 / KNOT_S)
        if len(self._segments) >= CACHED:
            self._segments.pop(next(iter(self._segments)))
        self._segments[n] = knots
        return knots

    def _pose(self, n: int) -> Floats:
        """Return the pose (u) at a knot, relative to rest [rad]."""
        pose = self._poses.get(n)
        if pose is None:
            pose = np.array(self._compose(n * KNOT_S))
            if len(self._poses) >= CACHED:
                self._poses.pop(next(iter(self._poses)))
            self._poses[n] = pose
        return pose

    def _compose(self, t: float) -> Pose:
        pose = [0.0] * self._width
        for column, size, wander in self._wanders:
            pose[column] += size * wander.at(t)
        phase = 2.0 * math.pi * 0.27 * t + 1.2 * self._breath_pace.at(t)
        breath = (1.0 + 0.3 * self._breath_depth.at(t)) * math.sin(phase)
        for column, size in self._breath:
            pose[column] += size * breath
        shift = self._shift.at(t)
        for column, size in self._weight:
            pose[column] += size * shift
        for fingers, wander in self._fingers:
            curl = 0.08 * wander.at(t)
            for column in fingers:
                pose[column] += curl
        self._glance(t, pose)
        slot = math.floor(t / FIDGET_S)
        fidget = self._fidget(slot)
        if fidget is not None:
            fidget.add(t - slot * FIDGET_S, pose)
        return pose

    def _glance(self, t: float, pose: Pose) -> None:
        """Turn the head in saccades from one target to the next, and hold in between."""
        if "head_yaw" not in self._columns or "head_pitch" not in self._columns:
            return
        slot = math.floor(t / GLANCE_S)
        yaw_from, pitch_from, _ = self._target(slot - 1)
        yaw_to, pitch_to, onset_s = self._target(slot)
        way = max(abs(yaw_to - yaw_from), abs(pitch_to - pitch_from))
        duration_s = max(0.22, 1.875 * way / HEAD_SPEED)
        share = ease((t - slot * GLANCE_S - onset_s) / duration_s)
        pose[self._columns["head_yaw"]] += yaw_from + (yaw_to - yaw_from) * share
        pose[self._columns["head_pitch"]] += pitch_from + (pitch_to - pitch_from) * share

    def _target(self, slot: int) -> tuple[float, float, float]:
        """Return yaw [rad], pitch [rad] and onset [s] of a glance."""
        target = self._glances.get(slot)
        if target is None:
            chance = random.Random(f"{self._seed}/glance/{slot}")
            wide = 0.08 if chance.random() < 0.4 else 0.42  # back to the audience, or about
            yaw = chance.triangular(-wide, wide)
            # Children look down when they look away.
            pitch = chance.uniform(-0.08, 0.08) + 0.1 * abs(yaw)
            target = (yaw, pitch, chance.uniform(0.0, 1.1))
            if len(self._glances) >= CACHED:
                self._glances.pop(next(iter(self._glances)))
            self._glances[slot] = target
        return target

    def _fidget(self, slot: int) -> Fidget | None:
        if slot not in self._fidgets:
            chance = random.Random(f"{self._seed}/fidget/{slot}")
            kind = chance.choice((None, *FIDGETS))
            if len(self._fidgets) >= CACHED:
                self._fidgets.pop(next(iter(self._fidgets)))
            self._fidgets[slot] = kind(chance, self._columns) if kind is not None else None
        return self._fidgets[slot]
