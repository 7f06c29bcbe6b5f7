"""Pushes on the running robot, at every phase of its cycle and from every side."""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from core.lab.experiment import Bar, Figures
from core.lab.experiments.strides.conduct import ablations, conduct, run_at, runner_of
from core.lab.laboratory import Laboratory
from core.lab.script import START_S
from core.plants.dynamics_filter.gait import Gait
from core.plants.dynamics_filter.score import LEFT, Kind
from core.robot.profile import Profile
from core.tick.performer import Performer

SPEED = 0.25  # [m/s]
CHANGE = 0.1  # of the CoM's velocity by a push [m/s]
PUSH_S = 0.05
PHASES = 8  # of a cycle, which begins as the left foot begins its stance
DIRECTIONS = tuple(range(0, 360, 45))  # [°] from the heading, to the left
LEAD_S = 2.0  # of running before the first push
EVERY_S = 2.0  # between pushes
ALL = tuple((phase / PHASES, degrees) for phase in range(PHASES) for degrees in DIRECTIONS)
FIXED_PUSHES = 6  # that the robot with fixed footsteps gets
AFTER_S = 2.0


def pushes_of(seed: int) -> tuple[tuple[float, float], ...]:
    """Return the pushes of a seed: half of all, so that two seeds make all of them.

    Every phase and every direction is in each half.
    """
    return tuple(
        one
        for place, one in enumerate(ALL)
        if (place // len(DIRECTIONS) + place % len(DIRECTIONS)) % 2 == seed % 2
    )


@dataclass
class Pusher:
    """Watches a run and pushes at the phases that are asked for.

    Attributes:
        body: is pushed.
        force: of a push [N].
        due: phases (0 to 1) and directions [°] of the pushes still to be made.
        made: times of those that were made [s].
    """

    body: Any
    force: float
    due: list[tuple[float, float]]
    step_s: float
    made: list[float] = field(default_factory=list)
    _next_s: float = START_S + LEAD_S
    _begin_s: float = math.nan
    _foot: int = LEFT
    _stood: int = -1
    _phase: float = 0.0

    def __call__(self, performer: Performer) -> None:
        """Look at the last tick."""
        strider = runner_of(performer.plant).strider
        reference, now_s = strider.reference, strider.now_s
        if reference.gait is not Gait.RUN:
            self._stood = -1
            return
        if reference.kind is not Kind.FLIGHT and reference.support != self._stood:
            self._stood, self._begin_s = reference.support, now_s
        share = min(0.9999, (now_s - self._begin_s) / self.step_s)
        phase = 0.5 * ((self._stood != 1 << LEFT) + share)
        if self.due and now_s >= self._next_s and passed(self._phase, phase, self.due[0][0]):
            _, degrees = self.due.pop(0)
            angle = math.radians(degrees) + float(self.body.truth().base_rpy[2])
            push = np.array((math.cos(angle), math.sin(angle), 0.0)) * self.force
            self.body.push(push, PUSH_S)
            self.made.append(now_s)
            self._next_s = now_s + EVERY_S
        self._phase = phase


def passed(before: float, now: float, target: float) -> bool:
    """Tell whether a phase that runs from 0 to 1 and again has just passed a target."""
    if now >= before:
        return before < target <= now
    return target > before or target <= now


def push_all(
    lab: Laboratory,
    seed: int,
    due: tuple[tuple[float, float], ...],
    profile: Profile | None = None,
    may_fall: bool = False,
) -> tuple[int, int]:
    """Run and be pushed; after a fall the rest of the pushes get another run.

    Returns:
        The pushes that were made, and the falls.
    """
    times, left = lab.profile.as_runner.strides.times, list(due)
    step_s = times.run_stance_s + times.run_flight_s
    made = falls = 0
    while left:
        body = lab.body(seed)
        pusher = Pusher(body, CHANGE * lab.model.mass / PUSH_S, left, step_s)
        length_s = LEAD_S + len(left) * (EVERY_S + 2.0 * step_s) + AFTER_S
        order = [(0.0, run_at(SPEED))]
        found = conduct(
            lab, seed, length_s, order, body=body, profile=profile, look=pusher, may_fall=may_fall
        )
        falls += found.failed
        made += len(pusher.made)
        if not pusher.made:
            break  # it falls without a push
    return made, falls


def add_pushes(figures: Figures, lab: Laboratory, seed: int) -> None:
    """Note how many pushes the robot stands, and how many with footsteps that do not move."""
    due = pushes_of(seed)
    made, falls = push_all(lab, seed, due)
    figures["push_made"], figures["push_falls"] = float(made), float(falls)
    figures["push_survived"] = max(0.0, made - falls) / len(due)
    fixed = ablations(lab.profile)["fixed"]
    made, falls = push_all(lab, seed, due[:: len(due) // FIXED_PUSHES], fixed, may_fall=True)
    figures["push_fixed_falls"] = float(falls)
    figures["push_fixed"] = max(0.0, made - falls) / max(1, made)


BARS = (
    Bar("push_survived", "0.7 N·s at 8 phases × 8 sides: share survived", at_least=0.95),
    Bar("push_made", "pushes, half of the 64 a seed"),
    Bar("push_falls", "falls"),
    Bar("push_fixed", "fixed footsteps: share survived of some of them"),
    Bar("push_fixed_falls", "falls"),
)
