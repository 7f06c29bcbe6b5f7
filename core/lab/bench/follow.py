"""Processor time of a tick that follows a person, beside one of the same standing robot.

The robot follows and stands by turns of a few seconds in one run, so that whatever the machine does
meanwhile falls on both alike. The postures come as bytes, as from the partner's process.
"""

import math
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
from core.lab.experiment import Bar
from core.lab.laboratory import Laboratory
from core.lab.measure.leader import AGE_S, INPUT_S, Lead, posture_of, swaying
from core.lab.script import START_S, Script
from core.link.commands import Command
from core.link.partner import EndFollow, Follow
from core.link.session import Codec
from core.link.topics import POSTURE, Topic
from core.tick.performer import Performer
from devices.interface import Floats

TURN_S = 5.0
SETTLING_S = 1.5  # of each turn: the limbs go to the person, or to rest
SWAY_M, SWAY_HZ = 0.02, 0.5
RAISED_RAD = 0.3  # of every joint


class Wire:
    """Gives postures to a robot as the loop does, and measures the time of it.

    Attributes:
        heard_us: time of listening in each tick [µs].
        follows: whether a person was followed in it.
    """

    def __init__(self, pacer: Pacer) -> None:
        self._pacer, self._codec = pacer, Codec(POSTURE)
        self._leading = swaying((0.0, SWAY_M), SWAY_HZ)
        self._waiting: bytes | None = None
        self._rest: Floats | None = None
        self._next_s = 0.0
        self.heard_us: list[float] = []
        self.follows: list[bool] = []

    def __call__(self, performer: Performer) -> None:
        """Let the robot listen before its next tick."""
        now_s, follow = performer.plant.state.stamp_s, performer.hand.follow
        self._pacer.reach(now_s - START_S)
        if follow.order is not None and now_s >= self._next_s:
            self._next_s = now_s + INPUT_S
            self._waiting = self._codec.encode(self._posture(performer, now_s))
        begun_ns = time.thread_time_ns()
        follow.listen(self._poll, now_s, now_s)
        self.heard_us.append(1e-3 * (time.thread_time_ns() - begun_ns))
        self.follows.append(follow.order is not None)

    def _posture(self, performer: Performer, now_s: float) -> Any:
        """Return what a person who sways and moves every limb does."""
        lead = self._leading(now_s - START_S)
        assert lead is not None
        if self._rest is None:
            self._rest = performer.upper.q.copy()
        joints = self._rest + RAISED_RAD * math.sin(2.0 * math.pi * SWAY_HZ * now_s)
        moved = Lead(lead.com, joints)
        return posture_of(performer.hand.follow.number, now_s - AGE_S, joints, moved)

    def _poll(self, topic: Topic[Any]) -> Any:
        """Return the posture that waits, from its bytes."""
        waiting, self._waiting = self._waiting, None
        return None if waiting is None or topic is not POSTURE else self._codec.decode(waiting)


def run(lab: Laboratory, order: Order, tell: Tell) -> Found:
    """Follow and stand by turns, and time the ticks."""
    turns = 2 * max(2, round(order.seconds / (2.0 * TURN_S)))
    length_s = turns * TURN_S
    commands: list[tuple[float, Command]] = [
        (turn * TURN_S, EndFollow() if turn % 2 else Follow(mirror_sides=False))
        for turn in range(turns)
    ]
    pacer = Pacer(tell, length_s, "s simulated")
    wire = Wire(pacer)
    with uncollected():
        done = lab.run(order.seed, Script(length_s, commands=commands), watch=wire)
    pacer.finish()
    rows, count = done.rows, len(done.rows) - 1
    # A row holds the time of the tick before it.
    whole_us = rows["tick_cpu_us"][1:].astype(np.float64) + np.array(wire.heard_us)[:count]
    since_s = rows["t"][:count] - START_S
    turn, within_s = np.floor(since_s / TURN_S), since_s % TURN_S
    counts = (since_s >= 0.0) & (turn < turns) & (within_s > SETTLING_S)
    follows = np.array(wire.follows)[:count]

    def times(leading: bool) -> list[Floats]:
        found = [whole_us[counts & (turn == k)] for k in range(turns) if (k % 2 == 0) is leading]
        return [one for one in found if len(one)]

    led, alone = times(True), times(False)
    figures = {
        "ratio": _ratio(led, alone, np.median),
        "mean": _ratio(led, alone, np.mean),
        "p99_9": quantiles(np.concatenate(led))["p99_9"],
        "followed": float(follows[counts & (turn % 2 == 0)].mean()),
        "failed": float(done.failed),
    }
    named = {"following": np.concatenate(led), "standing": np.concatenate(alone)}
    found = {name: quantiles(one) for name, one in named.items()}
    listed = tuple((name, *quantile_cells(one)) for name, one in found.items())
    listing = Listing("CPU time of a tick", ("robot", *QUANTILE_HEADINGS), listed)
    return Found(figures, {"follow": found}, (listing,), tuple(lab.notes))


def _ratio(led: list[Floats], alone: list[Floats], middle: Any) -> float:
    """Return the median ratio of the turns that follow each other."""
    return float(np.median([middle(a) / middle(b) for a, b in zip(led, alone, strict=False)]))


PART = Part(
    "follow",
    "CPU time of a tick that follows a person, by that of standing",
    run,
    (
        Bar("ratio", "median following, by that of standing", at_most=1.05),
        Bar("mean", "mean following, by that of standing", at_most=1.05),
        Bar("p99_9", "99.9th percentile following", "µs", at_most=700.0),
        Bar("followed", "share of its ticks that followed", at_least=1.0),
        Bar("failed", "falls", at_most=0.0),
    ),
)
