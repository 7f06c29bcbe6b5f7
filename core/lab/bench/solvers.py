"""ProxQP and DAQP on the QPs of a walk and of hard pushes, one after the other on each of them."""

import time
from typing import Any

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
from core.lab.bench.tick import SPEED, script
from core.lab.bench.tsid import tsid_here
from core.lab.experiment import Bar, Figures, shown
from core.lab.experiments.push import shove
from core.lab.laboratory import Laboratory
from core.lab.measure.optimality import check
from core.lab.script import START_S, Script
from core.link.commands import Command, Gesture
from core.plants.biped.plant import biped_of
from core.plants.biped.whole_body.qp import DaqpSolver, ProxQpSolver, QpSolver
from core.run.launch import WalkOrder
from core.tick.performer import Performer

SOLVERS = ("daqp", "proxqp")
RUNS = ("walk", "push")
CHECKED_EVERY = 20  # one QP of so many is checked: a check solves it once more
IMPULSE = 5.0  # [N·s]
PUSH_EVERY_S = 1.5
PAYLOAD_KG = 1.0
ATTEMPTS = 10
SHORTEST_RUN_S = 0.5
LONGEST_RUN_S = 60.0  # the record of a longer one would fill the memory
SPARE, UNSOLVED = 2, 3


class Duel:
    """Watches a run and gives each tick's QP to both solvers; who begins changes every tick.

    Attributes:
        times_us: CPU time of each solution, by solver [µs].
        iterations: of each, by solver.
        unsolved: how many QPs each left unsolved.
        residuals: of the conditions of optimality, where they were checked, by solver.
    """

    def __init__(self, lab: Laboratory, pacer: Pacer) -> None:
        self._settings, self._pacer = lab.profile.as_biped.qp, pacer
        self._tick_s = lab.profile.tick_s
        self._solvers: dict[str, QpSolver] = {}
        self.times_us: dict[str, list[float]] = {name: [] for name in SOLVERS}
        self.iterations: dict[str, list[int]] = {name: [] for name in SOLVERS}
        self.unsolved = dict.fromkeys(SOLVERS, 0)
        self.residuals: dict[str, list[float]] = {name: [] for name in SOLVERS}
        self._ticks = 0

    def __call__(self, performer: Performer) -> None:
        """Solve the last tick's QP again, with both."""
        if performer.plant.state.stamp_s < START_S or performer.plant.solution.status == 0:
            return
        self._pacer.reach(self._tick_s * (self._ticks + 1))
        problem = biped_of(performer.plant).controller.whole_body.problem
        if not self._solvers:
            prox = ProxQpSolver(problem, self._settings)
            self._solvers = {"daqp": DaqpSolver(problem), "proxqp": prox}
        self._ticks += 1
        for name in SOLVERS if self._ticks % 2 else SOLVERS[::-1]:
            start_ns = time.thread_time_ns()
            result = self._solvers[name].solve(problem)
            self.times_us[name].append(1e-3 * (time.thread_time_ns() - start_ns))
            self.iterations[name].append(result.iterations)
            self.unsolved[name] += not result.solved
            if result.solved and self._ticks % CHECKED_EVERY == 0:
                self.residuals[name].append(_residual(problem, result.x))

    def report(self, name: str) -> dict[str, Any]:
        """Return one solver's figures."""
        iterations = self.iterations[name]
        return {
            **quantiles(self.times_us[name]),
            "iterations_median": float(np.median(iterations)) if iterations else float("nan"),
            "iterations_max": max(iterations, default=0),
            "unsolved": self.unsolved[name],
            "qps": len(self.times_us[name]),
            "kkt_residual": max(self.residuals[name], default=float("nan")),
        }


def _residual(problem: Any, x: Any) -> float:
    try:
        return check(problem, x).residual
    except ValueError:  # the oracle, which is DAQP too, has no solution to compare with
        return float("nan")


def hard_script(seconds: float) -> Script:
    """Return a walk to and fro with a shove every 1.5 s and a waving arm."""
    shoves = max(1, int(seconds / PUSH_EVERY_S) - 1)
    commands: list[tuple[float, Command]] = [(0.0, Gesture("wave", loop=True))]
    for k in range(shoves):
        commands.append((PUSH_EVERY_S * (k + 1), shove(IMPULSE, 75.0 * k)))
    half_s = 0.5 * seconds
    orders = [WalkOrder(vx=SPEED, dur=half_s), WalkOrder(vx=-0.1, yaw=0.3, dur=half_s)]
    return Script(seconds, orders, commands)


