"""The planner alone: no robot, no simulator. Its plans are noted tick by tick."""

import math
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from core.constants import GRAVITY
from core.plants.biped.support_polygon import convex_hull
from core.plants.dynamics_filter.composer import middle
from core.plants.dynamics_filter.gait import Gait, GaitOrder
from core.plants.dynamics_filter.plan import Plan, Sole
from core.plants.dynamics_filter.score import BOTH, LEFT, RIGHT, Kind
from core.plants.dynamics_filter.settings import Strides
from core.plants.dynamics_filter.strider import Strider, StrideReference
from core.plants.dynamics_filter.terms import BEGIN, DURATION, PHASE, SQUARE, VX, VY
from devices.interface import Floats

TICK_S = 0.001
AHEAD_M, ASIDE_M, TURN_RAD = 0.05, 0.015, 0.06  # of one step
USUAL = {
    Gait.STAND: GaitOrder(),
    Gait.WALK: GaitOrder(Gait.WALK, (AHEAD_M, 0.0, 0.0)),
    Gait.RUN: GaitOrder(Gait.RUN, (AHEAD_M, 0.0, 0.0)),
    Gait.JUMP: GaitOrder(Gait.JUMP),
}
TOUR: tuple[tuple[float, GaitOrder], ...] = (
    (1.0, USUAL[Gait.WALK]),
    (3.0, USUAL[Gait.RUN]),
    (5.0, GaitOrder(Gait.JUMP, count=2)),
    (8.5, GaitOrder(Gait.RUN, (AHEAD_M, 0.0, TURN_RAD))),
    (10.0, GaitOrder(Gait.WALK, (0.0, 0.01, 0.0))),
    (12.0, GaitOrder()),
)
"""Every gait and most changes between them: times [s] and orders."""
TOUR_S = 14.0


def drawn_orders(draw: random.Random, count: int) -> list[tuple[float, GaitOrder]]:
    """Return random orders at random times, after a second of standing."""
    at_s, orders = 1.0, []
    for _ in range(count):
        gait = draw.choice(list(Gait))
        way = (draw.uniform(-0.03, AHEAD_M), draw.uniform(-ASIDE_M, ASIDE_M))
        turn, jumps = draw.uniform(-TURN_RAD, TURN_RAD), draw.choice((0, 1, 2))
        orders.append((at_s, GaitOrder(gait, (*way, turn), jumps if gait is Gait.JUMP else 0)))
        at_s += draw.uniform(0.1, 2.0)
    return orders


