"""The strider: owns the plan of a robot that stands, walks, runs and jumps, and renews it."""

import math
from dataclasses import dataclass, field

import numpy as np
from msgspec.structs import replace

from core.constants import GRAVITY
from core.plants.dynamics_filter.composer import compose, standing_score
from core.plants.dynamics_filter.feet import Feet
from core.plants.dynamics_filter.gait import Gait, GaitOrder
from core.plants.dynamics_filter.level import Level
from core.plants.dynamics_filter.plan import Plan, Sole, Start
from core.plants.dynamics_filter.score import LEFT, RIGHT, SOON_S, Kind, Phase, Pose, Score
from core.plants.dynamics_filter.settings import Strides
from devices.interface import Floats

LEAST_WAY_S = 0.3  # shortest change of the height between flights
NEAR_M = 0.002  # change of this height that is none
LARGEST_CHANGE = 0.35  # of a flight's duration, by the lift-off that was measured
_STAND = GaitOrder()
_IN_PLACE = GaitOrder(Gait.WALK)
_FREE: Floats = np.zeros(0)


@dataclass(slots=True, eq=False)
class StrideReference:
    """Reference of a tick, world frame. The strider owns and overwrites it.

    Attributes:
        gait: gait of the present phase.
        kind: kind of the present phase.
        support: feet on the ground, as bits.
        com: position [m], velocity [m/s] and acceleration [m/s²] of the CoM (3, 3).
        pressure: centre of pressure (2) [m].
        soles: position, velocity and acceleration of both soles (2, 3, 3).
        yaws: heading of both soles with its derivatives (2, 3).
    """

    soles: Floats
    yaws: Floats
    gait: Gait = Gait.STAND
    kind: Kind = Kind.REST
    support: int = 3
    com: Floats = field(default_factory=lambda: np.zeros((3, 3)))
    pressure: Floats = field(default_factory=lambda: np.zeros(2))

    @property
    def heading(self) -> float:
        """Mean heading of the soles [rad]."""
        left, right = self.yaws[:, 0].tolist()
        return float(left + 0.5 * math.remainder(right - left, 2.0 * math.pi))


