"""Feet that stand reveal the gyro's bias, and the errors that it has made in the walk before."""

import math

import numpy as np
import pytest

from core.plants.biped.sense.invariant_filter import InvariantFilter
from core.plants.biped.sense.standing_heading import (
    LARGEST_M,
    LARGEST_RAD,
    LARGEST_RAD_S,
    StandingHeading,
)
from core.robot.state import State
from tests.core.rig import profile

TICK_S = 0.001


class Robot:
    """A robot that does not turn, as its estimate has it while its gyro drifts."""

    def __init__(self) -> None:
        biped = profile().as_biped
        self.filter = InvariantFilter(biped.estimator)
        self.state = State.upright(0)
        self.turned = 0.0
        noises = biped.heading, biped.estimator
        self.observer = StandingHeading(*noises, self.filter, self.state, TICK_S)

    @property
    def yaw(self) -> float:
        rotation = self.filter.rotation
        return math.atan2(float(rotation[1, 0]), float(rotation[0, 0]))

    def tick(
        self,
        bias: float,
        rests: bool = True,
        slipped: float = 0.0,
        speed: float = 0.0,
        corrected: float = 0.0,
    ) -> None:
        """Live through a tick.

        Args:
            bias: of the gyro [rad/s].
            rests: see `StandingHeading.watch`.
            slipped: what the soles have turned since the start [rad].
            speed: at which it walks along x [m/s].
            corrected: rate at which the filter turns the attitude for other reasons [rad/s].
        """
        estimate, state = self.filter, self.state
        rate = bias - float(estimate.biases[2])
        estimate.move(0.0, 0.0, TICK_S * (rate + corrected))
        estimate.velocity[:] = speed * math.cos(self.yaw), speed * math.sin(self.yaw), 0.0
        estimate.position += TICK_S * estimate.velocity
        state.rpy[2], state.angular_velocity_base_in_base[2] = self.yaw, rate
        heading = self.yaw + slipped
        state.stamp_s += TICK_S
        self.turned += self.observer.watch(lambda: heading, rests)


@pytest.mark.parametrize("corrected", [0.0, 3e-4])
def test_the_bias_is_learned_from_feet_that_rest_alone(corrected: float) -> None:
    rests, moves = Robot(), Robot()
    for _ in range(1000):
        rests.tick(1e-3, corrected=corrected)
        moves.tick(1e-3, rests=False)
    assert rests.filter.biases[2] == pytest.approx(1e-3, rel=0.02)
    assert moves.filter.biases[2] == 0.0


def test_a_turn_teaches_no_more_than_the_bound() -> None:
    robot = Robot()
    for _ in range(4000):
        robot.tick(0.012)
    assert robot.filter.biases[2] == pytest.approx(LARGEST_RAD_S)


def walked(bias: float = 1e-3) -> Robot:
    """Return a robot that has stood, and walked 5 m while the gyro's bias grew [rad/s]."""
    robot = Robot()
    for _ in range(2000):
        robot.tick(0.0)
    for tick in range(20_000):
        robot.tick(bias * tick / 20_000, rests=False, speed=0.25)
    return robot


def astray() -> Robot:
    """Return a robot whose gyro has led it astray."""
    robot = walked()
    assert math.degrees(robot.yaw) == pytest.approx(0.57, abs=0.05)
    assert robot.filter.position[1] == pytest.approx(0.017, abs=0.002)
    return robot


def test_what_the_bias_did_in_a_walk_is_taken_back() -> None:
    robot = astray()
    off = robot.yaw
    for _ in range(1500):
        robot.tick(1e-3)
    assert robot.filter.biases[2] == pytest.approx(1e-3, rel=0.05)
    assert abs(math.degrees(robot.yaw)) < 0.06
    assert robot.turned == pytest.approx(-off, abs=1e-3), "who follows the heading is told"
    assert abs(robot.filter.position[1]) < 0.003
    assert robot.filter.position[0] == pytest.approx(5.0, abs=0.001)


@pytest.mark.parametrize("slip_deg", [0.02, 0.03, 0.09, 0.5])
def test_a_slip_after_a_walk_teaches_nothing(slip_deg: float) -> None:
    robot = walked(bias=0.0)
    for tick in range(3000):
        robot.tick(0.0, slipped=math.radians(slip_deg) if tick > 400 else 0.0)
        assert abs(robot.yaw) < math.radians(0.02)
    assert abs(robot.filter.biases[2]) < 1e-5


def test_soles_that_creep_move_the_estimate_no_farther_than_a_rest_may() -> None:
    robot = walked(bias=0.0)
    for _ in range(40_000):
        robot.tick(0.0, rests=False, speed=0.25)
    assert math.hypot(*robot.filter.position[:2].tolist()) == pytest.approx(15.0)
    for tick in range(4000):
        robot.tick(0.0, slipped=1e-3 * TICK_S * tick)
    assert 0.5 * LARGEST_RAD < abs(robot.turned) < 1.001 * LARGEST_RAD
    assert 0.01 < math.hypot(robot.filter.position[0] - 15.0, robot.filter.position[1])
    assert abs(robot.filter.position[1]) < 1.001 * LARGEST_M


def test_a_gesture_that_lets_the_heading_drift_is_taken_back() -> None:
    robot = Robot()
    for _ in range(2000):
        robot.tick(0.0)
    for tick in range(20_000):
        robot.tick(1e-3 * tick / 20_000, rests=False)
    for _ in range(1500):
        robot.tick(1e-3)
    assert abs(math.degrees(robot.yaw)) < 0.06


@pytest.mark.parametrize("told", [True, False], ids=["told", "moved by people"])
def test_what_came_before_a_known_place_corrects_nothing(told: bool) -> None:
    robot = astray()
    robot.observer.know_place() if told else robot.observer.reset()
    yaw, place = robot.yaw, robot.filter.position.copy()
    for _ in range(1500):
        robot.tick(1e-3)
    # It drifts on until the bias is known.
    assert robot.yaw == pytest.approx(yaw, abs=5e-4)
    assert np.abs(robot.filter.position - place).max() < 1e-3


def test_disorder_teaches_nothing() -> None:
    robot = astray()
    mean, rate = robot.filter.mean.copy(), robot.state.angular_velocity_base_in_base
    for turns, seen in ((math.nan, 0.0), (0.0, math.inf), (math.inf, math.nan)):
        rate[2] = turns
        for _ in range(500):
            robot.state.stamp_s += TICK_S
            robot.observer.watch(lambda seen=seen: seen, True)  # type: ignore[misc]
    np.testing.assert_array_equal(robot.filter.mean, mean)
    for _ in range(1500):
        robot.tick(1e-3)
    assert robot.filter.biases[2] == pytest.approx(1e-3, rel=0.05)
