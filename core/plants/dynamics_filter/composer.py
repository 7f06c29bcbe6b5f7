"""Composes the score of an order: what must be finished, three landings, and a stand."""

import math
from dataclasses import dataclass, field

from msgspec.structs import replace

from core.constants import GRAVITY
from core.plants.dynamics_filter.gait import Gait, GaitOrder
from core.plants.dynamics_filter.level import Level
from core.plants.dynamics_filter.score import (
    BOTH,
    LEFT,
    RIGHT,
    SOON_S,
    Height,
    Kind,
    Phase,
    Pose,
    Score,
    Step,
    between,
)
from core.plants.dynamics_filter.settings import Strides

STANDS = 5  # phases of the stand at the end, so that the pressure may move within it
BESIDE_M, NARROWER_M, WIDER_M = 0.016, 0.010, 0.025  # feet that differ by less stand beside
PARALLEL_RAD = 0.1  # feet that differ by less are parallel
SIDE = (1.0, -1.0)  # y of the left and of the right foot


def middle(left: Pose, right: Pose) -> Pose:
    """Return the pose in the middle between both feet."""
    return Pose(*between(left.x, left.y, left.yaw, right.x, right.y, right.yaw))


def standing_score(now_s: float, feet: tuple[Pose, Pose], height: float) -> Score:
    """Return the score of a robot that stands, and ends to stand at once."""
    steps = (Step(LEFT, feet[LEFT]), Step(RIGHT, feet[RIGHT]))
    phase = Phase(Gait.STAND, Kind.REST, BOTH, BOTH, now_s, (height, 0.0, 0.0), (0, 1))
    return Score((phase,), steps)


def compose(
    strides: Strides, order: GaitOrder, level: Level, last: Score, now_s: float, cut: bool
) -> Score:
    """Return the score from a time on.

    The present phase is finished, and the flight after a push; then come the phases of the
    ordered gait up to a number of landings, after which the feet are closed and the robot stands.

    Args:
        strides: settings.
        order: the ordered gait.
        level: height of the CoM between flights.
        last: score until now.
        now_s: time [s].
        cut: a phase of rest ends now.
    """
    composer = _Composer(strides, order, level, now_s)
    composer.keep(last, cut)
    composer.follow()
    return Score(tuple(composer.phases), tuple(composer.steps))


