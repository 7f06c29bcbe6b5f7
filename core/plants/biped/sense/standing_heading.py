"""The heading of a robot that stands, from feet that do not turn: it reveals the gyro's bias.

Neither gravity nor contact points show how fast a gyro drifts about the vertical; feet that stand
do. A walk after it drifts only by the change of the bias in that walk.
"""

import math
from collections.abc import Callable

import numpy as np

from core.plants.biped.sense.invariant_filter import InvariantFilter
from devices.interface import Floats

EVERY_TICKS = 10
RATE = 3.0  # double pole of the observer [1/s]
TURNED_RAD = math.radians(0.1)  # feet whose heading differs by more have turned, or slipped
LARGEST_RAD_S = 0.005  # change of the bias that is learned since the start
SETTLE_S = 0.3  # after a motion, before the feet are believed to rest


class StandingHeading:
    """Learns the gyro's bias about the vertical from the heading of feet that stand.

    An observer with a double pole: it turns the attitude back by what the soles seem to have
    turned, and moves the bias. Soles that turn suddenly have slipped; then it begins again.

    Args:
        estimate: owns attitude and biases.
        tick_s: period of the ticks [s].
    """

    def __init__(self, estimate: InvariantFilter, tick_s: float) -> None:
        self._filter = estimate
        self._dt = EVERY_TICKS * tick_s
        self._tick = 0
        self._still_s = self._learned = 0.0
        self._yaw: float | None = None

    def reset(self) -> None:
        """Begin anew: people may have moved the robot."""
        self._yaw, self._still_s, self._learned = None, 0.0, 0.0

    def watch(self, heading: Callable[[], float], rests: bool) -> None:
        """Learn from a tick.

        Args:
            heading: returns the estimated mean heading of the soles [rad].
            rests: the robot stands on both feet, and no motion can turn them.
        """
        if not rests:
            self._yaw, self._still_s = None, 0.0
            return
        self._tick += 1
        if self._tick % EVERY_TICKS:
            return
        self._still_s += self._dt
        if self._still_s < SETTLE_S:
            return
        yaw = heading()
        if not math.isfinite(yaw):
            return
        if self._yaw is None:
            self._yaw = yaw
        turned = math.remainder(yaw - self._yaw, 2.0 * math.pi)
        if abs(turned) > TURNED_RAD:
            self._yaw, self._still_s = None, 0.0
            return
        self._turn_back(2.0 * RATE * self._dt * turned)
        up: Floats = self._filter.rotation[2]
        step = RATE * RATE * self._dt * turned
        learned = min(LARGEST_RAD_S, max(-LARGEST_RAD_S, self._learned + step))
        self._filter.biases[:3] += (learned - self._learned) * up
        self._learned = learned

    def _turn_back(self, angle: float) -> None:
        """Turn the attitude about the vertical, against a small angle [rad]."""
        cos, sin = math.cos(angle), math.sin(angle)
        turn = np.array([[cos, sin, 0.0], [-sin, cos, 0.0], [0.0, 0.0, 1.0]])
        self._filter.rotation[:] = turn @ self._filter.rotation
