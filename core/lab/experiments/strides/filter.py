"""The planner alone, beside oracles: its equations, its smoothness, its bounds and its speed."""

import random

import numpy as np

from core.constants import GRAVITY
from core.lab.bench.benchmark import quantiles, uncollected
from core.lab.experiment import Bar, Experiment, Figures, Measured
from core.lab.experiments.strides.body import move
from core.lab.experiments.strides.conduct import ablations
from core.lab.experiments.strides.planner import (
    TOUR,
    TOUR_S,
    USUAL,
    Rehearsal,
    change_s,
    drawn_orders,
    friction_asked,
    mean_forces,
    phase_gap,
    rest_of,
    takes_kick,
)
from core.lab.laboratory import Laboratory
from core.lab.oracle.series import integrate, least, residual
from core.plants.dynamics_filter.gait import Gait
from core.plants.dynamics_filter.plan import sole_of
from core.robot.profile import Profile

KKT_PLANS = 20  # that are also solved by the dense KKT system
PLANS = 200  # whose equations are integrated
PHASES = 20  # of a gait, at which it is ordered to change
DRAWS, DRAWN = 10, 30  # sequences of random orders, and orders of each
KEPT = 20  # of the plans of random orders, one in so many is looked at closely
KICK, KICKS = 0.2, 8  # change of the CoM's velocity [m/s]; phases, and directions
BODY_S, BODY_FROM_S = 6.0, 2.0


def run(lab: Laboratory, seed: int) -> Measured:
    """Measure one seed."""
    profile = lab.profile
    strides, sole = profile.as_runner.strides, sole_of(profile)
    Rehearsal(strides, sole).lead(TOUR, 2.0)  # kernels are loaded
    rehearsal = Rehearsal(strides, sole)
    with uncollected():
        rehearsal.lead(TOUR, TOUR_S)
        again = Rehearsal(strides, sole)
        again.lead(TOUR, TOUR_S)
    figures: Figures = {"plans": float(len(rehearsal.plans))}
    _add_equations(figures, rehearsal)
    times = quantiles(1e-3 * np.array(rehearsal.replan_ns + again.replan_ns))
    figures["replan_us"], figures["replan_p99_9_us"] = times["median"], times["p99_9"]
    _add_forces(figures, profile)
    _add_changes(figures, profile)
    drawn = _add_draws(figures, profile, seed)
    every = [rehearsal, *drawn]
    mass = lab.model.mass
    figures["gap"] = max(
        max(one.gap for one in every), max(phase_gap(plan) for _, plan in rehearsal.plans)
    )
    figures["flight_force"] = mass * max(one.flight_force for one in every)
    figures["flight_push"] = max(one.flight_push for one in every)
    figures["outside_m"] = max(one.outside_m for one in every)
    figures["stance_force"] = mass * min(one.stance_force for one in every)
    figures["friction"] = max(friction_asked(plan) for _, plan in rehearsal.plans)
    figures["friction_drawn"] = max(friction_asked(plan) for one in drawn for _, plan in one.plans)
    for gait in (Gait.RUN, Gait.JUMP):
        motion = move(profile, [(BODY_FROM_S - 0.2, USUAL[gait])], BODY_S)
        figures["spin"] = max(figures.get("spin", 0.0), motion.spin_range(BODY_FROM_S))
    return Measured(figures)


