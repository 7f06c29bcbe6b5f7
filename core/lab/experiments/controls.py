"""The whole-body QP under a hard test: solved at every tick, optimal, within its bounds."""

from dataclasses import dataclass, field

import msgspec
import numpy as np

from core.lab.experiment import Bar, Experiment, Measured
from core.lab.experiments.push import shove
from core.lab.laboratory import Laboratory
from core.lab.measure.optimality import Optimality, check, cost
from core.lab.script import START_S, Script
from core.link.commands import Command, Gesture
from core.plants.biped.plant import biped_of
from core.plants.biped.settings import QpSettings
from core.plants.biped.whole_body.problem import QuadraticProgram
from core.plants.biped.whole_body.qp import ProxQpSolver
from core.run.launch import WalkOrder
from core.tick.performer import Performer

LENGTH_S = 12.0
PAYLOAD_KG = 1.0
PUSH_EVERY_S = 1.5
UNSOLVED = 3
TICKS = 5000.0  # to look at, of each seed
ATTEMPTS = 5
OTHER_SEED = 1000  # from one attempt's noise to the next one's


@dataclass
class Inspector:
    """Watches a run and checks every tick's solution.

    Attributes:
        settings: of the QP; the other solver gets a tenth of the tolerance.
        found: one entry a tick.
        other: relative difference of the cost to ProxQP's, one entry a tick it solves.
        unsolved: ticks without a solution.
        fallbacks: ticks on which the spare solver had to help.
        joints: joints whose torque the QP bounds, in its last inequalities.
    """

    settings: QpSettings
    found: list[Optimality] = field(default_factory=list)
    other: list[float] = field(default_factory=list)
    unsolved: int = 0
    fallbacks: int = 0
    joints: int = 0
    _solver: ProxQpSolver | None = None

    def __call__(self, performer: Performer) -> None:
        """Look at the last tick."""
        if performer.plant.state.stamp_s < START_S or performer.plant.solution.status == 0:
            return
        body = biped_of(performer.plant).controller.whole_body
        self.joints = body.torque.size
        self.fallbacks = body.fallbacks
        if performer.plant.solution.status == UNSOLVED:
            self.unsolved += 1
            return
        self.found.append(check(body.problem, body.result.x))
        self._compare(body.problem, cost(body.problem, body.result.x))

    def _compare(self, problem: QuadraticProgram, found: float) -> None:
        if self._solver is None:
            tight = msgspec.structs.replace(self.settings, eps_abs=1e-8, max_iterations=1000)
            self._solver = ProxQpSolver(problem, tight)
        result = self._solver.solve(problem)
        if result.solved:
            other = cost(problem, result.x)
            self.other.append(abs(found - other) / max(1.0, abs(other)))


def run(lab: Laboratory, seed: int) -> Measured:
    """Measure one seed."""
    inspector = Inspector(lab.profile.as_biped.qp)
    commands: list[tuple[float, Command]] = [(2.0, Gesture("wave", loop=True))]
    for i in range(int(LENGTH_S / PUSH_EVERY_S) - 1):
        commands.append((PUSH_EVERY_S * (i + 1), shove(5.0, 75.0 * i)))
    half_s = 0.5 * LENGTH_S
    orders = [WalkOrder(vx=0.3, vy=0.1, dur=half_s), WalkOrder(vx=-0.2, yaw=0.3, dur=half_s)]
    falls = 0
    for attempt in range(ATTEMPTS):  # a fall ends a run early, and is not measured here
        body = lab.body(seed + OTHER_SEED * attempt, payload_kg=PAYLOAD_KG)
        script = Script(LENGTH_S, orders, commands)
        done = lab.run(seed, script, body=body, watch=inspector, gestures=True)
        falls += done.failed
        if len(inspector.found) >= TICKS:
            break
    found = inspector.found
    torque_rows = np.array([one.active[-inspector.joints :] for one in found])
    return Measured(
        {
            "ticks": float(len(found)),
            "unsolved": float(inspector.unsolved),
            "fallbacks": float(inspector.fallbacks),
            "residual": max(one.residual for one in found),
            "excess": max(one.excess for one in found),
            "other": max(inspector.other),
            "other_ticks": float(len(inspector.other)),
            "inequality": max(one.inequality for one in found),
            "equality": max(one.equality for one in found),
            "active": float(torque_rows.any(axis=1).mean()),
            "falls": float(falls),
        }
    )


EXPERIMENT = Experiment(
    "controls",
    "the whole-body QP: walking with 1 kg in a hand, waving, 5 N·s every 1.5 s",
    run,
    (
        Bar("ticks", "ticks looked at", at_least=TICKS),
        Bar("residual", "largest KKT residual", "", at_most=1e-5),
        Bar("excess", "cost beyond DAQP's, relative", "", at_most=1e-5),
        Bar("other", "difference to ProxQP's cost, relative", "", at_most=1e-5),
        Bar("other_ticks", "ticks that ProxQP solved too"),
        Bar("inequality", "largest violation of a cone or a torque bound", "N, N·m", "", 1e-3),
        Bar("equality", "largest violation of the base's equations", "N", "", 1e-4),
        Bar("active", "share of ticks with an active torque row", at_least=0.01),
        Bar("unsolved", "ticks without a solution", at_most=0.0),
        Bar("fallbacks", "ticks on which the spare solver helped"),
        Bar("falls", "falls in this test"),
    ),
    beside=False,
)
