"""Idle motion: breathing, sway, shifts of the weight, glances and fidgets that never repeat.

The pose is a pure function of seed and time. It is sampled at even knots and joined by cubic
Hermite segments whose velocities are central differences of the knots, so that it is C¹ at
every instant. Each random generator is seeded with (seed, movement, number of the slot), hence
no moment depends on what was played before it.
"""

import math
import random
from collections.abc import Mapping

import numpy as np

from core.behave.fidgets import Fidget, Pose
from core.behave.hermite import fill_basis, new_basis
from core.behave.idle_settings import Glances, Idle
from devices.interface import Floats

KNOT_S = 0.04
CACHED = 64
_PEAK_SPEED = 1.875  # of the quintic, for a unit distance in unit time


def ease(u: float) -> float:
    """Return the quintic from 0 to 1 that starts and ends at rest; u outside is clamped."""
    if u <= 0.0:
        return 0.0
    if u >= 1.0:
        return 1.0
    return u * u * u * (10.0 + u * (6.0 * u - 15.0))


class Wander:
    """A smooth random walk between -1 and 1: random turning points, eased in between.

    Args:
        name: seeds the turning points.
        period_s: time between them [s].
    """

    __slots__ = ("_left", "_name", "_period_s", "_right", "_segment")

    def __init__(self, name: str, period_s: float) -> None:
        self._name = name
        self._period_s = period_s
        self._segment: int | None = None
        self._left = 0.0
        self._right = 0.0

    def at(self, t: float) -> float:
        """Return its value at a time [s]."""
        periods = t / self._period_s
        segment = math.floor(periods)
        if segment != self._segment:
            self._segment = segment
            self._left = self._turn(segment)
            self._right = self._turn(segment + 1)
        return self._left + (self._right - self._left) * ease(periods - segment)

    def _turn(self, n: int) -> float:
        return random.Random(f"{self._name}/{n}").uniform(-1.0, 1.0)


class IdleMotion:
    """The motion that the upper body adds to its rest posture while it waits.

    Args:
        settings: the idle motion of the robot.
        columns: joint name to index in upper order.
        gaze: indices of the joints that turn the gaze, yaw and pitch; None if there are none.
        seed: of every random draw.
    """

    def __init__(
        self,
        settings: Idle,
        columns: Mapping[str, int],
        gaze: tuple[int, int] | None,
        seed: int,
    ) -> None:
        self._settings = settings
        self._columns = columns
        self._gaze = gaze
        self._width = len(columns)
        self._seed = seed
        self._wanders = [
            (
                columns[sway.joint],
                sway.amplitude,
                Wander(f"{seed}/sway/{sway.joint}", sway.period_s),
            )
            for sway in settings.sway
        ]
        breath, weight = settings.breath, settings.weight
        if breath is not None:
            self._breath_phase = Wander(f"{seed}/breath_pace", breath.phase_period_s)
            self._breath_depth = Wander(f"{seed}/breath_depth", breath.depth_period_s)
        if weight is not None:
            self._shift = Wander(f"{seed}/weight", weight.period_s)
        self._fingers = [
            (
                [columns[joint] for joint in fingers.joints],
                fingers.amplitude,
                Wander(f"{seed}/fingers/{fingers.name}", fingers.period_s),
            )
            for fingers in settings.fingers
        ]
        self._glances: dict[int, tuple[float, float, float]] = {}
        self._fidgets: dict[int, Fidget | None] = {}
        self._poses: dict[int, Floats] = {}
        self._segments: dict[int, Floats] = {}
        self._basis, self._flat = new_basis()

    def sample(self, t: float, out: Floats) -> None:
        """Write position, velocity and acceleration (3, u) relative to rest, at a time [s]."""
        knot = t / KNOT_S
        n = math.floor(knot)
        knots = self._segments.get(n)
        if knots is None:
            knots = self._join(n)
        fill_basis(self._flat, knot - n, KNOT_S, 1.0)
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
        """Return the sum of all movements at a time [s]."""
        settings, columns = self._settings, self._columns
        pose = [0.0] * self._width
        for column, amplitude, wander in self._wanders:
            pose[column] += amplitude * wander.at(t)
        if (breath := settings.breath) is not None:
            phase = 2.0 * math.pi * breath.frequency_hz * t
            phase += breath.phase * self._breath_phase.at(t)
            level = (1.0 + breath.depth * self._breath_depth.at(t)) * math.sin(phase)
            for row in breath.joints:
                pose[columns[row.joint]] += row.amplitude * level
        if settings.weight is not None:
            shift = self._shift.at(t)
            for row in settings.weight.joints:
                pose[columns[row.joint]] += row.amplitude * shift
        for fingers, amplitude, wander in self._fingers:
            curl = amplitude * wander.at(t)
            for column in fingers:
                pose[column] += curl
        if settings.glances is not None:
            self._glance(settings.glances, t, pose)
        if settings.fidgets is not None:
            slot = math.floor(t / settings.fidgets.period_s)
            fidget = self._fidget(slot)
            if fidget is not None:
                fidget.add(t - slot * settings.fidgets.period_s, pose)
        return pose

    def _glance(self, glances: Glances, t: float, pose: Pose) -> None:
        """Turn the gaze in saccades from one target to the next, and hold it in between."""
        if self._gaze is None:
            return
        slot = math.floor(t / glances.period_s)
        yaw_from, pitch_from, _ = self._target(glances, slot - 1)
        yaw_to, pitch_to, onset_s = self._target(glances, slot)
        distance = max(abs(yaw_to - yaw_from), abs(pitch_to - pitch_from))
        duration_s = max(glances.least_s, _PEAK_SPEED * distance / glances.saccade_speed)
        share = ease((t - slot * glances.period_s - onset_s) / duration_s)
        yaw, pitch = self._gaze
        pose[yaw] += yaw_from + (yaw_to - yaw_from) * share
        pose[pitch] += pitch_from + (pitch_to - pitch_from) * share

    def _target(self, glances: Glances, slot: int) -> tuple[float, float, float]:
        """Return yaw [rad], pitch [rad] and onset [s] of a glance."""
        target = self._glances.get(slot)
        if target is None:
            chance = random.Random(f"{self._seed}/glance/{slot}")
            widest = glances.near if chance.random() < glances.near_chance else glances.far
            yaw = chance.triangular(-widest, widest)
            pitch = chance.uniform(-glances.pitch, glances.pitch) + glances.pitch_by_yaw * abs(yaw)
            target = (yaw, pitch, chance.uniform(0.0, glances.onset_s))
            if len(self._glances) >= CACHED:
                self._glances.pop(next(iter(self._glances)))
            self._glances[slot] = target
        return target

    def _fidget(self, slot: int) -> Fidget | None:
        """Return the fidget of a slot; doing nothing is as likely as each kind."""
        fidgets = self._settings.fidgets
        if slot not in self._fidgets and fidgets is not None:
            chance = random.Random(f"{self._seed}/fidget/{slot}")
            kind = chance.choice((None, *fidgets.kinds))
            if len(self._fidgets) >= CACHED:
                self._fidgets.pop(next(iter(self._fidgets)))
            fidget = None if kind is None else Fidget(fidgets, kind, chance, self._columns)
            self._fidgets[slot] = fidget
        return self._fidgets.get(slot)
