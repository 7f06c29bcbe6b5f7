"""A simulated robot that follows a performer: balance, accuracy, steps, and a lost input."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import numpy as np

from core.constants import GRAVITY
from core.errors import CoreError
from core.lab.experiment import Bar, Experiment, Figures, Measured
from core.lab.laboratory import Laboratory
from core.lab.measure.leader import (
    STEP_EVERY_S,
    DirectShift,
    Leading,
    Source,
    performing,
    stepping,
    swaying,
)
from core.lab.script import Script
from core.link.partner import Follow
from core.partner.robot import robot_of
from core.retouch.shift import RetouchedShift
from core.retouch.stream import LATENCY_S
from core.tick.performer import Performer
from devices.interface import Floats

TAKES = Path(__file__).parents[3] / "assets" / "takes"
LOOK_S = 1.5  # in which a robot begins to follow
ORDER_S = 0.5  # after the start, when the order to follow comes
SWAY_S, SETTLED_S = 24.0, 6.0  # length of a sway, and from when its errors count
FEASIBLE_HZ, FEASIBLE = 0.5, 0.98  # share of the region that the performer's ZMP needs
BEYOND_HZ, BEYOND_M = 0.8, 0.06  # the ZMP lies far outside
STEPS, ANSWERED_S = 100, 1.0
AHEAD, OUTWARD = 0.108, 0.068  # of steps, by the height of the robot's pendulum
READY_S = 4.0  # until the first step: a robot may stand lower than it steps
TAKES_S, MOST_STEPS = 300.0, 5.0
LOSS, JITTER_S = 0.05, 0.02
PULLS, PULL_EVERY_S, PULLED_S = 50, 4.0, 1.5
LAGS_S = np.arange(0.2, 0.4, 0.001)


@dataclass(frozen=True)
class Stance:
    """How a robot stands that is led.

    Attributes:
        half_m: from the middle to each sole [m].
        left_m: how far to the left the pressure may go [m].
        height_m: of its pendulum [m].
    """

    half_m: float
    left_m: float
    height_m: float

    @classmethod
    def of(cls, performer: Performer, shift: RetouchedShift) -> Self:
        """Return how a robot stands as it begins to follow."""
        left, right = (np.array(sole[:2]) for sole in performer.plant.view().soles)
        reach_m = float(shift.region.corners[:, 1].max())
        height_m = GRAVITY / shift.room.omega**2
        return cls(0.5 * float(np.linalg.norm(left - right)), reach_m, height_m)


@dataclass
class Watch:
    """Gives a performer to the robot, and looks what the robot makes of it.

    Attributes:
        source: of the performer.
        shift: what leads the centre of mass; None: the retouch.
        times_s: since the first posture [s].
        reference: of the CoM, forward and to the left [m].
        true: the CoM over the middle of the feet, at the start's heading [m].
        outside_m: largest distance of the reference's pressure from its region [m].
        latency_s: from the newest stamp to the end of its plan [s].
        lifts: when each foot left the ground, since the first posture [s].
        seen: when each foot of the performer was seen in the air [s].
        stance: of the robot when it began to follow; None before.
    """

    body: Any
    source: Source
    shift: Any = None
    times_s: list[float] = field(default_factory=list)
    reference: list[Floats] = field(default_factory=list)
    true: list[Floats] = field(default_factory=list)
    outside_m: float = -math.inf
    latency_s: float = 0.0
    lifts: list[tuple[float, int]] = field(default_factory=list)
    seen: list[tuple[float, int]] = field(default_factory=list)
    stance: "Stance | None" = None
    _swing: int = -1
    _on: tuple[bool, bool] = (True, True)

    def __call__(self, performer: Performer) -> None:
        """Look at the last tick."""
        follow = performer.hand.follow
        if self.shift is not None:
            follow.make_shift = self.shift
        self.source(performer)
        shift, now_s = follow.shift, performer.plant.state.stamp_s
        since_s = now_s - self.source.begun_s
        swing = performer.plant.view().swing_side
        if swing != self._swing:
            self._swing = swing
            if swing >= 0:
                self.lifts.append((since_s, swing))
        if self.source.on != self._on:
            before, self._on = self._on, self.source.on
            up = [foot for foot in range(2) if before[foot] and not self._on[foot]]
            self.seen += [(self.source.stamp_s - self.source.begun_s, foot) for foot in up]
        if shift is None:
            return
        if self.stance is None:
            self.stance = Stance.of(performer, shift)
        self.times_s.append(since_s)
        motion = shift.stream.at(now_s)
        self.latency_s = shift.stream.latency_s
        self.outside_m = max(self.outside_m, shift.region.beyond(motion.pressure))
        self.reference.append(motion.position)
        self.true.append(np.array(self.body.truth().com[:2]))


def _follow(
    lab: Laboratory,
    seed: int,
    leading: Leading,
    length_s: float,
    orders: Sequence[tuple[float, Follow]] = ((ORDER_S, Follow(mirror_sides=False)),),
    shift: Callable[..., Any] | None = None,
    loss: float = 0.0,
    jitter_s: float = 0.0,
) -> tuple[Watch, int]:
    """Let the robot follow; return what was seen, and the number of falls."""
    body = lab.body(seed)
    watch = Watch(body, Source(leading, seed, loss, jitter_s), shift)
    script = Script(length_s, commands=orders)
    done = lab.run(seed, script, body=body, keep=False, watch=watch, may_fall=shift is not None)
    return watch, done.report.falls


def run(lab: Laboratory, seed: int) -> Measured:
    """Measure one seed."""
    figures = _sways(lab, seed) | _steps(lab, seed) | _takes(lab, seed) | _pulls(lab, seed)
    return Measured(figures)


def _errors(watch: Watch, leading: Leading) -> tuple[float, float]:
    """Return the error of the true CoM [m] and the latency of its reference [s]."""
    times = np.array(watch.times_s)
    chosen = times > SETTLED_S
    times = times[chosen]
    reference, true = np.array(watch.reference)[chosen], np.array(watch.true)[chosen]

    def wanted(lag_s: float) -> Floats:
        leads = [leading(time_s - lag_s) for time_s in times[::10].tolist()]
        return np.array([lead.com[0, :2] for lead in leads if lead is not None])

    off = [float(((reference[::10] - wanted(lag_s)) ** 2).mean()) for lag_s in LAGS_S[::10]]
    coarse = LAGS_S[::10][int(np.argmin(off))]
    near = LAGS_S[np.abs(LAGS_S - coarse) < 0.012]
    fine = [float(((reference[::10] - wanted(lag_s)) ** 2).mean()) for lag_s in near]
    error = true[::10] - wanted(LATENCY_S)
    error -= error.mean(axis=0)
    return float(np.sqrt((error**2).sum(axis=1).mean())), float(near[int(np.argmin(fine))])


def _sways(lab: Laboratory, seed: int) -> Figures:
    """Measure the sways: within the room, beyond it, with a bad network, and played directly."""
    figures: Figures = {}
    stance = _stance(lab, seed)
    ratio = 1.0 + (2.0 * math.pi * FEASIBLE_HZ) ** 2 * stance.height_m / GRAVITY
    within = swaying((0.0, FEASIBLE * stance.left_m / ratio), FEASIBLE_HZ)
    beyond = swaying((0.0, BEYOND_M), BEYOND_HZ)
    watch, falls = _follow(lab, seed, within, SWAY_S)
    figures["feasible_rms_m"], figures["body_lag_s"] = _errors(watch, within)
    figures["body_latency_s"] = watch.latency_s
    figures["outside_m"] = watch.outside_m
    bad, more = _follow(lab, seed, within, SWAY_S, loss=LOSS, jitter_s=JITTER_S)
    figures["loss_ratio"] = _errors(bad, within)[0] / figures["feasible_rms_m"]
    far, most = _follow(lab, seed, beyond, SWAY_S)
    figures["beyond_rms_m"], _ = _errors(far, beyond)
    figures["outside_m"] = max(figures["outside_m"], far.outside_m)
    figures["sway_falls"] = float(falls + more + most)
    direct, lost = _follow(lab, seed, beyond, SWAY_S, shift=DirectShift)
    figures["sway_steps"] = float(len(watch.lifts) + len(bad.lifts) + len(far.lifts))
    figures["direct_sway_steps"] = float(len(direct.lifts) + lost)
    return figures


def _stance(lab: Laboratory, seed: int) -> Stance:
    """Return how the robot stands once it follows a performer who stands still."""
    watch, _ = _follow(lab, seed, swaying((0.0, 0.0), FEASIBLE_HZ), LOOK_S)
    if watch.stance is None:
        raise CoreError("the robot's body does not follow; give its profile the table [body]")
    return watch.stance


def _steps(lab: Laboratory, seed: int) -> Figures:
    """Measure a hundred steps: in place, forward, and outward and back."""
    stance, random = _stance(lab, seed), np.random.default_rng(seed)
    way_m, out_m = AHEAD * stance.height_m, OUTWARD * stance.height_m
    ways: list[tuple[int, float, float]] = []
    while len(ways) < STEPS:
        kind, foot = int(random.integers(3)), int(random.integers(2))
        outward = out_m if foot == 0 else -out_m
        ahead = way_m if sum(way[1] for way in ways) <= 0.0 else -way_m
        ways += (
            [(foot, 0.0, 0.0)],
            [(foot, ahead, 0.0), (1 - foot, ahead, 0.0)],
            [(foot, 0.0, outward), (1 - foot, 0.0, outward)],
        )[kind]
    leading = stepping(ways[:STEPS], stance.half_m, READY_S)
    order = Follow(legs=True, mirror_sides=False)
    length_s = READY_S + 2.0 + STEP_EVERY_S * STEPS
    watch, falls = _follow(lab, seed, leading, length_s, [(ORDER_S, order)])
    late = []
    for seen_s, foot in watch.seen:
        after = [lift_s - seen_s for lift_s, one in watch.lifts if one == foot]
        own = [lag_s for lag_s in after if 0.0 < lag_s < ANSWERED_S]
        late.append(abs(own[0] - LATENCY_S) if own else math.inf)
    answered = [off_s for off_s in late if off_s < ANSWERED_S]
    return {
        "step_falls": float(falls),
        "steps": float(len(watch.seen)),
        "steps_answered": len(answered) / max(1, len(late)),
        "lift_off_s": max(late, default=math.inf),
        "lift_p90_off_s": float(np.percentile(answered or [math.inf], 90)),
    }


def _takes(lab: Laboratory, seed: int) -> Figures:
    """Measure five minutes of the shipped takes, retouched and played directly."""
    random, paths = np.random.default_rng(seed), sorted(TAKES.glob("*.bvh"))
    robot = robot_of(lab.profile)
    order = [paths[int(i)] for i in random.integers(len(paths), size=120)]
    leading = performing(order, robot, False, seed)
    watch, falls = _follow(lab, seed, leading, TAKES_S)
    direct, lost = _follow(lab, seed, leading, TAKES_S, shift=DirectShift)
    return {
        "take_falls": float(falls),
        "take_steps": float(len(watch.lifts)),
        "direct_take_steps": float(len(direct.lifts) + lost),
    }


def _pulls(lab: Laboratory, seed: int) -> Figures:
    """Pull the cable again and again while a performer sways; each time an operator starts anew."""
    sway = swaying((0.0, 0.03), 0.5)

    def pulled(time_s: float) -> Any:
        return None if time_s % PULL_EVERY_S > PULL_EVERY_S - PULLED_S else sway(time_s)

    orders = [(ORDER_S + PULL_EVERY_S * pull, Follow(mirror_sides=False)) for pull in range(PULLS)]
    watch, falls = _follow(lab, seed, pulled, PULL_EVERY_S * PULLS + 1.0, orders)
    return {"pull_falls": float(falls), "pulls": float(watch.source.orders)}


EXPERIMENT = Experiment(
    "partner",
    "a performer leads the robot: sways, a hundred steps, five minutes of takes, a lost input",
    run,
    (
        Bar("feasible_rms_m", "CoM's error in a sway that the feet allow", "m", at_most=0.005),
        Bar("beyond_rms_m", "in one of 6 cm at 0.8 Hz, which they do not", "m", at_most=0.025),
        Bar("outside_m", "reference's ZMP outside its region", "m", at_most=1e-9),
        Bar("body_latency_s", "from a stamp to its plan's end", "s", at_least=0.295, at_most=0.305),
        Bar("body_lag_s", "lag at which the body's reference is nearest to the performer", "s"),
        Bar("loss_ratio", "error with 5 % loss and 20 ms jitter, by that without", at_most=1.2),
        Bar("sway_falls", "falls in the sways", at_most=0.0),
        Bar("sway_steps", "steps that the robot needs in them", at_most=0.0),
        Bar("direct_sway_steps", "steps that it needs in direct playback, and falls", at_least=1.0),
        Bar("step_falls", "falls in a hundred steps", at_most=0.0),
        Bar("steps", "steps that were seen", at_least=float(STEPS)),
        Bar("steps_answered", "share that the robot answered within 1 s", at_least=1.0),
        Bar("lift_off_s", "lift of the foot beside its 0.3 s, worst", "s", at_most=0.040),
        Bar("lift_p90_off_s", "the same, 90 % of those that were answered", "s"),
        Bar("take_falls", "falls in five minutes of takes", at_most=0.0),
        Bar("take_steps", "steps that the robot needs in them", at_most=MOST_STEPS),
        Bar("direct_take_steps", "steps that it needs in direct playback, and falls", at_least=1.0),
        Bar("pull_falls", "falls when the input is lost", at_most=0.0),
        Bar("pulls", "times that it was lost", at_least=float(PULLS)),
    ),
    beside=False,
    any_plant=True,
)
