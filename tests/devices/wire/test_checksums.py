"""The shared checksums against their published values."""

from hypothesis import given
from hypothesis import strategies as st

from devices.wire.checksums import bear_sum, crc16


def test_crc16_has_the_check_value_of_the_catalogue() -> None:
    """CRC-16/CCITT-FALSE of "123456789" is 0x29B1 (catalogue of parametrised CRC algorithms)."""
    assert crc16(b"123456789") == 0x29B1


@given(st.binary(max_size=64), st.integers(0, 63), st.integers(1, 255))
def test_crc16_sees_every_changed_byte(data: bytes, place: int, change: int) -> None:
    if place < len(data):
        other = bytearray(data)
        other[place] ^= change
        assert crc16(other) != crc16(data)


@given(st.binary(max_size=255))
def test_the_sum_of_a_bear_packet_is_all_ones(data: bytes) -> None:
    assert (sum(data) + bear_sum(data)) & 0xFF == 0xFF
