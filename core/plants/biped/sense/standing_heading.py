"""The heading of a robot that stands, from feet that do not turn: it reveals the gyro's bias.

Neither gravity nor contact points show how fast a gyro drifts about the vertical; feet that stand
do. The bias changed in the walk before, and so led heading and place astray: once the change is
known, that part of their error is known too, and is taken back.
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
TURNED_RAD = math.radians(0.1)  # feet whose heading differs by more have turned, or slipped
LARGEST_RAD_S = 0.005  # change of the bias that is learned since the start
SETTLE_S = 0.3  # after a motion, before the feet are believed to rest

YAW, BIAS, X, Y, SOLES = range(5)  # errors: estimate minus truth
SEEN: Final[Floats] = np.array([1.0, 0.0, 0.0, 0.0, -1.0])  # by the difference of the headings
SEEN.flags.writeable = False


class StandingHeading:
    """A Kalman filter of the errors of heading, gyro bias about the vertical, place, and soles.

    While the robot steps, errors grow: a bias b turns the heading by -b, and a heading that is off
    by ψ turns the velocity v of the estimate by ψ. While it rests on both feet, the heading of its
    soles by the gyro and the kinematics of the legs differs from the heading at which they came to
    rest by what the gyro has drifted since. Soles that turn suddenly have slipped; then they rest
    anew. While it stands and moves, the soles hold the heading, and only the bias changes.

    Args:
        settings: noises of heading and gyro while it stands still.
        biases: noises of the gyro's bias.
        estimate: owns attitude, place and biases, and is corrected.
        state: the estimate of the last tick.
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
        self._tick_s, self._dt = tick_s, EVERY_TICKS * tick_s
        self._start_variance = biases.gyro_bias**2
        self._growth = np.zeros(5)
        self._growth[YAW] = settings.gyro_rest_noise**2 * self._dt
        self._growth[BIAS] = biases.gyro_bias_noise**2 * self._dt
        self._variance = settings.sole_noise**2
        self._transition = np.eye(5)
        self._transition[YAW, BIAS] = -self._dt
        self._covariance = np.zeros((5, 5))
        self._ticks = 0
        self._still_s = self._learned = self._turned = 0.0
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

    def watch(self, heading: Callable[[], float], steps: bool, rests: bool) -> None:
        """Learn from a tick.

        Args:
            heading: returns the estimated mean heading of the soles [rad].
            steps: the robot steps, or shifts its weight to step.
            rests: the robot stands on both feet, and no motion can turn them.
        """
        self._turned += self._tick_s * self._yaw_rate()
        self._ticks += 1
        if self._ticks % EVERY_TICKS:
            return
        self._grow(steps or rests)
        if not rests:
            self._soles, self._still_s = None, 0.0
            return
        self._still_s += self._dt
        if self._still_s < SETTLE_S:
            return
        # The filter of the whole state turns the attitude too: the gyro alone tells the bias.
        seen = self._turned + heading() - float(self._state.rpy[2])
        if not math.isfinite(seen):
            self._soles, self._still_s, self._turned = None, 0.0, 0.0
            return
        if self._soles is None:
            self._rest_at(seen)
            return
        error = math.remainder(seen - self._soles, 2.0 * math.pi)
        if abs(error) < TURNED_RAD:
            self._soles -= self._learn(error)
        else:
            self._soles, self._still_s = None, 0.0

    def _yaw_rate(self) -> float:
        """Return the rate of the torso's yaw by the gyro [rad/s]."""
        _, y, z = self._state.angular_velocity_base_in_base.tolist()
        roll, pitch, _ = self._state.rpy.tolist()
        return float((math.sin(roll) * y + math.cos(roll) * z) / math.cos(pitch))

    def _grow(self, turns: bool) -> None:
        """Let the errors grow for a period; that of the heading only if the gyro alone tells it."""
        if not turns:
            self._covariance[BIAS, BIAS] += self._growth[BIAS]
            return
        x, y, _ = self._filter.velocity.tolist()
        step = self._transition
        step[X, YAW], step[Y, YAW] = -self._dt * y, self._dt * x
        grown = step @ self._covariance @ step.T
        if math.isfinite(float(grown.sum())):
            self._covariance[:] = grown
            self._covariance[np.diag_indices(5)] += self._growth

    def _rest_at(self, seen: float) -> None:
        """Take the heading of the soles for that of soles at rest [rad]."""
        self._soles, covariance = seen, self._covariance
        covariance[SOLES, :] = covariance[YAW, :]
        covariance[:, SOLES] = covariance[:, YAW]
        covariance[SOLES, SOLES] = covariance[YAW, YAW] + self._variance

    def _learn(self, error: float) -> float:
        """Correct the estimate by what the soles seem to have turned [rad].

        Returns:
            The error of the heading at which the soles came to rest [rad].
        """
        covariance = self._covariance
        towards = covariance @ SEEN
        gain = towards / (float(SEEN @ towards) + self._variance)
        yaw, bias, x, y, soles = (gain * error).tolist()
        if not math.isfinite(yaw + bias + x + y) or abs(self._learned - bias) > LARGEST_RAD_S:
            return 0.0
        covariance -= np.outer(gain, towards)
        self._learned -= bias
        self._turned -= yaw
        estimate = self._filter
        estimate.biases[:3] -= bias * estimate.rotation[2]
        estimate.move(-x, -y, -yaw)
        return float(soles)
