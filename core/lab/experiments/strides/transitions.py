"""A hundred random orders at random times: walk, run, jump, stand."""

import math
import random

import numpy as np

from core.lab.experiment import Bar, Experiment, Figures, Measured
from core.lab.experiments.strides.conduct import (
    STOP,
    Motion,
    Run,
    add_flights,
    conduct,
    curves_of,
    run_at,
)
from core.lab.laboratory import Laboratory
from core.lab.script import START_S
from core.link.commands import StartJump, Walk
from core.plants.dynamics_filter.gait import Gait
from core.plants.dynamics_filter.score import BOTH, Kind
from devices.interface import Floats

COUNT = 100
SOONEST_S, LATEST_S = 0.3, 2.0  # from order to order
AFTER_S = 3.0


def gait_of(order: Motion) -> Gait:
    """Return the gait that a command asks for."""
    if isinstance(order, StartJump):
        return Gait.JUMP
    if order.gait == "run":
        return Gait.RUN
    return Gait.WALK if order.step else Gait.STAND


def drawn(draw: random.Random) -> Motion:
    """Return a random order."""
    vy, yaw = draw.uniform(-0.05, 0.05), draw.uniform(-0.2, 0.2)
    kind = draw.randrange(4)
    if kind == 0:
        return STOP
    if kind == 1:
        return Walk(draw.uniform(-0.08, 0.16), vy, yaw, step=True)
    if kind == 2:
        return run_at(draw.uniform(-0.10, 0.25), vy, yaw)
    way, side = draw.uniform(-0.02, 0.04), draw.uniform(-0.02, 0.02)
    return StartJump(draw.randint(1, 3), dx=way, dy=side, turn=draw.uniform(-0.1, 0.1))


def orders_of(seed: int, count: int) -> list[tuple[float, Motion]]:
    """Return the orders of a seed with their times [s]."""
    draw, at_s = random.Random(seed), 0.0
    orders: list[tuple[float, Motion]] = []
    for _ in range(count):
        orders.append((at_s, drawn(draw)))
        at_s += draw.uniform(SOONEST_S, LATEST_S)
    return orders


def changes_s(found: Run, orders: list[tuple[float, Motion]]) -> dict[str, Floats]:
    """Return how long the robot took from each order to the new gait [s].

    A gait begins as in `planner.has_begun`. An order that the next one overtook is not counted.

    Returns:
        Times without jumps (`step`), and to or from a jump (`jump`).
    """
    plans = np.array(found.watch.plans, dtype=np.float64)
    since, gaits, kinds, supports = plans[:, 0] - START_S, plans[:, 1], plans[:, 2], plans[:, 3]
    begun = {
        Gait.STAND: (kinds == Kind.REST) & (supports == BOTH),
        Gait.WALK: supports != BOTH,
        Gait.RUN: kinds == Kind.FLIGHT,
        Gait.JUMP: kinds == Kind.FLIGHT,
    }
    times: dict[str, list[float]] = {"step": [], "jump": []}
    ends = [at for at, _ in orders[1:]] + [float(since[-1])]
    for (at_s, order), end_s in zip(orders, ends, strict=True):
        gait = gait_of(order)
        before = gaits[max(0, int(np.searchsorted(since, at_s)) - 1)]
        if before == gait:
            continue
        arrived = (gaits == gait) & begun[gait] & (since >= at_s) & (since < end_s)
        if arrived.any():
            jumps = Gait.JUMP in (gait, before)
            times["jump" if jumps else "step"].append(float(since[arrived][0] - at_s))
    return {name: np.array(values) for name, values in times.items()}


def run(lab: Laboratory, seed: int) -> Measured:
    """Measure one seed."""
    figures: Figures = {"falls": 0.0, "orders": 0.0}
    left, found_times, ratios = orders_of(seed, COUNT), {"step": [0.0], "jump": [0.0]}, []
    first: Run | None = None
    while left:
        begin_s = left[0][0]
        due = [(at_s - begin_s, order) for at_s, order in left]
        found = conduct(lab, seed, due[-1][0] + AFTER_S, due)
        first = first or found
        made = len(found.made)
        figures["orders"] += made
        figures["falls"] += found.failed
        for name, times in changes_s(found, due[:made]).items():
            found_times[name] += times.tolist()
        ratios += [*found.ratios(Gait.RUN).tolist(), *found.ratios(Gait.JUMP).tolist()]
        left = left[made:]
        if not made:
            break  # it falls without an order
    add_flights(figures, "all", np.array(ratios))
    for name, values in found_times.items():
        figures[f"{name}_s"] = float(np.median(values[1:])) if values[1:] else math.nan
        figures[f"{name}_most_s"] = max(values[1:], default=math.nan)
    assert first is not None, "there are orders"
    return Measured(figures, curves_of(lab, first, 0.0, 12.0))


EXPERIMENT = Experiment(
    "strides/transitions",
    "walk, run, jump and stand: a hundred random orders at random times",
    run,
    (
        Bar("falls", "falls", "", "transitions shown", at_most=0.0),
        Bar("orders", "orders"),
        Bar("all_flights", "flights"),
        Bar("all_flight", "flight by its plan, mean"),
        Bar("all_least", "least flight by its plan"),
        Bar("step_s", "order to new gait in the simulator, median", "s"),
        Bar("step_most_s", "at most", "s"),
        Bar("jump_s", "to and from a jump, median", "s"),
        Bar("jump_most_s", "at most", "s"),
    ),
)
