"""Ticks of a robot that runs, with and without a new plan: their time, and those made late by it.

The robot moves through its gaits in the simulator with everything that its tick has: estimate,
planner, body, record. The simulator waits for the loop, so that only the loop's own work counts.
The process has the priority of the loop's, so that others do not push it out of the caches.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.lab.bench.benchmark import (
    QUANTILE_HEADINGS,
    Listing,
    Pacer,
    patched,
    quantile_cells,
    quantiles,
)
from core.lab.bench.lateness import punctual
from core.lab.laboratory import Laboratory
from core.lab.script import START_S, Script
from core.plants.dynamics_filter.strider import Strider
from core.run.launch import WalkOrder
from core.tick.performer import Performer
from devices.interface import Bools, Floats

PLANNING = ("update", "lifted")  # methods of the strider that make plans
ROUND = (
    WalkOrder(vx=0.25, dur=6.0, gait="run"),
    WalkOrder(vx=0.2, yaw=0.3, dur=5.0, gait="run"),
    WalkOrder(vx=0.1, dur=4.0),
    WalkOrder(dur=4.0, gait="jump", count=2),
    WalkOrder(dur=1.0),
)
"""Gaits one after the other, again and again, most of which are runs."""


class PlanClock:
    """Sums the planner's part of each tick, and tells whether a plan was made in it.

    Attributes:
        spent_ns: CPU time of the planner, one entry a tick [ns].
        planned: a plan was made, one entry a tick.
    """

    def __init__(self, pacer: Pacer, before_s: float) -> None:
        self.spent_ns: list[int] = []
        self.planned: list[bool] = []
        self._pacer, self._before_s = pacer, before_s
        self._spent_ns, self._plans = 0, False

    def around(self) -> list[tuple[object, str, object]]:
        """Return what to put in whose place, for `patched`."""
        return [(Strider, name, self._timed(getattr(Strider, name))) for name in PLANNING]

    def _timed(self, method: Callable[..., Any]) -> Callable[..., Any]:
        clock = time.thread_time_ns

        def call(strider: Strider, *arguments: float) -> Any:
            before = strider.plan
            start_ns = clock()
            try:
                return method(strider, *arguments)
            finally:
                self._spent_ns += clock() - start_ns
                self._plans |= strider.plan is not before

        return call

    def __call__(self, performer: Performer) -> None:
        """Take down the tick that has ended, before the next."""
        self.spent_ns.append(self._spent_ns)
        self.planned.append(self._plans)
        self._spent_ns, self._plans = 0, False
        self._pacer.reach(self._before_s + performer.plant.state.stamp_s - START_S)


@dataclass(frozen=True, slots=True, eq=False)
class Replans:
    """The ticks of a robot, from when it stands; CPU time of the loop's thread.

    Attributes:
        title: of the robot.
        period_us: of a tick [µs].
        work_us: the loop's own work, one entry a tick [µs].
        planner_us: the planner's part of it [µs].
        planned: whether the tick made a plan.
        failed: the robot fell.
        refused: what the machine has refused the process, as sentences.
    """

    title: str
    period_us: float
    work_us: Floats
    planner_us: Floats
    planned: Bools
    failed: bool
    refused: tuple[str, ...] = ()

    @property
    def late(self) -> int:
        """Ticks with a plan that are longer than the period, and would not be without it.

        The whole part of the planner counts for the plan, also what it does in every tick.
        """
        without_us = self.work_us - self.planner_us
        late = self.planned & (self.work_us > self.period_us) & (without_us <= self.period_us)
        return int(np.count_nonzero(late))

    def long(self, planned: bool) -> int:
        """Return how many ticks are longer than the period, with or without a plan."""
        return int(np.count_nonzero(self.work_us[self.planned == planned] > self.period_us))

    def listing(self) -> Listing:
        """Return the times as a table."""
        kinds = (
            ("ticks with a plan", self.work_us[self.planned], str(self.long(True))),
            ("ticks without a plan", self.work_us[~self.planned], str(self.long(False))),
            ("the planner's part, with a plan", self.planner_us[self.planned], ""),
            ("the planner's part, without", self.planner_us[~self.planned], ""),
        )
        rows = [
            (name, *quantile_cells(quantiles(times)), str(times.size), long)
            for name, times, long in kinds
        ]
        with_plan, without = (quantiles(times) for _, times, _ in kinds[:2])
        more = {key: with_plan[key] - without[key] for key in with_plan}
        rows.insert(2, ("difference", *quantile_cells(more), "", ""))
        headings = (self.title, *QUANTILE_HEADINGS, "ticks", "> period")
        return Listing("CPU time of a tick of the loop", headings, tuple(rows))

    def report(self) -> dict[str, Any]:
        """Return the same for the JSON."""
        return {
            "with_plan": quantiles(self.work_us[self.planned]),
            "without_plan": quantiles(self.work_us[~self.planned]),
            "planner_with_plan": quantiles(self.planner_us[self.planned]),
            "planner_without_plan": quantiles(self.planner_us[~self.planned]),
            "plans": int(np.count_nonzero(self.planned)),
            "ticks": self.planned.size,
            "longer_than_period": {"with_plan": self.long(True), "without_plan": self.long(False)},
            "late_by_plan": self.late,
        }


def watch_replans(
    lab: Laboratory, seed: int, seconds: float, pacer: Pacer, before_s: float
) -> Replans:
    """Lead a robot that runs through its gaits, and tell its ticks apart.

    Args:
        lab: of this robot.
        seed: of the simulated noise.
        seconds: how long [s].
        pacer: receives the progress, in seconds.
        before_s: its place at the start [s].
    """
    clock = PlanClock(pacer, before_s)
    rounds = 1 + int(seconds / sum(order.dur for order in ROUND))
    with patched(clock.around()), punctual() as refused:
        done = lab.run(seed, Script(seconds, ROUND * rounds), watch=clock)
    # A row holds the time of the tick before it, and the clock was asked before each tick.
    count = min(len(done.rows), len(clock.planned))
    counts = done.rows["t"][:count] > START_S
    work_us = done.rows["tick_cpu_us"][:count].astype(np.float64)
    return Replans(
        lab.profile.title,
        1e6 * lab.profile.tick_s,
        work_us[counts],
        1e-3 * np.array(clock.spent_ns[:count], dtype=np.float64)[counts],
        np.array(clock.planned[:count])[counts],
        done.failed,
        tuple(refused),
    )
