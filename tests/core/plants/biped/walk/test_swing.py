"""The swing foot leaves and lands at rest, and its derivatives are its derivatives."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.plants.biped.walk.swing import bump, minimum_jerk, swing_path
from devices.interface import Floats

START = np.array([0.1, 0.2, 0.01])
TARGET = np.array([0.25, 0.15, -0.005])
DURATION_S = 0.37
phases = st.floats(0.02, 0.98)


def path(phase: float, apex: float = 0.045) -> Floats:
    out = np.zeros((3, 3))
    swing_path(START, TARGET, apex, phase, DURATION_S, out)
    return out


@pytest.mark.parametrize(("phase", "place"), [(0.0, START), (1.0, TARGET)])
def test_it_rests_at_both_ends(phase: float, place: Floats) -> None:
    position, velocity, acceleration = path(phase)
    np.testing.assert_allclose(position, place, atol=1e-9)
    np.testing.assert_allclose(velocity, 0.0, atol=1e-9)
    np.testing.assert_allclose(acceleration, 0.0, atol=1e-9)


@pytest.mark.parametrize("apex", [0.0, 0.045, 0.05])
def test_in_the_middle_it_is_halfway_and_at_the_apex(apex: float) -> None:
    position, velocity, _ = path(0.5, apex)
    np.testing.assert_allclose(position[:2], 0.5 * (START + TARGET)[:2], atol=1e-9)
    assert position[2] == pytest.approx(0.5 * (START[2] + TARGET[2]) + apex, abs=1e-9)
    assert velocity[2] == pytest.approx(1.875 * (TARGET[2] - START[2]) / DURATION_S, abs=1e-9)


@given(phases)
def test_velocity_and_acceleration_are_the_derivatives(phase: float) -> None:
    step = 1e-5
    before, now, after = path(phase - step), path(phase), path(phase + step)
    half = 2.0 * step * DURATION_S
    np.testing.assert_allclose(now[1], (after[0] - before[0]) / half, atol=1e-7)
    np.testing.assert_allclose(now[2], (after[1] - before[1]) / half, atol=1e-6)


@given(phases, phases)
def test_the_way_over_ground_never_turns_back(one: float, other: float) -> None:
    first, second = sorted((one, other))
    way = TARGET - START
    there, further = path(first)[0] - START, path(second)[0] - START
    for axis in (0, 1):
        near, far = there[axis] / way[axis], further[axis] / way[axis]
        assert 0.0 <= near <= far + 1e-12 and far <= 1.0  # neighbours in the last bit are rounded


@given(st.floats(-3.0, 0.0) | st.floats(1.0, 3.0))
def test_beyond_its_ends_it_rests(phase: float) -> None:
    expected = START if phase <= 0.0 else TARGET
    out = path(phase)
    np.testing.assert_allclose(out[0], expected, atol=1e-9)
    np.testing.assert_allclose(out[1:], 0.0, atol=1e-9)


def test_the_blend_and_the_bump_span_the_sixth_order_polynomials() -> None:
    # 7 conditions: value, slope and curvature at both ends, and the middle.
    phases = np.linspace(0.0, 1.0, 9)
    for middle in (0.3, 0.5, 0.8):
        powers = np.arange(7)
        rows = [
            [float(0.0**k) for k in powers],
            [float(k == 1) for k in powers],
            [2.0 * (k == 2) for k in powers],
            [1.0] * 7,
            [float(k) for k in powers],
            [float(k * (k - 1)) for k in powers],
            [0.5**k for k in powers],
        ]
        coefficients = np.linalg.solve(np.array(rows), [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, middle])
        for phase in phases:
            expected = float(coefficients @ phase**powers)
            blend = minimum_jerk(float(phase))[0] + (middle - 0.5) * bump(float(phase))[0]
            assert blend == pytest.approx(expected, abs=1e-9)
