"""The torso leans away from the joint that works harder, slowly and not far."""

import numpy as np
import pytest

from core.plants.biped.model import RobotModel
from core.plants.biped.settings import Lean
from core.plants.biped.walk.lean import LeanTrim
from tests.core.rig import profile

DT, CYCLE = 1e-3, 700
MODEL = RobotModel(profile())


def settings() -> Lean:
    """Return the settings of the robot's lean."""
    found = profile().as_biped.lean
    assert found is not None
    return found


SETTINGS = settings()


def walked(trim: LeanTrim, hips: tuple[float, float, float, float], cycles: int = 30) -> None:
    """Walk with constant torques of left hip 1 and 2 and right hip 1 and 2 [N·m]."""
    tau = np.zeros(28)
    tau[[8, 9, 13, 14]] = hips
    trim.touch_down()
    for _ in range(cycles):
        for tick in range(CYCLE):
            trim.watch(tau)
            if tick in (CYCLE // 2, CYCLE - 1):
                trim.touch_down()


def test_equal_loads_of_the_hips_cause_no_lean() -> None:
    trim = LeanTrim(SETTINGS, profile(), MODEL)
    walked(trim, (3.0, -3.0, 3.0, -3.0))
    assert (trim.roll, trim.pitch) == (0.0, 0.0)


def test_the_torso_leans_to_the_side_of_the_hip_that_works_harder() -> None:
    trim = LeanTrim(SETTINGS, profile(), MODEL)
    walked(trim, (4.0, -4.0, 3.0, -3.0), cycles=2)
    assert trim.roll < 0.0 and trim.pitch == 0.0  # a negative roll is to the left


def test_the_torso_leans_back_if_the_first_joints_work_harder() -> None:
    trim = LeanTrim(SETTINGS, profile(), MODEL)
    walked(trim, (4.0, -3.0, 4.0, -3.0), cycles=2)
    assert trim.pitch < 0.0 and trim.roll == 0.0


def test_the_lean_is_bounded_in_angle_and_speed() -> None:
    trim = LeanTrim(SETTINGS, profile(), MODEL)
    walked(trim, (8.0, 0.0, 0.0, 0.0), cycles=1)
    assert abs(trim.roll) <= SETTINGS.speed * DT * CYCLE + 1e-12
    walked(trim, (8.0, 0.0, 0.0, 0.0))
    assert trim.roll == pytest.approx(-SETTINGS.largest_roll)
    assert trim.pitch == pytest.approx(-SETTINGS.largest_pitch)


def test_what_was_learned_stays_when_the_robot_stands() -> None:
    trim = LeanTrim(SETTINGS, profile(), MODEL)
    walked(trim, (4.0, -4.0, 3.0, -3.0))
    before = trim.roll
    trim.reset()
    walked(trim, (3.0, -3.0, 3.0, -3.0), cycles=1)
    assert trim.roll == pytest.approx(before, abs=1e-3)
    assert before < -0.01


def test_a_cycle_that_was_interrupted_teaches_nothing() -> None:
    trim, tau = LeanTrim(SETTINGS, profile(), MODEL), np.zeros(28)
    tau[8] = 8.0
    for _ in range(5):
        trim.touch_down()
        for _ in range(300):
            trim.watch(tau)
        trim.touch_down()
        trim.reset()
    assert (trim.roll, trim.pitch) == (0.0, 0.0)


def test_a_torque_of_nan_teaches_nothing() -> None:
    trim = LeanTrim(SETTINGS, profile(), MODEL)
    walked(trim, (np.nan, 0.0, 3.0, 3.0), cycles=2)
    assert (trim.roll, trim.pitch) == (0.0, 0.0)
