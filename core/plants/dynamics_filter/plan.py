"""A plan: the motion of the CoM and of the pressure that a score leads to, as a frozen table."""

import msgspec
import numpy as np

from core.plants.dynamics_filter.composer import middle
from core.plants.dynamics_filter.knots import knots_of
from core.plants.dynamics_filter.pressure import Knots, solve
from core.plants.dynamics_filter.score import LEFT, RIGHT, Kind, Pose, Score
from core.plants.dynamics_filter.settings import Strides
from core.plants.dynamics_filter.terms import COLUMNS, fill_states, lay_terms, state_at
from core.plants.dynamics_filter.vertical import lay_heights
from core.robot.profile import Profile
from devices.interface import Floats

MOST_STEPS = 4  # footsteps that a plan may move
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
        horizontal: of the CoM: rows x and y, position [m] and velocity [m/s] (2, 2).
        height: of the CoM, with its derivatives (3).
        pressure: (2) [m].
        held: pressure at the end of the first phase that must not change (2) [m]; None: it may.
    """

    horizontal: Floats
    height: Floats
    pressure: Floats
    held: Floats | None = None


class Plan(msgspec.Struct, frozen=True, eq=False):
    """Motion of the CoM and of the pressure from a time on.

    Attributes:
        begin_s: when it begins [s].
        score: its phases and steps.
        table: of the terms, see `terms` (m, COLUMNS).
        count: of the terms.
        pressures: p₀ … p_N at the begin and at the ends of the phases (n + 1, 2) [m].
        heights: polynomial of each phase's height (n, 6).
        knots: where the pressures might lie.
        moves: index of each footstep that the plan moves.
        shifts: of these footsteps (k, 2) [m].
        bounded: a bound was reached.
        slack: error of the end that remains; 0: the CoM comes to rest over the feet.
    """

    begin_s: float
    score: Score
    table: Floats
    count: int
    pressures: Floats
    heights: Floats
    knots: Knots
    moves: tuple[int, ...]
    shifts: Floats
    bounded: bool
    slack: float

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
        phases = score.phases
        n = len(phases)
        flies = Kind.FLIGHT  # an enumeration looks its members up slowly
        ends_s = [phase.end_s for phase in phases]
        durations = np.array([e - b for b, e in zip((now_s, *ends_s), ends_s, strict=False)])
        flights = np.array([1.0 if phase.kind is flies else 0.0 for phase in phases])
        ends = np.array([phase.height for phase in phases])
        heights = np.empty((n, 6))
        lay_heights(durations, flights, ends, start.height, heights)
        rows = int((ends_s[-1] - now_s) / strides.term_s) + n + MARGIN_TERMS
        table, effect = np.zeros((rows, COLUMNS)), np.empty((2, 3 + n))
        count = lay_terms(durations, flights, heights, table, effect, strides.term_s, strides.rate)
        moves = _movable(score, now_s, strides.feet.freeze_s)
        feet = strides.feet
        room = (
            sole.half_length,
            sole.half_width,
            feet.reach_forward,
            feet.reach_in,
            feet.reach_out,
        )
        knots = knots_of(score, moves, room, start.held)
        final = phases[-1].places
        rest = middle(score.steps[final[LEFT]].pose, score.steps[final[RIGHT]].pose)
        end = np.array((rest.x, rest.y))
        found = solve(effect, start.horizontal, start.pressure, end, knots)
        pressures = np.empty((n + 1, 2))
        pressures[0], pressures[1:] = start.pressure, found.knots
        fill_states(table, count, pressures, start.horizontal)
        return cls(
            now_s,
            score,
            table,
            count,
            pressures,
            heights,
            knots,
            moves,
            found.shifts,
            found.bounded,
            found.slack,
        )

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
