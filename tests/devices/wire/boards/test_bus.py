"""Boards on a bus of actuators."""

import pytest

from devices.wire.bear.packet import Instruction, Reply, Request, decode_request
from devices.wire.bear.stream import ReplyStream, RequestStream
from devices.wire.boards import bus
from devices.wire.boards.layout import Kind
from devices.wire.errors import WireError
from devices.wire.frame import Frame
from tests.devices.wire.boards.examples import EXAMPLES

STATUS = Frame(Kind.CONTACTS, 0x60, 5, 1000, EXAMPLES["Contacts"].encode())
COMMAND = Frame(Kind.HAND_COMMAND, 0xE2, 5, 1000, EXAMPLES["HandCommand"].encode())


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


def test_what_is_not_for_a_board_is_refused() -> None:
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
