"""A plan: the motion of the CoM and of the pressure that a score leads to, as a frozen table."""

import msgspec
import numpy as np
from msgspec.structs import replace

from core.compiled import compiled
from core.plants.dynamics_filter.knots import (
    END_S,
    FLIES,
    HEIGHT,
    ON_LEFT,
    ON_RIGHT,
    PLACE_X,
    PLACE_Y,
    YAW,
    lay_knots,
    sheets_of,
)
from core.plants.dynamics_filter.pressure import (
    Knots,
    inside,
    least_norm,
    reduce_end,
    solve,
    spread,
)
from core.plants.dynamics_filter.score import Pose, Score, between
from core.plants.dynamics_filter.settings import Strides
from core.plants.dynamics_filter.terms import COLUMNS, fill_states, lay_terms, state_at
from core.plants.dynamics_filter.vertical import lay_heights
from core.records import Indices
from core.robot.profile import Profile
from devices.interface import Floats

MOST_STEPS = 4  # footsteps that a plan may move
TERM_S, RATE, ROOM = 0, 1, 2  # places of `numbers_of`; the room is all that follows
MARGIN_TERMS = 8  # rows of the table beyond those of the longest terms


class Sole(msgspec.Struct, frozen=True):
    """The part of a sole in which the pressure may lie.

    Attributes:
        half_length: [m].
        half_width: [m].
    """

    half_length: float
    half_width: float


def sole_of(profile: Profile) -> Sole:
    """Return the part of a robot's sole in which the pressure may lie."""
    contact = profile.contacts[0]
    return Sole(min(contact.toe, -contact.heel), contact.half_width)


class Start(msgspec.Struct, frozen=True, eq=False):
    """The state from which a plan begins.

    Attributes:
        motion: of the CoM: position [m], velocity [m/s] and acceleration [m/s²] (3, 3).
        pressure: (2) [m].
        held: pressure at the end of the first phase that must not change (2) [m]; empty: it may.
    """

    motion: Floats
    pressure: Floats
    held: Floats


class Plan(msgspec.Struct, frozen=True, eq=False):
    """Motion of the CoM and of the pressure from a time on.

    Attributes:
        begin_s: when it begins [s].
        score: its phases and steps.
        table: of the terms, see `terms` (m, COLUMNS).
        count: of the terms.
        pressures: p₀ … p_N at the begin and at the ends of the phases (n + 1, 2) [m].
        heights: polynomial of each phase's height (n, 6).
        moves: index of each footstep that the plan moves.
        shifts: of these footsteps (k, 2) [m].
        bounded: a bound was reached.
        slack: error of the end that remains; 0: the CoM comes to rest over the feet.
        numbers: settings, see `numbers_of` (7).
        held: see `Start`.
    """

    begin_s: float
    score: Score
    table: Floats
    count: int
    pressures: Floats
    heights: Floats
    moves: tuple[int, ...]
    shifts: Floats
    bounded: bool
    slack: float
    numbers: Floats
    held: Floats

    @classmethod
    def make(cls, strides: Strides, sole: Sole, score: Score, now_s: float, start: Start) -> "Plan":
        """Return the plan of a score.

        Args:
            strides: settings.
            sole: where the pressure may lie in a sole.
            score: its first phase is the present one.
            now_s: begin of the plan [s].
            start: state at the begin.
        """
        phases, steps = sheets_of(score)
        moves = _movable(score, now_s, strides.feet.freeze_s)
        numbers = numbers_of(strides, sole)
        table, count, heights, pressures, shifts, effect, end, bounded = lay_plan(
            phases,
            steps,
            np.array(moves, dtype=np.int64),
            numbers,
            start.motion,
            start.pressure,
            start.held,
            now_s,
        )
        plan = cls(
            now_s,
            score,
            table,
            count,
            pressures,
            heights,
            moves,
            shifts,
            bounded,
            0.0,
            numbers,
            start.held,
        )
        if not bounded:
            return plan
        begin = start.motion[:2, :2].T.copy()
        found = solve(effect, begin, start.pressure, end, plan.knots)
        pressures[1:] = found.knots
        fill_states(table, count, pressures, begin)
        return replace(plan, shifts=found.shifts, slack=found.slack)

    @property
    def knots(self) -> Knots:
        """Where the pressures might lie."""
        phases, steps = sheets_of(self.score)
        moves = np.array(self.moves, dtype=np.int64)
        return Knots(*lay_knots(phases, steps, moves, self.numbers[ROOM:], self.held))

    def at(self, now_s: float, motion: Floats, pressure: Floats, first: int = 0) -> int:
        """Write the CoM's motion (3, 3) and the pressure (2) at a time, and return the term.

        Args:
            now_s: time [s].
            motion: output: position [m], velocity [m/s] and acceleration [m/s²].
            pressure: output [m].
            first: index of a term that begins before.
        """
        return state_at(
            self.table,
            self.count,
            self.pressures,
            self.heights,
            first,
            now_s - self.begin_s,
            motion,
            pressure,
        )

    def shift_of(self, step: int) -> tuple[float, float]:
        """Return how far the plan moves a footstep [m]."""
        if step not in self.moves:
            return 0.0, 0.0
        x, y = self.shifts[self.moves.index(step)].tolist()
        return x, y

    def landing_of(self, step: int) -> Pose:
        """Return where a footstep lands, as the plan moves it."""
        pose, (x, y) = self.score.steps[step].pose, self.shift_of(step)
        return Pose(pose.x + x, pose.y + y, pose.yaw)


