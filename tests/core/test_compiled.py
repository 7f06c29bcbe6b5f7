"""A bound kernel computes what the kernel does, and refuses what it cannot be sure of."""

import numpy as np
import pytest

from core.compiled import bind, compiled
from devices.interface import Floats


@compiled
def add(values: Floats, out: Floats, factor: float, first: int, doubles: bool) -> float:
    """Write the sum of a value and of a factor."""
    out[first] = values[first] + factor * (2.0 if doubles else 1.0)
    return float(values[first])


def test_a_bound_kernel_works_on_its_arrays() -> None:
    values, out = np.arange(3.0), np.zeros(3)
    bound = bind(add, values, out)
    assert bound(0.5, 1, True) == 1.0
    values[2] = 7.0
    assert bound(1, 2, False) == 7.0  # an integer is taken for a number
    assert out.tolist() == [0.0, 2.0, 8.0]


def test_arrays_of_any_layout_are_bound_as_they_are() -> None:
    whole, out = np.arange(8.0).reshape(4, 2), np.zeros(4)
    bind(add, whole[:, 1], out)(0.0, 3, False)
    assert out[3] == 7.0


def test_every_array_is_bound() -> None:
    with pytest.raises(TypeError, match="more arrays than 1"):
        bind(add, np.zeros(3))
    with pytest.raises(TypeError):
        bind(add, np.zeros(3), np.zeros(3))("a number", 0, False)
