"""Pushes while stepping in place: at every phase of the gait, from every side."""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from core.lab.experiment import Bar, Experiment, Figures, Measured
from core.lab.laboratory import Laboratory
from core.lab.rehearsal import Rows
from core.lab.script import START_S, Script
from core.plants.biped.plant import biped_of
from core.plants.biped.walk.pendulum import natural_frequency
from core.plants.biped.walk.reference import Phase
from core.run.launch import WalkOrder
from core.tick.performer import Performer
from devices.interface import Floats

IMPULSE = 5.0  # [N·s]
PUSH_S = 0.1
PHASES = 8  # of a gait cycle, which begins when the left foot becomes the stance foot
DIRECTIONS = tuple(range(0, 360, 45))  # [°] from the heading, to the left
LEAD_S = 2.5  # of stepping before the first push
EVERY_S = 2.5  # between the pushes
LADDER = (6.0, 8.0, 10.0, 12.0, 14.0, 16.0, 18.0, 20.0, 22.0, 24.0)
LADDER_PHASE = 0.25  # the middle of a step on the left foot


@dataclass(frozen=True, slots=True)
class Shove:
    """A push that is to be made, or was.

    Attributes:
        impulse: [N·s].
        degrees: its direction from the heading [°].
        phase: of the gait cycle, 0 to 1.
        start_s: when it began; NaN before.
    """

    impulse: float
    degrees: float
    phase: float
    start_s: float = math.nan


@dataclass
class Pusher:
    """Watches a run and pushes at the phases that are asked for.

    Attributes:
        body: is pushed.
        step_s: a step's usual time [s].
        due: pushes still to be made, in turn.
        made: pushes made.
        steps: time [s] and stance side of every step that began.
    """

    body: Any
    step_s: float
    due: list[Shove]
    made: list[Shove] = field(default_factory=list)
    steps: list[tuple[float, int]] = field(default_factory=list)
    _next_s: float = START_S + LEAD_S
    _stance: int = -1
    _phase: float = 0.0

    def __call__(self, performer: Performer) -> None:
        """Look at the last tick."""
        reference, now_s = (
            biped_of(performer.plant).walker.reference,
            performer.plant.state.stamp_s,
        )
        if reference.phase is not Phase.STEP:
            self._stance = -1
            return
        if reference.stance_side != self._stance:
            self._stance = reference.stance_side
            self.steps.append((now_s, self._stance))
        share = min(0.9999, (now_s - self.steps[-1][0]) / self.step_s)
        phase = 0.5 * (self._stance + share)
        if self.due and now_s >= self._next_s and passed(self._phase, phase, self.due[0].phase):
            self._push(self.due.pop(0), now_s)
        self._phase = phase

    def _push(self, shove: Shove, now_s: float) -> None:
        angle = math.radians(shove.degrees) + float(self.body.truth().base_rpy[2])
        force = shove.impulse / PUSH_S
        self.body.push(np.array([math.cos(angle), math.sin(angle), 0.0]) * force, PUSH_S)
        self.made.append(Shove(shove.impulse, shove.degrees, shove.phase, now_s))
        self._next_s = now_s + EVERY_S


def passed(before: float, now: float, target: float) -> bool:
    """Tell whether a phase that runs from 0 to 1 and again has just passed a target."""
    if now >= before:
        return before < target <= now
    return target > before or target <= now


def run(lab: Laboratory, seed: int) -> Measured:
    """Measure one seed."""
    figures: Figures = {"falls": 0.0, "pushes": 0.0}
    survived = 0
    ratios: list[float] = []
    for degrees in DIRECTIONS:
        due = [Shove(IMPULSE, degrees, k / PHASES) for k in range(PHASES)]
        while due:
            pusher, rows, fell = _pushed(lab, seed, due)
            figures["falls"] += fell
            figures["pushes"] += len(pusher.made)
            survived += max(0, len(pusher.made) - fell)
            due = pusher.due
            if degrees in (0, 180):
                ratios += _shifts(lab, rows, pusher)
            if not pusher.made:
                break  # it falls without a push
    figures["survived"] = survived / (PHASES * len(DIRECTIONS))
    figures["shift"] = float(np.median(ratios)) if ratios else math.nan
    figures["shift_spread"] = float(np.std(ratios)) if ratios else math.nan
    for degrees in DIRECTIONS:
        due = [Shove(impulse, degrees, LADDER_PHASE) for impulse in LADDER]
        pusher, _, fell = _pushed(lab, seed, due, may_fall=True)
        borne = [shove.impulse for shove in pusher.made]
        borne = borne[:-1] if fell else borne
        figures[f"largest_{degrees}"] = borne[-1] if borne else 0.0
    return Measured(figures)


