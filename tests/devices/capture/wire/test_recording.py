"""Recordings of datagrams."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.capture.errors import CaptureError
from devices.capture.wire import recording

stamped = st.lists(st.tuples(st.floats(-1e9, 1e9), st.binary(max_size=50)), max_size=8)


def test_a_recording_made_by_hand() -> None:
    data = bytes.fromhex("000000000000f83f 03000000 616263")
    assert recording.decode(data) == [(1.5, b"abc")]
    assert recording.encode([(1.5, b"abc")]) == data


@given(stamped)
def test_datagrams_come_back(rows: list[tuple[float, bytes]]) -> None:
    rows.sort(key=lambda row: row[0])
    assert recording.decode(recording.encode(rows)) == rows


@given(
    st.one_of(
        st.binary(max_size=60),
        stamped.map(
            lambda rows: b"".join(
                struct.pack("<dI", *(row[0], len(row[1]))) + row[1] for row in rows
            )
        ),
    )
)
def test_any_bytes_are_a_recording_or_refused(data: bytes) -> None:
    try:
        rows = recording.decode(data)
    except CaptureError:
        return
    assert recording.encode(rows) == data


@pytest.mark.parametrize(
    "data",
    [
        struct.pack("<dI", 0.0, 1),
        struct.pack("<dI", 0.0, 0)[:-1],
        struct.pack("<dI", float("nan"), 0),
        struct.pack("<dIdI", 1.0, 0, 0.5, 0),
        struct.pack("<dI", 0.0, 8193) + bytes(8193),
    ],
)  # fmt: skip
def test_what_is_damaged_is_refused(data: bytes) -> None:
    with pytest.raises(CaptureError):
        recording.decode(data)
