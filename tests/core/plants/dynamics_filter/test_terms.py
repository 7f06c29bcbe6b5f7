"""The recursion of the terms beside the matrix exponential, Runge-Kutta and the dense equations."""

import math

import numpy as np
import pytest

from core.constants import GRAVITY
from core.lab.experiments.strides.planner import USUAL, Rehearsal, rest_of
from core.lab.oracle.series import integrate, residual
from core.plants.dynamics_filter.gait import Gait
from core.plants.dynamics_filter.plan import Plan, sole_of
from core.plants.dynamics_filter.terms import (
    COLUMNS,
    DURATION,
    SQUARE,
    fill_states,
    lay_terms,
    transition,
)
from core.plants.dynamics_filter.vertical import height_at, lay_heights
from core.robot.profile_file import load_profile
from devices.interface import Floats


def exponential(square: float, t: float) -> Floats:
    """Return Φ, Γ₀ and Γ₁ by the series of the matrix exponential, p and ṗ as states."""
    matrix = np.zeros((4, 4))
    matrix[0, 1], matrix[1, 0], matrix[1, 2], matrix[2, 3] = 1.0, square, -square, 1.0
    total, power = np.eye(4), np.eye(4)
    for k in range(1, 60):
        power = power @ matrix * (t / k)
        total += power
    # The pressure moves from p₀ with the speed (p₁ − p₀) / t.
    out = np.empty((2, 4))
    out[:, :2] = total[:2, :2]
    out[:, 2] = total[:2, 2] - total[:2, 3] / t
    out[:, 3] = total[:2, 3] / t
    return out


@pytest.mark.parametrize(("square", "t"), [(35.0, 0.005), (75.0, 0.3), (1.0, 0.01), (0.0, 0.1)])
def test_a_term_is_the_matrix_exponential(square: float, t: float) -> None:
    out = np.empty((2, 4))
    transition(square, t, out)
    np.testing.assert_allclose(out, exponential(square, t), atol=1e-13, rtol=1e-11)


def test_a_term_that_is_too_short_for_its_force_is_a_straight_line() -> None:
    out = np.empty((2, 4))
    transition(30.0, 1e-6, out)
    np.testing.assert_array_equal(out, [[1.0, 1e-6, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]])


def laid(durations: list[float], flights: list[float], rows: int) -> tuple[int, Floats, Floats]:
    """Return the number of terms, their table and the effect of the pressure."""
    n = len(durations)
    heights = np.zeros((n, 6))
    lift = 0.5 * GRAVITY * 0.04
    ends = np.array([(0.295, lift, -GRAVITY), (0.295, -lift, -GRAVITY), (0.285, 0.0, 0.0)])[:n]
    times, flying = np.array(durations), np.array(flights)
    lay_heights(times, flying, ends, np.array((0.285, 0.0, 0.0)), heights)
    table, effect = np.zeros((rows, COLUMNS)), np.empty((2, 3 + n))
    return lay_terms(times, flying, heights, table, effect, 0.005, 0.0), table, effect


def test_a_table_that_is_too_short_is_told() -> None:
    assert laid([0.2, 0.04, 0.2], [0.0, 1.0, 0.0], 30)[0] == -1
    assert laid([0.2, 0.04, 0.2], [0.0, 1.0, 0.0], 82)[0] == 81


def test_the_effect_of_the_pressure_is_the_state_that_the_table_ends_in() -> None:
    count, table, effect = laid([0.2, 0.04, 0.2], [0.0, 1.0, 0.0], 90)
    assert table[count - 41, SQUARE] == 0.0 and table[count - 41, DURATION] == 0.04
    pressures = np.array(((0.0, 0.0), (0.01, 0.02), (0.05, -0.06), (0.04, -0.03)))
    start = np.array(((0.001, 0.05), (0.002, -0.1)))
    fill_states(table, count, pressures, start)
    for axis in range(2):
        found = effect[:, :2] @ start[axis] + effect[:, 2:] @ pressures[:, axis]
        np.testing.assert_allclose(table[count, 6 + 2 * axis : 8 + 2 * axis], found, atol=1e-12)


def test_a_flight_keeps_its_velocity_whatever_the_pressure_is() -> None:
    count, table, _ = laid([0.2, 0.04], [0.0, 1.0], 90)
    fill_states(table, count, np.ones((3, 2)), np.array(((0.0, 0.3), (0.0, 0.1))))
    assert table[count, 7] == table[count - 1, 7]
    assert table[count, 6] == pytest.approx(table[count - 1, 6] + 0.04 * table[count - 1, 7])


def test_heights_meet_their_ends_and_a_flight_falls_freely() -> None:
    heights = np.empty((3, 6))
    speed = 0.5 * GRAVITY * 0.1
    ends = np.array(((0.295, speed, -GRAVITY), (0.0, 0.0, 0.0), (0.285, 0.0, 0.0)))
    durations = np.array((0.2, 0.1, 0.25))
    start = np.array((0.28, 0.02, 1.0))
    lay_heights(durations, np.array((0.0, 1.0, 0.0)), ends, start, heights)
    assert height_at(heights[0], 0.0) == pytest.approx(tuple(start))
    assert height_at(heights[0], 0.2) == pytest.approx((0.295, speed, -GRAVITY))
    assert height_at(heights[1], 0.05)[0] == pytest.approx(0.295 + GRAVITY * 0.1**2 / 8.0)
    assert height_at(heights[1], 0.1) == pytest.approx((0.295, -speed, -GRAVITY))
    assert height_at(heights[2], 0.25) == pytest.approx((0.285, 0.0, 0.0), abs=1e-12)


@pytest.fixture(scope="module")
def plans() -> list[Plan]:
    profile = load_profile("small_biped")
    rehearsal = Rehearsal(profile.as_runner.strides, sole_of(profile))
    rehearsal.lead([(0.1, USUAL[Gait.RUN])], 0.9)
    return [plan for _, plan in rehearsal.plans[1::8]]


def test_plans_satisfy_the_equations_of_the_paper(plans: list[Plan]) -> None:
    for plan in plans:
        end, shifted = rest_of(plan)
        assert residual(plan, shifted) < 1e-12
        target = np.stack((shifted, np.zeros(2)), axis=1)
        np.testing.assert_allclose(integrate(plan), target, atol=1e-8)


def test_the_oracle_sees_a_state_and_a_pressure_that_are_wrong(plans: list[Plan]) -> None:
    plan = plans[-1]
    _, end = rest_of(plan)
    for array, row, column in ((plan.table, plan.count // 2, 6), (plan.pressures, 2, 0)):
        array[row, column] += 1e-6
        wrong = residual(plan, end)
        array[row, column] -= 1e-6
        assert wrong > 1e-9
    assert math.isclose(residual(plan, end), 0.0, abs_tol=1e-12)