@dataclass
class Rehearsal:
    """Leads a strider by orders, and keeps what can be said of its plans.

    Attributes:
        strider: the planner.
        sole: where the pressure may lie in a sole.
        every: of the plans, one in so many is kept.
        plans: those plans, with the times at which they began [s].
        replan_ns: CPU time of each tick in which a plan was made [ns].
        gap: largest difference of the CoM's place [m] or velocity [m/s] where one plan follows
            another.
        outside_m: largest distance of the pressure from the hull of the soles that stand [m].
        flight_force: largest vertical acceleration without gravity in a flight [m/s²].
        flight_push: largest horizontal acceleration in a flight [m/s²].
        stance_force: least vertical acceleration with gravity in a stance [m/s²].
        infeasible: plans whose end is not reached.
        refused: ticks in which an order was refused.
    """

    strides: Strides
    sole: Sole
    every: int = 1
    plans: list[tuple[float, Plan]] = field(default_factory=list)
    replan_ns: list[int] = field(default_factory=list)
    gap: float = 0.0
    outside_m: float = 0.0
    flight_force: float = 0.0
    flight_push: float = 0.0
    stance_force: float = math.inf
    infeasible: int = 0
    refused: int = 0
    now_s: float = 0.0
    _ticks: int = 0
    _due: list[tuple[float, GaitOrder]] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Begin to stand."""
        self.strider = Strider(self.strides, self.sole)
        self._before = np.empty((3, 3)), np.empty(2)

    def lead(self, orders: Sequence[tuple[float, GaitOrder]], end_s: float) -> None:
        """Follow orders until a time [s]."""
        self._due = list(orders)
        while self.now_s < end_s:
            self.tick()

    def tick(self) -> StrideReference:
        """Advance by a tick."""
        self._ticks += 1
        self.now_s = now_s = self._ticks * TICK_S
        while self._due and self._due[0][0] <= now_s:
            self.strider.ask(self._due.pop(0)[1])
        before = self.strider.plan
        start_ns = time.thread_time_ns()
        reference = self.strider.update(now_s)
        spent_ns = time.thread_time_ns() - start_ns
        plan = self.strider.plan
        self.refused += self.strider.refused
        if plan is not before:
            self.replan_ns.append(spent_ns)
            if len(self.replan_ns) % self.every == 0:
                self.plans.append((now_s, plan))
            self.infeasible += plan.slack > 0.0
            motion, pressure = self._before
            before.at(now_s, motion, pressure)
            self.gap = max(self.gap, float(np.abs(motion[:2] - reference.com[:2]).max()))
        self._judge(reference)
        return reference

    def _judge(self, reference: StrideReference) -> None:
        com = reference.com
        upward = float(com[2, 2]) + GRAVITY
        if reference.kind is Kind.FLIGHT:
            self.flight_force = max(self.flight_force, abs(upward))
            self.flight_push = max(self.flight_push, float(np.abs(com[2, :2]).max()))
            return
        self.stance_force = min(self.stance_force, upward)
        self.outside_m = max(self.outside_m, outside(reference, self.sole))


def outside(reference: StrideReference, sole: Sole) -> float:
    """Return how far the pressure is outside the convex hull of the soles that stand [m]."""
    points: list[tuple[float, float, float]] = []
    for foot in (LEFT, RIGHT):
        if reference.support >> foot & 1:
            x, y = reference.soles[foot, 0, :2].tolist()
            c, s = math.cos(reference.yaws[foot, 0]), math.sin(reference.yaws[foot, 0])
            for along in (-sole.half_length, sole.half_length):
                for across in (-sole.half_width, sole.half_width):
                    points.append((x + c * along - s * across, y + s * along + c * across, 0.0))
    corners = convex_hull(points)
    px, py = reference.pressure.tolist()
    worst = 0.0
    for (ax, ay, _), (bx, by, _) in zip(corners, (*corners[1:], corners[0]), strict=True):
        turn = (bx - ax) * (py - ay) - (by - ay) * (px - ax)  # positive to the left: inside
        worst = max(worst, -turn / math.hypot(bx - ax, by - ay))
    return worst


def phase_gap(plan: Plan) -> float:
    """Return the largest jump of the CoM's place or velocity between the phases of a plan."""
    worst, times = 0.0, np.array([phase.end_s for phase in plan.score.phases[:-1]])
    first, then, pressure = np.empty((3, 3)), np.empty((3, 3)), np.empty(2)
    for time_s in times.tolist():
        plan.at(time_s - 1e-12, first, pressure)
        plan.at(time_s, then, pressure)
        worst = max(worst, float(np.abs(first[:2] - then[:2]).max()))
    return worst


def friction_asked(plan: Plan) -> float:
    """Return the largest share of the vertical force that a term asks for horizontally.

    Both forces are means of the term, for which λ² is made: mean horizontal by mean vertical
    acceleration.
    """
    worst, table = 0.0, plan.table
    for i in range(plan.count):
        if table[i, SQUARE] == 0.0:
            continue
        phase = plan.score.phases[int(table[i, PHASE])]
        if phase.kind is Kind.FLIGHT:
            continue
        t, begin_s = table[i, DURATION], plan.begin_s + table[i, BEGIN]
        push = np.hypot(*((table[i + 1, [VX, VY]] - table[i, [VX, VY]]) / t))
        first, then, pressure = np.empty((3, 3)), np.empty((3, 3)), np.empty(2)
        plan.at(begin_s, first, pressure)
        plan.at(begin_s + t - 1e-9, then, pressure)
        lift = (then[1, 2] - first[1, 2]) / t + GRAVITY
        worst = max(worst, float(push) / max(1e-9, float(lift)))
    return worst


