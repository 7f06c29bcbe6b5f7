"""Commands to the inertial unit and its answers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.wire.fletcher import fletcher
from devices.wire.mip import commands, packet
from devices.wire.mip.commands import Function

# Frames of ours as bytes; the first of each comment says where the bytes come from.
VECTORS = {
    # research/hardware.md §2: recomputed there from mip_sdk's definitions
    "ping": (commands.ping(), "756501020201E0C6"),
    "idle": (commands.idle(), "756501020202E1C7"),
    "resume": (commands.resume(), "756501020206E5CB"),
    "base rate": (commands.read_base_rate(0x80), "75650C03030E807A7E"),
    "baud rate": (commands.baud_rate(921600), "7565010808090101000E100014F9"),
    "sensor format": (
        commands.message_format(0x80, [(0xD5, 1), (0x04, 1), (0x05, 1)]),
        "75650C0E0E0F018003D500010400010500017662",
    ),
    "attitude format": (
        commands.message_format(0x82, [(0xD5, 1), (0x03, 1), (0x0E, 1), (0x10, 1)]),
        "75650C11110F018204D500010300010E000110000198B4",
    ),
    "streams": (commands.stream(0x80, 0x82), "75650C0A051101800105110182012243"),
    # LORD-MicroStrain/mip_sdk, test/data/packet_example_cpp_check.txt
    "decimated format": (
        commands.message_format(0x80, [(0xD5, 10), (0x04, 10), (0x05, 10)]),
        "75650C0E0E0F018003D5000A04000A05000A91CE",
    ),
}


@pytest.mark.parametrize("name", VECTORS)
def test_published_commands(name: str) -> None:
    made, expected = VECTORS[name]
    assert made == bytes.fromhex(expected)


def test_published_answer() -> None:
    # Captured from a unit: the answer to resume.
    answer = bytes.fromhex("7565010404F10600DA74")
    assert commands.acknowledge(commands.BASE, 0x06) == answer
    (reply,) = commands.replies(answer)
    assert reply.ok
    assert reply.words == "resume: done"


def _content(made: bytes) -> list[tuple[int, bytes]]:
    assert packet.scanner().feed(made) == [made]
    return packet.fields(made)


def test_commands_without_a_vector_follow_their_definition() -> None:
    assert _content(commands.device_info()) == [(0x03, b"")]
    assert _content(commands.stream(0x82, on=False)) == [(0x11, b"\x01\x82\x00")]
    assert _content(commands.settings(Function.SAVE)) == [(0x30, b"\x03")]
    assert _content(commands.settings(Function.LOAD)) == [(0x30, b"\x04")]
    assert _content(commands.baud_rate(0, function=Function.READ)) == [(0x09, b"\x02\x01")]
    assert _content(commands.filter_reset()) == [(0x01, b"")]
    assert _content(commands.initial_heading(1.0)) == [(0x03, b"\x3f\x80\x00\x00")]
    off = commands.aiding(commands.MAGNETOMETER, on=False)
    assert _content(off) == [(0x50, b"\x01\x00\x04\x00")]
    assert packet.descriptor_set(off) == commands.FILTER


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
    (reply,) = commands.replies(commands.acknowledge(commands.MEASURE, 0x11, code))
    assert not reply.ok
    assert reply.words == words


def test_one_packet_answers_several_commands() -> None:
    fields = [packet.field(0xF1, b"\x11\x00"), packet.field(0xF1, b"\x11\x03")]
    assert [r.code for r in commands.replies(packet.packet(0x0C, *fields))] == [0, 3]
    assert commands.replies(packet.packet(0x80, *fields)) == []
    assert commands.Reply(0x7F, 0x42, 0).words == "command 7F,42: done"


def test_device_info_there_and_back() -> None:
    info = commands.DeviceInfo(1120, "3DM-CV7-AHRS", "6286-9910", "6286.161453", "-", "8g, 500dps")
    answer = commands.acknowledge(commands.BASE, 0x03, 0, commands.encode_device_info(info))
    assert [reply.ok for reply in commands.replies(answer)] == [True]
    kind, content = packet.fields(answer)[1]
    assert kind == commands.DEVICE_INFO
    assert len(content) == 82
    assert commands.decode_device_info(content) == info
    assert commands.decode_device_info(content[:-1]) is None


def test_the_base_rate_of_an_answer() -> None:
    assert commands.decode_base_rate(bytes.fromhex("8003E8")) == (0x80, 1000)
    assert commands.decode_base_rate(b"\x80\x03") is None


@given(st.integers(0, 255), st.binary(max_size=100))
def test_no_answer_is_too_odd(kind: int, payload: bytes) -> None:
    body = b"\x75\x65" + bytes((kind, len(payload))) + payload
    for reply in commands.replies(body + fletcher(body)):
        assert reply.words
    commands.decode_device_info(payload)
    commands.decode_base_rate(payload)
