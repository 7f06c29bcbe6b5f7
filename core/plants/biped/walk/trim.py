"""Slow corrections of the speed, width and symmetry of steps, and of the height of standing."""

import math
from collections import deque

import numpy as np

from devices.interface import Floats

GAIN = 0.25  # of the mean error, a step
MOST_ERROR = 0.05  # that a gait cycle teaches: a stumble is no error of the gait [m/s]
WIDTH_GAIN = 0.1  # of a step's error
MOST_WIDTH_ERROR = 0.05  # that a step teaches [m]
STAGGER_GAIN = 0.05  # of half of the difference of two steps
MOST_STAGGER = 0.05  # that a step teaches [m]
STRAIGHT = 0.05  # a robot that turns faster learns nothing of its stagger [rad/s]
STEADY = 0.01  # a command that changes by more in two gait cycles teaches nothing [m/s]
IN_PLACE = 0.05  # commanded speed, below which the robot turns in place [m/s]
STEADY_TURN = 0.1  # share of a usual turn, by which the yaw rate may change in a cycle
LARGEST_HEIGHT = 0.05  # [m]


def bounded(value: float, largest: float) -> float:
    """Return a value within plus and minus the largest one."""
    return min(largest, max(-largest, value))


class SpeedTrim:
    """Integrates the mean speed's error over whole gait cycles.

    The pendulum's mean speed is exact only for a pendulum; attitude errors of the estimate and
    the legs' mass shift it by some cm/s, left and right step unequally. Hence cycles, not steps.
    The robot follows a change of the command a step later, which is no error of the gait.

    A robot whose IMU is turned in its mount measures a part of its yaw rate as a fall: it drifts
    while it turns, and to the other side when it turns the other way. The
    correction has a constant part and one that is proportional to the commanded yaw rate. The error
    of a turn in place is shared between the two (normalised least mean squares); that of an arc,
    which has other causes, is all of the constant part.

    Args:
        forward: the initial correction, as learned on this robot before [m/s].
        largest: bound of each part of the correction, and of their sum [m/s].
        usual_turn: yaw rate at which the second part counts as much as the first [rad/s].
        correction: array that takes the correction (2).

    Attributes:
        correction: to be added to the commanded speed, in the heading frame (2) [m/s].
    """

    def __init__(
        self, forward: float, largest: float, usual_turn: float, correction: Floats
    ) -> None:
        self._largest = largest
        self._usual_turn = usual_turn
        self._parts: Floats = np.array([[forward, 0.0], [0.0, 0.0]])
        self.correction = correction
        self.correction[:] = self._parts[0]
        self._turning = self._turned = 0.0
        self._touchdowns: deque[tuple[float, float, float, float]] = deque(maxlen=3)
        self._commanded = [0.0, 0.0]
        self._last_commanded: Floats = np.full(2, math.nan)
        self._newest = (0.0, 0.0)
        self._ticks = 0

    def reset(self) -> None:
        """Discard the present steps, and keep the learned correction."""
        self._touchdowns.clear()
        self._last_commanded[:] = math.nan
        self._begin_cycle()

    def _begin_cycle(self) -> None:
        self._commanded = [0.0, 0.0]
        self._turned = 0.0
        self._ticks = 0

    def watch(self, forward: float, left: float, turning: float) -> None:
        """Add the commanded velocity of one tick, in the heading frame [m/s] and [rad/s]."""
        self._commanded[0] += forward
        self._commanded[1] += left
        self._newest = forward, left
        share = turning / self._usual_turn
        self._turned += share
        self._ticks += 1
        if share != self._turning:
            self._turning = share
            self._correct()

    def _correct(self) -> None:
        largest = self._largest
        whole = self._parts[0] + self._turning * self._parts[1]
        np.clip(whole, -largest, largest, out=self.correction)

    def touch_down(self, now_s: float, com: Floats, yaw: float) -> None:
        """Learn from a gait cycle that ends now."""
        self._touchdowns.append((now_s, float(com[0]), float(com[1]), yaw))
        if len(self._touchdowns) == 3:
            start_s, x, y, first_yaw = self._touchdowns[0]
            heading = first_yaw + 0.5 * math.remainder(yaw - first_yaw, 2.0 * math.pi)
            dx = (float(com[0]) - x) / (now_s - start_s)
            dy = (float(com[1]) - y) / (now_s - start_s)
            cos, sin = math.cos(heading), math.sin(heading)
            commanded = np.array(self._commanded) / max(1, self._ticks)
            error = commanded - np.array([cos * dx + sin * dy, cos * dy - sin * dx])
            changes = self._newest - commanded, commanded - self._last_commanded
            # NaN, after a reset, is not steady.
            steady = all(np.abs(change).max() < STEADY for change in changes)
            self._last_commanded[:] = commanded
            if steady and np.isfinite(error).all():
                turned = self._turned / max(1, self._ticks)
                in_place = np.abs(commanded).max() <= IN_PLACE
                if not in_place or abs(self._turning - turned) >= STEADY_TURN:
                    turned = 0.0
                change = GAIN / (1.0 + turned * turned) * np.clip(error, -MOST_ERROR, MOST_ERROR)
                self._parts += np.array([change, turned * change])
                np.clip(self._parts, -self._largest, self._largest, out=self._parts)
                self._correct()
            self._touchdowns.popleft()
            self._touchdowns.popleft()
            self._begin_cycle()


