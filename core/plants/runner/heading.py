"""Holds the heading of a walk or run: soles that turn on the ground turn the robot from it."""

import math

from core.plants.runner.settings import Follow


class HeadingHold:
    """Owns the heading that is commanded, and the turn that leads the robot back to it.

    The heading is measured over two steps, as the body turns to and fro with its legs.

    Attributes:
        turn: of the next steps, beside the commanded one [rad a step].
    """

    def __init__(self, follow: Follow, tick_s: float) -> None:
        self._follow, self._tick_s = follow, tick_s
        self.turn = 0.0
        self._heading = self._sum = 0.0
        self._count = self._landings = 0
        self._errors = [0.0, 0.0]

    def update(self, yaw: float, yaw_rate: float, landings: int, steps: bool) -> None:
        """Follow a tick.

        Args:
            yaw: estimated [rad].
            yaw_rate: that the steps are planned with, without `turn` [rad/s].
            landings: touchdowns until now.
            steps: the robot walks or runs; else its heading is as it stands.
        """
        if not steps:
            self._heading, self.turn = yaw, 0.0
            self._sum, self._count, self._landings = 0.0, 0, landings
            self._errors = [0.0, 0.0]
            return
        self._heading += yaw_rate * self._tick_s
        self._sum += math.remainder(self._heading - yaw, 2.0 * math.pi)
        self._count += 1
        if landings == self._landings:
            return
        self._errors = [self._errors[1], self._sum / self._count]
        self._sum, self._count, self._landings = 0.0, 0, landings
        limit = self._follow.largest_turn
        turn = self._follow.heading_share * 0.5 * sum(self._errors)
        self.turn = min(limit, max(-limit, turn))
