"""What a conventional hip would need."""

import math

import numpy as np
import pytest

from core.lab.experiments.step_torque import axis_angles, conventional, legs
from core.robot.profile_file import load_profile

CROSSED = [math.radians(45.0), math.radians(135.0)]


def test_a_pure_roll_moment_is_shared_equally_by_the_slanted_pair() -> None:
    roll, yaw = conventional(np.array([1.0]), np.array([-1.0]), CROSSED)
    assert roll == pytest.approx(np.sqrt(2.0))
    assert yaw == pytest.approx(0.0, abs=1e-12)


def test_a_pure_yaw_moment_too() -> None:
    roll, yaw = conventional(np.array([1.0]), np.array([1.0]), CROSSED)
    assert roll == pytest.approx(0.0, abs=1e-12)
    assert yaw == pytest.approx(np.sqrt(2.0))


def test_the_axes_of_a_crossed_hip_are_the_model_s() -> None:
    profile = load_profile("kid_cosmo")
    right, left = legs(profile)
    assert (right.side, left.side) == ("right", "left")
    assert axis_angles(profile, right) == pytest.approx(CROSSED)
    assert axis_angles(profile, left) == pytest.approx([angle - math.pi for angle in CROSSED])
