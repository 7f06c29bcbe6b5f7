"""Processor time of the dynamics filter: of each plan, and of the ticks of a robot that runs."""

import numpy as np

from core.lab.bench.benchmark import (
    BenchError,
    Found,
    Listing,
    Order,
    Pacer,
    Part,
    Tell,
    quantiles,
    uncollected,
)
from core.lab.experiment import Bar
from core.lab.experiments.strides.conduct import conduct, run_at
from core.lab.experiments.strides.planner import TOUR, TOUR_S, Rehearsal, sole_of
from core.lab.laboratory import Laboratory
from core.plants.dynamics_filter.score import Kind
from core.robot.folders import robot_folders
from core.robot.profile import Profile
from core.robot.profile_file import load_profile

SPEED = 0.25  # of the run [m/s]
TICK_US = 1000.0  # a tick that computes for longer is late
STANDS_S = 0.5  # of the run, in which the robot stands


def runner_profile() -> Profile:
    """Return the first robot that plans by the dynamics filter.

    Raises:
        BenchError: there is none.
    """
    for name in sorted(robot_folders()):
        profile = load_profile(name)
        if profile.runner is not None:
            return profile
    raise BenchError("no robot runs or jumps, and this part plans runs and jumps")


def run(lab: Laboratory, order: Order, tell: Tell) -> Found:
    """Time the plans of tours through all gaits, and then the ticks of a run."""
    profile = lab.profile if lab.profile.runner is not None else runner_profile()
    strides, sole = profile.as_runner.strides, sole_of(profile)
    tours = max(2, round(order.seconds / TOUR_S))
    pacer = Pacer(tell, float(tours + 2), "tours")
    Rehearsal(strides, sole).lead(TOUR, 2.0)  # kernels are loaded
    spent: list[int] = []
    with uncollected():
        for tour in range(tours):
            rehearsal = Rehearsal(strides, sole)
            rehearsal.lead(TOUR, TOUR_S)
            spent += rehearsal.replan_ns
            pacer.reach(float(tour + 1))
        own = Laboratory(robot=profile.name)
        found = conduct(own, order.seed, max(3.0, order.seconds), [(STANDS_S, run_at(SPEED))])
    pacer.finish()
    plans_us = 1e-3 * np.array(spent, dtype=np.float64)
    # A row holds the time of the tick before it.
    runs = found.since_s[:-1] >= STANDS_S
    ticks_us = found.rows["tick_cpu_us"][1:].astype(np.float64)[runs]
    flies = found.planned("kind")[:-1, 0][runs] == Kind.FLIGHT
    listed = {
        "a plan, all in all": quantiles(plans_us),
        "whole tick of a run": quantiles(ticks_us),
        "whole tick in its flights": quantiles(ticks_us[flies]),
    }
    rows = tuple(
        (name, *(f"{one[key]:.1f}" for key in ("median", "p99", "p99_9", "max")))
        for name, one in listed.items()
    )
    figures = {
        "replan": listed["a plan, all in all"]["median"],
        "replan_p99_9": listed["a plan, all in all"]["p99_9"],
        "plans": float(plans_us.size),
        "tick": listed["whole tick of a run"]["median"],
        "tick_p99_9": listed["whole tick of a run"]["p99_9"],
        "late": float((ticks_us > TICK_US).sum()),
        "ticks": float(ticks_us.size),
        "failed": float(found.failed),
    }
    headings = ("time", "median [µs]", "p99", "p99.9", "max")
    title = f"CPU time of the dynamics filter, {profile.title}"
    return Found(
        figures, {"filter_us": listed}, (Listing(title, headings, rows),), (*NOTES, *own.notes)
    )


NOTES = (
    "A plan is timed as the tick of the planner in which it is made: score, series, pressure and "
    "footsteps, and the reference. The first tour is left out.",
)

PART = Part(
    "filter",
    "CPU time of the dynamics filter",
    run,
    (
        Bar("replan", "a plan, all in all, median", "µs", at_most=150.0),
        Bar("replan_p99_9", "99.9th percentile", "µs", at_most=500.0),
        Bar("plans", "plans", at_least=100.0),
        Bar("tick", "whole tick of a run, median", "µs"),
        Bar("tick_p99_9", "99.9th percentile", "µs"),
        Bar("late", "ticks of more than 1 ms of CPU time", at_most=0.0),
        Bar("ticks", "ticks of the run", at_least=1.0),
        Bar("failed", "falls", at_most=0.0),
    ),
)
