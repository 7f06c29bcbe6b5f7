"""The arithmetic of segments."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.behave.hermite import fill_basis, new_basis, peak_velocity, transition_duration
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


@given(
    st.tuples(angle, st.floats(-2.0, 2.0), angle, st.floats(-2.0, 2.0)),
    st.floats(0.3, 2.0),
    st.floats(5.0, 50.0),
)
def test_a_transition_is_lengthened_until_it_is_calm_enough(
    ends: tuple[float, float, float, float], asked_s: float, strongest: float
) -> None:
    knots = np.array(ends).reshape(4, 1)

    def calm(duration_s: float, margin: float) -> bool:
        at = np.linspace(0.0, 1.0, 101)
        _, dq, ddq = np.abs([evaluate(knots[:, 0], s, duration_s) for s in at]).max(axis=0)
        return bool(dq <= 2.5 * (1.0 + margin) and ddq <= strongest * (1.0 + margin))

    got_s = transition_duration(knots, np.array([2.5]), strongest, asked_s, 60.0)
    assert got_s >= asked_s
    assert calm(got_s, 1e-6)
    if got_s > asked_s:
        assert not calm(got_s / 1.1, -1e-3)


def test_a_start_above_the_limit_does_not_lengthen_forever() -> None:
    knots = np.array([[0.0], [9.0], [0.0], [0.0]])
    assert transition_duration(knots, np.array([2.0]), 40.0, 0.5, 8.0) < 8.0
