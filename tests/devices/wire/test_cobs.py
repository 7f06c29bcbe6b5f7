"""COBS: published examples and round trips."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.wire import cobs
from devices.wire.errors import WireError

UP = bytes(range(1, 255))


@pytest.mark.parametrize(
    ("data", "stuffed"),
    [
        (b"\x00", "0101"),
        (b"\x00\x00", "010101"),
        (b"\x00\x11\x00", "01021101"),
        (b"\x11\x22\x00\x33", "0311220233"),
        (b"\x11\x22\x33\x44", "0511223344"),
        (b"\x11\x00\x00\x00", "0211010101"),
        (UP, "ff" + UP.hex()),
        (b"\x00" + UP, "01ff" + UP.hex()),
        (UP + b"\xff", "ff" + UP.hex() + "02ff"),
        (UP[1:] + b"\xff\x00", "ff" + UP[1:].hex() + "ff0101"),
        (UP[2:] + b"\xff\x00\x01", "fe" + UP[2:].hex() + "ff0201"),
    ],
)
def test_the_published_examples(data: bytes, stuffed: str) -> None:
    """The encoding examples of the encyclopedia's article on COBS, without the closing zero."""
    assert cobs.encode(data).hex() == stuffed
    assert cobs.decode(bytes.fromhex(stuffed)) == data


runs = st.lists(st.one_of(st.binary(max_size=300), st.integers(0, 600).map(lambda n: b"x" * n)))


@given(runs.map(b"".join))
def test_data_comes_back_without_a_zero_on_the_way(data: bytes) -> None:
    stuffed = cobs.encode(data)
    assert 0 not in stuffed
    assert len(stuffed) <= len(data) + len(data) // 254 + 1
    assert cobs.decode(stuffed) == data


@given(st.binary(max_size=600))
def test_any_bytes_are_stuffed_or_refused(data: bytes) -> None:
    try:
        assert len(cobs.decode(data)) < len(data)
    except WireError:
        pass


@pytest.mark.parametrize("stuffed", [b"", b"\x00", b"\x02\x00", b"\x03\x01", b"\x01\x05abc"])
def test_bytes_without_stuffing_are_refused(stuffed: bytes) -> None:
    with pytest.raises(WireError):
        cobs.decode(stuffed)
