"""Processor time of a plan of the dynamics filter, by itself and in the tick that it is made in."""

import random
from typing import Any

from core.lab.bench.benchmark import (
    QUANTILE_HEADINGS,
    STEPS,
    Found,
    Listing,
    Order,
    Pacer,
    Part,
    Tell,
    quantile_cells,
    quantiles,
    uncollected,
)
from core.lab.bench.replans import watch_replans
from core.lab.experiment import Bar, Figures
from core.lab.experiments.strides.planner import (
    TOUR,
    TOUR_S,
    Rehearsal,
    drawn_orders,
)
from core.lab.laboratory import Laboratory
from core.plants.dynamics_filter.plan import sole_of
from core.robot.folders import robot_folders
from core.robot.profile_file import load_profile
from core.run.warm_up import warm_up

TOURS = 4
DRAWS, DRAWN = 6, 20  # sequences of random orders, and orders of each
PLANS = 1000.0  # least number from which quantiles are taken
KEPT = 1000  # of the plans, one in so many: memory is not what is measured


def run(lab: Laboratory, order: Order, tell: Tell) -> Found:
    """Time the plans of every robot that runs: of its planner alone, and in its ticks."""
    profiles = [load_profile(name) for name in sorted(robot_folders())]
    runners = [profile for profile in profiles if profile.runner is not None]
    pacer = Pacer(tell, float(len(runners) * (TOURS + DRAWS)), "runs of the planner", STEPS // 2)
    figures: Figures = {"median": 0.0, "p99_9": 0.0, "plans": 0.0}
    listed, made = [], 0
    report: dict[str, Any] = {}
    for profile in runners:
        strides, sole = profile.as_runner.strides, sole_of(profile)
        warm_up(profile)
        times: dict[str, list[float]] = {"a tour of all gaits": [], "random orders": []}
        with uncollected():
            for number in range(TOURS + DRAWS):
                one, name = Rehearsal(strides, sole, KEPT), "a tour of all gaits"
                orders, end_s = list(TOUR), TOUR_S
                if number >= TOURS:
                    name = "random orders"
                    orders = drawn_orders(random.Random(f"{order.seed} {number}"), DRAWN)
                    end_s = orders[-1][0] + 2.0
                one.lead(orders, end_s)
                times[name] += [1e-3 * spent for spent in one.replan_ns]
                made += 1
                pacer.reach(float(made))
        for name, values in times.items():
            found = quantiles(values)
            report[f"{profile.name}, {name}"] = found
            listed.append((profile.title, name, *quantile_cells(found), str(len(values))))
            figures["plans"] += float(len(values))
        whole = quantiles([value for values in times.values() for value in values])
        for key in ("median", "p99_9"):
            figures[key] = max(figures[key], whole[key])
    pacer.finish()
    headings = ("robot", "orders", *QUANTILE_HEADINGS, "plans")
    listing = Listing("CPU time of a tick of the planner with a plan", headings, tuple(listed))
    labs, ticks = [Laboratory(robot=profile.name) for profile in runners], []
    pacer = Pacer(tell, len(labs) * order.seconds, "s simulated", STEPS - STEPS // 2)
    for number, own in enumerate(labs):
        ticks.append(watch_replans(own, order.seed, order.seconds, pacer, number * order.seconds))
    pacer.finish()
    figures["late"] = float(sum(found.late for found in ticks))
    figures["falls"] = float(sum(found.failed for found in ticks))
    figures["tick_plans"] = float(sum(found.planned.sum() for found in ticks))
    for kind, name in ((True, "tick_with"), (False, "tick_without")):
        figures[name] = max(
            quantiles(found.work_us[found.planned == kind])["p99_9"] for found in ticks
        )
    measured = {
        "replan_us": report,
        "replan_ticks": {found.title: found.report() for found in ticks},
    }
    refused = {text for found in ticks for text in found.refused}
    notes = (*NOTES, *sorted(refused), *lab.notes, *(note for own in labs for note in own.notes))
    return Found(figures, measured, (listing, *(found.listing() for found in ticks)), notes)


NOTES = (
    "CPU time of the thread (CLOCK_THREAD_CPUTIME_ID), never the wall's. A tick is late by its "
    "plan if the loop's own work, without the simulator, is longer than the period, and would not "
    "be without the planner's part; ticks that are longer without a plan are in the table.",
    "The ticks are those of a process with the loop's priority and locked memory, as on a robot; "
    "the planner alone has neither.",
)


PART = Part(
    "strides",
    "CPU time of a plan of walking, running and jumping",
    run,
    (
        Bar("median", "a plan, all in all, median", "µs", at_most=150.0),
        Bar("p99_9", "99.9th percentile", "µs", at_most=500.0),
        Bar("plans", "plans", at_least=PLANS),
        Bar("late", "ticks of the loop that are late by a plan", at_most=0.0),
        Bar("tick_with", "ticks of the loop with a plan, 99.9th percentile", "µs"),
        Bar("tick_without", "ticks without, 99.9th percentile", "µs"),
        Bar("tick_plans", "ticks of the loop with a plan", at_least=PLANS),
        Bar("falls", "falls", at_most=0.0),
    ),
)
