"""Numerical kernels of the tick, compiled to machine code by Numba.

A kernel is a pure function of arrays and numbers that writes into given arrays. The machine
code is cached beside the module, so that only the first start compiles.
"""

import inspect
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar, cast

import numba

Function = TypeVar("Function", bound=Callable[..., Any])
_NUMBERS = {bool: numba.boolean, int: numba.int64, float: numba.float64}


def compiled(function: Function) -> Function:
    """Compile a kernel at its first call; it holds the GIL and divides as NumPy does."""
    return cast(Function, numba.njit(cache=True, error_model="numpy")(function))


def bind(kernel: Callable[..., Any], *arrays: Any) -> Callable[..., Any]:
    """Return the machine code of a kernel, bound to arrays that stay where they are in memory.

    Numba finds the machine code for the types of the arguments at every call, which takes longer
    than a small kernel itself; here it does so once.

    Args:
        kernel: takes the arrays first, and numbers after them.
        arrays: its first arguments; the caller overwrites their values.

    Returns:
        A function of the numbers.

    Raises:
        TypeError: a parameter after the arrays is not annotated as a number.
    """
    dispatcher: Any = kernel
    typeof: Any = numba.typeof
    parameters = inspect.signature(dispatcher.py_func).parameters.values()
    numbers = [parameter.annotation for parameter in parameters][len(arrays) :]
    if not set(numbers) <= set(_NUMBERS):
        raise TypeError(f"{dispatcher.__name__} takes more arrays than {len(arrays)}; bind all")
    types = (*(typeof(array) for array in arrays), *(_NUMBERS[kind] for kind in numbers))
    return partial(dispatcher.compile(types), *arrays)