class Strider:
    """Owns the plan.

    Attributes:
        reference: of the newest tick.
        plan: the present plan.
        jumps: flights of jumps begun since the order.
        landings: touchdowns since the start.
        velocity_offset: change of the CoM's velocity that plans take over in the time from plan to
            plan (2) [m/s].
        now_s: newest time [s].
        refused: the newest order could not be planned, and the one before it goes on.
    """

    def __init__(self, strides: Strides, sole: Sole) -> None:
        self._strides, self._sole = strides, sole
        self._feet = Feet()
        self.reference = StrideReference(self._feet.motions, self._feet.yaws)
        self._order = self._planned = self._asked = self._given = _STAND
        self._level = Level(0.0, 1.0, strides.heights.stand, strides.heights.stand)
        self._term = self._index = 0
        self.velocity_offset: Floats = np.zeros(2)
        self._beside: Floats = np.zeros((3, 2))
        self.plan: Plan
        self.now_s = self._planned_s = 0.0
        self.jumps = self.landings = 0
        self.refused = False
        half = 0.5 * strides.feet.step_width
        com = np.array((0.0, 0.0, strides.heights.stand))
        self.start(0.0, Pose(0.0, half, 0.0), Pose(0.0, -half, 0.0), com)

    def start(self, now_s: float, left: Pose, right: Pose, com: Floats) -> None:
        """Stand at a place, with the CoM at rest (3) [m], and rise to the usual height."""
        height_m = float(com[2])
        heights, times = self._strides.heights, self._strides.times
        self._order = self._planned = self._asked = self._given = _STAND
        self._level = Level(now_s, times.rise_s, height_m, heights.stand)
        self.jumps = 0
        self._feet.place(now_s, left, right)
        reference = self.reference
        reference.com[:] = 0.0
        reference.com[0] = com
        reference.pressure[:] = com[:2]
        score = standing_score(now_s, (left, right), height_m)
        self._begin(now_s, compose(self._strides, _STAND, self._level, score, now_s, False))

    # -- orders -----------------------------------------------------------------------------

    @property
    def order(self) -> GaitOrder:
        """The newest order."""
        return self._asked

    @property
    def stands(self) -> bool:
        """Both feet stand, and no step or jump is planned."""
        score = self.plan.score
        return all(phase.gait is Gait.STAND for phase in score.phases) and len(score.steps) == 2

    def ask(self, order: GaitOrder) -> None:
        """Change to a gait; a flight that has been pushed for is flown and landed first."""
        if order is self._given or (order == self._given and not order.count):
            return
        self._given = self._asked = order
        self.jumps = 0

    def displace(self, motion: Floats) -> None:
        """Let the next plan begin beside the present one's motion of the CoM.

        Args:
            motion: difference of position, velocity and acceleration, world frame (3, 2).
        """
        self._beside[:] = motion

    # -- time -------------------------------------------------------------------------------

    def update(self, now_s: float) -> StrideReference:
        """Advance to a time and return the reference."""
        self.now_s = now_s
        self._write(now_s)
        displaced = bool(self._beside.any())
        if displaced:
            self._step_aside()
        plan = self.plan
        changed = plan.score.index_at(now_s) != self._index
        if changed:
            if plan.score.phases[self._index].kind is Kind.FLIGHT:
                self._land_pressure()
            self._count(plan.score, now_s)
        new = self._order is not self._asked
        due = now_s - plan.begin_s >= self._strides.replan_s - SOON_S
        # Another stride alone, as of a velocity that is ramped, waits until a plan is due.
        turns = new and replace(self._asked, stride=self._order.stride) != self._order
        if turns or changed or displaced or (new and due):
            self._renew(now_s, new)
        elif due:
            index = plan.score.index_at(now_s)
            score = replace(plan.score, phases=plan.score.phases[index:])
            plan = self._plan(now_s, self._settle(score, now_s))
            if plan.slack > 0.0:
                self._renew(now_s, False)
            else:
                self._take(now_s, plan)
        return self.reference

    def landings_s(self) -> tuple[float, float]:
        """Return the time at which each foot in the air shall land [s]; inf: it stands."""
        score, now_s = self.plan.score, self.now_s
        left, right = score.in_air(LEFT, now_s), score.in_air(RIGHT, now_s)
        return (
            score.steps[left].land_s if left else math.inf,
            score.steps[right].land_s if right else math.inf,
        )

    def lift_off_s(self) -> float:
        """Return the time at which the present push ends in a flight [s]; inf: there is none."""
        phases = self.plan.score.phases
        index = self.plan.score.index_at(self.now_s)
        flies = index + 1 < len(phases) and phases[index + 1].kind is Kind.FLIGHT
        return phases[index].end_s if flies else math.inf

    def land_now(self, now_s: float) -> None:
        """Let the stance begin that follows the present phase: a foot has touched early."""
        score = self.plan.score
        index = score.index_at(now_s)
        self.plan = replace(self.plan, score=score.moved_to(index, now_s))

    def lifted(self, now_s: float, error: float) -> None:
        """Change the end of the present flight by the error of its vertical speed [m/s].

        T = (v + √(v² + 2 g (z − z₂))) / g, from the present height z on, so that a robot that
        left the ground faster lands later.
        """
        score, reference = self.plan.score, self.reference
        index = score.index_at(now_s)
        phase = score.phases[index]
        if phase.kind is not Kind.FLIGHT:
            return
        height, speed = float(reference.com[0, 2]), float(reference.com[1, 2])
        drop = height - phase.height[0]
        planned_s, flight_s = (
            (v + math.sqrt(max(0.0, v * v + 2.0 * GRAVITY * drop))) / GRAVITY
            for v in (speed, speed + error)
        )
        change = LARGEST_CHANGE * planned_s
        end_s = phase.end_s + min(change, max(-change, flight_s - planned_s))
        if end_s > now_s + SOON_S:
            self.plan = replace(self.plan, score=score.moved_to(index, end_s))
            self._renew(now_s, False)

    # -- planning ---------------------------------------------------------------------------

    def _count(self, score: Score, now_s: float) -> None:
        """Count flights and landings at a change of phase; end an order that was counted."""
        before, present = score.phases[self._index], score.phases[score.index_at(now_s)]
        if before.support & present.support != present.support:
            self.landings += 1
        if present.kind is Kind.FLIGHT and present.gait is Gait.JUMP:
            self.jumps += 1
            if self._asked.count and self.jumps >= self._asked.count:
                self._asked = replace(_STAND, height=self._asked.height)

    def _renew(self, now_s: float, new: bool) -> None:
        """Compose the score anew, and plan; give way to what can be planned.

        The present score comes before simpler orders: it ends at rest wherever the feet are then,
        while a new one may need another step to bring them beside each other.
        """
        strides = self._strides
        if new:
            self._order = self._asked
            self._change_level(now_s)
        last, before = self._settle(self.plan.score, now_s), self._planned
        best: Plan | None = None
        self.refused = False
        for order in (self._order, before, None, _IN_PLACE, _STAND):
            if order is None:
                score = self._rest_of(now_s)
            else:
                score = compose(strides, order, self._level, last, now_s, new)
            plan = self._plan(now_s, score)
            if best is None or plan.slack < best.slack:
                best, self._planned = plan, order or before
            if plan.slack == 0.0:
                break
            self.refused = True
        assert best is not None, "the first plan is the best until now"
        self._take(now_s, best)

    def _rest_of(self, now_s: float) -> Score:
        """Return the present score from a time on."""
        score = self.plan.score
        phases = score.phases[score.index_at(now_s) :]
        return self._settle(replace(score, phases=phases), now_s)

    def _change_level(self, now_s: float) -> None:
        heights, times = self._strides.heights, self._strides.times
        height = self._order.height or heights.stand
        if abs(height - self._level.end_m) < NEAR_M:
            return
        way = abs(height - self._level.at(now_s)[0]) / (heights.stand - heights.crouch)
        self._level = self._level.toward(height, now_s, max(LEAST_WAY_S, times.rise_s * way))

    def _settle(self, score: Score, now_s: float) -> Score:
        """Return the score with the shifts of footsteps that can be moved no more."""
        freeze_s = self._strides.feet.freeze_s
        shifts = {
            step: self.plan.shift_of(step)
            for step in self.plan.moves
            if score.steps[step].land_s - now_s <= freeze_s
        }
        return score.moved(shifts) if shifts else score

    def _begin(self, now_s: float, score: Score) -> None:
        self._take(now_s, self._plan(now_s, score))

    def _plan(self, now_s: float, score: Score) -> Plan:
        """Return the plan of a score from the present motion on."""
        first = score.phases[0]
        held = _FREE
        if first.end_s - now_s < self._strides.hold_s:
            held = self._knot_at(first)
        motion, pressure = self.reference.com.copy(), self.reference.pressure.copy()
        share = min(1.0, (now_s - self._planned_s) / self._strides.replan_s)
        motion[1, :2] += share * self.velocity_offset
        start = Start(motion, pressure, held)
        plan = Plan.make(self._strides, self._sole, score, now_s, start)
        if plan.slack > 0.0 and self.velocity_offset.any():
            # The body's error must not lead the plan to where no pressure brings it to rest.
            start = Start(self.reference.com.copy(), pressure, held)
            plan = Plan.make(self._strides, self._sole, score, now_s, start)
        return plan

    def _knot_at(self, phase: Phase) -> Floats:
        """Return the present plan's pressure at the end of a phase (2) [m]; empty: none."""
        for i, own in enumerate(self.plan.score.phases):
            if abs(own.end_s - phase.end_s) < SOON_S:
                return np.array(self.plan.pressures[i + 1])
        return _FREE

    def _take(self, now_s: float, plan: Plan) -> None:
        """Follow a plan from now on."""
        self._planned_s = now_s
        self.plan, self._term, self._index = plan, 0, plan.score.index_at(now_s)
        self.velocity_offset[:] = 0.0
        score = plan.score
        support = score.phases[self._index].support
        for foot in (LEFT, RIGHT):
            number = score.in_air(foot, now_s)
            if number and not support >> foot & 1:
                self._feet.swing(now_s, score.steps[number], plan.landing_of(number))
            elif support >> foot & 1:
                self._feet.stand(now_s, foot)
        self._write(now_s)

    def _step_aside(self) -> None:
        """Add the difference that was told to the reference, and to the pressure that it needs."""
        reference, beside = self.reference, self._beside
        reference.com[:, :2] += beside
        square = GRAVITY / float(reference.com[0, 2])
        reference.pressure += beside[0] - beside[2] / square
        beside[:] = 0.0

    def _land_pressure(self) -> None:
        """Bring the pressure into the soles that stand now: a flight may have ended early.

        That of a flight is in no equation, and on its way from one sole to the next.
        """
        reference, sole = self.reference, self._sole
        left, right = reference.soles[:, 0, :2]
        yaw = float(reference.yaws[:, 0].mean())
        center, across = 0.5 * (left + right), left - right
        reach, half_length = 0.5, sole.half_length
        if reference.support in (1, 2):
            foot = LEFT if reference.support == 1 else RIGHT
            yaw = float(reference.yaws[foot, 0])
            center = reference.soles[foot, 0, :2]
            across = np.array((-math.sin(yaw), math.cos(yaw)))
            reach = sole.half_width
        axes = np.array(((math.cos(yaw), across[0]), (math.sin(yaw), across[1])))
        along = np.linalg.solve(axes, reference.pressure - center)
        along[0] = min(half_length, max(-half_length, along[0]))
        along[1] = min(reach, max(-reach, along[1]))
        reference.pressure[:] = center + axes @ along

    def _write(self, now_s: float) -> None:
        """Write the reference of a time [s]."""
        reference, plan = self.reference, self.plan
        self._term = plan.at(now_s, reference.com, reference.pressure, self._term)
        phase = plan.score.phases[plan.score.index_at(now_s)]
        reference.gait, reference.kind = phase.gait, phase.kind
        reference.support = phase.support
        self._feet.at(now_s)
