"""Processor time of a tick: whole, block by block, and beside its compiled calls alone."""

from contextlib import ExitStack
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
    patched,
    quantile_cells,
    quantiles,
    uncollected,
)
from core.lab.bench.compiled_calls import CompiledCalls
from core.lab.bench.stopwatch import BLOCKS, OUTSIDE, Stopwatch
from core.lab.experiment import Bar
from core.lab.laboratory import Laboratory
from core.lab.script import START_S, Script
from core.link.commands import Command, Gesture
from core.run.launch import WalkOrder
from core.tick.performer import Performer

SPEED = 0.16  # [m/s]
GESTURES = ("wave", "thumbs_up", "cheer", "point_left", "clap")
GESTURE_EVERY_S = 5.0
PLAIN, CLOCKED, CALLS = "plain", "clocked", "calls"
# Turn by turn, so that whatever the machine does meanwhile falls on all three alike. Primes:
# their sum has no beat with the steps.
TURNS = ((PLAIN, 499), (CLOCKED, 307), (CALLS, 199))
SETTLING_TICKS = 20  # of each turn: the interpreter must first see the change


class Turns:
    """Watches a run and changes, turn by turn, how its ticks are looked at.

    Attributes:
        kinds: how each tick was measured; empty for ticks that do not count.
        bare_ns: time of the compiled calls, one entry a tick that was looked at so [ns].
        again_ns: of the same, made once more at once [ns].
        call_counts: how many compiled calls these ticks had.
        watch: of the ticks with clocks.
    """

    def __init__(self, body: Any, pacer: Pacer) -> None:
        self._body, self._pacer = body, pacer
        self.watch, self._calls = Stopwatch(), CompiledCalls()
        self.kinds: list[str] = []
        self.clocked: list[bool] = []
        self.bare_ns: list[int] = []
        self.again_ns: list[int] = []
        self.call_counts: list[int] = []
        self._stack, self._whole = ExitStack(), ExitStack()
        self._whole.enter_context(patched(self._calls.binding()))
        self._turn, self._left = -1, 0

    def __call__(self, performer: Performer) -> None:
        """Look at the last tick, and prepare for the next."""
        since_s = performer.plant.state.stamp_s - START_S
        self._pacer.reach(since_s)
        if self.kinds and self.kinds[-1] == CALLS:
            self.call_counts.append(len(self._calls.names))
            self.bare_ns.append(self._calls.repeat())
            self.again_ns.append(self._calls.repeat())
        self._calls.forget()
        if since_s < 0.0:
            self.kinds.append("")
            return
        if not self._left:
            self._next_turn()
        kind, length = TURNS[self._turn]
        settling = self._left > length - SETTLING_TICKS
        self.kinds.append("" if settling else kind)
        if kind == CLOCKED:
            self.clocked.append(not settling)
        self._left -= 1

    def _next_turn(self) -> None:
        self._stack.close()
        self._turn = (self._turn + 1) % len(TURNS)
        kind, self._left = TURNS[self._turn]
        if kind == CLOCKED:
            self._stack.enter_context(patched(self.watch.around(self._body)))
        elif kind == CALLS:
            self._stack.enter_context(patched(self._calls.around()))
        self._calls.listen(kind == CALLS)

    def close(self) -> None:
        """Leave everything as it was."""
        self._stack.close()
        self._whole.close()
        self._calls.listen(False)


def script(seconds: float) -> Script:
    """Return the walk with a gesture every few seconds."""
    count = int(seconds / GESTURE_EVERY_S) + 1
    commands: list[tuple[float, Command]] = [
        (GESTURE_EVERY_S * k, Gesture(GESTURES[k % len(GESTURES)])) for k in range(count)
    ]
    return Script(seconds, [WalkOrder(vx=SPEED, dur=seconds)], commands)


