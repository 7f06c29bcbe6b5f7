"""Damped least squares in a kernel, against numpy."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.plants.biped.least_squares import damped_least_squares


@given(st.integers(0, 10_000), st.integers(1, 3), st.floats(1e-3, 1.0))
def test_damped_least_squares_is_its_formula(seed: int, columns: int, damping: float) -> None:
    rng = np.random.default_rng(seed)
    jacobian, errors = rng.normal(0.0, 1.0, (5, 5)), rng.normal(0.0, 1.0, (5, columns))
    steps = np.zeros((5, columns))
    damped_least_squares(jacobian, errors, damping, steps)
    square = jacobian @ jacobian.T + damping**2 * np.eye(5)
    np.testing.assert_allclose(steps, jacobian.T @ np.linalg.solve(square, errors), atol=1e-7)


def test_a_singular_jacobian_makes_no_wild_step() -> None:
    jacobian, steps = np.zeros((5, 5)), np.zeros((5, 1))
    jacobian[0] = 1.0
    damped_least_squares(jacobian, np.ones((5, 1)), 0.03, steps)
    np.testing.assert_allclose(steps, 0.2, atol=1e-3)
    damped_least_squares(np.zeros((5, 5)), np.ones((5, 1)), 0.03, steps)
    np.testing.assert_array_equal(steps, 0.0)