class WidthTrim:
    """Integrates the error of the width of steps.

    Feet that land some millimetres inside their target, and commands that act late, make the sway
    smaller with every step, until the steps are several centimetres too narrow. A robot that steps
    narrowly cannot stop a fall to the side: its foot would have to land where the other one is.

    Args:
        largest: bound of the correction [m].
        correction: array that takes the correction (1).

    Attributes:
        correction: to be added to the step width (1) [m].
    """

    def __init__(self, largest: float, correction: Floats) -> None:
        self._largest = largest
        self.correction = correction
        self.correction[:] = 0.0

    def touch_down(self, wanted: float, width: float) -> None:
        """Learn from a step: the width that it should have, and the one that it has [m]."""
        error = wanted - width
        if not math.isfinite(error):
            return
        change = WIDTH_GAIN * bounded(error, MOST_WIDTH_ERROR)
        self.correction[0] = bounded(float(self.correction[0]) + change, self._largest)


class StaggerTrim:
    """Integrates the difference between the ways ahead of the left and of the right foot.

    Encoders' zeros, play and losses of gears act differently on the two legs: one foot lands
    farther ahead than the other, and the robot walks and steps in place with one foot before the
    other, where it cannot stand.

    Args:
        largest: bound of the correction [m].
        correction: array that takes the correction (1).

    Attributes:
        correction: to be added to how far ahead the left foot shall land, and to be subtracted for
            the right one (1) [m].
    """

    def __init__(self, largest: float, correction: Floats) -> None:
        self._largest = largest
        self.correction = correction
        self.correction[:] = 0.0
        self._ahead = [math.nan, math.nan]

    def reset(self) -> None:
        """Discard the present steps, and keep the learned correction."""
        self._ahead = [math.nan, math.nan]

    def touch_down(self, side: int, ahead: float, turning: float) -> None:
        """Learn from a step.

        Args:
            side: 0 if the left foot has landed, 1 if the right one.
            ahead: of the other foot, in the heading frame [m].
            turning: commanded yaw rate, with which the outer foot lands farther ahead [rad/s].
        """
        if abs(turning) > STRAIGHT:
            self.reset()
            return
        self._ahead[side] = ahead
        error = 0.5 * (self._ahead[0] - self._ahead[1])
        if not math.isfinite(error):
            return
        change = STAGGER_GAIN * bounded(error, MOST_STAGGER)
        self.correction[0] = bounded(float(self.correction[0]) - change, self._largest)


class HeightTrim:
    """Integrates the error of the height of a standing robot.

    Motors whose torque is not that of their current, and links that are lighter or heavier than
    the model's, lift or lower a robot by centimetres: legs that are nearly straight cannot step.

    Args:
        rate: at which an error is removed [1/s]; 0: none is.
        tick_s: period of the tick [s].

    Attributes:
        shift: of the height that is asked for [m].
    """

    def __init__(self, rate: float, tick_s: float) -> None:
        self._step = rate * tick_s
        self.shift = 0.0

    def learn(self, error: float) -> None:
        """Learn from the desired minus the measured height at a tick [m]."""
        if math.isfinite(error):
            self.shift = bounded(self.shift + self._step * error, LARGEST_HEIGHT)
