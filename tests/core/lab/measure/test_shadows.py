"""Changes of world."""

import math

import numpy as np
import pinocchio as pin
import pytest

from core.lab.experiments.estimator import NARROW
from core.lab.measure.shadows import (
    SIGMAS,
    Witness,
    adjoint,
    heading_velocity,
    rms,
    skew,
)
from core.plants.biped.sense.invariant_filter import POSITION, ROTATION, VELOCITY


def test_the_heading_frame_turns_with_the_yaw() -> None:
    velocity = np.array([[0.0, 1.0, 0.3], [1.0, 0.0, -0.3]])
    found = heading_velocity(velocity, np.array([np.pi / 2, np.pi / 2]))
    assert found == pytest.approx(np.array([[1.0, 0.0, 0.3], [0.0, -1.0, -0.3]]), abs=1e-12)


def test_skew_is_the_cross_product() -> None:
    a, b = np.array([1.0, 2.0, 3.0]), np.array([-4.0, 5.0, 0.5])
    assert skew(a) @ b == pytest.approx(np.cross(a, b))


def test_the_adjoint_carries_a_small_error_into_the_other_world() -> None:
    rng = np.random.default_rng(3)
    turn, origin = pin.rpy.rpyToMatrix(0.0, 0.0, 1.0), np.array([3.0, -2.0, 0.5])
    xi = 1e-6 * rng.standard_normal(21)
    rotation, velocity = pin.exp3(rng.standard_normal(3)), rng.standard_normal(3)
    position = rng.standard_normal(3)
    error = pin.exp3(xi[ROTATION : ROTATION + 3])
    wrong = (
        error @ rotation,
        error @ velocity + xi[VELOCITY : VELOCITY + 3],
        error @ position + xi[POSITION : POSITION + 3],
    )
    # The same pair of truth and estimate, both seen from the other world.
    moved = turn @ wrong[0] @ (turn @ rotation).T
    expected = adjoint(turn, origin) @ xi
    assert pin.log3(moved) == pytest.approx(expected[:3], abs=1e-11)
    found = turn @ wrong[1] - moved @ turn @ velocity
    assert found == pytest.approx(expected[VELOCITY : VELOCITY + 3], abs=1e-11)
    found = turn @ wrong[2] + origin - moved @ (turn @ position + origin)
    assert found == pytest.approx(expected[POSITION : POSITION + 3], abs=1e-10)


def test_a_filter_that_believes_in_too_large_errors_covers_too_much_within_one_sigma() -> None:
    witness = Witness(None, 0.0)
    errors = np.random.default_rng(1).standard_normal((4000, 5))
    for share, most in ((1.0, 0.7), (2.5, 0.99)):
        witness._inside = [
            np.array([np.abs(row) <= sigmas * share for sigmas in SIGMAS], dtype=float)
            for row in errors
        ]
        found = witness.coverage()
        assert found["coverage_velocity"] > 0.99
        assert (found["narrow_velocity"] < NARROW) is (most < NARROW)
        assert found["narrow_tilt"] == pytest.approx(math.erf(share / math.sqrt(2.0)), abs=0.01)


def test_rms() -> None:
    assert rms(np.array([3.0, -4.0])) == pytest.approx(np.sqrt(12.5))
    assert np.isnan(rms(np.zeros(0)))