def run(lab: Laboratory, order: Order, tell: Tell) -> Found:
    """Walk and gesture, and time the ticks."""
    body = lab.body(order.seed)
    pacer = Pacer(tell, order.seconds, "s simulated")
    turns = Turns(body, pacer)
    try:
        with uncollected():
            done = lab.run(order.seed, script(order.seconds), body=body, gestures=True, watch=turns)
    finally:
        turns.close()
    pacer.finish()
    kinds = np.array([*turns.kinds, *[""] * len(done.rows)])[: len(done.rows)]
    # A row holds the time of the tick before it.
    loop_us = done.rows["tick_cpu_us"][1:].astype(np.float64)
    plain_us = loop_us[kinds[:-1] == PLAIN]
    counted = [t for t, counts in zip(turns.watch.ticks, turns.clocked, strict=False) if counts]
    own_us = 1e-3 * np.array(counted, dtype=np.float64).reshape(-1, len(BLOCKS))
    inside = [i for i, block in enumerate(BLOCKS) if block not in OUTSIDE]
    clocked_us = own_us[:, inside].sum(axis=1)
    bare_us = 1e-3 * np.array(turns.bare_ns, dtype=np.float64)
    again_us = 1e-3 * np.array(turns.again_ns, dtype=np.float64)
    whole, bare = quantiles(plain_us), quantiles(bare_us)
    blocks = {name: quantiles(own_us[:, i]) for i, name in enumerate(BLOCKS)}
    calls = int(np.median(turns.call_counts)) if turns.call_counts else 0
    ratio = whole["median"] / bare["median"]
    figures = {
        "median": whole["median"],
        "p99_9": whole["p99_9"],
        "compiled": bare["median"],
        "ratio": ratio,
        "ticks": float(len(plain_us)),
        "failed": float(done.failed),
    }
    report = {
        "tick_us": whole,
        "tick_with_clocks_us": quantiles(clocked_us),
        "blocks_us": blocks,
        "compiled_us": bare,
        "compiled_again_us": quantiles(again_us),
        "compiled_calls": calls,
        "whole_over_compiled": ratio,
        "ticks": len(plain_us),
    }
    rows = [_row(name, blocks[name], whole["median"]) for name in BLOCKS]
    rows.append(_row("whole tick with these clocks", quantiles(clocked_us), whole["median"]))
    rows.append(_row("whole tick, no clock but the loop's own", whole, whole["median"]))
    rows.append(_row(f"its {calls} compiled calls alone", bare, whole["median"]))
    rows.append(_row("the same, made again at once", quantiles(again_us), whole["median"]))
    headings = ("block", *QUANTILE_HEADINGS, "of the tick")
    listing = Listing("CPU time of a tick, walking and gesturing", headings, tuple(rows))
    return Found(figures, report, (listing,), (*NOTES, *lab.notes))


NOTES = (
    "CPU time of the loop's thread (CLOCK_THREAD_CPUTIME_ID): other processes do not lengthen it, "
    "except by what they push out of the caches.",
    "The blocks are timed from outside in turns of 0.3 s, the tick without them in turns of "
    "0.5 s, the compiled calls in turns of 0.2 s, once after each tick, all in one run.",
    "The simulated body's write and its simulator are in the table but not in the whole tick.",
)


def _row(name: str, found: dict[str, float], whole: float) -> tuple[str, ...]:
    return (name, *quantile_cells(found), f"{found['median'] / whole:.0%}")


PART = Part(
    "tick",
    "CPU time of a tick",
    run,
    (
        Bar("median", "whole tick, median", "µs", at_most=250.0),
        Bar("p99_9", "whole tick, 99.9th percentile", "µs", at_most=700.0),
        Bar("compiled", "its compiled calls alone, median", "µs"),
        Bar("ratio", "whole over compiled calls", at_most=2.0),
        Bar("ticks", "ticks counted without clocks", at_least=1.0),
        Bar("failed", "falls", at_most=0.0),
    ),
)
