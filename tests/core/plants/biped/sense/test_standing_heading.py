"""Feet that stand reveal the gyro's bias, within a bound; feet that turn or slip reveal nothing."""

import math

import pytest

from core.plants.biped.sense.invariant_filter import InvariantFilter
from core.plants.biped.sense.standing_heading import LARGEST_RAD_S, StandingHeading
from tests.core.rig import profile

TICK_S = 0.001


def stand(bias: float, seconds: float, rests: bool = True, slip: float = 0.0) -> InvariantFilter:
    """Return a filter whose gyro drifts by a bias while the robot stands [rad/s]."""
    estimate = InvariantFilter(profile().estimator)
    heading = StandingHeading(estimate, TICK_S)
    for tick in range(round(seconds / TICK_S)):
        drift = TICK_S * (bias - float(estimate.biases[2]))
        cos, sin = math.cos(drift), math.sin(drift)
        turn = [[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]]
        estimate.rotation[:] = turn @ estimate.rotation
        slipped = slip if tick > 1000 else 0.0
        yaw = math.atan2(float(estimate.rotation[1, 0]), float(estimate.rotation[0, 0]))
        found = yaw + slipped
        heading.watch(lambda found=found: found, rests)  # type: ignore[misc]
    return estimate


def test_the_bias_is_learned_from_feet_that_rest_alone() -> None:
    assert stand(1e-3, 3.0).biases[2] == pytest.approx(1e-3, rel=0.05)
    assert stand(1e-3, 3.0, rests=False).biases[2] == 0.0


def test_a_slip_teaches_nothing_and_a_turn_no_more_than_the_bound() -> None:
    assert abs(stand(0.0, 4.0, slip=0.01).biases[2]) < 1e-6
    assert stand(0.012, 20.0).biases[2] <= LARGEST_RAD_S + 1e-12
