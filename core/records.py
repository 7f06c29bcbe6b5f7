"""Records: named arrays in one block of memory, which a kernel takes as one argument.

Each array that a kernel is given costs time at the border between Python and machine code; a
record costs as much as one array, and its shapes are constants of the machine code. A kernel
reads `record[0].name`; Python reads and writes `record["name"][0]`, a view.
"""

from functools import cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Record: TypeAlias = npt.NDArray[np.void]
Indices: TypeAlias = npt.NDArray[np.int64]


@cache
def _dtype(fields: tuple[tuple[str, str, int | tuple[int, ...]], ...]) -> np.dtype[np.void]:
    """Return the type of a record; equal ones are one object, which Numba compares quickly."""
    return np.dtype(list(fields))


def make_record(**shapes: int | tuple[int, ...]) -> Record:
    """Return a record of zeros with an array of floats for each name; () is a single number."""
    return np.zeros(1, _dtype(tuple((name, "f8", shape) for name, shape in shapes.items())))


def record_of(**values: npt.ArrayLike) -> Record:
    """Return a record of copies of values: floats, and integers or truth values as integers."""
    arrays = {name: np.asarray(value) for name, value in values.items()}
    fields = tuple(
        (name, "f8" if array.dtype.kind == "f" else "i8", array.shape)
        for name, array in arrays.items()
    )
    record = np.zeros(1, _dtype(fields))
    for name, array in arrays.items():
        record[name][0] = array
    return record