def rest_of(plan: Plan) -> tuple[Floats, Floats]:
    """Return where a plan lets the CoM come to rest, without and with shifts (2), (2) [m]."""
    left, right = plan.score.phases[-1].places
    place = middle(plan.score.steps[left].pose, plan.score.steps[right].pose)
    end = np.array((place.x, place.y))
    return end, end + plan.knots.end_follows @ plan.shifts


def mean_forces(strides: Strides, sole: Sole, gait: Gait) -> tuple[float, float]:
    """Return the mean of (z̈ + g) / g over whole cycles of a gait, and over their stances."""
    rehearsal, times = Rehearsal(strides, sole), strides.times
    cycle_s = times.jump_s
    if gait is Gait.RUN:
        cycle_s = 2.0 * (times.run_stance_s + times.run_flight_s)
    rehearsal.lead([(0.5, USUAL[gait])], 3.5)
    ticks = round(2.0 * cycle_s / TICK_S)
    upward, stands = [], []
    for _ in range(ticks):
        reference = rehearsal.tick()
        upward.append(float(reference.com[2, 2]) / GRAVITY + 1.0)
        stands.append(reference.kind is not Kind.FLIGHT)
    force, stance = np.array(upward), np.array(stands)
    return float(force.mean()), float(force.sum() / stance.sum())


def has_begun(strider: Strider, gait: Gait) -> bool:
    """Tell whether a gait has begun by an event of its own.

    Runs and jumps begin with their first lift-off, walking with its first step, and standing when
    both feet rest on the ground.
    """
    reference = strider.reference
    if reference.gait is not gait:
        return False
    if gait is Gait.STAND:
        return reference.kind is Kind.REST and reference.support == BOTH
    return reference.kind is Kind.FLIGHT if gait is not Gait.WALK else reference.support != BOTH


def change_s(strides: Strides, sole: Sole, old: Gait, new: Gait, phase: float) -> float:
    """Return the time from an order at a phase of a gait until the new gait begins [s]."""
    times = strides.times
    cycles = {
        Gait.STAND: times.stand_s,
        Gait.WALK: 2.0 * (times.walk_double_s + times.walk_single_s),
        Gait.RUN: 2.0 * (times.run_stance_s + times.run_flight_s),
        Gait.JUMP: times.jump_s,
    }
    at_s = 2.5 + phase * cycles[old]
    rehearsal = Rehearsal(strides, sole)
    rehearsal.lead([(0.2, USUAL[old])], at_s)
    rehearsal.strider.ask(USUAL[new])
    while rehearsal.now_s < at_s + 3.0:
        rehearsal.tick()
        if has_begun(rehearsal.strider, new):
            return rehearsal.now_s - at_s
    return math.inf


def takes_kick(strides: Strides, sole: Sole, phase: float, degrees: float, kick: float) -> bool:
    """Tell whether a plan exists after the CoM of a run got another velocity at once [m/s]."""
    rehearsal, times = Rehearsal(strides, sole), strides.times
    cycle_s = 2.0 * (times.run_stance_s + times.run_flight_s)
    rehearsal.lead([(0.2, USUAL[Gait.RUN])], 1.5 + phase * cycle_s)
    strider, plan = rehearsal.strider, rehearsal.strider.plan
    angle, velocity = math.radians(degrees), np.empty((3, 3))
    change = kick * np.array((math.cos(angle), math.sin(angle)))
    while strider.plan is plan:
        strider.velocity_offset[:] = change
        rehearsal.tick()
    # A plan that does not exist begins from the motion as it was.
    plan.at(rehearsal.now_s, velocity, np.empty(2))
    gained = strider.reference.com[1, :2] - velocity[1, :2]
    return bool(np.abs(gained - change).max() < 1e-6)
