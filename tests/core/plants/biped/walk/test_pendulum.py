"""The pendulum's algebra against integration, and the gait that it makes."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.plants.biped.walk import pendulum

HEIGHT = 0.75
OMEGA = pendulum.natural_frequency(HEIGHT)

positions = st.floats(-0.3, 0.3)
speeds = st.floats(-1.5, 1.5)
times = st.floats(0.0, 0.6)
heights = st.floats(0.4, 1.2)


def integrate(x: float, u: float, omega: float, time_s: float) -> tuple[float, float]:
    """Integrate x' = u, u' = omega² x by Runge-Kutta."""
    steps = 500
    h = time_s / steps
    for _ in range(steps):
        k1, l1 = u, omega**2 * x
        k2, l2 = u + 0.5 * h * l1, omega**2 * (x + 0.5 * h * k1)
        k3, l3 = u + 0.5 * h * l2, omega**2 * (x + 0.5 * h * k2)
        k4, l4 = u + h * l3, omega**2 * (x + h * k3)
        x, u = x + h * (k1 + 2 * k2 + 2 * k3 + k4) / 6, u + h * (l1 + 2 * l2 + 2 * l3 + l4) / 6
    return x, u


def walk(
    ends: list[float], omega: float, step_s: float, x: float = 0.0, u: float = 0.0
) -> list[tuple[float, float]]:
    """Step on with an end-of-step speed for each step; return each step's length and end speed."""
    steps = []
    for wish in ends:
        x_end, u_end = pendulum.propagate(x, u, omega, step_s)
        x = pendulum.com_from_next_foot(u_end, wish, omega, step_s)
        steps.append((x_end - x, u_end))
        u = u_end
    return steps


def test_the_frequency_is_that_of_a_falling_pendulum() -> None:
    assert pendulum.natural_frequency(9.81) == 1.0
    assert pytest.approx(3.6166, abs=1e-4) == OMEGA


@pytest.mark.parametrize("height", [0.6, 0.75, 0.9])
@pytest.mark.parametrize("time_s", [0.05, 0.3, 0.5])
@pytest.mark.parametrize(("x", "u"), [(0.08, -0.2), (-0.03, 0.4), (0.0, 0.1), (0.1, 0.0)])
def test_propagation_is_the_integral(height: float, time_s: float, x: float, u: float) -> None:
    omega = pendulum.natural_frequency(height)
    expected = integrate(x, u, omega, time_s)
    assert pendulum.propagate(x, u, omega, time_s) == pytest.approx(expected, abs=1e-9)


@given(positions, speeds, times, times, heights)
def test_a_time_may_be_split_anywhere(
    x: float, u: float, first_s: float, second_s: float, height: float
) -> None:
    omega = pendulum.natural_frequency(height)
    middle = pendulum.propagate(x, u, omega, first_s)
    parts = pendulum.propagate(*middle, omega, second_s)
    whole = pendulum.propagate(x, u, omega, first_s + second_s)
    assert parts == pytest.approx(whole, abs=1e-9)


@given(speeds, speeds, heights, st.floats(0.25, 0.6))
def test_the_next_step_ends_as_was_asked(
    u_end: float, wish: float, height: float, step_s: float
) -> None:
    omega = pendulum.natural_frequency(height)
    x = pendulum.com_from_next_foot(u_end, wish, omega, step_s)
    assert pendulum.propagate(x, u_end, omega, step_s)[1] == pytest.approx(wish, abs=1e-9)


@given(positions, speeds, heights, st.floats(0.25, 0.6), st.floats(0.05, 0.95))
def test_the_footstep_does_not_depend_on_when_it_is_planned(
    x: float, u: float, height: float, step_s: float, share: float
) -> None:
    omega = pendulum.natural_frequency(height)
    at_start = pendulum.propagate(x, u, omega, step_s)
    midway = pendulum.propagate(x, u, omega, share * step_s)
    later = pendulum.propagate(*midway, omega, (1.0 - share) * step_s)
    assert later == pytest.approx(at_start, abs=1e-9)


