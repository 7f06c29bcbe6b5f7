"""Linear equations in a kernel, beside NumPy."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.plants.runner.solver import solve_in_place


def test_a_singular_matrix_has_no_pivot() -> None:
    matrix = np.array([[1.0, 2.0], [2.0, 4.0]])
    assert solve_in_place(matrix, np.ones((2, 1))) == 0.0


@given(st.integers(0, 10_000), st.integers(1, 18))
def test_it_solves_as_numpy_does(seed: int, size: int) -> None:
    rng = np.random.default_rng(seed)
    matrix, sides = rng.normal(size=(size, size)), rng.normal(size=(size, 2))
    expected = np.linalg.solve(matrix, sides)
    residual = matrix.copy()
    assert solve_in_place(residual, found := sides.copy()) > 0.0
    scale = np.abs(expected).max() * np.linalg.cond(matrix)
    assert np.abs(found - expected).max() <= 1e-13 * scale + 1e-13
