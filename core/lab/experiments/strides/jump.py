"""Jumps of 1 s, flights of 0.1 s: in place, forward, turning; jumps at the ends of the range."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from core.constants import GRAVITY
from core.lab.experiment import Bar, Experiment, Figures, Measured
from core.lab.experiments.strides.body import move
from core.lab.experiments.strides.conduct import (
    ABLATIONS,
    Run,
    ablations,
    add_flights,
    conduct,
    curves_of,
    flight_bars,
)
from core.lab.experiments.strides.planner import USUAL
from core.lab.laboratory import Laboratory
from core.lab.script import START_S
from core.link.commands import StartJump
from core.plants.dynamics_filter.gait import Gait
from shows.gaits import JumpRange

COUNT, ABLATED = 5, 3  # jumps of a run
FORWARD_M, TURN_RAD = 0.05, 0.1
SHORT_S = 0.06  # a short flight
CYCLE_S = 1.0
PUSH_S, AFTER_S = 0.4, 1.5  # before the first jump, and after the last
BODY_FROM_S, BODY_S = 2.0, 6.0


def jumps(lab: Laboratory, seed: int, order: StartJump, **setting: Any) -> Run:
    """Let the robot jump, and stand for a moment."""
    length_s = PUSH_S + order.count * CYCLE_S + AFTER_S
    return conduct(lab, seed, length_s, [(0.0, order)], **setting)


def corners(limits: JumpRange) -> Iterator[StartJump]:
    """Yield jumps at the ends of the range, with short and with long flights."""
    for flight_s in (SHORT_S, limits.flight_s):
        backward, forward = limits.ways(flight_s)
        for dx in (forward, -backward):
            for turn in (limits.turn, -limits.turn):
                yield StartJump(ABLATED, flight_s, dx, limits.sideways, turn)


def first_way(lab: Laboratory, found: Run) -> float:
    """Return the way of the soles in the first of several jumps [m]."""
    times_s = 0.0, found.watch.flights[1].begin_s - START_S
    before, after = (
        lab.soles(found.rows[int(np.searchsorted(found.since_s, at_s))]).mean(axis=0)
        for at_s in times_s
    )
    return float(np.linalg.norm(after[:2] - before[:2]))


def run(lab: Laboratory, seed: int) -> Measured:
    """Measure one seed."""
    figures: Figures = {}
    found = jumps(lab, seed, StartJump(COUNT))
    add_flights(figures, "jump", found.ratios(Gait.JUMP))
    figures["jump_falls"] = float(found.failed)
    whole, stance = found.forces(Gait.JUMP)
    figures["force_share"], figures["stance_force"] = whole / (lab.model.mass * GRAVITY), stance
    figures["apex_mm"] = 1000.0 * float(found.planned("soles")[:, [2, 5]].max())
    figures["tilt_deg"] = found.tilt_deg()
    ahead = jumps(lab, seed, StartJump(COUNT, dx=FORWARD_M))
    add_flights(figures, "forward", ahead.ratios(Gait.JUMP))
    figures["forward_falls"] = float(ahead.failed)
    figures["forward_m"] = float(ahead.way()[-1, 0]) / COUNT
    figures["first_m"] = first_way(lab, ahead)
    turning = jumps(lab, seed, StartJump(ABLATED, turn=TURN_RAD))
    add_flights(figures, "turn", turning.ratios(Gait.JUMP))
    figures["turn_falls"] = float(turning.failed)
    limits = lab.profile.gaits.jump
    assert limits is not None, "it jumps"
    ends = [jumps(lab, seed, order) for order in corners(limits)]
    add_flights(figures, "ends", np.concatenate([end.ratios(Gait.JUMP) for end in ends]))
    figures["ends_falls"] = float(sum(end.failed for end in ends))
    for name, profile in ablations(lab.profile).items():
        order = StartJump(ABLATED, dx=FORWARD_M)
        other = jumps(lab, seed, order, profile=profile, may_fall=True)
        add_flights(figures, name, other.ratios(Gait.JUMP))
        figures[f"{name}_falls"] = float(other.failed)
        figures[f"{name}_tilt_deg"] = other.tilt_deg()
    free = ablations(lab.profile)["spin"]
    for key, profile in (("zmp", lab.profile), ("zmp_spin", free)):
        motion = move(profile, [(1.8, USUAL[Gait.JUMP])], BODY_S)
        error = 1000.0 * motion.zmp_error(BODY_FROM_S, lab.model.mass)
        figures[f"{key}_mm"] = float(np.sqrt((error**2).mean()))
    figures["zmp_spin_worse"] = figures["zmp_spin_mm"] / figures["zmp_mm"]
    return Measured(figures, curves_of(lab, found, PUSH_S + 0.2, PUSH_S + 2.4))


def _ablation_bars() -> tuple[Bar, ...]:
    bars: list[Bar] = []
    for name, what in ABLATIONS.items():
        bars += [
            Bar(f"{name}_flight", f"forward, {what}: flight by its plan, mean"),
            Bar(f"{name}_falls", "falls"),
            Bar(f"{name}_tilt_deg", "roll or pitch of the base, at most", "°"),
        ]
    return tuple(bars)


EXPERIMENT = Experiment(
    "strides/jump",
    "five jumps of 1 s with a flight of 0.1 s, soles 10 mm high",
    run,
    (
        Bar("jump_flight", "flight by its plan, mean", "", "almost 1; 0.4", 1.15, 0.85),
        Bar("jump_least", "least flight by its plan"),
        Bar("jump_most", "longest flight by its plan"),
        Bar("jump_falls", "falls", at_most=0.0),
        Bar("apex_mm", "planned height of the soles", "mm", "10", 10.5, 9.5),
        Bar("force_share", "mean vertical force by the weight", "", "", 1.01, 0.99),
        Bar("stance_force", "mean vertical force in stance", "N", "", 78.6, 74.0),
        Bar("tilt_deg", "roll or pitch of the base, at most", "°"),
        *flight_bars("forward", "0.05 m forward", strict=False),
        Bar("forward_m", "way of a jump", "m"),
        Bar("first_m", "way of the first jump", "m", "", 0.06, 0.04),
        *flight_bars("turn", "turning by 0.1 rad", strict=False),
        Bar("ends_flight", "ends of the range: flight by its plan, mean", "", "", 1.15, 0.85),
        Bar("ends_least", "least", at_least=0.85),
        Bar("ends_falls", "falls", at_most=0.0),
        Bar("zmp_mm", "ZMP of the whole body beside the plan, rms", "mm", "neglected"),
        Bar("zmp_spin_mm", "angular momentum free: the same, rms", "mm"),
        Bar("zmp_spin_worse", "by that of the whole filter", at_least=1.0),
        *_ablation_bars(),
    ),
)
