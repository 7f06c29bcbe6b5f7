"""Processor time of a tick of every biped, beside that of the robot of the bench.

The robots take turns of a few seconds in one process, so that whatever the machine does meanwhile
falls on all of them alike. Each stands, and then steps in place.
"""

import numpy as np

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
from core.lab.laboratory import Laboratory
from core.lab.script import START_S, Script
from core.robot.folders import robot_folders
from core.robot.profile_file import load_profile
from core.run.launch import WalkOrder
from devices.interface import Floats

TURN_S = 6.0
STANDS_S = 2.0  # of a turn; then it steps


def run(lab: Laboratory, order: Order, tell: Tell) -> Found:
    """Let the robots take turns, and time their ticks."""
    others = [name for name in sorted(robot_folders()) if name != lab.profile.name]
    bipeds = [name for name in others if load_profile(name).biped is not None]
    labs = [lab, *(Laboratory(robot=name) for name in bipeds)]
    turns = max(2, round(order.seconds / TURN_S))
    pacer = Pacer(tell, float(turns * len(labs)), "turns")
    times: list[list[Floats]] = [[] for _ in labs]
    falls = 0.0
    with uncollected():
        for turn in range(turns):
            for place, one in enumerate(labs):
                walk = [WalkOrder(dur=STANDS_S), WalkOrder(dur=TURN_S, step=True)]
                done = one.run(order.seed + turn, Script(TURN_S, walk))
                falls += done.failed
                rows = done.rows[done.rows["t"] >= START_S]
                times[place].append(rows["tick_cpu_us"].astype(np.float64))
                pacer.reach(float(turn * len(labs) + place + 1))
    pacer.finish()
    base = np.array([np.median(turn) for turn in times[0]])
    figures: Figures = {"falls": falls, "ratio": 0.0, "p99_9": 0.0}
    report, listed = {}, []
    for one, found in zip(labs, times, strict=True):
        ratio = float(np.median(np.array([np.median(turn) for turn in found]) / base))
        whole = quantiles(np.concatenate(found))
        report[one.profile.name] = {"tick_us": whole, "ratio": ratio}
        listed.append((one.profile.title, *quantile_cells(whole), f"{ratio:.2f}"))
        figures["ratio"] = max(figures["ratio"], ratio)
        figures["p99_9"] = max(figures["p99_9"], whole["p99_9"])
    headings = ("robot", *QUANTILE_HEADINGS, f"× {lab.profile.title}")
    listing = Listing("CPU time of a tick, standing and stepping", headings, tuple(listed))
    return Found(figures, {"robots": report}, (listing,), tuple(lab.notes))


PART = Part(
    "robots",
    "CPU time of a tick of every biped, by turns",
    run,
    (
        Bar("ratio", "largest median, by that of the robot of the bench", at_most=1.2),
        Bar("p99_9", "largest 99.9th percentile", "µs", at_most=800.0),
        Bar("falls", "falls", at_most=0.0),
    ),
)
