"""The loop's end of the record: fills preallocated rows and passes on whole blocks.

A block is a 32-byte header and its rows. Little-endian header: magic `FLTB` (4 bytes),
version (u2), flags (u2, bit 0: last block of the run), block number (u4), rows (u4),
number of the first tick (u8), size of a row in bytes (u4), fingerprint of the layout (u4).
"""

import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from core.record.errors import RecordError
from core.record.schema import fingerprint

HEADER = struct.Struct("<4sHHIIQII")
MAGIC = b"FLTB"
VERSION = 1
LAST = 1
BLOCK_ROWS = 50

Row: TypeAlias = npt.NDArray[np.void]


class Tape:
    """One block of ticks, filled row by row; every view is made once, before the loop.

    `row = tape.row(); row["q"][:] = sample.q; row["t"][:] = now_s; tape.commit()`. Fields that a
    tick does not write stay zero.
    """

    def __init__(
        self,
        dtype: np.dtype[np.void],
        hand_over: Callable[[bytes], object],
        block_rows: int = BLOCK_ROWS,
        first_rows: int = BLOCK_ROWS,
    ) -> None:
        """Allocate the block; `hand_over` receives each full block as bytes.

        The first block is passed on after `first_rows`, if these are fewer.
        """
        self._buffer = bytearray(HEADER.size + block_rows * dtype.itemsize)
        self._block: npt.NDArray[np.void] = np.frombuffer(
            self._buffer, dtype=dtype, offset=HEADER.size
        )
        self._bytes = np.frombuffer(self._buffer, dtype=np.uint8, offset=HEADER.size)
        # Slices of one row, not scalars: `row["t"][:] = t` writes through for every field.
        self._rows: list[Row] = [self._block[i : i + 1] for i in range(block_rows)]
        self._block_rows = block_rows
        self._full = min(first_rows, block_rows)
        self._fingerprint = fingerprint(dtype)
        self._itemsize = dtype.itemsize
        self._hand_over = hand_over
        self._filled = 0
        self._sequence = 0
        self._ticks = 0

    @property
    def block(self) -> Row:
        """All rows of the block; they stay where they are in memory."""
        return self._block

    @property
    def place(self) -> int:
        """Place of the present row in the block."""
        return self._filled

    @property
    def ticks(self) -> int:
        """Number of committed rows."""
        return self._ticks

    def row(self) -> Row:
        """Return the present row; the shapes of its fields begin with 1."""
        return self._rows[self._filled]

    def commit(self) -> None:
        """End the row; a full block is passed on."""
        self._filled += 1
        self._ticks += 1
        if self._filled == self._full:
            self.flush()

    def flush(self, last: bool = False) -> None:
        """Pass on the filled rows; with `last` also an empty block, which ends the record."""
        filled = self._filled
        if filled == 0 and not last:
            return
        HEADER.pack_into(
            self._buffer,
            0,
            MAGIC,
            VERSION,
            LAST if last else 0,
            self._sequence,
            filled,
            self._ticks - filled,
            self._itemsize,
            self._fingerprint,
        )
        end = HEADER.size + filled * self._itemsize
        block = bytes(memoryview(self._buffer)[:end])
        self._bytes[: filled * self._itemsize] = 0
        self._filled, self._full = 0, self._block_rows
        self._sequence += 1
        self._hand_over(block)


@dataclass(frozen=True, slots=True)
class Block:
    """A block as read from a file.

    Attributes:
        sequence: number of the block, from 0 without gaps.
        first_tick: number of its first row.
        last: the run ended with this block.
        rows: the ticks, a read-only structured array.
    """

    sequence: int
    first_tick: int
    last: bool
    rows: npt.NDArray[np.void]


def read_block(
    data: bytes | memoryview, dtype: np.dtype[np.void], identity: int | None = None
) -> Block:
    """Return a block without copying its rows.

    Args:
        data: the block.
        dtype: of its rows.
        identity: fingerprint of the layout in a file; by default that of this program.

    Raises:
        RecordError: the bytes are not a block of this layout.
    """
    if len(data) < HEADER.size:
        raise RecordError(f"a block of {len(data)} bytes is shorter than its header")
    magic, version, flags, sequence, count, first, itemsize, print_ = HEADER.unpack_from(data)
    if magic != MAGIC or version != VERSION:
        raise RecordError("the bytes are not a block of ticks of this version")
    expected = fingerprint(dtype) if identity is None else identity
    if itemsize != dtype.itemsize or print_ != expected:
        raise RecordError("the layout of the block differs from the layout of the record")
    if len(data) != HEADER.size + count * itemsize:
        raise RecordError(f"a block of {count} rows cannot have {len(data)} bytes")
    rows: npt.NDArray[np.void] = np.frombuffer(data, dtype=dtype, offset=HEADER.size, count=count)
    return Block(sequence, first, bool(flags & LAST), rows)
