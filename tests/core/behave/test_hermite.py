"""The arithmetic of segments."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.behave.hermite import (
    fill_basis,
    least_duration,
    new_basis,
    peak_velocity,
    state_of,
)
from devices.interface import Floats

angle = st.floats(-3.0, 3.0)
speed = st.floats(-6.0, 6.0)
duration = st.floats(0.02, 4.0)


def evaluate(knots: Floats, s: float, h: float, rate: float = 1.0) -> Floats:
    basis, flat = new_basis()
    fill_basis(flat, s, h, rate)
    values: Floats = basis @ knots
    return values


@given(st.tuples(angle, speed, angle, speed), duration)
def test_both_ends_are_met_in_position_and_velocity(
    ends: tuple[float, float, float, float], h: float
) -> None:
    knots = np.array(ends)
    assert evaluate(knots, 0.0, h)[:2] == pytest.approx(ends[:2], abs=1e-12)
    assert evaluate(knots, 1.0, h)[:2] == pytest.approx(ends[2:], abs=1e-12)


@given(st.tuples(angle, speed, angle, speed), duration, st.floats(0.01, 0.99))
def test_velocity_and_acceleration_are_the_derivatives(
    ends: tuple[float, float, float, float], h: float, s: float
) -> None:
    knots, step = np.array(ends), 1e-5
    before, here, after = (evaluate(knots, s + d, h) for d in (-step, 0.0, step))
    slope = (after - before) / (2.0 * step * h)
    assert here[1] == pytest.approx(slope[0], rel=1e-5, abs=1e-5)
    assert here[2] == pytest.approx(slope[1], rel=1e-5, abs=1e-4 / h)


def test_the_rate_scales_velocity_once_and_acceleration_twice() -> None:
    knots = np.array([0.1, 1.0, 0.7, -0.5])
    plain, fast = evaluate(knots, 0.3, 0.8), evaluate(knots, 0.3, 0.8, rate=2.0)
    assert fast == pytest.approx(plain * [1.0, 2.0, 4.0])


@given(st.tuples(angle, speed, angle, speed), duration)
def test_the_peak_velocity_is_what_a_dense_search_finds(
    ends: tuple[float, float, float, float], h: float
) -> None:
    knots = np.array(ends)
    found = max(abs(evaluate(knots, s, h)[1]) for s in np.linspace(0.0, 1.0, 101))
    q0, v0, q1, v1 = (np.array([end]) for end in ends)
    peak = peak_velocity(q0, v0, q1, v1, h)[0]
    assert found - 1e-9 <= peak <= found * 1.002 + 1e-3 * (abs(ends[2] - ends[0]) / h + 10.0)


@given(st.tuples(angle, st.floats(-2.0, 2.0), angle, st.floats(-2.0, 2.0)), st.floats(5.0, 50.0))
def test_the_least_duration_is_just_calm_enough(
    ends: tuple[float, float, float, float], strongest: float
) -> None:
    knots = np.array(ends).reshape(4, 1)
    away = np.sign(ends[2] - ends[0])

    def calm(h: float, margin: float) -> bool:
        states = np.array([evaluate(knots[:, 0], s, h) for s in np.linspace(0.0, 1.0, 201)])
        fastest = (away * states[:, 1]).max()
        leaving = away * (states[0, 2] + 4.0 * ends[1] / h)  # without its own velocity's part
        coming = -away * (states[-1, 2] - 4.0 * ends[3] / h)
        hardest = max(leaving, coming)
        return bool(fastest <= 2.5 * (1.0 + margin) and hardest <= strongest * (1.0 + margin))

    (least_s,) = least_duration(knots, np.array([2.5]), strongest).tolist()
    if least_s > 1e-3:
        assert calm(least_s, 1e-6)
        assert not calm(least_s / 1.05, -1e-3)


def test_a_start_above_the_limit_needs_no_time_for_its_own_speed() -> None:
    knots = np.array([[0.0], [9.0], [0.0], [0.0]])
    assert least_duration(knots, np.array([2.0]), 40.0).tolist() == [0.0]


@given(st.tuples(angle, speed, angle, speed), duration, st.floats(0.0, 1.0))
def test_the_state_is_that_of_the_basis(
    ends: tuple[float, float, float, float], h: float, s: float
) -> None:
    knots = np.array(ends).reshape(4, 1)
    state = state_of(knots, np.array([s * h]), h)[:, 0]
    assert state == pytest.approx(evaluate(knots[:, 0], s, h)[:2], abs=1e-9)
