"""Feet that stand reveal the gyro's bias, and the errors that it has made in the walk before."""

import math

import numpy as np
import pytest

from core.plants.biped.sense.invariant_filter import InvariantFilter
from core.plants.biped.sense.standing_heading import LARGEST_RAD_S, StandingHeading
from core.robot.state import State
from tests.core.rig import profile

TICK_S = 0.001


class Robot:
    """A robot that does not turn, as its estimate has it while its gyro drifts."""

    def __init__(self) -> None:
        biped = profile().as_biped
        self.filter = InvariantFilter(biped.estimator)
        self.state = State.upright(0)
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
        steps: bool = False,
        slipped: float = 0.0,
        speed: float = 0.0,
        corrected: float = 0.0,
    ) -> None:
        """Live through a tick.

        Args:
            bias: of the gyro [rad/s].
            rests: see `StandingHeading.watch`.
            steps: see `StandingHeading.watch`.
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
        self.observer.watch(lambda: heading, steps, rests)


@pytest.mark.parametrize("corrected", [0.0, 3e-4])
def test_the_bias_is_learned_from_feet_that_rest_alone(corrected: float) -> None:
    rests, moves = Robot(), Robot()
    for _ in range(1000):
        rests.tick(1e-3, corrected=corrected)
        moves.tick(1e-3, rests=False)
    assert rests.filter.biases[2] == pytest.approx(1e-3, rel=0.02)
    assert moves.filter.biases[2] == 0.0


def test_a_slip_teaches_nothing_and_a_turn_no_more_than_the_bound() -> None:
    slips, turns = Robot(), Robot()
    for tick in range(4000):
        slips.tick(0.0, slipped=0.01 if tick > 1000 else 0.0)
        turns.tick(0.012)
    assert abs(slips.filter.biases[2]) < 1e-6
    assert abs(turns.filter.biases[2]) <= LARGEST_RAD_S + 1e-12


def walked() -> Robot:
    """Return a robot that has stood, and walked 5 m while the gyro's bias grew to 1 mrad/s."""
    robot = Robot()
    for _ in range(2000):
        robot.tick(0.0)
    for tick in range(20_000):
        robot.tick(1e-3 * tick / 20_000, rests=False, steps=True, speed=0.25)
    assert math.degrees(robot.yaw) == pytest.approx(0.57, abs=0.05)
    assert robot.filter.position[1] == pytest.approx(0.017, abs=0.002)
    return robot


def test_what_the_bias_did_in_a_walk_is_taken_back() -> None:
    robot = walked()
    for _ in range(1500):
        robot.tick(1e-3)
    assert robot.filter.biases[2] == pytest.approx(1e-3, rel=0.05)
    assert abs(math.degrees(robot.yaw)) < 0.06
    assert abs(robot.filter.position[1]) < 0.003
    assert robot.filter.position[0] == pytest.approx(5.0, abs=0.001)


@pytest.mark.parametrize("told", [True, False], ids=["told", "moved by people"])
def test_what_came_before_a_known_place_corrects_nothing(told: bool) -> None:
    robot = walked()
    robot.observer.know_place() if told else robot.observer.reset()
    yaw, place = robot.yaw, robot.filter.position.copy()
    for _ in range(1500):
        robot.tick(1e-3)
    # It drifts on until the bias is known.
    assert robot.yaw == pytest.approx(yaw, abs=5e-4)
    assert np.abs(robot.filter.position - place).max() < 1e-3


def test_disorder_teaches_nothing() -> None:
    robot = walked()
    mean, rate = robot.filter.mean.copy(), robot.state.angular_velocity_base_in_base
    for turns, seen in ((math.nan, 0.0), (0.0, math.inf), (math.inf, math.nan)):
        rate[2] = turns
        for _ in range(500):
            robot.observer.watch(lambda seen=seen: seen, False, True)  # type: ignore[misc]
    np.testing.assert_array_equal(robot.filter.mean, mean)
    for _ in range(1500):
        robot.tick(1e-3)
    assert robot.filter.biases[2] == pytest.approx(1e-3, rel=0.05)
