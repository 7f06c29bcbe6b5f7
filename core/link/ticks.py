"""The ticks on the link: the topic `batch` has blocks of them, as the record has."""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from core.link.hello import Hello
from core.record.errors import RecordError
from core.record.schema import dtype_of
from core.record.tape import BLOCK_ROWS, read_block

Rows: TypeAlias = npt.NDArray[np.void]
ROWS = BLOCK_ROWS
"""Ticks in a block."""


def layout_of(hello: Hello) -> np.dtype[np.void]:
    """Return the structured type of a core's ticks; its fields are those of the record."""
    return dtype_of(hello)


def rows_of(block: bytes, layout: np.dtype[np.void]) -> Rows | None:
    """Return the ticks of a block (n), or None if it is of another layout."""
    try:
        return read_block(block, layout).rows
    except RecordError:
        return None
