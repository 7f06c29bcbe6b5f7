"""Fidgets: small movements of some seconds, each the sum of eased swings of some joints."""

import math
import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from core.behave.idle_settings import FidgetKind, Fidgets, Figure

Pose: TypeAlias = list[float]


@dataclass(frozen=True, slots=True)
class DrawnSwing:
    """One joint's part of a fidget: an offset, and an oscillation about it.

    Attributes:
        column: index of the joint in upper order.
        lift: offset [rad].
        amplitude: of the oscillation [rad].
        frequency_hz: of the oscillation [Hz].
        phase: of the oscillation [rad].
    """

    column: int
    lift: float
    amplitude: float
    frequency_hz: float
    phase: float


class Fidget:
    """A small movement that begins, lasts some seconds and ends where it began.

    Args:
        settings: range of the duration.
        kind: the movement.
        chance: random numbers; drawn in the order duration, variant (if there are several),
            common draws, and then swing by swing.
        columns: joint name to index in upper order.
    """

    def __init__(
        self,
        settings: Fidgets,
        kind: FidgetKind,
        chance: random.Random,
        columns: Mapping[str, int],
    ) -> None:
        self._length_s = chance.uniform(*settings.length_s)
        self._fade_s = settings.fade_s
        variants = kind.variants
        swings = chance.choice(variants) if len(variants) > 1 else variants[0]
        drawn = {name: chance.uniform(*ends) for name, ends in kind.draws.items()}

        def number(figure: Figure) -> float:
            if isinstance(figure, str):
                return drawn[figure]
            return chance.uniform(*figure) if isinstance(figure, tuple) else figure

        self._swings = [
            DrawnSwing(
                columns[swing.joint],
                number(swing.lift),
                number(swing.amplitude),
                number(swing.frequency_hz),
                number(swing.phase),
            )
            for swing in swings
        ]

    def add(self, t: float, pose: Pose) -> None:
        """Add the fidget to a pose at a time since its moment [s]."""
        left = self._length_s - t
        if t <= 0.0 or left <= 0.0:
            return
        u = min(1.0, min(t, left) / self._fade_s)
        weight = u * u * u * (10.0 + u * (6.0 * u - 15.0))
        for swing in self._swings:
            value = swing.lift
            if swing.amplitude:
                phase = 2.0 * math.pi * swing.frequency_hz * t + swing.phase
                value += swing.amplitude * math.sin(phase)
            pose[swing.column] += weight * value
