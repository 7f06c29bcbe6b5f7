"""Processor time of a tick, block by block: clocks put around the blocks from outside."""

import time
from collections.abc import Callable, Sequence
from typing import Any

from core.behave.manager import MotionManager
from core.plants.biped.model import RobotModel
from core.plants.biped.sense.estimator import StateEstimator
from core.plants.biped.walk.walker import Walker
from core.plants.biped.whole_body.inverse_kinematics import LegKinematics
from core.plants.biped.whole_body.qp import DaqpSolver, ProxQpSolver
from core.plants.biped.whole_body.whole_body import WholeBody
from core.plants.limits import Limits
from core.stage.player import Player
from core.tick.loop import Loop
from core.tick.performer import Performer

REST = "the rest"
OUTSIDE = ("write", "simulator")  # not in the loop's own figure of a tick
BLOCKS = (
    "read",
    "estimate",
    "model",
    "judge",
    "plan: walker",
    "plan: motions",
    "plan: player",
    "QP assembly",
    "QP solve",
    "IK",
    "limits",
    "publish",
    REST,
    *OUTSIDE,
)
PLACES: tuple[tuple[type, str, str], ...] = (
    (Loop, "tick", REST),
    (Loop, "_tell", "publish"),
    (StateEstimator, "update", "estimate"),
    (RobotModel, "update", "model"),
    (Performer, "_judge", "judge"),
    (Walker, "update", "plan: walker"),
    (MotionManager, "update", "plan: motions"),
    (Player, "update", "plan: player"),
    (WholeBody, "solve", "QP assembly"),
    (DaqpSolver, "solve", "QP solve"),
    (ProxQpSolver, "solve", "QP solve"),
    (LegKinematics, "solve", "IK"),
    (Limits, "clip", "limits"),
)


def places_of(body: object) -> tuple[tuple[type, str, str], ...]:
    """Return every place that a clock is put around, a body's own among them."""
    kind = type(body)
    own = [(kind, "read", "read"), (kind, "write", "write"), (kind, "damp", "write")]
    own += [(kind, name, "simulator") for name in ("_step", "truth") if hasattr(kind, name)]
    return (*PLACES, *own)


class Stopwatch:
    """Sums each block's own time: the time in a block that it calls belongs to that block.

    CPU time of the thread, not the wall's: a tick that is preempted has not become dearer. The
    clock is a system call of about 0.3 µs, so ticks with clocks cost more than ticks without.

    Attributes:
        ticks: own time of every block, in the order of `BLOCKS`, one entry a tick [ns].
    """

    def __init__(self) -> None:
        self.ticks: list[tuple[int, ...]] = []
        self._own = [0] * len(BLOCKS)
        self._inner = [0]  # time of the blocks inside, for each block that is being timed

    def around(self, body: object) -> Sequence[tuple[object, str, object]]:
        """Return what to put in whose place, for `patched`."""
        return [
            (owner, name, self._timed(getattr(owner, name), BLOCKS.index(block)))
            for owner, name, block in places_of(body)
        ]

    def _timed(self, function: Callable[..., Any], block: int) -> Callable[..., Any]:
        own, inner, clock = self._own, self._inner, time.thread_time_ns
        is_tick = block == BLOCKS.index(REST)

        def call(*arguments: Any, **named: Any) -> Any:
            inner.append(0)
            start_ns = clock()
            try:
                return function(*arguments, **named)
            finally:
                spent_ns = clock() - start_ns
                own[block] += spent_ns - inner.pop()
                inner[-1] += spent_ns
                if is_tick:
                    self._end_tick()

        return call

    def _end_tick(self) -> None:
        self.ticks.append(tuple(self._own))
        self._own[:] = [0] * len(BLOCKS)
