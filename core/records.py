"""Records: named arrays in one block of memory, which a kernel takes as one argument.

Each array that a kernel is given costs time at the border between Python and machine code; a
record costs as much as one array, and its shapes are constants of the machine code. A kernel
reads `record[0].name`; Python reads and writes `record["name"][0]`, a view.
"""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Record: TypeAlias = npt.NDArray[np.void]
Indices: TypeAlias = npt.NDArray[np.int64]


def make_record(**shapes: int | tuple[int, ...]) -> Record:
    """Return a record of zeros with an array of floats for each name; () is a single number."""
    return np.zeros(1, [(name, np.float64, shape) for name, shape in shapes.items()])


def record_of(**values: npt.ArrayLike) -> Record:
    """Return a record of copies of values: floats, and integers or truth values as integers."""
    arrays = {name: np.asarray(value) for name, value in values.items()}
    kinds = {name: np.float64 if a.dtype.kind == "f" else np.int64 for name, a in arrays.items()}
    record = np.zeros(1, [(name, kinds[name], array.shape) for name, array in arrays.items()])
    for name, array in arrays.items():
        record[name][0] = array
    return record
