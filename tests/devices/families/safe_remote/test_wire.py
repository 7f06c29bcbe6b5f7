"""The wireless stop: in doubt the robot stands."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.families.safe_remote import wire as safe_remote
from devices.families.safe_remote.wire import Heartbeat, Mode, Type
from devices.wire.fletcher import fletcher

u8 = st.integers(0, 255)
u32 = st.integers(0, 2**32 - 1)
axes = st.lists(st.floats(-1, 1), min_size=6, max_size=6)
WELL = Heartbeat(Mode.OPERATIONAL, 0, 0)


def _data(made: bytes) -> bytes:
    assert safe_remote.scanner().feed(made) == [made]
    return made[4:-2]


def test_published_heartbeat() -> None:
    # research/hardware.md §3, recomputed from VehicleInterface.c
    assert safe_remote.our_heartbeat(stop=False) == bytes.fromhex("100121010033B9")
    assert safe_remote.our_heartbeat(stop=True)[4] == 1


def test_layouts_follow_the_published_structures() -> None:
    # humanisticrobotics/hri-safe-remote-control-system, VehicleMessages.h
    beat = safe_remote.encode_heartbeat(Heartbeat(0x09, 0x02, 0x41))
    assert (beat[2], _data(beat).hex()) == (0x20, "090241000000")
    heard = safe_remote.decode_heartbeat(beat)
    assert heard is not None
    assert (heard.mode, heard.autonomy, heard.stop) == (Mode.OPERATIONAL, 2, 0x41)
    stick = safe_remote.encode_joystick((-1.0, 0.0, 0.0, 0.0, 0.0, 1.0), 0b0010_0001)
    assert stick[2] == 0x10
    assert _data(stick).hex() == "c4ff" + "0100" * 4 + "d0ff" + "01" + "04"
    assert _data(safe_remote.feedback(10, -2)).hex() == "0afeffffff"
    assert _data(safe_remote.text(0, "READY")) == b"\x5aREADY" + bytes(15)
    kinds = (Type.OUR_HEARTBEAT, Type.FEEDBACK, Type.TEXT)
    made = (safe_remote.our_heartbeat(False), safe_remote.feedback(1, 1), safe_remote.text(3, ""))
    assert tuple(map(safe_remote.kind_of, made)) == kinds


@given(st.builds(Heartbeat, u8, u8, u32))
def test_heartbeats_there_and_back(heartbeat: Heartbeat) -> None:
    made = safe_remote.encode_heartbeat(heartbeat)
    assert safe_remote.decode_heartbeat(made) == heartbeat
    assert bool(safe_remote.stop_words(heartbeat.stop)) == bool(heartbeat.stop)


@given(axes, u8)
def test_joysticks_there_and_back(values: list[float], buttons: int) -> None:
    joystick = safe_remote.decode_joystick(safe_remote.encode_joystick(values, buttons))
    assert joystick is not None
    assert joystick.axes == pytest.approx(values, abs=0.5 / 1023 + 1e-9)
    assert joystick[1:] == (buttons, False)


@given(st.integers(-(2**31), 2**31 - 1), u8)
def test_feedback_there_and_back(value: int, key: int) -> None:
    assert safe_remote.decode_feedback(safe_remote.feedback(key, value)) == (key, value)


@given(st.text(max_size=40), st.integers(0, 3))
def test_any_text_fits_a_row(words: str, row: int) -> None:
    back = safe_remote.decode_text(safe_remote.text(row, words))
    assert back is not None
    assert back[0] == 90 + row
    assert len(back[1]) == min(len(words), 20)


@pytest.mark.parametrize("stop", [False, True])
def test_our_heartbeat_there_and_back(stop: bool) -> None:
    assert safe_remote.decode_our_heartbeat(safe_remote.our_heartbeat(stop)) is stop


def test_an_odd_heartbeat_of_ours_is_a_stop() -> None:
    assert safe_remote.decode_our_heartbeat(safe_remote.packet(0x21, b""))
    assert safe_remote.decode_our_heartbeat(safe_remote.packet(0x21, b"\0\0"))


@pytest.mark.parametrize(
    ("stop", "words"),
    [
        (0x00, ""),
        (0x01, "the handset"),
        (0x04, "the vehicle controller"),
        (0x40, "this computer"),
        (0x45, "the handset, the vehicle controller, this computer"),
        (0x02, "the handset (error)"),
        (0x0C, "the vehicle controller (not available)"),
        (0x10, "an unknown source"),
        (0x01000001, "the handset, an unknown source"),
    ],
)
def test_the_sources_of_a_stop_are_named(stop: int, words: str) -> None:
    assert safe_remote.stop_words(stop) == words


def test_only_a_fresh_clear_and_operational_heartbeat_lets_it_run() -> None:
    assert safe_remote.may_run(WELL, 10.0, 9.9)
    assert not safe_remote.may_run(None, 10.0, 9.9)
    assert not safe_remote.may_run(WELL, 10.0, 9.7)
    assert not safe_remote.may_run(WELL, 10.0, 10.1)
    assert not safe_remote.may_run(WELL, 10.0, math.nan)
    for stop in (1, 2, 4, 64, 1 << 31):
        assert not safe_remote.may_run(WELL._replace(stop=stop), 10.0, 9.9)
    for mode in (Mode.SEARCHING, Mode.LOCAL, Mode.MENU, Mode.PAUSE, 0, 0xFF):
        assert not safe_remote.may_run(WELL._replace(mode=mode), 10.0, 9.9)


@pytest.mark.parametrize(
    "word",
    [
        0xFFC0,  # no direction at all
        0xFFC5,  # neutral and negative
        0xFFD4,  # negative and positive
        0xFFC2,  # error
        0xFFF0,  # not available
    ],
)
def test_an_axis_in_doubt_is_let_go(word: int) -> None:
    good = safe_remote.encode_joystick((0.5,) * 6, 0)[4:-2]
    made = safe_remote.packet(Type.JOYSTICK, word.to_bytes(2, "little") + good[2:])
    joystick = safe_remote.decode_joystick(made)
    assert joystick is not None
    assert joystick.axes[0] == 0.0
    assert joystick.axes[1] == pytest.approx(0.5, abs=1e-3)
    assert joystick.doubt


@pytest.mark.parametrize("switches", [b"\x0e\x00", b"\x00\x0e", b"\x80\x00", b"\x00\xc0"])
def test_a_switch_in_doubt_is_not_pressed(switches: bytes) -> None:
    good = safe_remote.encode_joystick((0.0,) * 6, 0)[4:-2]
    made = safe_remote.packet(Type.JOYSTICK, good[:-2] + switches)
    assert safe_remote.decode_joystick(made) == ((0.0,) * 6, 0, True)


@given(u8, st.binary(max_size=248))
def test_any_packet_can_be_read(kind: int, data: bytes) -> None:
    whole = safe_remote.packet(kind, data)
    assert safe_remote.scanner().feed(whole) == [whole]
    safe_remote.decode_heartbeat(whole)
    safe_remote.decode_joystick(whole)
    safe_remote.decode_feedback(whole)
    safe_remote.decode_text(whole)
    safe_remote.decode_our_heartbeat(whole)


def test_a_length_beyond_the_protocol_is_neither_made_nor_waited_for() -> None:
    with pytest.raises(ValueError, match="at most 248 bytes, not 249"):
        safe_remote.packet(0x30, bytes(249))
    body = bytes((0x10, 0x01, 0x30, 249)) + bytes(249)
    scanner = safe_remote.scanner()
    assert scanner.feed(body + fletcher(body)) == []
    assert scanner.dropped == 255
