"""A robot that waits for an hour: does it live, does nothing recur, and does it stay on its feet?

It stands in READY and nobody commands anything. The truth is looked at ten times a second.
"""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from core.lab.experiment import Bar, Experiment, Figures, Measured
from core.lab.laboratory import Laboratory
from core.lab.script import START_S, Script
from core.plants.biped.support_polygon import convex_hull
from core.robot.profile import Profile
from core.tick.performer import Performer
from devices.interface import Floats

LENGTH_S = 3600.0
PERIOD_S = 0.1  # of the looks
SETTLE_S = 3.0  # after which the body has begun to move
RECUR_S, LONGEST_S = 5.0, 120.0  # of the autocorrelation
GLANCE = 0.35  # speed of the gaze from which on it turns [rad/s]
BIN_S = 0.2  # of the onsets of glances


@dataclass
class Watch:
    """Looks at a simulated robot that waits.

    Attributes:
        body: is read.
        profile: names the feet.
        times_s: of the looks [s].
        angles: true joint positions at each look [rad].
        rpy: true roll, pitch and yaw of the torso [rad].
        gaze: speed of the gaze that behaviour wants [rad/s].
        inside_m: distance of the CoM from the edge of the feet, negative outside [m].
        stepped: whether a foot has left the ground.
    """

    body: Any
    profile: Profile
    times_s: list[float] = field(default_factory=list)
    angles: list[Floats] = field(default_factory=list)
    rpy: list[Floats] = field(default_factory=list)
    gaze: list[float] = field(default_factory=list)
    inside_m: list[float] = field(default_factory=list)
    stepped: bool = False
    _ticks: int = 0

    def __call__(self, performer: Performer) -> None:
        """Look at the last tick."""
        now_s = performer.plant.state.stamp_s
        if now_s < START_S + SETTLE_S:
            return
        self.stepped = self.stepped or performer.plant.steps
        self._ticks += 1
        if self._ticks % max(1, round(PERIOD_S / self.profile.tick_s)) != 1:
            return
        truth = self.body.truth()
        self.times_s.append(now_s)
        self.angles.append(truth.q.copy())
        self.rpy.append(np.array(truth.base_rpy))
        gaze, upper = performer.manager.joints.gaze, performer.upper
        turning = 0.0 if gaze is None else math.hypot(upper.dq[gaze.yaw], upper.dq[gaze.pitch])
        self.gaze.append(turning)
        self.inside_m.append(self._inside())

    def _inside(self) -> float:
        """Return the distance of the true CoM from the edge of the feet [m]."""
        data, corners = self.body.data, []
        for contact in self.profile.contacts:
            sole = data.site(contact.frame)
            for x in (contact.heel, contact.toe):
                for y in {-contact.half_width, contact.half_width}:
                    place = sole.xpos + sole.xmat.reshape(3, 3) @ (x, y, 0.0)
                    corners.append((float(place[0]), float(place[1]), 0.0))
        hull = np.array(convex_hull(corners))[:, :2]
        edge = np.roll(hull, -1, axis=0) - hull
        way = data.subtree_com[self.body.world.base][:2] - hull
        left = (edge[:, 0] * way[:, 1] - edge[:, 1] * way[:, 0]) / np.linalg.norm(edge, axis=1)
        return float(left.min())


def run(lab: Laboratory, seed: int, length_s: float = LENGTH_S) -> Measured:
    """Measure one seed."""
    body = lab.body(seed)
    watch = Watch(body, lab.profile)
    done = lab.run(seed, Script(length_s), body=body, keep=False, watch=watch)
    figures = {"falls": float(done.report.falls), "steps": float(watch.stepped)}
    return Measured(figures | figures_of(lab.profile, watch))