def _pushed(
    lab: Laboratory, seed: int, due: list[Shove], may_fall: bool = False
) -> tuple[Pusher, Rows, int]:
    """Step in place and push; a fall ends the run and leaves the remaining pushes."""
    body = lab.body(seed)
    pusher = Pusher(body, lab.profile.as_biped.gait.step_s, list(due))
    cycle_s = 2.0 * lab.profile.as_biped.gait.step_s
    length_s = LEAD_S + len(due) * (EVERY_S + 1.2 * cycle_s)
    script = Script(length_s, [WalkOrder(dur=length_s, step=True)])
    done = lab.run(seed, script, body=body, watch=pusher, may_fall=may_fall)
    return pusher, done.rows, int(done.failed)


def closed_form(speed: float, left_s: float, step_s: float, omega: float) -> float:
    """Return how much farther from the centre of mass the next foot lands after a push [m].

    A change of speed grows by cosh(omega t) until the step ends in `left_s`; a foot farther
    out by that over omega tanh(omega T) lets the step after it end as if nothing had been.
    """
    return speed * math.cosh(omega * left_s) / (omega * math.tanh(omega * step_s))


def _shifts(lab: Laboratory, rows: Rows, pusher: Pusher) -> list[float]:
    """Return the shift of the first step after each push as a share of the closed form's.

    Only pushes that end within a step, early enough for its footstep to be replanned.
    """
    gait = lab.profile.as_biped.gait
    omega = natural_frequency(lab.profile.as_biped.balance.stand_height)
    found: list[float] = []
    times = np.array([time_s for time_s, _ in pusher.steps])
    for shove in pusher.made:
        after = int(np.searchsorted(times, shove.start_s, side="right"))
        if after >= times.size or after < 5:
            continue
        end_s = shove.start_s + PUSH_S
        if times[after] - end_s < gait.freeze_s + 0.02:
            continue
        usual = 0.5 * sum(_lead(lab, rows, pusher, i) for i in (after - 2, after - 4))
        shift = _lead(lab, rows, pusher, after) - usual
        sign = math.cos(math.radians(shove.degrees))
        left_s = float(times[after]) - shove.start_s - 0.5 * PUSH_S
        speed = shove.impulse / lab.model.mass
        found.append(sign * shift / closed_form(speed, left_s, gait.step_s, omega))
    return found


def _lead(lab: Laboratory, rows: Rows, pusher: Pusher, step: int) -> float:
    """Return how far in front of the centre of mass a step's foot stands when it begins [m]."""
    time_s, side = pusher.steps[step]
    row = rows[min(int(np.searchsorted(rows["t"], time_s)), rows.size - 1)]
    way: Floats = lab.soles(row)[side, :2] - row["com_true"][:2]
    yaw = float(row["rpy_true"][2])
    return float(math.cos(yaw) * way[0] + math.sin(yaw) * way[1])


EXPERIMENT = Experiment(
    "push-stepping",
    "pushes while stepping in place, at 8 phases of the gait and from 8 sides",
    run,
    (
        Bar("survived", "5 N·s at 8 phases × 8 directions: share survived", at_least=1.0),
        Bar("falls", "falls"),
        Bar("shift", "first step's shift, as a share of its closed form"),
        Bar("shift_spread", "its spread"),
        *(Bar(f"largest_{d}", f"largest impulse survived, {d}°", "N·s") for d in DIRECTIONS),
    ),
)