def _movable(score: Score, now_s: float, freeze_s: float) -> tuple[int, ...]:
    """Return the indices of the footsteps that a plan may still move."""
    found = [i for i, step in enumerate(score.steps) if step.land_s - now_s > freeze_s]
    return tuple(found[:MOST_STEPS])


def numbers_of(strides: Strides, sole: Sole) -> Floats:
    """Return longest term [s], λ of every stance [1/s], and the room of the knots (7)."""
    feet = strides.feet
    return np.array(
        (
            strides.term_s,
            strides.rate,
            sole.half_length,
            sole.half_width,
            feet.reach_forward,
            feet.reach_in,
            feet.reach_out,
        )
    )


@compiled
def lay_plan(
    phases: Floats,
    steps: Floats,
    moves: Indices,
    numbers: Floats,
    motion: Floats,
    pressure: Floats,
    held: Floats,
    now_s: float,
) -> tuple[Floats, int, Floats, Floats, Floats, Floats, Floats, bool]:
    """Return the plan by the closed form, which is the solution where no bound is reached.

    One kernel does it all, as a call from Python costs more than the work of most of its parts.

    Args:
        phases: of `sheets_of` (n, 8).
        steps: of `sheets_of` (m, 5).
        moves: index of each footstep that the plan may move (k).
        numbers: of `numbers_of` (7).
        motion: of the CoM at the begin: position, velocity and acceleration (3, 3).
        pressure: at the begin (2) [m].
        held: see `Start`.
        now_s: begin of the plan [s].

    Returns:
        Table, terms, heights, pressures and shifts, see `Plan`; effect of the pressures on the
        end, see `lay_terms`; where the CoM comes to rest (2) [m]; and whether a bound is broken.
    """
    n, k, term_s = phases.shape[0], moves.size, numbers[TERM_S]
    durations, flights, ends = np.empty(n), np.empty(n), np.empty((n, 3))
    before_s = now_s
    for i in range(n):
        durations[i], flights[i] = phases[i, END_S] - before_s, phases[i, FLIES]
        before_s = phases[i, END_S]
        for j in range(3):
            ends[i, j] = phases[i, HEIGHT + j]
    start, heights = motion[:2, :2].T.copy(), np.empty((n, 6))
    lay_heights(durations, flights, ends, motion[:, 2].copy(), heights)
    rows = int((before_s - now_s) / term_s) + n + MARGIN_TERMS
    table, effect = np.zeros((rows, COLUMNS)), np.empty((2, 3 + n))
    count = lay_terms(durations, flights, heights, table, effect, term_s, numbers[RATE])
    knots = lay_knots(phases, steps, moves, numbers[ROOM:], held)
    places, axes, bounds, fixed, follows, end_follows, yaws, weights, lowest, highest = knots
    left, right = steps[int(phases[n - 1, ON_LEFT])], steps[int(phases[n - 1, ON_RIGHT])]
    x, y, _ = between(
        left[PLACE_X], left[PLACE_Y], left[YAW], right[PLACE_X], right[PLACE_Y], right[YAW]
    )
    end, sides, rest = np.array((x, y)), np.empty((2, n + k)), np.empty((2, 2))
    reduce_end(
        effect, start, pressure, end, places, fixed, follows, end_follows, weights, sides, rest
    )
    solution, pressures = np.empty((n + k, 2)), np.empty((n + 1, 2))
    least_norm(sides, rest, weights, solution)
    pressures[0] = pressure
    spread(places, follows, solution, pressures[1:])
    fill_states(table, count, pressures, start)
    broken = not inside(solution, axes, bounds, fixed, yaws, lowest, highest)
    return table, count, heights, pressures, solution[n:].copy(), effect, end, broken
