"""MIP packets on published vectors, there and back, and on damaged fields."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.families.mip.wire import packet
from devices.wire.fletcher import fletcher

# LORD-MicroStrain/mip_sdk, test/data/packet_example_cpp_check.txt
EMPTY = bytes.fromhex("75650100DB05")
FOUR_FIELDS = bytes.fromhex("7565011A0201080901010001C200080901010001C200080901010001C2007A91")
SENSOR = bytes.fromhex(
    "7565804C0AD5000000055EE67CC00AD6000000014E434A000E043D9EE88D387FDB00BF7AAF030E05BB0C1E30"
    "BB572E68BBAA24AE0E07BC8AAC80BC72C50EBCC4E2C10E083EEE3D9FBD66DADDC0AFDEF59196"
)


def test_published_packets() -> None:
    assert packet.packet(0x01) == EMPTY
    speed = packet.field(0x09, bytes.fromhex("01010001C200"))
    assert packet.packet(0x01, packet.field(0x01), speed, speed, speed) == FOUR_FIELDS


def test_published_fields() -> None:
    assert packet.scanner().feed(EMPTY + FOUR_FIELDS + SENSOR) == [EMPTY, FOUR_FIELDS, SENSOR]
    assert packet.descriptor_set(SENSOR) == 0x80
    assert packet.fields(EMPTY) == []
    assert [kind for kind, _ in packet.fields(SENSOR)] == [0xD5, 0xD6, 0x04, 0x05, 0x07, 0x08]
    assert packet.fields(SENSOR)[0] == (0xD5, bytes.fromhex("000000055EE67CC0"))
    assert packet.fields(FOUR_FIELDS)[3] == (0x09, bytes.fromhex("01010001C200"))


@given(
    st.integers(0, 255),
    st.lists(st.tuples(st.integers(0, 255), st.binary(max_size=25)), max_size=9),
)
def test_there_and_back(kind: int, contents: list[tuple[int, bytes]]) -> None:
    whole = packet.packet(kind, *(packet.field(*content) for content in contents))
    assert packet.scanner().feed(whole) == [whole]
    assert packet.descriptor_set(whole) == kind
    assert packet.fields(whole) == contents


@given(st.binary(max_size=255))
def test_any_payload_has_fields_within_it(payload: bytes) -> None:
    body = b"\x75\x65\x80" + bytes((len(payload),)) + payload
    found = packet.fields(body + fletcher(body))
    assert sum(len(content) + 2 for _, content in found) <= len(payload)


def test_too_much_is_refused() -> None:
    with pytest.raises(ValueError, match="at most 253 bytes, not 254"):
        packet.field(1, bytes(254))
    with pytest.raises(ValueError, match="at most 255 bytes"):
        packet.packet(1, packet.field(1, bytes(200)), packet.field(1, bytes(200)))
