"""The tape: from rows to blocks; damaged blocks are refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.record.errors import RecordError
from core.record.schema import tick_dtype
from core.record.tape import BLOCK_ROWS, HEADER, Tape, read_block

DTYPE = tick_dtype(28, 5, True)


def filled(ticks: int, last: bool = True) -> list[bytes]:
    blocks: list[bytes] = []
    tape = Tape(DTYPE, blocks.append)
    for tick in range(ticks):
        row = tape.row()
        row["t"][:] = tick * 1e-3
        row["q"][:] = np.arange(28) + tick
        row["mode"][:] = tick % 5
        row["contact_force_true"][:] = tick
        tape.commit()
    tape.flush(last)
    return blocks


@given(st.integers(0, 180), st.booleans())
def test_every_tick_comes_out_once_and_in_order(ticks: int, last: bool) -> None:
    blocks = [read_block(data, DTYPE) for data in filled(ticks, last)]
    assert [block.sequence for block in blocks] == list(range(len(blocks)))
    assert [block.last for block in blocks[:-1]] == [False] * (len(blocks) - 1 if blocks else 0)
    assert not blocks or blocks[-1].last == last
    rows = np.concatenate([block.rows for block in blocks]) if blocks else np.zeros(0, DTYPE)
    assert np.array_equal(rows["t"], np.arange(ticks) * 1e-3)
    assert np.array_equal(rows["q"][:, 3], np.arange(ticks) + 3.0)
    assert np.array_equal(rows["mode"], np.arange(ticks) % 5)
    assert np.array_equal(rows["contact_force_true"][:, 1, 0, 2], np.arange(ticks))
    assert [block.first_tick for block in blocks] == [BLOCK_ROWS * i for i in range(len(blocks))]


def test_the_first_block_may_be_shorter() -> None:
    blocks: list[bytes] = []
    tape = Tape(DTYPE, blocks.append, block_rows=5, first_rows=3)
    for _ in range(14):
        tape.commit()
    read = [read_block(data, DTYPE) for data in blocks]
    assert [(block.first_tick, len(block.rows)) for block in read] == [(0, 3), (3, 5), (8, 5)]


def test_what_a_tick_does_not_write_is_zero_not_what_was_there_before() -> None:
    blocks: list[bytes] = []
    tape = Tape(DTYPE, blocks.append, block_rows=2)
    for value in (5.0, 5.0):
        tape.row()["q"][:] = value
        tape.commit()
    tape.commit()
    tape.commit()
    assert not np.any(read_block(blocks[1], DTYPE).rows["q"])


def test_a_row_that_was_not_committed_is_not_handed_over() -> None:
    blocks: list[bytes] = []
    tape = Tape(DTYPE, blocks.append)
    tape.row()["t"][:] = 1.0
    tape.flush()
    assert blocks == [] and tape.ticks == 0


def test_a_block_handed_over_does_not_change_afterwards() -> None:
    blocks: list[bytes] = []
    tape = Tape(DTYPE, blocks.append, block_rows=1)
    tape.row()["q"][:] = 1.0
    tape.commit()
    before = bytes(blocks[0])
    tape.row()["q"][:] = 2.0
    tape.commit()
    assert blocks[0] == before != blocks[1]


@given(st.data())
def test_a_truncated_block_is_refused(data: st.DataObject) -> None:
    block = filled(3)[0]
    with pytest.raises(RecordError):
        read_block(block[: data.draw(st.integers(0, len(block) - 1))], DTYPE)


@pytest.mark.parametrize("place", [0, 4, HEADER.size - 1, HEADER.size - 5, 12])
def test_a_damaged_header_is_refused(place: int) -> None:
    block = bytearray(filled(3)[0])
    block[place] ^= 0xFF
    with pytest.raises(RecordError):
        read_block(bytes(block), DTYPE)


def test_a_block_of_another_layout_is_refused() -> None:
    with pytest.raises(RecordError, match="layout of the block differs"):
        read_block(filled(3)[0], tick_dtype(28, 5, False))
