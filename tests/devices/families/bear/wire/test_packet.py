"""Single BEAR packets: published vectors, both ways, and what is refused."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.families.bear.wire import packet as bear
from devices.families.bear.wire.packet import Instruction, Reply, Request
from devices.families.bear.wire.registers import (
    CONFIG,
    D_GAIN_FORCE,
    GOAL_POSITION,
    MODE,
    P_GAIN_FORCE,
    PRESENT_POSITION,
    STATUS,
    TORQUE_ENABLE,
    ControlMode,
    Register,
    TorqueEnable,
)
from devices.wire.errors import WireError


def test_the_published_requests() -> None:
    """Ping: RoMeLaUCLA/CBEAR, tests/bear_internals.cpp; the others from the layout in PyBEAR."""
    assert bear.ping(1).hex() == "ffff010201fb"
    assert bear.read(1, [PRESENT_POSITION]).hex() == "ffff01030209f0"
    assert bear.write(1, [(TORQUE_ENABLE, TorqueEnable.ON)]).hex() == "ffff0107030001000000f3"
    assert bear.write(1, [(TORQUE_ENABLE, TorqueEnable.DAMPING)]).hex() == "ffff0107030003000000f1"
    assert bear.write(1, [(MODE, ControlMode.FORCE)]).hex() == "ffff0107050103000000ee"


def test_the_published_reply() -> None:
    """A position of 1 rad, in the layout of PyBEAR, pybear/Packet.py."""
    packet = bytes.fromhex("ffff0106800000803fb9")
    reply = bear.decode_reply(packet)
    assert reply == Reply(1, 0x80, struct.pack("<f", 1.0))
    assert reply.values([PRESENT_POSITION]) == (1.0,)
    assert reply.encode() == packet


def test_a_published_reply_is_none_of_the_requests() -> None:
    """omelia-iliffe/westwood-bear-rs, tests/device.rs: its error byte ends as READ_STATUS does."""
    packet = bytes.fromhex("ffff0b06820000803fad")
    assert bear.decode_reply(packet) == Reply(0x0B, 0x82, struct.pack("<f", 1.0))
    with pytest.raises(WireError, match="0x82"):
        bear.decode_request(packet)


@given(st.integers(0, 0xFC), st.sampled_from(list(Instruction)), st.binary(max_size=253))
def test_requests_come_back(actuator: int, instruction: Instruction, parameters: bytes) -> None:
    request = Request(actuator, instruction, parameters)
    assert bear.decode_request(request.encode()) == request


@given(st.integers(0, 0xFC), st.integers(0, 255), st.binary(max_size=253))
def test_replies_come_back(actuator: int, error: int, data: bytes) -> None:
    reply = Reply(actuator, error, data)
    assert bear.decode_reply(reply.encode()) == reply


@given(
    st.lists(
        st.tuples(
            st.sampled_from([r for r in CONFIG if not r.integer]),
            st.floats(width=32, allow_nan=False, allow_infinity=False),
        ),
        min_size=1,
        max_size=20,
    )
)
def test_writes_come_back(values: list[tuple[Register, float]]) -> None:
    request = bear.decode_request(bear.write(7, values))
    assert request.instruction is Instruction.WRITE_CONFIG
    decoded = bear.decode_writes(request)
    assert [address for address, _ in decoded] == [register.address for register, _ in values]
    for (register, value), (_, data) in zip(values, decoded, strict=True):
        assert bear.decode_value(register, data) == value


@given(st.sampled_from([r for r in (*STATUS, *CONFIG) if r.integer]), st.integers(0, 2**32 - 1))
def test_whole_numbers_come_back(register: Register, value: int) -> None:
    data = bear.encode_value(register, value)
    assert data == value.to_bytes(4, "little")
    assert bear.decode_value(register, data) == value


@given(st.binary(max_size=300))
def test_any_bytes_are_a_packet_or_refused(data: bytes) -> None:
    for decode in (bear.decode_request, bear.decode_reply):
        try:
            assert decode(data).encode() == data
        except WireError:
            pass


@given(st.sampled_from(list(Instruction)), st.binary(max_size=253))
def test_any_parameters_are_a_row_of_registers_or_refused(
    instruction: Instruction, parameters: bytes
) -> None:
    try:
        row = bear.decode_writes(Request(1, instruction, parameters))
    except WireError:
        return
    assert b"".join(bytes((address,)) + data for address, data in row) == parameters


@given(st.integers(0, 8), st.integers(1, 255))
def test_a_changed_byte_is_noticed(place: int, change: int) -> None:
    packet = bytearray.fromhex("ffff0106800000803fb9")
    packet[place] ^= change
    with pytest.raises(WireError):
        bear.decode_reply(bytes(packet))


@pytest.mark.parametrize(
    ("register", "value"),
    [
        (TORQUE_ENABLE, -1),
        (TORQUE_ENABLE, 2**32),
        (TORQUE_ENABLE, 0.5),
        (GOAL_POSITION, float("nan")),
        (GOAL_POSITION, float("inf")),
        (GOAL_POSITION, 1e39),
    ],
)
def test_a_value_that_does_not_fit_is_refused(register: Register, value: float) -> None:
    with pytest.raises(WireError, match=register.name):
        bear.write(1, [(register, value)])


def test_invalid_requests_are_refused() -> None:
    with pytest.raises(WireError, match="253"):
        bear.ping(0xFD)
    with pytest.raises(WireError, match="one table"):
        bear.read(1, [MODE, PRESENT_POSITION])
    with pytest.raises(WireError, match="one table"):
        bear.read(1, [])
    with pytest.raises(WireError, match="fit"):
        bear.read(1, [PRESENT_POSITION] * 64)
    with pytest.raises(WireError, match="fit"):
        bear.write(1, [(P_GAIN_FORCE, 1.0), (D_GAIN_FORCE, 1.0)] * 26)
    with pytest.raises(WireError, match="present_position"):
        bear.write(1, [(PRESENT_POSITION, 0.0)])
    with pytest.raises(WireError, match="unknown"):
        bear.decode_request(bytes.fromhex("ffff010207f5"))
    with pytest.raises(WireError, match="whole registers"):
        bear.decode_writes(Request(1, Instruction.WRITE_STATUS, b"1234"))
    with pytest.raises(WireError, match="out of range"):
        bear.set_position(1, float("nan"), 0.1)


def test_a_reply_of_another_length_has_no_values() -> None:
    with pytest.raises(WireError, match="4 bytes for 2"):
        Reply(1, 0x80, bytes(4)).values(STATUS[:2])


def test_set_position_and_save_are_requests() -> None:
    request = bear.decode_request(bear.set_position(3, 0.5, 0.125))
    assert request.instruction is Instruction.SET_POSITION
    assert struct.unpack("<2f", request.parameters) == (0.5, 0.125)
    assert bear.decode_request(bear.save_config(3)) == Request(3, Instruction.SAVE_CONFIG)
