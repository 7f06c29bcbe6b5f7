"""Frames of one process are seen in another mapping, and none is too large for its slot."""

import os

from hypothesis import given
from hypothesis import strategies as st

from app.picture.frames import LARGEST_PX, SLOTS, Frames, fitting


def test_both_ends_see_the_same_frame_and_slots_are_apart() -> None:
    descriptor = Frames.create()
    writer, reader = Frames(descriptor), Frames(descriptor)
    os.close(descriptor)
    for slot in range(SLOTS):
        writer.slot(slot, 3, 2)[:] = bytes([slot + 1]) * 24
    for slot in range(SLOTS):
        assert bytes(reader.slot(slot, 3, 2)) == bytes([slot + 1]) * 24


@given(st.integers(0, 20_000), st.integers(0, 20_000))
def test_every_size_fits(width: int, height: int) -> None:
    fitted = fitting(width, height)
    assert 1 <= fitted[0] * fitted[1] <= LARGEST_PX
    if 0 < width * height <= LARGEST_PX:
        assert fitted == (width, height)
