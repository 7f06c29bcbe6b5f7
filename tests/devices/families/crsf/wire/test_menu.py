"""The robot's page in the handset's menu."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.families.crsf.wire import frame, menu
from devices.families.crsf.wire.frame import Address, Type
from devices.families.crsf.wire.menu import Chunk, Device, Kind, Status

u32 = st.integers(0, 2**32 - 1)
u8 = st.integers(0, 255)
names = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=30)
words = names.filter(lambda text: ";" not in text)


def test_published_device_info() -> None:
    # ExpressLRS, src/test/test_crsf: "testing", serial "ELRS", sent to the flight controller
    device = Device("testing", 0x454C5253, 0, 0, 0, 0)
    made = menu.encode_device(device, Address.ROBOT, Address.RECEIVER)
    assert made[:5] == bytes((0xC8, 26, 0x29, 0xC8, 0xEC))
    assert frame.content_of(made) == bytes.fromhex("74657374696e6700454c5253") + bytes(10)
    assert len(made) == 28
    assert frame.scanner().feed(made) == [made]
    assert menu.decode_device(made) == device


def test_more_published_frames() -> None:
    # Tellicious/ADV-RCProtocols, tests/test_CRSF.c
    info = bytes.fromhex("C81B29EAC8435253462D4445560012345678000100020003000405 02C6")
    device = Device("CRSF-DEV", 0x12345678, 0x00010002, 0x00030004, 5, 2)
    assert menu.decode_device(info) == device
    assert menu.encode_device(device, Address.HANDSET, Address.ROBOT) == info
    asked, told = bytes.fromhex("C8062CC8EA01023B"), bytes.fromhex("C8062DC8EA012A00")
    assert (menu.read(1, 2), menu.decode_read(asked)) == (asked, (1, 2))
    assert (menu.write(1, b"\x2a"), menu.decode_write(told)) == (told, (1, b"\x2a"))


@given(st.builds(Device, names, u32, u32, u32, u8, u8))
def test_devices_there_and_back(device: Device) -> None:
    assert menu.decode_device(menu.encode_device(device)) == device


@given(u8, u8)
def test_reads_there_and_back(number: int, chunk: int) -> None:
    made = menu.read(number, chunk)
    assert frame.kind_of(made) == Type.PARAMETER_READ
    assert frame.addresses_of(made) == (Address.ROBOT, Address.HANDSET)
    assert menu.decode_read(made) == (number, chunk)


@given(u8, st.binary(max_size=57))
def test_writes_there_and_back(number: int, value: bytes) -> None:
    made = menu.write(number, value)
    assert frame.kind_of(made) == Type.PARAMETER_WRITE
    assert menu.decode_write(made) == (number, value)


def _through_chunks(entry: bytes) -> bytes:
    """Fetch a parameter as a handset does."""
    whole = b""
    for number in range(10):
        made = menu.encode_chunk(7, entry, number)
        assert frame.scanner().feed(made) == [made]
        chunk = menu.decode_chunk(made)
        assert chunk is not None
        assert chunk.number == 7
        whole += chunk.part
        if chunk.remaining == 0:
            break
    return whole


@given(names, st.lists(words, min_size=1, max_size=12), st.data())
def test_a_selection_of_any_length_comes_through(
    name: str, options: list[str], data: st.DataObject
) -> None:
    value = data.draw(st.integers(0, len(options) - 1))
    whole = _through_chunks(menu.selection(3, name, options, value))
    entry = menu.decode_entry(whole)
    assert entry is not None
    assert entry[:3] == (3, Kind.SELECTION, name)
    assert not entry.hidden
    assert menu.decode_selection(entry.content) == (tuple(options), value)


def test_the_other_kinds_follow_the_specification() -> None:
    assert menu.folder(0, "ROOT", [1, 2]) == b"\x00\x0bROOT\x00\x01\x02\xff"
    assert menu.info(0, "Mode", "READY") == b"\x00\x0cMode\x00READY\x00"
    started = menu.command(2, "Sit", Status.PROGRESS, "sitting", 2.5)
    assert started == b"\x02\x0dSit\x00\x02\x19sitting\x00"
    entry = menu.decode_entry(started)
    assert entry is not None
    assert menu.decode_command(entry.content) == (Status.PROGRESS, 2.5, "sitting")


def test_a_long_parameter_counts_its_chunks_down() -> None:
    entry = menu.info(0, "Alarm", "x" * 120)
    chunks = [menu.decode_chunk(menu.encode_chunk(1, entry, number)) for number in range(4)]
    assert [chunk.remaining for chunk in chunks if chunk] == [2, 1, 0, 0]
    assert chunks[3] == Chunk(1, 0, bytes((0, Kind.OUT_OF_RANGE)))


def test_a_hidden_parameter_is_marked() -> None:
    entry = menu.decode_entry(b"\x00\x8cx\x00y\x00")
    assert entry is not None
    assert (entry.kind, entry.hidden) == (Kind.INFO, True)


@given(st.sampled_from([0x28, 0x29, 0x2B, 0x2C, 0x2D]), st.binary(max_size=60))
def test_any_frame_can_be_read(kind: int, payload: bytes) -> None:
    whole = frame.frame(kind, payload)
    menu.decode_device(whole)
    menu.decode_read(whole)
    menu.decode_write(whole)
    menu.decode_chunk(whole)
    entry = menu.decode_entry(payload)
    if entry:
        menu.decode_selection(entry.content)
        menu.decode_command(entry.content)


def test_a_name_too_long_is_refused() -> None:
    with pytest.raises(ValueError, match="at most 60 bytes"):
        menu.encode_device(Device("x" * 60, 0, 0, 0, 0, 0))
