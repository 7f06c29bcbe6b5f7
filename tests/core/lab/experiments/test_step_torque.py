"""What a conventional hip would need."""

import numpy as np
import pytest

from core.lab.experiments.step_torque import conventional


def test_a_pure_roll_moment_is_shared_equally_by_the_slanted_pair() -> None:
    roll, yaw = conventional(np.array([1.0]), np.array([-1.0]))
    assert roll == pytest.approx(np.sqrt(2.0))
    assert yaw == pytest.approx(0.0, abs=1e-12)


def test_a_pure_yaw_moment_too() -> None:
    roll, yaw = conventional(np.array([1.0]), np.array([1.0]))
    assert roll == pytest.approx(0.0, abs=1e-12)
    assert yaw == pytest.approx(np.sqrt(2.0))
