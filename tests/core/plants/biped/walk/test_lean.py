"""The torso leans away from the joint that works harder, slowly and not far."""

import numpy as np
import pytest

from core.plants.biped.walk import lean
from core.plants.biped.walk.lean import LeanTrim

DT, CYCLE = 1e-3, 700


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


def test_hips_that_work_alike_want_no_lean() -> None:
    trim = LeanTrim(8, 5, DT)
    walked(trim, (3.0, -3.0, 3.0, -3.0))
    assert (trim.roll, trim.pitch) == (0.0, 0.0)


def test_it_leans_to_the_side_of_the_hip_that_works_harder() -> None:
    trim = LeanTrim(8, 5, DT)
    walked(trim, (4.0, -4.0, 3.0, -3.0), cycles=2)
    assert trim.roll < 0.0 and trim.pitch == 0.0  # a negative roll is to the left


def test_it_leans_back_where_the_first_joints_work_harder() -> None:
    trim = LeanTrim(8, 5, DT)
    walked(trim, (4.0, -3.0, 4.0, -3.0), cycles=2)
    assert trim.pitch < 0.0 and trim.roll == 0.0


def test_it_never_leans_far_or_fast() -> None:
    trim = LeanTrim(8, 5, DT)
    walked(trim, (8.0, 0.0, 0.0, 0.0), cycles=1)
    assert abs(trim.roll) <= lean.SPEED * DT * CYCLE + 1e-12
    walked(trim, (8.0, 0.0, 0.0, 0.0))
    assert trim.roll == pytest.approx(-lean.LARGEST_ROLL)
    assert trim.pitch == pytest.approx(-lean.LARGEST_PITCH)


def test_what_was_learned_stays_when_the_robot_stands() -> None:
    trim = LeanTrim(8, 5, DT)
    walked(trim, (4.0, -4.0, 3.0, -3.0))
    before = trim.roll
    trim.reset()
    walked(trim, (3.0, -3.0, 3.0, -3.0), cycles=1)
    assert trim.roll == pytest.approx(before, abs=1e-3)
    assert before < -0.01


def test_a_cycle_that_was_interrupted_teaches_nothing() -> None:
    trim, tau = LeanTrim(8, 5, DT), np.zeros(28)
    tau[8] = 8.0
    for _ in range(5):
        trim.touch_down()
        for _ in range(300):
            trim.watch(tau)
        trim.touch_down()
        trim.reset()
    assert (trim.roll, trim.pitch) == (0.0, 0.0)


def test_a_torque_that_is_no_number_teaches_nothing() -> None:
    trim = LeanTrim(8, 5, DT)
    walked(trim, (np.nan, 0.0, 3.0, 3.0), cycles=2)
    assert (trim.roll, trim.pitch) == (0.0, 0.0)
