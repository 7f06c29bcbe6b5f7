"""The score of a plan: phases of contact in sequence, and the steps between them."""

import math
from enum import IntEnum
from typing import Self

import msgspec
from msgspec.structs import replace

from core.compiled import compiled
from core.plants.dynamics_filter.gait import Gait

LEFT, RIGHT = 0, 1
BOTH = 3
"""Support by both feet: bit 0 is the left foot, bit 1 the right one."""
SOON_S = 1e-9  # times closer than this are equal

Height = tuple[float, float, float]
"""Height of the CoM [m] and its first two derivatives."""


class Kind(IntEnum):
    """How a phase may end.

    A phase of `REST` may end at any moment. The phase after one of `LEAD` must follow: the flight
    after a push, the second half of a shift of the weight.
    """

    REST = 0
    MOVE = 1
    LEAD = 2
    FLIGHT = 3


class Pose(msgspec.Struct, frozen=True):
    """Place of a sole on the ground, world frame [m], and its heading [rad]."""

    x: float
    y: float
    yaw: float

    def ahead(self, forward: float, left: float, turn: float = 0.0) -> Self:
        """Return the pose at a distance in the axes of this one."""
        c, s = math.cos(self.yaw), math.sin(self.yaw)
        x, y = self.x + c * forward - s * left, self.y + s * forward + c * left
        return type(self)(x, y, self.yaw + turn)


@compiled
def between(
    left_x: float, left_y: float, left_yaw: float, right_x: float, right_y: float, right_yaw: float
) -> tuple[float, float, float]:
    """Return place [m] and heading [rad] in the middle between two poses."""
    way = right_yaw - left_yaw
    way -= 2.0 * math.pi * math.floor(way / (2.0 * math.pi) + 0.5)
    return 0.5 * (left_x + right_x), 0.5 * (left_y + right_y), left_yaw + 0.5 * way


class Step(msgspec.Struct, frozen=True):
    """A place at which a foot stands.

    Attributes:
        foot: 0 left, 1 right.
        pose: planned place.
        lift_s: time at which the foot leaves the ground for it.
        land_s: time at which it lands there; -inf: it stands there from the beginning.
        apex: height of the sole in the middle of the step [m].
        weight: of a shift of the place beside that of the pressure.
        bends: acceleration of the sole at the lift-off, and deceleration before the landing, by
            way / duration².
    """

    foot: int
    pose: Pose
    lift_s: float = -math.inf
    land_s: float = -math.inf
    apex: float = 0.0
    weight: float = 1.0
    bends: tuple[float, float] = (0.0, 0.0)


class Phase(msgspec.Struct, frozen=True):
    """A time without change of contact.

    Attributes:
        gait: to which it belongs.
        kind: how it may end.
        support: feet on the ground, as bits.
        toward: feet among which the pressure shall lie at the end, as bits.
        end_s: when it ends [s].
        height: of the CoM at the end, with its derivatives.
        places: index of the step at which each foot stands, or stood last (2).
    """

    gait: Gait
    kind: Kind
    support: int
    toward: int
    end_s: float
    height: Height
    places: tuple[int, int]


class Score(msgspec.Struct, frozen=True):
    """Phases in sequence; the first is the present one.

    Attributes:
        phases: in sequence.
        steps: places of the left and of the right foot, and then the steps in order of landing.
    """

    phases: tuple[Phase, ...]
    steps: tuple[Step, ...]

    def index_at(self, now_s: float) -> int:
        """Return the index of the phase at a time [s]."""
        last = len(self.phases) - 1
        for index, phase in enumerate(self.phases):
            if now_s < phase.end_s - SOON_S:
                return index
        return last

    def standing(self, index: int) -> tuple[Step, Step]:
        """Return the steps at which both feet stand, or stood last, in a phase."""
        left, right = self.phases[index].places
        return self.steps[left], self.steps[right]

    def in_air(self, foot: int, now_s: float) -> int:
        """Return the index of the step that a foot makes at a time [s]; 0 while it stands."""
        for number, step in enumerate(self.steps[2:], 2):
            if step.foot == foot and step.lift_s - SOON_S <= now_s < step.land_s - SOON_S:
                return number
        return 0

    def moved_to(self, index: int, end_s: float) -> Self:
        """Return the score in which a phase, and all after it, ends at another time."""
        before = self.phases[index].end_s
        way = before - end_s

        def shifted(time_s: float) -> float:
            return time_s - way if time_s > before - SOON_S else time_s

        phases = tuple(replace(phase, end_s=shifted(phase.end_s)) for phase in self.phases)
        steps = tuple(
            replace(step, lift_s=shifted(step.lift_s), land_s=shifted(step.land_s))
            for step in self.steps
        )
        return replace(self, phases=phases, steps=steps)

    def moved(self, shifts: dict[int, tuple[float, float]]) -> Self:
        """Return the score with steps moved (index, [m])."""
        steps = list(self.steps)
        for index, (x, y) in shifts.items():
            pose = steps[index].pose
            steps[index] = replace(steps[index], pose=Pose(pose.x + x, pose.y + y, pose.yaw))
        return replace(self, steps=tuple(steps))
