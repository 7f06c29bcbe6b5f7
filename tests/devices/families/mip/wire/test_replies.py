"""Answers of the inertial unit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.families.mip.wire import commands, packet, replies
from devices.families.mip.wire.replies import Reply
from devices.wire.fletcher import fletcher


def test_published_answer() -> None:
    # Captured from a unit: the answer to resume.
    answer = bytes.fromhex("7565010404F10600DA74")
    assert replies.encode(Reply(commands.RESUME, 0)) == answer
    (reply,) = replies.decode(answer)
    assert reply.ok
    assert reply.words == "resume: done"


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (1, "stream: unknown command"),
        (2, "stream: bad checksum"),
        (3, "stream: bad parameter"),
        (4, "stream: failed"),
        (5, "stream: timed out"),
        (9, "stream: refused with code 9"),
    ],
)
def test_every_refusal_has_words(code: int, words: str) -> None:
    (reply,) = replies.decode(replies.encode(Reply(commands.STREAM, code)))
    assert not reply.ok
    assert reply.words == words


def test_one_packet_answers_several_commands() -> None:
    fields = [packet.field(0xF1, b"\x11\x00"), packet.field(0xF1, b"\x11\x03")]
    assert [r.code for r in replies.decode(packet.packet(0x0C, *fields))] == [0, 3]
    assert replies.decode(packet.packet(0x80, *fields)) == []
    assert Reply((0x7F, 0x42), 0).words == "command 7F,42: done"


def test_device_info_there_and_back() -> None:
    info = replies.DeviceInfo(1120, "3DM-CV7-AHRS", "6286-9910", "6286.161453", "-", "8g, 500dps")
    answer = replies.encode(Reply(commands.DEVICE_INFO, 0), replies.encode_device_info(info))
    assert [reply.ok for reply in replies.decode(answer)] == [True]
    kind, content = packet.fields(answer)[1]
    assert kind == replies.DEVICE_INFO_FIELD
    assert len(content) == 82
    assert replies.decode_device_info(content) == info
    assert replies.decode_device_info(content[:-1]) is None


def test_the_base_rate_of_an_answer() -> None:
    assert replies.encode_base_rate(0x80, 1000) == bytes.fromhex("058E8003E8")
    assert replies.decode_base_rate(bytes.fromhex("8003E8")) == (0x80, 1000)
    assert replies.decode_base_rate(b"\x80\x03") is None


u8, u16 = st.integers(0, 255), st.integers(0, 0xFFFF)
words = st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=16)
COMMANDS = st.one_of(
    st.sampled_from([commands.PING, commands.STREAM, commands.SETTINGS]), st.tuples(u8, u8)
)


@given(COMMANDS, u8, u8, u16)
def test_answers_there_and_back(
    command: commands.Command, code: int, descriptor_set: int, rate_hz: int
) -> None:
    made = replies.encode(Reply(command, code), replies.encode_base_rate(descriptor_set, rate_hz))
    assert packet.scanner().feed(made) == [made]
    of_data = command[0] >= 0x80
    assert replies.decode(made) == ([] if of_data else [Reply(command, code)])
    _, content = packet.fields(made)[1]
    assert replies.decode_base_rate(content) == (descriptor_set, rate_hz)


@given(st.builds(replies.DeviceInfo, u16, words, words, words, words, words))
def test_any_plate_there_and_back(info: replies.DeviceInfo) -> None:
    ((_, content),) = packet.fields(packet.packet(0x01, replies.encode_device_info(info)))
    assert replies.decode_device_info(content) == info


@given(st.integers(0, 255), st.binary(max_size=100))
def test_no_answer_is_too_odd(kind: int, payload: bytes) -> None:
    body = b"\x75\x65" + bytes((kind, len(payload))) + payload
    for reply in replies.decode(body + fletcher(body)):
        assert reply.words
    replies.decode_device_info(payload)
    replies.decode_base_rate(payload)
