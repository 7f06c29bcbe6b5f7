"""Commands to the inertial unit, and how its twin understands them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.families.mip.wire import commands, packet
from devices.families.mip.wire.commands import Function
from devices.wire.fletcher import fletcher

# Frames of ours as bytes; the first of each comment says where the bytes come from.
VECTORS = {
    # research/hardware.md §2: recomputed there from mip_sdk's definitions
    "ping": (commands.ping(), "756501020201E0C6"),
    "idle": (commands.idle(), "756501020202E1C7"),
    "resume": (commands.resume(), "756501020206E5CB"),
    "base rate": (commands.base_rate(0x80), "75650C03030E807A7E"),
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


def _content(made: bytes) -> list[tuple[int, bytes]]:
    assert packet.scanner().feed(made) == [made]
    return packet.fields(made)


def test_commands_without_a_vector_follow_their_definition() -> None:
    assert _content(commands.device_info()) == [(0x03, b"")]
    assert _content(commands.stream(0x82, on=False)) == [(0x11, b"\x01\x82\x00")]
    assert _content(commands.settings(Function.SAVE)) == [(0x30, b"\x03")]
    assert _content(commands.settings(Function.LOAD)) == [(0x30, b"\x04")]
    assert _content(commands.filter_reset()) == [(0x01, b"")]
    assert _content(commands.initial_heading(1.0)) == [(0x03, b"\x3f\x80\x00\x00")]
    off = commands.aiding(commands.MAGNETOMETER, on=False)
    assert _content(off) == [(0x50, b"\x01\x00\x04\x00")]
    assert packet.descriptor_set(off) == commands.FILTER


ENTRIES = ((0xD5, 1), (0x04, 2))
REQUESTS = [
    (commands.ping(), commands.PING, (), ()),
    (commands.idle(), commands.IDLE, (), ()),
    (commands.device_info(), commands.DEVICE_INFO, (), ()),
    (commands.resume(), commands.RESUME, (), ()),
    (commands.baud_rate(460800, 2), commands.BAUD_RATE, (1, 2, 460800), ()),
    (commands.base_rate(0x82), commands.BASE_RATE, (0x82,), ()),
    (commands.message_format(0x80, ENTRIES), commands.MESSAGE_FORMAT, (1, 0x80, 2), ENTRIES),
    (commands.message_format(0x80, ()), commands.MESSAGE_FORMAT, (1, 0x80, 0), ()),
    (commands.settings(Function.DEFAULT), commands.SETTINGS, (5,), ()),
    (commands.filter_reset(), commands.FILTER_RESET, (), ()),
    (commands.initial_heading(-0.5), commands.INITIAL_HEADING, (-0.5,), ()),
    (commands.aiding(4, False), commands.AIDING, (1, 4, 0), ()),
]


@pytest.mark.parametrize(("made", "command", "arguments", "entries"), REQUESTS)
def test_the_unit_understands_each_command(
    made: bytes,
    command: commands.Command,
    arguments: tuple[float, ...],
    entries: tuple[tuple[int, int], ...],
) -> None:
    assert commands.requests(made) == [(command, arguments, entries, True)]


def test_two_streams_are_two_requests() -> None:
    first, second = commands.requests(commands.stream(0x80, 0x82))
    assert (first.command, first.arguments) == (commands.STREAM, (1, 0x80, 1))
    assert (second.command, second.arguments) == (commands.STREAM, (1, 0x82, 1))


def test_unknown_commands_are_marked() -> None:
    odd = [
        packet.packet(0x0C, packet.field(0x7E, b"\x01")),  # no such command
        packet.packet(0x01, packet.field(0x09, b"\x01\x01")),  # too short
        packet.packet(0x0C, packet.field(0x0F, b"\x01\x80\x02\x04\x00\x01")),  # an entry lacks
    ]
    assert [request.known for made in odd for request in commands.requests(made)] == [False] * 3


@given(st.integers(0, 255), st.binary(max_size=120))
def test_no_command_is_too_odd(kind: int, payload: bytes) -> None:
    body = b"\x75\x65" + bytes((kind, len(payload))) + payload
    for request in commands.requests(body + fletcher(body)):
        assert len(request.entries) <= 60