def figures_of(profile: Profile, watch: Watch) -> Figures:
    """Return the figures of what was seen."""
    rpy = np.degrees(np.array(watch.rpy))
    roll, pitch = (rpy - rpy.mean(axis=0)).T[:2]
    figures = {
        "roll": float(np.sqrt(np.mean(roll**2))),
        "pitch": float(np.sqrt(np.mean(pitch**2))),
        "inside": 1e3 * min(watch.inside_m),
        "seconds": watch.times_s[-1] - watch.times_s[0],
    }
    recurring = [recurrence(column) for column in np.array(watch.angles).T]
    worst = int(np.argmax(recurring))
    figures["recurrence"] = recurring[worst]
    figures |= {
        f"recurrence_{name}": value
        for name, value in zip(profile.joint_names, recurring, strict=True)
    }
    if profile.gaze is not None:
        figures |= glances(np.array(watch.gaze))
    return figures


def recurrence(values: Floats) -> float:
    """Return the largest autocorrelation of values (k), every PERIOD_S, beyond RECUR_S."""
    correlation = autocorrelation(values)
    last = min(len(values) // 3, round(LONGEST_S / PERIOD_S))
    return float(correlation[round(RECUR_S / PERIOD_S) : last].max(initial=0.0))


def autocorrelation(values: Floats) -> Floats:
    """Return the autocorrelation of values (k) for each lag (k), 1 at lag 0."""
    away, count = values - values.mean(), len(values)
    power = np.abs(np.fft.rfft(away, 2 * count)) ** 2
    sums = np.fft.irfft(power)[:count] / np.arange(count, 0, -1)
    scaled: Floats = sums / max(float(sums[0]), 1e-12)
    return scaled


def glances(speed: Floats) -> Figures:
    """Return how regular the glances are, by the speed of the gaze (k) [rad/s].

    The beat is the largest autocorrelation of the train of their onsets, in bins of BIN_S.
    """
    turning = speed > GLANCE
    onsets_s = PERIOD_S * np.flatnonzero(turning[1:] & ~turning[:-1])
    between_s = np.diff(onsets_s)
    edges = np.arange(0.0, PERIOD_S * len(speed) + BIN_S, BIN_S)
    train = autocorrelation(np.histogram(onsets_s, edges)[0].astype(np.float64))
    last = min(len(train) // 3, round(30.0 / BIN_S))
    return {
        "glances": float(len(onsets_s)),
        "between": float(between_s.mean()),
        "spread": float(between_s.std() / between_s.mean()),
        "beat": float(train[round(1.0 / BIN_S) : last].max()),
    }


_BARS = (
    Bar("falls", "falls", at_most=0.0),
    Bar("steps", "a step was taken", at_most=0.0),
    Bar("seconds", "looked at", "s"),
    Bar("roll", "torso, roll, RMS", "°", at_least=0.5, at_most=2.0),
    Bar("pitch", "torso, pitch, RMS", "°", at_least=0.5, at_most=2.0),
    Bar("recurrence", "largest autocorrelation of a joint beyond 5 s", at_most=0.3),
    Bar("inside", "CoM inside the edge of the feet, at least", "mm", at_least=20.0),
)
_GAZE_BARS = (
    Bar("glances", "glances"),
    Bar("between", "mean time between glances", "s"),
    Bar("spread", "its standard deviation, as a share", at_least=0.3),
    Bar("beat", "largest autocorrelation of their onsets beyond 1 s", at_most=0.2),
)


def _robot_bars(profile: Profile) -> tuple[Bar, ...]:
    """Return the rows of glances, and one for each joint."""
    joints = (Bar(f"recurrence_{name}", f"{name}, beyond 5 s") for name in profile.joint_names)
    return (*(_GAZE_BARS if profile.gaze is not None else ()), *joints)


EXPERIMENT = Experiment(
    "idle",
    "an hour of waiting: torso, autocorrelation of the joints, glances, place of the CoM",
    run,
    _BARS,
    beside=False,
    most_seeds=1,
    robot_bars=_robot_bars,
)
