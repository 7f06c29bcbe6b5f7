"""The heading of a robot that stands, from feet that do not turn: it reveals the gyro's bias.

Neither gravity nor contact points show how fast a gyro drifts about the vertical; feet that stand
do. The bias changed since the robot rested last, and so led heading and place astray: once the
change is known, that part of their error is known too, and is taken back.
"""

import math
from collections.abc import Callable
from typing import Final

import numpy as np

from core.plants.biped.sense.invariant_filter import InvariantFilter
from core.plants.biped.settings import Estimator, Heading
from core.robot.state import State
from devices.interface import Floats

EVERY_TICKS = 10
LONGEST_S = 0.1  # between samples, over which a rate is believed
SETTLE_S = 0.3  # after a motion, before the feet are believed to rest
SLIPPED = 4.0  # standard deviations, beyond which the soles have turned, or slipped
LARGEST_RAD_S = 0.005  # change of the bias since the start
# Soles that creep look like a bias, whose effect in a long walk would be large.
LARGEST_RAD = math.radians(1.0)  # correction of the heading in a rest
LARGEST_M = 0.05  # correction of the place in a rest

YAW, BIAS, X, Y, SOLES = range(5)  # errors [rad, rad/s, m, m, rad]: estimate minus truth
SEEN: Final[Floats] = np.array([1.0, 0.0, 0.0, 0.0, -1.0])  # in the difference of the headings
SEEN.flags.writeable = False


class StandingHeading:
    """A Kalman filter of the errors of heading, gyro bias about the vertical, place, and soles.

    Errors grow: a bias b turns the heading by -b, and a heading that is off by ψ turns the velocity
    v of the estimate by ψ. While the robot rests on both feet, the heading of its soles by the gyro
    and the kinematics of the legs differs from the heading at which they came to rest by what the
    gyro has drifted since. Soles that turn suddenly have slipped; then they rest anew.

    Args:
        settings: noises of heading and gyro while it stands still.
        biases: noises of the gyro's bias.
        estimate: owns attitude, place and biases, and is corrected.
        state: the newest estimate.
        tick_s: period of the ticks [s].
    """

    def __init__(
        self,
        settings: Heading,
        biases: Estimator,
        estimate: InvariantFilter,
        state: State,
        tick_s: float,
    ) -> None:
        self._filter, self._state = estimate, state
        self._dt = EVERY_TICKS * tick_s
        self._start_variance = biases.gyro_bias**2
        self._growth = np.zeros((5, 5))
        self._growth[YAW, YAW] = settings.gyro_rest_noise**2 * self._dt
        self._growth[BIAS, BIAS] = biases.gyro_bias_noise**2 * self._dt
        self._variance = settings.sole_noise**2
        self._transition = np.eye(5)
        self._transition[YAW, BIAS] = -self._dt
        self._covariance = np.zeros((5, 5))
        self._corrected = np.zeros(3)  # in this rest: x, y, yaw
        self._ticks = 0
        self._stamp_s = self._still_s = self._learned = self._turned = 0.0
        self._soles: float | None = None
        self.reset()

    def reset(self) -> None:
        """Begin anew: people may have moved the robot."""
        self._soles, self._still_s, self._learned = None, 0.0, 0.0
        self._covariance[:] = 0.0
        self._covariance[BIAS, BIAS] = self._start_variance

    def know_place(self) -> None:
        """Take heading and place for true: an operator has told them."""
        for known in (YAW, X, Y, SOLES):
            self._covariance[known, :] = self._covariance[:, known] = 0.0
        self._soles, self._still_s = None, 0.0

    def watch(self, heading: Callable[[], float], rests: bool) -> float:
        """Learn from a tick; return by how much the estimate was turned [rad].

        Args:
            heading: returns the estimated mean heading of the soles [rad].
            rests: the robot stands on both feet, and nothing is known that could turn them.
        """
        self._integrate()
        self._ticks += 1
        if self._ticks % EVERY_TICKS:
            return 0.0
        self._grow()
        if not rests:
            self._soles, self._still_s = None, 0.0
            self._corrected[:] = 0.0
            return 0.0
        self._still_s += self._dt
        if self._still_s < SETTLE_S:
            return 0.0
        # The filter of the whole state turns the attitude too: the gyro alone tells the bias.
        seen = self._turned + heading() - float(self._state.rpy[2])
        if not math.isfinite(seen):
            self._soles, self._still_s, self._turned = None, 0.0, 0.0
        elif self._soles is None:
            self._rest_at(seen)
        else:
            return self._learn(math.remainder(seen - self._soles, 2.0 * math.pi))
        return 0.0

    def _integrate(self) -> None:
        """Add what the torso has turned by the gyro since the last sample."""
        state = self._state
        elapsed_s, self._stamp_s = state.stamp_s - self._stamp_s, state.stamp_s
        if 0.0 < elapsed_s < LONGEST_S:
            _, y, z = state.angular_velocity_base_in_base.tolist()
            roll, pitch, _ = state.rpy.tolist()
            self._turned += elapsed_s * (math.sin(roll) * y + math.cos(roll) * z) / math.cos(pitch)

    def _grow(self) -> None:
        """Let the errors grow for a period."""
        x, y, _ = self._filter.velocity.tolist()
        step = self._transition
        step[X, YAW], step[Y, YAW] = -self._dt * y, self._dt * x
        grown = step @ self._covariance @ step.T + self._growth
        if math.isfinite(float(grown.sum())):
            self._covariance[:] = grown

    def _rest_at(self, seen: float) -> None:
        """Take the heading of the soles for that of soles at rest [rad]."""
        self._soles, covariance = seen, self._covariance
        covariance[SOLES, :] = covariance[YAW, :]
        covariance[:, SOLES] = covariance[:, YAW]
        covariance[SOLES, SOLES] = covariance[YAW, YAW] + self._variance

    def _learn(self, error: float) -> float:
        """Correct the estimate by what the soles seem to have turned; return its turn [rad]."""
        covariance = self._covariance
        towards = covariance @ SEEN
        variance = float(SEEN @ towards) + self._variance
        gain = towards / variance
        yaw, bias, x, y, soles = (gain * error).tolist()
        slipped = error * error > SLIPPED * SLIPPED * variance
        if self._soles is None or slipped or not math.isfinite(yaw + bias + x + y):
            self._soles, self._still_s = None, 0.0
            return 0.0
        covariance -= np.outer(gain, towards)
        self._soles -= soles
        self._turned -= yaw
        learned = min(LARGEST_RAD_S, max(-LARGEST_RAD_S, self._learned - bias))
        estimate = self._filter
        estimate.biases[:3] += (learned - self._learned) * estimate.rotation[2]
        self._learned = learned
        return self._move(-x, -y, -yaw)

    def _move(self, x: float, y: float, yaw: float) -> float:
        """Move the estimate, as far as a rest may; return how far it turns [rad]."""
        corrected = self._corrected + (x, y, yaw)
        far = math.hypot(corrected[0], corrected[1]) / LARGEST_M
        corrected /= max(1.0, far, abs(float(corrected[2])) / LARGEST_RAD)
        x, y, yaw = (corrected - self._corrected).tolist()
        self._corrected[:] = corrected
        self._filter.move(x, y, yaw)
        return yaw
