"""Walks to marks, one after the other: how far from each the robot comes to stand.

The frame of the stage begins at the true place where the robot has stood up. Marks are drawn in a
square around it, with any heading and the foot of the last step, and nothing corrects the drift of
the estimate from mark to mark. The place of a robot is the middle between its soles.
"""

import math
import random

import numpy as np
import numpy.typing as npt

from core.lab.experiment import Bar, Experiment, Figures, Measured
from core.lab.laboratory import Laboratory
from core.lab.script import START_S, Script
from core.link.approach import SIDES
from core.link.commands import Command
from core.link.place import WalkTo
from core.plants.biped.walk.balance import support_of
from core.robot.profile import Profile
from core.run.autopilot import Facts
from core.safety.modes import Mode
from devices.interface import Floats
from shows.marks import Foot, Place

MARKS = 10
HALF_SIDE_M = 1.5
PAUSE_S = 1.0  # of standing on a mark
LONGEST_S = 60.0  # for a mark
THIN = 10  # of the record, one tick in so many is kept
NEAR_CM, NEAR_DEG = 3.0, 3.0
LIFTED_M = 0.01  # above the lower sole, a sole is in the air


class Tour(Script):
    """Walks to one mark after the other, each when the robot stands on the last.

    Args:
        marks: where to walk.

    Attributes:
        left_s: when each mark was left, and the last at the end [s].
    """

    def __init__(self, marks: list[WalkTo]) -> None:
        super().__init__(LONGEST_S * len(marks))
        self._marks = marks
        self._asked_s = -math.inf
        self.left_s: list[float] = []

    def update(self, now_s: float, facts: Facts) -> list[Command]:
        """Return what to command at a time [s]."""
        commands = super().update(now_s, facts)
        if now_s < START_S or self.failure is not None:
            return commands
        if facts.mode is not Mode.READY:
            self._asked_s = now_s
        elif now_s - self._asked_s > PAUSE_S:
            if self._asked_s > -math.inf:
                self.left_s.append(now_s)
            if not self._marks:
                self.finished = True
                return []
            self._asked_s = now_s
            commands.append(self._marks.pop(0))
        return commands


def drawn(draw: random.Random, chooses: bool, count: int = MARKS) -> list[WalkTo]:
    """Return marks in a square, with any heading.

    Args:
        draw: source of chance.
        chooses: the robot chooses the foot of its last step.
        count: number of marks.
    """
    feet: tuple[Foot, ...] = ("left", "right") if chooses else ("either",)
    marks = []
    for _ in range(count):
        x, y = (draw.uniform(-HALF_SIDE_M, HALF_SIDE_M) for _ in range(2))
        marks.append(WalkTo(x, y, draw.uniform(-math.pi, math.pi), draw.choice(feet)))
    return marks


def place_of(lab: Laboratory, row: npt.NDArray[np.void]) -> Place:
    """Return the true place of the robot at one tick of a record, world frame."""
    lab.soles(row)
    support = support_of(lab.model)
    return Place(*support.middle, support.yaw)


def last_foot(soles: Floats) -> int:
    """Return the foot that was in the air last (k, 2, 3) [m]; -1 if none was."""
    heights = soles[:, :, 2] - soles[:, :, 2].min(axis=1, keepdims=True)
    ticks, feet = np.nonzero(heights > LIFTED_M)
    return int(feet[ticks.argmax()]) if ticks.size else -1


def run(lab: Laboratory, seed: int) -> Measured:
    """Measure one seed."""
    chooses = lab.profile.runner is None
    marks = drawn(random.Random(f"marks {seed}"), chooses)
    tour = Tour(list(marks))
    done = lab.run(seed, tour, thin=THIN)
    rows = done.rows
    origin = place_of(lab, rows[np.searchsorted(rows["t"], START_S) - 1])
    off, turned, taken, feet = [], [], [], 0
    since_s = START_S
    for mark, left_s in zip(marks, tour.left_s, strict=False):
        end = int(np.searchsorted(rows["t"], left_s)) - 1
        stage = place_of(lab, rows[end]).within(origin)
        error = Place(mark.x, mark.y, mark.heading).within(stage)
        off.append(100.0 * error.distance)
        turned.append(abs(math.degrees(error.yaw)))
        taken.append(left_s - PAUSE_S - since_s)
        begin = int(np.searchsorted(rows["t"], max(since_s, left_s - PAUSE_S - 3.0)))
        soles = np.array([lab.soles(row) for row in rows[begin:end]])
        feet += chooses and last_foot(soles) == SIDES[mark.foot]
        since_s = left_s
    reached = sum(o <= NEAR_CM and t <= NEAR_DEG for o, t in zip(off, turned, strict=True))
    figures: Figures = {
        "falls": float(done.failed),
        "reached": float(reached),
        "marks": float(len(marks)),
        "off": max(off, default=math.nan),
        "off_median": float(np.median(off)) if off else math.nan,
        "turned": max(turned, default=math.nan),
        "turned_median": float(np.median(turned)) if turned else math.nan,
        "foot": float(feet) if chooses else math.nan,
        "taken": float(np.median(taken)) if taken else math.nan,
    }
    return Measured(figures, {"off": np.array(off), "turned": np.array(turned)})


def _robot_bars(profile: Profile) -> tuple[Bar, ...]:
    """Return the row of the last steps, if the robot chooses their foot."""
    told = Bar("foot", "last step with the chosen foot, of 10", at_least=float(MARKS))
    return () if profile.runner else (told,)


EXPERIMENT = Experiment(
    "marks",
    "walks to ten marks in a square of 3 m, any heading",
    run,
    (
        Bar("falls", "falls", at_most=0.0),
        Bar("reached", "marks reached within 3 cm and 3°, of 10", at_least=float(MARKS)),
        Bar("off", "farthest from a mark", "cm", at_most=NEAR_CM),
        Bar("off_median", "median distance from the marks", "cm"),
        Bar("turned", "largest error of the heading", "°", at_most=NEAR_DEG),
        Bar("turned_median", "median error of the heading", "°"),
        Bar("taken", "median time to a mark", "s"),
    ),
    robot_bars=_robot_bars,
)