class Counting:
    """Adds up simulated time and the results of its QPs."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.ticks = self.spare = self.unsolved = self.falls = 0

    def run(self, lab: Laboratory, kind: str, seed: int, seconds: float, watch: Any) -> None:
        """Make one run and count its QPs."""
        payload_kg = PAYLOAD_KG if kind == "push" else 0.0
        chosen = hard_script(seconds) if kind == "push" else script(seconds)
        body = lab.body(seed, payload_kg=payload_kg)
        with uncollected():
            done = lab.run(seed, chosen, body=body, gestures=True, watch=watch)
        status = done.rows["qp_status"][done.rows["t"] >= START_S]
        self.seconds += lab.profile.tick_s * len(status)
        self.ticks += int((status > 0).sum())
        self.spare += int((status == SPARE).sum())
        self.unsolved += int((status == UNSOLVED).sum())
        self.falls += done.failed


def run(lab: Laboratory, order: Order, tell: Tell) -> Found:
    """Let the solvers compete, then count unsolved QPs for the rest."""
    counting = Counting()
    duels: dict[str, Duel] = {}
    for kind in RUNS:
        pacer = Pacer(tell, order.seconds, f"s simulated ({kind})", steps=3)
        duels[kind], start_s = Duel(lab, pacer), counting.seconds
        for attempt in range(ATTEMPTS):  # a fall ends a run early
            left_s = order.seconds - (counting.seconds - start_s)
            if left_s >= SHORTEST_RUN_S:
                counting.run(lab, kind, order.seed + attempt, left_s, duels[kind])
        pacer.finish()
    count_to_s = 60.0 * order.minutes
    pacer = Pacer(tell, count_to_s, "s simulated (counting)", steps=4)
    runs = 0
    while count_to_s - counting.seconds > SHORTEST_RUN_S and runs < count_to_s:
        pacer.reach(counting.seconds)
        length_s = min(LONGEST_RUN_S, count_to_s - counting.seconds)
        counting.run(lab, RUNS[runs % 2], order.seed + 1 + runs, length_s, None)
        runs += 1
    pacer.finish()
    tsid, tsid_note = tsid_here()
    chosen = lab.profile.as_biped.qp.solver
    other = next(name for name in SOLVERS if name != chosen)
    reports = {kind: {name: duels[kind].report(name) for name in SOLVERS} for kind in RUNS}
    both = {
        name: quantiles([t for kind in RUNS for t in duels[kind].times_us[name]])
        for name in SOLVERS
    }
    figures: Figures = {
        "unsolved": float(counting.unsolved),
        "minutes": counting.seconds / 60.0,
        "spare": float(counting.spare),
        "alone": float(sum(duels[kind].unsolved[chosen] for kind in RUNS)),
        "residual": max(reports[kind][chosen]["kkt_residual"] for kind in RUNS),
        "median_ratio": both[chosen]["median"] / both[other]["median"],
        "tail_ratio": both[chosen]["p99_9"] / both[other]["p99_9"],
        "falls": float(counting.falls),
    }
    report = {
        "qp": {"solver": chosen, **both[chosen], "unsolved": counting.unsolved},
        "solvers": reports,
        "counted": {
            "simulated_s": counting.seconds,
            "ticks": counting.ticks,
            "spare": counting.spare,
            "unsolved": counting.unsolved,
        },
        "tsid": {"state": tsid, "why": tsid_note},
    }
    rows = [_row(kind, name, reports[kind][name]) for kind in RUNS for name in SOLVERS]
    counted = ("iterations (most)", "unsolved", "KKT residual")
    headings = ("QPs of", "solver", *QUANTILE_HEADINGS, *counted)
    title = "Both solvers on the same QPs, CPU time"
    notes = (verdict(chosen, other, reports, both), tsid_note, *lab.notes)
    return Found(figures, report, (Listing(title, headings, tuple(rows)),), notes)


def verdict(
    chosen: str,
    other: str,
    reports: dict[str, dict[str, dict[str, Any]]],
    both: dict[str, dict[str, float]],
) -> str:
    """Return which solver measured better, and why, in one sentence."""

    def rank(name: str) -> tuple[int, float]:
        return sum(reports[kind][name]["unsolved"] for kind in RUNS), both[name]["p99_9"]

    better = min((chosen, other), key=rank)
    reasons = "; ".join(
        f"{name}: {rank(name)[0]} unsolved, median {both[name]['median']:.0f} µs, "
        f"p99.9 {both[name]['p99_9']:.0f} µs"
        for name in (chosen, other)
    )
    stays = "is the profile's default" if better == chosen else f"the profile has {chosen}"
    return f"{better} measured better and {stays} ({reasons})."


def _row(kind: str, name: str, found: dict[str, Any]) -> tuple[str, ...]:
    iterations = f"{found['iterations_median']:.0f} ({found['iterations_max']})"
    left = f"{found['unsolved']} of {found['qps']}"
    return (kind, name, *quantile_cells(found), iterations, left, shown(found["kkt_residual"]))


PART = Part(
    "solvers",
    "QP solvers",
    run,
    (
        Bar("unsolved", "unsolved QPs", at_most=0.0),
        Bar("minutes", "simulated time over which they were counted", "min"),
        Bar("spare", "QPs that the spare solver had to solve"),
        Bar("alone", "QPs that the profile's solver alone leaves unsolved", at_most=0.0),
        Bar("residual", "its largest KKT residual", at_most=1e-5),
        Bar("median_ratio", "its median over the other solver's"),
        Bar("tail_ratio", "its 99.9th percentile over the other solver's", at_most=1.0),
        Bar("falls", "falls"),
    ),
)
