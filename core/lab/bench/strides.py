"""Processor time of a plan of the dynamics filter: score, terms, pressure, table and feet."""

import random

from core.lab.bench.benchmark import (
    QUANTILE_HEADINGS,
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

TOURS = 4
DRAWS, DRAWN = 6, 20  # sequences of random orders, and orders of each
KEPT = 1000  # of the plans, one in so many: memory is not what is measured
LOADED_S = 2.0  # of the first tour, in which kernels are loaded


def run(lab: Laboratory, order: Order, tell: Tell) -> Found:
    """Lead the planner of every robot that runs through all gaits, and time its plans."""
    profiles = [load_profile(name) for name in sorted(robot_folders())]
    runners = [profile for profile in profiles if profile.runner is not None]
    pacer = Pacer(tell, float(len(runners) * (TOURS + DRAWS)), "runs of the planner")
    figures: Figures = {"median": 0.0, "p99_9": 0.0, "plans": 0.0}
    report, listed, made = {}, [], 0
    for profile in runners:
        strides, sole = profile.as_runner.strides, sole_of(profile)
        Rehearsal(strides, sole).lead(TOUR, LOADED_S)
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
    return Found(figures, {"replan_us": report}, (listing,), tuple(lab.notes))


PART = Part(
    "strides",
    "CPU time of a plan of walking, running and jumping",
    run,
    (
        Bar("median", "a plan, all in all, median", "µs", at_most=150.0),
        Bar("p99_9", "99.9th percentile", "µs", at_most=500.0),
        Bar("plans", "plans", at_least=1000.0),
    ),
)
