"""CRSF frames on published vectors, and there and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.families.crsf.wire import frame, menu
from devices.wire.scanner import Scanner

# betaflight, src/test/unit/rx_crsf_unittest.cc
CAPTURED = bytes.fromhex("001816BD089FF4AEF7BDEF7DEFFBADFD452B5A0100000000006C")
CAPTURED_NEXT = bytes.fromhex("001816BD089FF4AAF7BDEF7DEFFBADFD452B5A01000000000094")
SUBSET = bytes.fromhex("C809172400A0D9E9FF0FD1")
SPEED = bytes.fromhex("C80C32C8EC0A7001001E84802272")


def test_published_checks() -> None:
    assert frame.crc8(b"123456789") == 0xBC  # the check value of CRC-8/DVB-S2
    # tbs-crsf-spec, crsf.md: the first entries of its tables
    assert [frame.crc8(bytes((i,))) for i in (1, 2, 3, 255)] == [0xD5, 0x7F, 0xAA, 0xF9]
    assert [frame.command_crc8(bytes((i,))) for i in (1, 2, 3, 255)] == [0xBA, 0xCE, 0x74, 0x44]


def test_published_frames_are_found() -> None:
    frames = [CAPTURED, CAPTURED_NEXT, SUBSET, SPEED]
    assert frame.scanner().feed(b"".join(frames)) == frames
    assert frame.kind_of(CAPTURED) == frame.Type.CHANNELS
    assert frame.payload_of(CAPTURED) == CAPTURED[3:-1]
    assert frame.addresses_of(CAPTURED) is None
    assert frame.addresses_of(SPEED) == (frame.Address.ROBOT, frame.Address.RECEIVER)


def test_the_ping_is_as_computed() -> None:
    # research/hardware.md §3
    assert menu.ping(origin=frame.Address.HANDSET) == bytes.fromhex("C8042800EA54")


@given(
    st.integers(1, 255).filter(lambda kind: kind != frame.Type.CHANNELS),
    st.binary(max_size=60),
    st.sampled_from(list(frame.Address)),
)
def test_there_and_back(kind: int, payload: bytes, address: int) -> None:
    whole = frame.frame(kind, payload, address)
    assert len(whole) <= 64
    assert frame.scanner().feed(whole) == [whole]
    assert frame.kind_of(whole) == kind
    assert frame.payload_of(whole) == payload
    if kind >= frame.EXTENDED and len(payload) >= 2:
        assert frame.addresses_of(whole) == (payload[0], payload[1])
        assert frame.content_of(whole) == payload[2:]
    else:
        assert frame.addresses_of(whole) is None


def test_a_frame_too_long_is_neither_made_nor_waited_for() -> None:
    with pytest.raises(ValueError, match="at most 60 bytes, not 61"):
        frame.frame(0x21, bytes(61))
    # betaflight, TestOversizedFrameLengthIsRejected: a length of 64 is none.
    scanner = frame.scanner()
    assert scanner.feed(b"\xc8\x40\x16" + b"\xff" * 61) == []
    assert scanner.dropped == 64
    assert scanner.feed(b"\xc8\x01\x16") == []
    assert scanner.dropped == 67


@pytest.mark.parametrize("length", [0, 1, 20, 21, 24, 40])
def test_a_channel_frame_of_another_length_is_no_frame(length: int) -> None:
    assert frame.scanner().feed(frame.frame(frame.Type.CHANNELS, bytes(length))) == []


def test_a_channel_frame_may_grow_by_a_byte() -> None:
    whole = frame.frame(frame.Type.CHANNELS, CAPTURED[3:-1] + b"\x01")
    assert frame.scanner().feed(whole) == [whole]


def test_a_line_can_be_narrowed_to_one_sync_byte() -> None:
    scanner = Scanner(frame.framing((frame.SYNC,)))
    assert scanner.feed(CAPTURED + SUBSET) == [SUBSET]
