"""Idle motion: breathing, sway, shifts of the weight, glances and fidgets that never repeat.

All of it happens at irregular times (`core.behave.moments`), so that nothing has a beat.

The pose is a pure function of seed and time. It is sampled at even knots and joined by cubic
Hermite segments whose velocities are central differences of the knots, so that it is C¹ at
every instant. Each random generator is seeded with (seed, movement, moment), hence no moment
depends on what was played before it.
"""

import math
from collections.abc import Mapping

import numpy as np

from core.behave.fidgets import Fidget, Pose
from core.behave.hermite import fill_basis, new_basis
from core.behave.idle_settings import PEAK_SPEED, Breath, Glances, Idle
from core.behave.moments import Moments
from devices.interface import Floats

KNOT_S = 0.04
CACHED = 64
SPREAD = 0.35  # of the times between turning points, as the deviation of their logarithm
FREE = 0.8  # the same of glances and fidgets
LEAST_SHARE = 0.5  # of the mean time between turning points, and of a breath, that is the least


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
        period_s: mean time between them [s].
    """

    __slots__ = ("_left", "_moments", "_right", "_start_s")

    def __init__(self, name: str, period_s: float) -> None:
        self._moments = Moments(name, period_s, SPREAD, LEAST_SHARE * period_s)
        self._start_s: float | None = None
        self._left = self._right = 0.0

    def at(self, t: float) -> float:
        """Return its value at a time [s]."""
        _, start_s, end_s = self._moments.near(t)
        if start_s != self._start_s:
            self._start_s = start_s
            self._left, self._right = self._turn(start_s), self._turn(end_s)
        share = ease((t - start_s) / (end_s - start_s))
        return self._left + (self._right - self._left) * share

    def _turn(self, moment_s: float) -> float:
        return self._moments.draw(moment_s).uniform(-1.0, 1.0)


class Breathing:
    """Breaths of irregular length and depth, between -1 and 1 at their mean depth.

    Args:
        name: seeds them.
        settings: of the profile.
    """

    def __init__(self, name: str, settings: Breath) -> None:
        self._moments = Moments(
            name, settings.period_s, settings.spread, LEAST_SHARE * settings.period_s
        )
        self._depth = settings.depth
        self._start_s: float | None = None
        self._level = 0.0

    def at(self, t: float) -> float:
        """Return how full the lungs are at a time [s]."""
        _, start_s, end_s = self._moments.near(t)
        if start_s != self._start_s:
            self._start_s = start_s
            self._level = 1.0 + self._depth * self._moments.draw(start_s).uniform(-1.0, 1.0)
        turn = 2.0 * math.pi * (t - start_s) / (end_s - start_s)
        return self._level * (1.0 - math.cos(turn)) - 1.0


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
        if settings.breath is not None:
            self._breath = Breathing(f"{seed}/breath", settings.breath)
        if settings.weight is not None:
            self._shift = Wander(f"{seed}/weight", settings.weight.period_s)
        if (glances := settings.glances) is not None:
            name, least_s = f"{seed}/glance", glances.longest_s
            self._looks = Moments(name, glances.period_s, FREE, least_s)
        if (fidgets := settings.fidgets) is not None:
            longest_s = fidgets.length_s[1]
            self._restless = Moments(f"{seed}/fidget", fidgets.period_s, FREE, longest_s)
        self._fingers = [
            (
                [columns[joint] for joint in fingers.joints],
                fingers.amplitude,
                Wander(f"{seed}/fingers/{fingers.name}", fingers.period_s),
            )
            for fingers in settings.fingers
        ]
        self._glances: dict[float, tuple[float, float]] = {}
        self._fidgets: dict[float, Fidget | None] = {}
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
            level = self._breath.at(t)
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
            _, start_s, _ = self._restless.near(t)
            fidget = self._fidget(start_s)
            if fidget is not None:
                fidget.add(t - start_s, pose)
        return pose

    def _glance(self, glances: Glances, t: float, pose: Pose) -> None:
        """Turn the gaze in saccades from one target to the next, and hold it in between."""
        if self._gaze is None:
            return
        before_s, start_s, _ = self._looks.near(t)
        yaw_from, pitch_from = self._target(glances, before_s)
        yaw_to, pitch_to = self._target(glances, start_s)
        distance = max(abs(yaw_to - yaw_from), abs(pitch_to - pitch_from))
        duration_s = max(glances.least_s, PEAK_SPEED * distance / glances.saccade_speed)
        share = ease((t - start_s) / duration_s)
        yaw, pitch = self._gaze
        pose[yaw] += yaw_from + (yaw_to - yaw_from) * share
        pose[pitch] += pitch_from + (pitch_to - pitch_from) * share

    def _target(self, glances: Glances, moment_s: float) -> tuple[float, float]:
        """Return yaw and pitch of the glance of a moment [rad]."""
        target = self._glances.get(moment_s)
        if target is None:
            chance = self._looks.draw(moment_s)
            widest = glances.near if chance.random() < glances.near_chance else glances.far
            yaw = chance.triangular(-widest, widest)
            pitch = chance.uniform(-glances.pitch, glances.pitch) + glances.pitch_by_yaw * abs(yaw)
            target = (yaw, pitch)
            if len(self._glances) >= CACHED:
                self._glances.pop(next(iter(self._glances)))
            self._glances[moment_s] = target
        return target

    def _fidget(self, moment_s: float) -> Fidget | None:
        """Return the fidget of a moment; doing nothing is as likely as each kind."""
        fidgets = self._settings.fidgets
        if moment_s not in self._fidgets and fidgets is not None:
            chance = self._restless.draw(moment_s)
            kind = chance.choice((None, *fidgets.kinds))
            if len(self._fidgets) >= CACHED:
                self._fidgets.pop(next(iter(self._fidgets)))
            fidget = None if kind is None else Fidget(fidgets, kind, chance, self._columns)
            self._fidgets[moment_s] = fidget
        return self._fidgets.get(moment_s)
