"""How late the loop's ticks begin at real pace, beside a bare 1 kHz loop in the same thread."""

import math
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

from core.__main__ import simulated_body
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
from core.lab.bench.tick import script
from core.lab.experiment import Bar
from core.lab.laboratory import ENDPOINT, Laboratory
from core.lab.script import START_S
from core.link.wording import text
from core.run.launch import LaunchConfig
from core.run.realtime import become_real_time
from devices.interface import Clock

TURN_TICKS = 1000  # of the loop, then of the bare one, which is longer than a clock re-anchors
SKIPPED_TICKS = 5  # of each turn: to come back from the other


def bare_loop(ticks: int, period_s: float) -> list[float]:
    """Sleep toward absolute deadlines and do nothing else; return how late each tick was [s]."""
    late: list[float] = []
    deadline_s = time.monotonic()
    for _ in range(ticks):
        deadline_s += period_s
        left_s = deadline_s - time.monotonic()
        if left_s > 0.0:
            time.sleep(left_s)
        late.append(max(0.0, time.monotonic() - deadline_s))
    return late


class TurnsClock:
    """A body's clock that lets the bare loop run between turns of the real one.

    Turn by turn in one thread: both have the same core, priority and neighbours, and neither
    disturbs the other, as two loops at a time on one machine would.

    Attributes:
        loop_s: how late the loop's ticks began [s].
        bare_s: how late the bare loop's did [s].
    """

    def __init__(self, clock: Clock, period_s: float, pacer: Pacer) -> None:
        self._clock, self._period_s, self._pacer = clock, period_s, pacer
        self.loop_s: list[float] = []
        self.bare_s: list[float] = []
        self._ticks = 0

    def now_s(self) -> float:
        """Return the body's time [s]."""
        return self._clock.now_s()

    def wait_until(self, stamp_s: float) -> float:
        """Wait as the body's clock does, and note how late that was [s]."""
        if stamp_s >= START_S and self._ticks % TURN_TICKS == 0:
            self.bare_s += bare_loop(TURN_TICKS, self._period_s)[SKIPPED_TICKS:]
        late_s = self._clock.wait_until(stamp_s)
        if stamp_s >= START_S:
            if self._ticks % TURN_TICKS >= SKIPPED_TICKS:
                self.loop_s.append(late_s)
            self._ticks += 1
            self._pacer.reach(1e-3 * self._ticks)
        return late_s


@contextmanager
def punctual() -> Iterator[list[str]]:
    """Be as the loop's process is: FIFO where allowed, memory locked, no garbage collection.

    The memory stays locked afterwards, which has no effect on the other measurements.
    """
    policy, parameters = os.sched_getscheduler(0), os.sched_getparam(0)
    refused = [text(said) for said in become_real_time()]
    try:
        with uncollected():
            yield refused
    finally:
        if os.sched_getscheduler(0) != policy:
            os.sched_setscheduler(0, policy, parameters)


def run(lab: Laboratory, order: Order, tell: Tell) -> Found:
    """Walk at real pace, with a second of the bare loop after each second."""
    config = LaunchConfig(endpoint=ENDPOINT, pace="real", seed=order.seed)
    pacer = Pacer(tell, order.seconds, "s")
    body = simulated_body(config, lab.profile)
    body.clock = clock = TurnsClock(body.clock, lab.profile.tick_s, pacer)
    with punctual() as refused:
        done = lab.run(order.seed, script(order.seconds), body=body, gestures=True, keep=False)
    pacer.finish()
    found = {
        "loop": quantiles([1e6 * late_s for late_s in clock.loop_s]),
        "bare": quantiles([1e6 * late_s for late_s in clock.bare_s]),
    }
    bare = {key: value or math.nan for key, value in found["bare"].items()}
    ratios = {key: found["loop"][key] / bare[key] for key in found["loop"]}
    missed = sum(late_s >= lab.profile.tick_s for late_s in clock.loop_s)
    figures = {
        "median_ratio": ratios["median"],
        "tail_ratio": ratios["p99"],
        "ticks": float(len(clock.loop_s)),
        "missed": float(missed) / max(1, len(clock.loop_s)),
        "failed": float(done.failed),
    }
    report = {
        "pace": "real",
        "lateness_us": {**found, "ratio": ratios, "ticks_a_period_late": missed},
        "real_time_refused": refused,
    }
    rows = [
        ("the loop", *quantile_cells(found["loop"], 0)),
        ("a bare 1 kHz loop", *quantile_cells(found["bare"], 0)),
        ("ratio", *quantile_cells(ratios, 2)),
    ]
    headings = ("ticks of", *QUANTILE_HEADINGS)
    title = "How late ticks begin at real pace (wall clock)"
    return Found(
        figures,
        report,
        (Listing(title, headings, tuple(rows)),),
        (*NOTES, *refused, *lab.notes),
    )


NOTES = (
    "A second of the loop and a second of the bare loop by turns, in one thread. The loop's tick "
    "has the simulator in it, which the robot's has not: what it lacks in time begins the next "
    "tick late.",
)

PART = Part(
    "lateness",
    "lateness at real pace",
    run,
    (
        Bar("median_ratio", "median lateness over the bare loop's"),
        Bar("tail_ratio", "99th percentile over the bare loop's"),
        Bar("missed", "share of ticks a whole period late"),
        Bar("ticks", "ticks counted", at_least=1.0),
        Bar("failed", "falls", at_most=0.0),
    ),
)
