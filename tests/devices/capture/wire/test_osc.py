"""Open Sound Control: bytes of the specification, round trips, and any bytes."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.capture.errors import CaptureError, Refusal
from devices.capture.wire import osc
from devices.capture.wire.osc import Message

f32 = st.floats(width=32, allow_nan=False, allow_infinity=False)
arguments = st.one_of(
    st.integers(-(2**63), 2**63 - 1),
    f32,
    st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=20),
    st.binary(max_size=20),
    st.sampled_from([True, False, None]),
)
addresses = st.from_regex(r"/[A-Za-z0-9/_.]{0,20}", fullmatch=True)
messages = st.builds(Message, addresses, st.lists(arguments, max_size=16).map(tuple))


def reason(data: bytes) -> Refusal:
    with pytest.raises(CaptureError) as caught:
        osc.decode(data)
    return caught.value.reason


def test_the_examples_of_the_specification() -> None:
    frequency = bytes.fromhex(
        "2f6f7363 696c6c61 746f722f 342f6672 65717565 6e637900 2c660000 43dc0000"
    )
    assert osc.decode(frequency) == [Message("/oscillator/4/frequency", (440.0,))]
    assert Message("/oscillator/4/frequency", (440.0,)).encode() == frequency
    foo = bytes.fromhex(
        "2f666f6f 00000000 2c696973 66660000 000003e8 ffffffff 68656c6c 6f000000 3f9df3b6 40b5b22d"
    )
    (message,) = osc.decode(foo)
    assert message.arguments[:3] == (1000, -1, "hello")
    assert message.arguments[3:] == pytest.approx((1.234, 5.678))
    assert message.encode() == foo


def test_a_message_of_vmc_and_one_without_tags() -> None:
    time = bytes.fromhex("2f564d43 2f457874 2f540000 2c660000 3fc00000")
    assert osc.decode(time) == [Message("/VMC/Ext/T", (1.5,))]
    assert osc.decode(bytes.fromhex("2f676f00")) == [Message("/go")]
    assert osc.decode(bytes.fromhex("2f676f00 2c000000")) == [Message("/go")]


def test_a_bundle_of_bundles_is_read_in_order_whatever_its_time() -> None:
    a, b, c = (Message(f"/{name}", (1,)).encode() for name in "abc")
    nested = osc.bundle([a, osc.bundle([b]), c])
    later = b"#bundle\0" + b"\xff" * 8 + nested[16:]
    for data in (nested, later):
        assert [message.address for message in osc.decode(data)] == ["/a", "/b", "/c"]
    assert osc.decode(osc.bundle([])) == []
    assert reason(osc.bundle([osc.bundle([osc.bundle([a])])])) == Refusal.FORM


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", Refusal.FORM),
        (b"/a", Refusal.FORM),
        (b"go\0\0", Refusal.FORM),
        (b"/*\0\0,\0\0\0", Refusal.FORM),
        (b"/a\0\0,i\0\0\0\0\0", Refusal.FORM),
        (b"/a\0\0,x\0\0", Refusal.FORM),
        (b"/a\0\0,T\0\0more", Refusal.FORM),
        (b"/a\0\0,b\0\0\xff\xff\xff\xff", Refusal.FORM),
        (b"/a\0\0,b\0\0\x7f\xff\xff\xff", Refusal.FORM),
        (b"/a\0\0,f\0\0" + struct.pack(">f", float("nan")), Refusal.NUMBERS),
        (b"/a\0\0,d\0\0" + struct.pack(">d", float("inf")), Refusal.NUMBERS),
        (b"/a\0\0," + b"T" * 17 + bytes(2), Refusal.FORM),
        (b"#bundle\0" + bytes(7), Refusal.FORM),
        (b"#bundle\0" + bytes(8) + b"\0\0\0\x05/a\0\0\0", Refusal.FORM),
        (osc.bundle([b"/a\0\0"] * 65), Refusal.MESSAGES),
        (b"/a\0\0" + bytes(8192), Refusal.SIZE),
    ],
)
def test_what_is_damaged_or_too_much_is_refused(data: bytes, why: Refusal) -> None:
    assert reason(data) == why


@given(st.lists(messages, max_size=10))
def test_messages_come_back_alone_and_in_a_bundle(sent: list[Message]) -> None:
    packets = [message.encode() for message in sent]
    assert osc.decode(osc.bundle(packets)) == sent
    for packet, message in zip(packets, sent, strict=True):
        assert len(packet) % 4 == 0
        assert osc.decode(packet) == [message]


@given(
    st.one_of(
        st.binary(max_size=200),
        st.binary(max_size=100).map(lambda tail: b"/a\0\0,ifsbhdTF" + tail),
        st.binary(max_size=100).map(lambda tail: osc.bundle([b"/a\0\0"]) + tail),
    )
)
def test_any_bytes_are_messages_or_refused(data: bytes) -> None:
    try:
        found = osc.decode(data)
    except CaptureError:
        return
    for message in found:
        message.encode()


@pytest.mark.parametrize("bad", [float("inf"), float("nan"), 2**63, "a\0b"])
def test_what_cannot_be_sent_is_refused(bad: float | str) -> None:
    with pytest.raises(CaptureError):
        Message("/a", (bad,)).encode()
    with pytest.raises(CaptureError):
        Message("a").encode()
    with pytest.raises(CaptureError):
        Message("/a", (1,) * 17).encode()
