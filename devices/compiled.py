"""Numerical kernels of a body's tick, compiled to machine code by Numba.

A kernel is a pure function of arrays and numbers that writes into arrays it is given. Passing an
array costs about 0.2 µs, so related values share one array. The machine code is cached beside the
module, so that only the first start compiles.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Compile a kernel at its first call; it holds the GIL and divides as NumPy does."""
    return cast(Function, numba.njit(cache=True, error_model="numpy")(function))