@dataclass(slots=True)
class _Composer:
    """Appends phases and steps to a score, and keeps where feet and weight are at its end."""

    strides: Strides
    order: GaitOrder
    level: Level
    t: float
    phases: list[Phase] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    places: list[int] = field(default_factory=lambda: [0, 1])
    lifted_s: list[float] = field(default_factory=lambda: [math.nan, math.nan])
    down: int = BOTH
    weight: int = BOTH
    before: int = BOTH  # support of the last phase
    fresh: bool = False  # a flight has just ended
    rests: bool = True  # the weight rests in the middle
    absorbed: bool = False  # a jump has just been absorbed

    # -- the present ------------------------------------------------------------------------

    def keep(self, last: Score, cut: bool) -> None:
        """Take over what must be finished."""
        now_s = self.t
        index = last.index_at(now_s)
        present = last.phases[index]
        left, right = last.standing(index)
        self.steps = [left, right]
        kept = [present] if present.end_s > now_s + SOON_S else []
        if kept and present.kind is Kind.REST and cut:
            kept = []
        elif kept and present.kind is Kind.LEAD:
            kept.append(last.phases[index + 1])
        end_s = kept[-1].end_s if kept else now_s
        numbers = {last.phases[index].places[foot]: foot for foot in (LEFT, RIGHT)}
        for number, step in enumerate(last.steps[2:], 2):
            if number in numbers or not step.lift_s < end_s - SOON_S:
                continue
            if step.land_s <= end_s + SOON_S and step.land_s > now_s - SOON_S:
                numbers[number] = len(self.steps)
                self.steps.append(step)
        for phase in kept:
            places = (
                numbers.get(phase.places[LEFT], LEFT),
                numbers.get(phase.places[RIGHT], RIGHT),
            )
            self.phases.append(replace(phase, places=places))
        final = kept[-1] if kept else present
        self.t = end_s
        self.before, self.weight = final.support, final.toward
        self.fresh = final.kind is Kind.FLIGHT
        self.rests = final.kind is Kind.REST and final.support == BOTH and final.toward == BOTH
        self.absorbed = final.gait is Gait.JUMP and final.kind is Kind.MOVE
        self.down = 0
        for foot in (LEFT, RIGHT):
            landing = [
                number
                for number, step in enumerate(self.steps[2:], 2)
                if step.foot == foot and step.land_s <= end_s + SOON_S
            ]
            self.places[foot] = landing[-1] if landing else foot
            if landing or final.support >> foot & 1:
                self.down |= 1 << foot
            else:
                self.lifted_s[foot] = _lift_time(last, foot, end_s)
        if self.fresh:
            self.weight = self.down

    # -- building blocks --------------------------------------------------------------------

    def _pose(self, foot: int) -> Pose:
        return self.steps[self.places[foot]].pose

    def _stance(
        self,
        gait: Gait,
        kind: Kind,
        duration_s: float,
        toward: int,
        height: Height | None = None,
    ) -> None:
        """Append a phase on the feet that are down."""
        self.t += duration_s
        places = (self.places[LEFT], self.places[RIGHT])
        end = self.level.at(self.t) if height is None else height
        self.phases.append(Phase(gait, kind, self.down, toward, self.t, end, places))
        self.weight, self.before, self.fresh = toward, self.down, False
        self.rests = self.down == BOTH and toward == BOTH

    def _lift(self, foot: int) -> None:
        """Let a foot leave the ground now, if it stands."""
        if self.down >> foot & 1:
            self.down &= ~(1 << foot)
            self.lifted_s[foot] = self.t

    def _land(self, foot: int, pose: Pose, jumps: bool = False) -> None:
        """Let a foot land now."""
        feet = self.strides.feet
        apex, weight, bends = feet.apex, feet.shift_weight, (0.0, 0.0)
        if jumps:
            apex, weight = feet.jump_apex, feet.jump_weight
            bends = feet.jump_start, feet.jump_stop
        self.steps.append(Step(foot, pose, self.lifted_s[foot], self.t, apex, weight, bends))
        self.places[foot] = len(self.steps) - 1
        self.down |= 1 << foot

    def _fly(self, gait: Gait, duration_s: float) -> None:
        """Append a push's flight; every foot leaves the ground."""
        low = self.level.at(self.t)[0] - self.strides.heights.stand
        lift_off, touchdown = self._ends(gait)
        self._lift(LEFT)
        self._lift(RIGHT)
        self.t += duration_s
        places = (self.places[LEFT], self.places[RIGHT])
        speed = (touchdown - lift_off) / duration_s - 0.5 * GRAVITY * duration_s
        end = (touchdown + low, speed, -GRAVITY)
        self.phases.append(Phase(gait, Kind.FLIGHT, 0, 0, self.t, end, places))
        self.before, self.fresh, self.rests = 0, True, False

    def _lift_off(self, gait: Gait, flight_s: float, after_s: float) -> Height:
        """Return the height at the lift-off of a flight, after a time [s]."""
        low = self.level.at(self.t + after_s)[0] - self.strides.heights.stand
        lift_off, touchdown = self._ends(gait)
        speed = (touchdown - lift_off) / flight_s + 0.5 * GRAVITY * flight_s
        return lift_off + low, speed, -GRAVITY

    def _ends(self, gait: Gait) -> tuple[float, float]:
        """Return the height at the begin and at the end of a flight [m]."""
        heights = self.strides.heights
        if gait is Gait.JUMP:
            return heights.jump, heights.jump
        return heights.lift_off, heights.touchdown

    def _target(self, foot: int, closes: bool) -> Pose:
        """Return where a foot lands beside, or a stride ahead of, the other."""
        stance = self._pose(1 - foot)
        width = self.strides.feet.step_width
        center = stance.ahead(0.0, SIDE[foot] * 0.5 * width)
        if not closes:
            forward, left, turn = self.order.stride
            # To the side, the leading foot makes the whole way of both.
            left = 2.0 * left if left * SIDE[foot] > 0.0 else 0.0
            half = Pose(center.x, center.y, center.yaw + 0.5 * turn).ahead(forward, left)
            center = Pose(half.x, half.y, center.yaw + turn)
        return center.ahead(0.0, SIDE[foot] * 0.5 * width)

    @property
    def _beside(self) -> bool:
        """Whether both feet stand beside each other."""
        left, right = self._pose(LEFT), self._pose(RIGHT)
        yaw = middle(left, right).yaw
        x, y = left.x - right.x, left.y - right.y
        along = math.cos(yaw) * x + math.sin(yaw) * y
        across = math.cos(yaw) * y - math.sin(yaw) * x - self.strides.feet.step_width
        turned = abs(math.remainder(left.yaw - right.yaw, 2.0 * math.pi)) > PARALLEL_RAD
        return abs(along) < BESIDE_M and -NARROWER_M < across < WIDER_M and not turned

    # -- gaits ------------------------------------------------------------------------------

    def follow(self) -> None:
        """Append the ordered gait and the stand after it."""
        gait = self.order.gait
        if gait is Gait.JUMP:
            self._jump()
        elif gait is not Gait.STAND:
            for _ in range(self.strides.landings):
                if gait is Gait.RUN:
                    self._run()
                else:
                    self._walk()
        self._close(Gait.STAND)
        times = self.strides.times
        for _ in range(STANDS):
            self._stance(Gait.STAND, Kind.REST, times.stand_s / STANDS, BOTH)

    def _onto(self, gait: Gait) -> int:
        """Bring the weight over one foot, and return this foot."""
        times = self.strides.times
        if self.down != BOTH:
            return LEFT if self.down >> LEFT & 1 else RIGHT
        if self.before != BOTH and not self.fresh:
            stance = RIGHT if self.before >> LEFT & 1 else LEFT
            self._stance(gait, Kind.MOVE, times.walk_double_s, 1 << stance)
            return stance
        if self.weight != BOTH:
            return LEFT if self.weight >> LEFT & 1 else RIGHT
        if self.fresh:
            self._stance(gait, Kind.MOVE, times.absorb_s, BOTH)
        _, left, turn = self.order.stride
        stance = RIGHT if (left or turn) > 0.0 else LEFT
        if self.order.foot >= 0:
            stance = 1 - self.order.foot
        self._stance(gait, Kind.LEAD, 0.5 * times.shift_s, BOTH)
        self._stance(gait, Kind.MOVE, 0.5 * times.shift_s, 1 << stance)
        return stance

    def _swing(self, gait: Gait, closes: bool) -> None:
        """Append a step on one foot, without flight."""
        times, fresh = self.strides.times, self.fresh
        stance = self._onto(gait)
        other = 1 - stance
        self._lift(other)
        lands = fresh and self.before == 0
        duration_s = times.absorb_s if lands else self._single_s
        self._stance(gait, Kind.MOVE, duration_s, 1 << stance)
        self._land(other, self._target(other, closes))

    @property
    def _single_s(self) -> float:
        """Duration of the single support of walking [s]."""
        times = self.strides.times
        if self.order.gait is Gait.WALK and self.order.step_s > 0.0:
            return self.order.step_s - times.walk_double_s
        return times.walk_single_s

    def _walk(self) -> None:
        self._swing(Gait.WALK, closes=False)

    def _run(self) -> None:
        """Append a stance of running and its flight."""
        times, fresh = self.strides.times, self.fresh
        flight_s = self.order.flight_s or times.run_flight_s
        stance_s = times.run_stance_s
        if self.order.step_s > 0.0:
            stance_s = self.order.step_s - flight_s
        stance = self._onto(Gait.RUN)
        other = 1 - stance
        self._lift(other)
        duration_s = stance_s if fresh and self.before == 0 else times.push_s
        end = self._lift_off(Gait.RUN, flight_s, duration_s)
        self._stance(Gait.RUN, Kind.LEAD, duration_s, 1 << stance, end)
        self._fly(Gait.RUN, flight_s)
        self._land(other, self._target(other, closes=False))
        self.weight = self.down

    def _close(self, gait: Gait) -> None:
        """Bring both feet beside each other, and the weight between them."""
        if self.down != BOTH:
            self._swing(gait, closes=True)
        if not self._beside:
            self._swing(gait, closes=True)
        if self.fresh:
            self._stance(gait, Kind.MOVE, self.strides.times.absorb_s, BOTH)

    def _jump(self) -> None:
        """Append a jump with both feet, from rest or after a jump."""
        times = self.strides.times
        flight_s = self.order.flight_s or times.jump_flight_s
        if self.fresh and self.down == BOTH and self._beside:
            self._stance(Gait.JUMP, Kind.MOVE, times.absorb_s, BOTH)
            self.absorbed = True
        if self.absorbed:
            cycle_s = self.order.step_s or times.jump_s
            hold_s = cycle_s - flight_s - times.absorb_s - times.push_s
            if hold_s > SOON_S:
                self._stance(Gait.JUMP, Kind.REST, hold_s, BOTH)
        else:
            self._close(Gait.STAND)
            if not self.rests:
                # Two phases, so that the pressure can end the sway of the step.
                for _ in range(2):
                    self._stance(Gait.STAND, Kind.REST, 0.5 * times.shift_s, BOTH)
        end = self._lift_off(Gait.JUMP, flight_s, times.push_s)
        self._stance(Gait.JUMP, Kind.LEAD, times.push_s, BOTH, end)
        center = middle(self._pose(LEFT), self._pose(RIGHT))
        self._fly(Gait.JUMP, flight_s)
        forward, left, turn = self.order.stride
        there = center.ahead(forward, left, turn)
        half_width = 0.5 * self.strides.feet.step_width
        for foot in (LEFT, RIGHT):
            self._land(foot, there.ahead(0.0, SIDE[foot] * half_width), jumps=True)
        self.weight = self.down


def _lift_time(last: Score, foot: int, now_s: float) -> float:
    """Return when a foot that is in the air at a time left the ground [s]."""
    for step in last.steps[2:]:
        if step.foot == foot and step.lift_s <= now_s + SOON_S and step.land_s > now_s + SOON_S:
            return step.lift_s
    return now_s
