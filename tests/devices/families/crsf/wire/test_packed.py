"""The sixteen channels in their twenty-two bytes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.families.crsf.wire import frame, packed
from tests.devices.families.crsf.wire.test_frame import CAPTURED, CAPTURED_NEXT

channels = st.lists(st.integers(0, 2047), min_size=16, max_size=16)


def test_published_channels() -> None:
    # betaflight, src/test/unit/rx_crsf_unittest.cc
    assert packed.decode(CAPTURED)[:4] == (189, 993, 978, 983)
    assert packed.decode(CAPTURED_NEXT)[:4] == (189, 993, 978, 981)
    widths = [int(packed.microseconds(value)) for value in packed.decode(CAPTURED)[:4]]
    assert widths[1:] == [1500, 1491, 1494]
    payload = bytes.fromhex("FFFF00005801 00F00160E2".replace(" ", "")) + bytes(11)
    whole = frame.frame(frame.Type.CHANNELS, payload)
    assert packed.decode(whole) == (0x7FF, 0x1F, 0, 172, 0, 992, 0, 1811, *[0] * 8)


def test_the_middle_of_every_stick_is_as_computed() -> None:
    # research/hardware.md §3
    middle = "C81816E0031FF8C0073EF0810F7CE0031FF8C0073EF0810F7CAD"
    assert packed.encode([packed.MIDDLE] * 16) == bytes.fromhex(middle)


def test_the_ends_have_their_pulse_widths() -> None:
    ends = [packed.microseconds(value) for value in (packed.LOW, packed.MIDDLE, packed.HIGH)]
    assert ends == pytest.approx([988, 1500, 2012], abs=0.7)


@given(channels)
def test_there_and_back(values: list[int]) -> None:
    whole = packed.encode(values)
    assert len(whole) == 26
    assert frame.scanner().feed(whole) == [whole]
    assert list(packed.decode(whole)) == values


@given(st.binary(min_size=22, max_size=23))
def test_any_payload_is_sixteen_values(payload: bytes) -> None:
    values = packed.decode(frame.frame(frame.Type.CHANNELS, payload))
    assert packed.encode(values) == frame.frame(frame.Type.CHANNELS, payload[:22])


@pytest.mark.parametrize("values", [[0] * 15, [0] * 17, [2048] + [0] * 15, [-1] + [0] * 15])
def test_impossible_channels_are_refused(values: list[int]) -> None:
    with pytest.raises(ValueError, match="16 channel values"):
        packed.encode(values)
