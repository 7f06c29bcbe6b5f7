"""The sole of a push yields where flights last too long: a floor that yields gives speed back."""

import math

from core.constants import GRAVITY
from core.plants.dynamics_filter.gait import Gait
from core.plants.dynamics_filter.score import Kind
from core.plants.dynamics_filter.strider import StrideReference

PUSH_S = 0.04  # before a lift-off, in which the sole that pushes yields
LEARNING = 0.1  # share of the error of a lift-off's speed by which the yielding changes
LEAST_S = 0.008  # a shorter time in the air is a bounce
LATEST_S = 0.05  # error of a flight that teaches nothing


class PushYield:
    """Owns the speed at which the sole of a run's push yields at the lift-off.

    A robot that flies for T leaves the ground at g T / 2, so that the duration of a flight tells
    the speed without the estimate, which a floor that moves deceives. The touchdown of a sole
    that is led too low or too high is the matter of `Feedback.depth`.

    Args:
        largest: bound of the speed [m/s].

    Attributes:
        speed: present speed [m/s]; 0: flights are as planned, or shorter.
    """

    def __init__(self, largest: float) -> None:
        self._largest = largest
        self.reset()

    def reset(self) -> None:
        """Forget what the flights have taught."""
        self.speed = 0.0
        self._planned_s = 0.0
        self._off_s = math.inf
        self._flies = self._waits = False
        self._grounded = True

    def update(
        self, now_s: float, plan: StrideReference, landings_s: tuple[float, float], grounded: bool
    ) -> None:
        """Compare the time in the air with the plan of the flight, once a flight.

        Args:
            now_s: time [s].
            plan: reference of the strider.
            landings_s: time at which each foot in the air shall land [s]; inf: it stands.
            grounded: a foot carries weight.
        """
        flies = plan.kind is Kind.FLIGHT and plan.gait is Gait.RUN
        if flies and not self._flies:
            self._planned_s, self._waits = min(landings_s) - now_s, True
        self._flies = flies
        if self._grounded and not grounded:
            self._off_s = now_s
        elif grounded and not self._grounded and self._waits and now_s - self._off_s > LEAST_S:
            self._waits = False
            self._learn(now_s - self._off_s - self._planned_s)
        self._grounded = grounded

    def _learn(self, late_s: float) -> None:
        """Change the speed by the error of a flight's duration [s]."""
        if abs(late_s) > LATEST_S or not math.isfinite(late_s):
            return
        speed = self.speed + LEARNING * 0.5 * GRAVITY * late_s
        self.speed = min(self._largest, max(0.0, speed))

    def at(self, left_s: float) -> float:
        """Return the speed at a time before the lift-off [s], upward [m/s]."""
        return self.speed * max(0.0, 1.0 - left_s / PUSH_S)
