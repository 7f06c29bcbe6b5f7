"""Direct commands with their inner CRC."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.families.crsf.wire import command, frame
from devices.families.crsf.wire.frame import Address
from tests.devices.families.crsf.wire.test_frame import SPEED

u8 = st.integers(0, 255)


def test_published_command() -> None:
    # betaflight, src/test/unit/rx_crsf_unittest.cc: the proposal of 2 Mbaud for port 1
    assert command.propose_speed(2_000_000) == SPEED
    decoded = command.decode(SPEED)
    assert decoded is not None
    assert decoded[:3] == (Address.ROBOT, Address.RECEIVER, command.GENERAL)
    assert command.proposed_speed(decoded) == (1, 2_000_000)


def test_another_published_command() -> None:
    # Tellicious/ADV-RCProtocols, tests/test_CRSF.c: the handset asks a receiver to bind
    bind = bytes.fromhex("C80732ECEA100134F6")
    assert command.encode(Address.RECEIVER, Address.HANDSET, 0x10, b"\x01") == bind
    assert command.decode(bind) == (Address.RECEIVER, Address.HANDSET, 0x10, b"\x01")


@given(u8, u8, u8, st.binary(max_size=56))
def test_there_and_back(destination: int, origin: int, realm: int, content: bytes) -> None:
    made = command.encode(destination, origin, realm, content)
    assert frame.scanner().feed(made) == [made]
    assert command.decode(made) == (destination, origin, realm, content)


@pytest.mark.parametrize("place", range(3, 13))
def test_a_command_that_fails_its_own_check_is_none(place: int) -> None:
    body = bytearray(SPEED[2:-1])
    body[place - 2] ^= 0x10
    resealed = frame.frame(body[0], bytes(body[1:]))
    assert frame.scanner().feed(resealed) == [resealed]
    assert command.decode(resealed) is None


def test_an_answer_to_a_proposal() -> None:
    decoded = command.decode(command.answer_speed(True))
    assert decoded is not None
    assert tuple(decoded) == (Address.RECEIVER, Address.ROBOT, command.GENERAL, b"\x71\x01\x01")
    assert command.proposed_speed(decoded) is None


@given(u8, st.binary(max_size=60))
def test_any_frame_can_be_read(kind: int, payload: bytes) -> None:
    decoded = command.decode(frame.frame(kind, payload))
    if decoded:
        command.proposed_speed(decoded)