@pytest.mark.parametrize("step_s", [0.3, 0.4, 0.5])
@pytest.mark.parametrize("speed", [0.16, -0.16, 0.3, 0.0])
def test_the_mean_speed_is_the_commanded_one(step_s: float, speed: float) -> None:
    end = pendulum.end_speed_for_mean(speed, OMEGA, step_s)
    steps = walk([end] * 12, OMEGA, step_s, x=0.02, u=0.1)
    for length, _ in steps[3:]:
        assert length / step_s == pytest.approx(speed, abs=1e-9)


def test_without_the_correction_the_mean_would_be_far_too_slow() -> None:
    # research: 0.137 m/s at h = 0.75 m and T = 0.4 s; more than the paper's error of 0.012.
    length, _ = walk([0.16] * 12, OMEGA, 0.4)[-1]
    assert length / 0.4 == pytest.approx(0.137, abs=5e-4)


@pytest.mark.parametrize(("step_s", "factor"), [(0.3, 1.096), (0.4, 1.169), (0.5, 1.259)])
def test_the_factor_is_that_of_a_periodic_gait(step_s: float, factor: float) -> None:
    assert pendulum.end_speed_for_mean(1.0, OMEGA, step_s) == pytest.approx(factor, abs=1e-3)


@pytest.mark.parametrize("step_s", [0.3, 0.4, 0.5])
@pytest.mark.parametrize("width", [0.11, 0.2])
@pytest.mark.parametrize("mean", [0.0, 0.05])
def test_the_feet_are_one_step_width_apart(step_s: float, width: float, mean: float) -> None:
    sway = pendulum.sway_speed(width, OMEGA, step_s)
    drift = pendulum.end_speed_for_mean(mean, OMEGA, step_s)
    # A step on the left foot (even) ends moving to the right, toward the next foot.
    ends = [drift + (sway if i % 2 == 0 else -sway) for i in range(20)]
    steps = walk(ends, OMEGA, step_s)
    for before, after in zip(steps[6:-1], steps[7:], strict=True):
        assert abs(before[0] - after[0]) / 2.0 == pytest.approx(width, abs=1e-9)
        assert (before[0] + after[0]) / (2.0 * step_s) == pytest.approx(mean, abs=1e-9)


def test_the_sway_is_the_one_of_the_acceptance_list() -> None:
    # research: (W / 2) omega tanh(omega T / 2) = 0.224 m/s at W 0.2, h 0.75, T 0.4
    assert pendulum.sway_speed(0.2, OMEGA, 0.4) == pytest.approx(0.224, abs=5e-4)
    side, speed = -0.1, pendulum.sway_speed(0.2, OMEGA, 0.4)
    middle, _ = pendulum.propagate(side, speed, OMEGA, 0.2)
    assert middle - side == pytest.approx(0.0215, abs=5e-4)


@given(positions, speeds, times)
def test_the_capture_point_grows_and_its_twin_decays(x: float, u: float, time_s: float) -> None:
    x_end, u_end = pendulum.propagate(x, u, OMEGA, time_s)
    grown = pendulum.capture_point(x, u, OMEGA) * math.exp(OMEGA * time_s)
    assert pendulum.capture_point(x_end, u_end, OMEGA) == pytest.approx(grown, abs=1e-9)
    faded = (x - u / OMEGA) * math.exp(-OMEGA * time_s)
    assert x_end - u_end / OMEGA == pytest.approx(faded, abs=1e-9)


def test_a_foot_on_the_capture_point_brings_the_pendulum_to_rest() -> None:
    foot = pendulum.capture_point(0.0, 0.3, OMEGA)
    x, u = pendulum.propagate(-foot, 0.3, OMEGA, 2.0)
    assert abs(x) < 1e-3 and abs(u) < 3e-3