def _add_equations(figures: Figures, rehearsal: Rehearsal) -> None:
    """Note the errors of the plans in the paper's equations."""
    plans = [plan for _, plan in rehearsal.plans]
    worst = integrated = closed = bounded = 0.0
    for plan in plans[:: max(1, len(plans) // PLANS)]:
        end, shifted = rest_of(plan)
        worst = max(worst, residual(plan, shifted))
        found = integrate(plan)
        target = np.stack((shifted, np.zeros(2)), axis=1)
        integrated = max(integrated, float(np.abs(found - target).max()))
        bounded += plan.bounded
    free = [plan for plan in plans if not plan.bounded and len(plan.score.phases) > 6]
    for plan in free[:: max(1, len(free) // KKT_PLANS)]:
        points, shifts = least(plan, rest_of(plan)[0])
        closed = max(closed, float(np.abs(points - plan.pressures[1:]).max()))
        closed = max(closed, float(np.abs(shifts - plan.shifts).max(initial=0.0)))
    figures["residual"], figures["integrated"], figures["closed"] = worst, integrated, closed
    figures["bounded"] = bounded / max(1, len(plans[:: max(1, len(plans) // PLANS)]))


def _add_forces(figures: Figures, profile: Profile) -> None:
    weight = GRAVITY * Laboratory(robot=profile.name).model.mass
    for gait, name in ((Gait.JUMP, "jump"), (Gait.RUN, "run")):
        whole, stance = mean_forces(profile.as_runner.strides, sole_of(profile), gait)
        figures[f"{name}_weight"], figures[f"{name}_force"] = whole, stance * weight


def _add_changes(figures: Figures, profile: Profile) -> None:
    """Note the longest time from an order to the new gait."""
    strides, sole = profile.as_runner.strides, sole_of(profile)
    figures["change_s"] = figures["jump_change_s"] = 0.0
    for old in Gait:
        for new in Gait:
            if new is old:
                continue
            name = "jump_change_s" if Gait.JUMP in (old, new) else "change_s"
            found = [change_s(strides, sole, old, new, k / PHASES) for k in range(PHASES)]
            figures[name] = max(figures[name], *found)
            figures[f"{old.name}_{new.name}_s".lower()] = max(found)


def _add_draws(figures: Figures, profile: Profile, seed: int) -> list[Rehearsal]:
    """Note what becomes of random orders, with and without footsteps that move."""
    made: list[Rehearsal] = []
    for name, tuning in (("", profile), ("fixed_", ablations(profile)["fixed"])):
        infeasible = refused = 0
        for draw in range(DRAWS):
            orders = drawn_orders(random.Random(f"{seed} {draw}"), DRAWN)
            one = Rehearsal(tuning.as_runner.strides, sole_of(profile), KEPT)
            one.lead(orders, orders[-1][0] + 3.0)
            infeasible += one.infeasible
            refused += one.refused
            if not name:
                made.append(one)
        figures[f"{name}infeasible"], figures[f"{name}refused"] = float(infeasible), float(refused)
        taken = [
            takes_kick(one.strides, one.sole, phase / KICKS, 360.0 * side / KICKS, KICK)
            for phase in range(KICKS)
            for side in range(KICKS)
        ]
        figures[f"{name}kicks"] = sum(taken) / len(taken)
    figures["fixed_less"] = figures["kicks"] - figures["fixed_kicks"]
    return made


EXPERIMENT = Experiment(
    "strides/filter",
    "the planner alone: equations, smoothness, bounds, changes of gait, speed",
    run,
    (
        Bar("plans", "plans of a tour of all gaits"),
        Bar("residual", "equations 5 to 16: residual, by the size of their terms", at_most=1e-12),
        Bar("integrated", "integrated end error", "m, m/s", at_most=1e-8),
        Bar("closed", "closed form less the dense KKT system's solution", "m", at_most=1e-9),
        Bar("gap", "x, ẋ jump at a replan or a change of phase", "m, m/s", "smooth", 1e-9),
        Bar("flight_force", "vertical force in flight", "N", "0", 1e-9),
        Bar("flight_push", "horizontal acceleration in flight", "m/s²", "0", 1e-9),
        Bar("spin", "angular momentum in flight about its mean", "N·m·s", "constant", 1e-3),
        Bar("outside_m", "ZMP outside the hull of the soles", "m", "not bounded", 1e-9),
        Bar("stance_force", "least vertical force in stance", "N", "", None, -1e-9),
        Bar("friction", "friction asked", "", "", 0.5),
        Bar("friction_drawn", "friction asked by random orders", "", "", 0.5),
        Bar("replan_us", "replan, all in all, median", "µs", "real time", 150.0),
        Bar("replan_p99_9_us", "99.9th percentile", "µs", "", 500.0),
        Bar(
            "jump_weight",
            "jump: mean vertical force over cycles, by the weight",
            "",
            "",
            1.01,
            0.99,
        ),
        Bar("jump_force", "mean in stance", "N", "", 78.6, 74.0),
        Bar(
            "run_weight", "run: mean vertical force over cycles, by the weight", "", "", 1.01, 0.99
        ),
        Bar("run_force", "mean in stance", "N", "", 88.4, 83.2),
        Bar("change_s", "order at 20 phases of each gait to the new gait, at most", "s", "", 0.6),
        Bar("jump_change_s", "the same to and from a jump", "s", "", 1.3),
        Bar("infeasible", "300 random orders: infeasible plans", at_most=0.0),
        Bar("refused", "ticks in which an order waits for a plan"),
        Bar("fixed_infeasible", "fixed footsteps: infeasible plans"),
        Bar("kicks", f"{KICK} m/s at once, 8 phases of a run × 8 sides: share with a plan"),
        Bar("fixed_kicks", "fixed footsteps: share with a plan"),
        Bar("fixed_less", "less than with footsteps that move, by", at_least=0.01),
    ),
    beside=False,
    most_seeds=1,
    simulates=False,
)
