"""What a waiting child does with its hands: each fidget is one small sum of eased swings."""

import math
import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

Pose: TypeAlias = list[float]

SIDES = ("left", "right")


@dataclass(frozen=True, slots=True)
class Swing:
    """One joint's part: a lift that stays, and an oscillation upon it.

    Attributes:
        column: of the upper order.
        lift: [rad].
        size: amplitude of the oscillation [rad].
        pace: its frequency [Hz].
        phase: its phase [rad].
    """

    column: int
    lift: float
    size: float = 0.0
    pace: float = 0.0
    phase: float = 0.0


class Fidget:
    """Something small that begins, lasts a few seconds and ends where it began.

    Args:
        chance: draws when it starts, how long and how strongly it goes.
        columns: joint name to column of the upper order.
    """

    RISE_S = 0.9

    def __init__(self, chance: random.Random, columns: Mapping[str, int]) -> None:
        self._start_s = chance.uniform(0.0, 1.6)
        self._length_s = chance.uniform(3.2, 6.0)
        self._swings = [
            Swing(columns[joint], *figures)
            for joint, figures in self.plan(chance)
            if joint in columns
        ]

    def plan(self, chance: random.Random) -> list[tuple[str, tuple[float, ...]]]:
        """Return joints with the figures of their swings."""
        raise NotImplementedError

    def add(self, t: float, pose: Pose) -> None:
        """Add it to a pose at a time in its slot [s]."""
        t -= self._start_s
        left = self._length_s - t
        if t <= 0.0 or left <= 0.0:
            return
        u = min(1.0, min(t, left) / self.RISE_S)
        weight = u * u * u * (10.0 + u * (6.0 * u - 15.0))
        for swing in self._swings:
            value = swing.lift
            if swing.size:
                value += swing.size * math.sin(2.0 * math.pi * swing.pace * t + swing.phase)
            pose[swing.column] += weight * value


class HandWring(Fidget):
    """Both hands come up a little and knead each other."""

    def plan(self, chance: random.Random) -> list[tuple[str, tuple[float, ...]]]:
        """Return joints with the figures of their swings."""
        pace = chance.uniform(0.5, 0.8)
        size = chance.uniform(0.12, 0.20)
        plan: list[tuple[str, tuple[float, ...]]] = []
        for i, side in enumerate(SIDES):
            turn = math.pi * i
            plan.append((f"{side}_elbow", (chance.uniform(0.30, 0.45), 0.03, pace, turn)))
            plan.append((f"{side}_shoulder_pitch", (chance.uniform(-0.16, -0.08),)))
            plan.append((f"{side}_shoulder_roll", (chance.uniform(0.0, 0.05),)))
            plan.append((f"{side}_wrist", (0.2, size, pace, turn)))
            for j, finger in enumerate(("index", "middle", "ring")):
                plan.append((f"{side}_{finger}", (0.35, 0.12, pace, turn + 0.5 * j)))
        return plan


class FingerDrum(Fidget):
    """The fingers of one hand drum, one after another."""

    def plan(self, chance: random.Random) -> list[tuple[str, tuple[float, ...]]]:
        """Return joints with the figures of their swings."""
        side = chance.choice(SIDES)
        pace = chance.uniform(1.3, 1.9)
        size = chance.uniform(0.10, 0.16)
        plan: list[tuple[str, tuple[float, ...]]] = [
            (f"{side}_elbow", (chance.uniform(0.08, 0.20),)),
            (f"{side}_thumb", (0.1,)),
        ]
        for j, finger in enumerate(("ring", "middle", "index")):
            plan.append((f"{side}_{finger}", (0.15, size, pace, -1.1 * j)))
        return plan


class HeadTilt(Fidget):
    """The head leans and looks, as if something were odd."""

    def plan(self, chance: random.Random) -> list[tuple[str, tuple[float, ...]]]:
        """Return joints with the figures of their swings."""
        side = chance.choice((-1.0, 1.0))
        return [
            ("head_pitch", (chance.uniform(-0.12, 0.14), 0.02, 0.4)),
            ("head_yaw", (side * chance.uniform(0.10, 0.22), 0.03, 0.3)),
        ]


class Tug(Fidget):
    """One hand closes and tugs at what would be a sleeve or a hem."""

    def plan(self, chance: random.Random) -> list[tuple[str, tuple[float, ...]]]:
        """Return joints with the figures of their swings."""
        side = chance.choice(SIDES)
        pace = chance.uniform(0.7, 1.1)
        plan: list[tuple[str, tuple[float, ...]]] = [
            (f"{side}_elbow", (chance.uniform(0.15, 0.35), 0.06, pace)),
            (f"{side}_shoulder_pitch", (-0.05, 0.03, pace, 0.6)),
            (f"{side}_wrist", (chance.uniform(-0.3, 0.3), 0.05, pace)),
        ]
        plan += [(f"{side}_{f}", (0.6, 0.03, pace)) for f in ("thumb", "index", "middle", "ring")]
        return plan


class ArmSwing(Fidget):
    """Both arms swing to and fro, against each other."""

    def plan(self, chance: random.Random) -> list[tuple[str, tuple[float, ...]]]:
        """Return joints with the figures of their swings."""
        pace = chance.uniform(0.45, 0.6)
        size = chance.uniform(0.06, 0.12)
        plan: list[tuple[str, tuple[float, ...]]] = []
        for i, side in enumerate(SIDES):
            plan.append((f"{side}_shoulder_pitch", (0.0, size, pace, math.pi * i)))
            plan.append((f"{side}_elbow", (0.06, 0.04, pace, math.pi * i - 0.5)))
        return plan


FIDGETS: tuple[type[Fidget], ...] = (HandWring, FingerDrum, HeadTilt, Tug, ArmSwing)
