"""Boards on a bus of actuators: both ways, in noise, and what is refused."""

import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from devices.families.bear.wire.packet import Instruction, Reply, Request, decode_request
from devices.families.bear.wire.stream import ReplyStream, RequestStream
from devices.families.boards.wire import bus
from devices.families.boards.wire.layout import Kind
from devices.wire.errors import WireError
from devices.wire.frame import MOST_PAYLOAD, Frame
from tests.devices.families.boards.wire.examples import EXAMPLES

STATUS = Frame(Kind.CONTACTS, 0x60, 5, 1000, EXAMPLES["Contacts"].encode())
COMMAND = Frame(Kind.HAND_COMMAND, 0xE2, 5, 1000, EXAMPLES["HandCommand"].encode())
boards = st.integers(bus.FIRST_ID, bus.LAST_ID)


def frames(sources: st.SearchStrategy[int]) -> st.SearchStrategy[Frame]:
    u8, u16, u32 = (st.integers(0, 2**bits - 1) for bits in (8, 16, 32))
    return st.builds(Frame, u8, sources, u16, u32, st.binary(max_size=MOST_PAYLOAD))


@given(frames(boards))
def test_any_status_comes_back(frame: Frame) -> None:
    stream = ReplyStream()
    stream.begin({frame.source: len(frame.body())})
    (reply,) = stream.feed(bus.answer(frame)) + stream.end()
    assert bus.status_of(reply) == frame


@given(frames(boards.map(lambda i: i | 0x80)))
@example(Frame(217, 248, 29, 0x0FFF_FFFF, b""))  # its time looks like the header of a packet
def test_any_command_comes_back(frame: Frame) -> None:
    stream = RequestStream()
    (packet,) = stream.feed(bus.command(frame.source & 0x7F, frame)) + stream.end()
    assert bus.command_of(decode_request(packet)) == frame


@given(boards, st.sampled_from(list(Instruction)), st.binary(max_size=80))
def test_any_bytes_are_a_boards_or_refused(
    board: int, instruction: Instruction, content: bytes
) -> None:
    try:
        assert bus.answer(bus.status_of(Reply(board, 0x80, content)))[5:-1] == content
    except WireError:
        pass
    for parameters in (content, b"\x40" + content):
        try:
            found = bus.command_of(Request(board, instruction, parameters))
        except WireError:
            continue
        assert (b"" if found is None else found.body()) == parameters[1:]


def test_noise_at_line_rate_costs_one_status_at_most_and_makes_none() -> None:
    chance = random.Random(5)
    size = len(STATUS.body())
    header = bytes((0xFF, 0xFF, 0x60, size + 2))
    for i in range(300):
        forged = header + chance.randbytes(size + 2) if i % 2 else header  # with any checksum
        noise = chance.randbytes(chance.randrange(1, 400)) + forged
        stream = ReplyStream()
        found = []
        for told in (noise + bus.answer(STATUS), bus.answer(STATUS)):
            stream.begin({0x60: size})
            for reply in stream.feed(told) + stream.end():
                try:
                    found.append(bus.status_of(reply))
                except WireError:  # its sum was right by chance
                    assert reply.data != STATUS.body()
        assert found[-1:] == [STATUS] and set(found) == {STATUS}


def test_a_board_answers_like_an_actuator() -> None:
    asked = bus.ask(0x60)
    assert asked.hex() == "ffff600302405a"
    assert RequestStream().feed(asked) == [asked]
    assert bus.command_of(decode_request(asked)) is None
    reply = bus.answer(STATUS)
    stream = ReplyStream()
    stream.begin({0x60: len(STATUS.body())})
    (found,) = stream.feed(b"\xff\xff\x60" + reply)
    assert bus.status_of(found) == STATUS


def test_a_command_reaches_its_board() -> None:
    packet = bus.command(0x62, COMMAND)
    (found,) = RequestStream().feed(b"\xff\xff\x62" + packet)
    assert bus.command_of(decode_request(found)) == COMMAND


def test_frames_for_another_board_are_refused() -> None:
    with pytest.raises(WireError, match="not 0x60"):
        bus.ask(1)
    with pytest.raises(WireError, match="not 0x60"):
        bus.answer(COMMAND)
    with pytest.raises(WireError, match="not for board 0x63"):
        bus.command(0x63, COMMAND)
    with pytest.raises(WireError, match="in the name of"):
        bus.status_of(Reply(0x61, 0x80, STATUS.body()))
    for request in (
        Request(0x60, Instruction.PING),
        Request(0x60, Instruction.READ_STATUS, b"\x09"),
        Request(0x60, Instruction.READ_STATUS, b"\x40\x40"),
        Request(0x60, Instruction.WRITE_STATUS, b"\x40damaged"),
    ):
        with pytest.raises(WireError):
            bus.command_of(request)
