"""The Fletcher checksum on vectors of both protocols that use it."""

from hypothesis import given
from hypothesis import strategies as st

from devices.wire.fletcher import fletcher, holds


def test_published_vectors() -> None:
    # LORD-MicroStrain/mip_sdk, test/data/packet_example_cpp_check.txt: an empty packet.
    assert fletcher(bytes.fromhex("75650100")) == bytes.fromhex("DB05")
    # A user heartbeat of the safe remote.
    assert fletcher(bytes.fromhex("1001210100")) == bytes.fromhex("33B9")


@given(st.binary(max_size=300))
def test_it_is_the_sum_and_the_sum_of_sums(data: bytes) -> None:
    a = b = 0
    for byte in data:
        a = (a + byte) % 256
        b = (b + a) % 256
    assert fletcher(data) == bytes((a, b))
    assert holds(data + bytes((a, b))) == bool(data)


@given(st.binary(min_size=1, max_size=60), st.integers(0), st.integers(1, 255))
def test_one_wrong_byte_is_noticed(data: bytes, place: int, change: int) -> None:
    packet = bytearray(data + fletcher(data))
    packet[place % len(packet)] ^= change
    assert not holds(bytes(packet))
