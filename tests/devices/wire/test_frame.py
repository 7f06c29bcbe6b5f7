"""The boards' frame: round trips, noise, gaps."""

import random
import struct
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.wire import cobs
from devices.wire.checksums import crc16
from devices.wire.errors import WireError
from devices.wire.frame import (
    MOST_PAYLOAD,
    VERSION,
    Frame,
    FrameStream,
    elapsed_us,
    find_frames,
)

frames = st.builds(
    Frame,
    st.integers(0, 255),
    st.integers(0, 255),
    st.integers(0, 0xFFFF),
    st.integers(0, 0xFFFFFFFF),
    st.binary(max_size=MOST_PAYLOAD),
)
noise = st.one_of(
    st.binary(max_size=300),
    st.lists(st.sampled_from([b"\0", b"\x01", b"\x02\x01", b"\xff"]), max_size=300).map(b"".join),
)
cuts = st.lists(st.integers(0, 2000), max_size=10)


def row(sources: list[Frame]) -> list[Frame]:
    """The same frames as a source would number them."""
    return [Frame(f.kind, 7, i, f.t_us, f.payload) for i, f in enumerate(sources)]


def pieces(data: bytes, at: list[int]) -> list[bytes]:
    places = [0, *sorted(cut % (len(data) + 1) for cut in at), len(data)]
    return [data[a:b] for a, b in zip(places, places[1:], strict=False)]


@given(frames)
def test_a_frame_comes_back(frame: Frame) -> None:
    stream = FrameStream()
    assert stream.feed(frame.encode()) == [frame]
    assert Frame.of(frame.body()) == frame


@given(noise, st.lists(frames, min_size=1, max_size=5), cuts)
def test_noise_costs_no_frame_behind_it(before: bytes, sent: list[Frame], at: list[int]) -> None:
    stream = FrameStream()
    good = row(sent)
    data = before + b"".join(frame.encode() for frame in good)
    found = [frame for piece in pieces(data, at) for frame in stream.feed(piece)]
    assert found == good


def test_noise_at_line_rate_costs_no_frame_behind_it() -> None:
    chance = random.Random(5)
    good = row([Frame(1, 7, 0, 0, chance.randbytes(20 * i)) for i in range(4)])
    for i in range(600):
        stream = FrameStream()
        noise = chance.randbytes(chance.randrange(1, 400)) + chance.randbytes(3) * (i % 50)
        found = [frame for part in (noise, *map(Frame.encode, good)) for frame in stream.feed(part)]
        assert found == good


@given(st.binary(max_size=1500), cuts)
def test_any_bytes_are_taken_calmly_however_they_are_cut(data: bytes, at: list[int]) -> None:
    counts = []
    for cut in (at, []):
        stream = FrameStream()
        for piece in pieces(data, cut):
            stream.feed(piece)
        stream.feed(b"\0")
        counts.append((stream.bad_frames, stream.noise_bytes))
    assert counts[0] == counts[1]


def plainly(data: bytes) -> tuple[list[Frame], int, int]:
    """What a stream finds, and stretches and bytes that are no frame, a stretch at a time."""
    found, bad, noise = [], 0, 0
    for stretch in filter(None, data.split(b"\0")[:-1]):
        try:
            found.append(Frame.of(cobs.decode(stretch)))
        except WireError:
            bad, noise = bad + 1, noise + len(stretch)
    return found, bad, noise


@given(st.lists(st.one_of(noise, frames.map(Frame.encode)), max_size=8), st.data())
def test_the_kernel_finds_the_frames_of_plain_python(
    parts: list[bytes], data: st.DataObject
) -> None:
    sent = bytearray(b"".join(parts) + b"\0")
    for _ in range(data.draw(st.integers(0, 3))):
        sent[data.draw(st.integers(0, len(sent) - 1))] = data.draw(st.integers(0, 255))
    sent += b"\0"
    rows = np.zeros((len(sent), 7), dtype=np.int64)
    told = bytearray(sent)
    count, last, bad, lost = find_frames(told, rows)
    good = rows[:count][rows[:count, 0] == VERSION].tolist()
    found = [
        Frame(kind, source, sequence, t_us, bytes(told[begin:end]))
        for _, kind, source, sequence, t_us, begin, end in good
    ]
    assert (found, bad, lost) == plainly(bytes(sent))
    assert last == len(sent)


def test_more_frames_than_the_kernel_finds_at_once_are_all_taken() -> None:
    sent = row([Frame(1, 7, 0, i, bytes((i & 0xFF,))) for i in range(200)])
    stream = FrameStream()
    assert stream.feed(b"".join(frame.encode() for frame in sent)) == sent


@given(frames, st.data())
def test_a_changed_byte_is_noticed(frame: Frame, data: st.DataObject) -> None:
    body = bytearray(frame.body())
    body[data.draw(st.integers(0, len(body) - 1))] ^= data.draw(st.integers(1, 255))
    with pytest.raises(WireError):
        Frame.of(bytes(body))


def test_gaps_repeats_and_restarts_are_counted() -> None:
    stream = FrameStream()
    found = []
    for sequence in (65534, 65535, 0, 3, 3, 4):
        found += stream.feed(Frame(1, 9, sequence, 0, b"").encode())
    assert [frame.sequence for frame in found] == [65534, 65535, 0, 3, 4]
    counts = stream.sources[9]
    assert (counts.good, counts.lost, counts.repeated, counts.restarts) == (5, 2, 1, 0)
    assert stream.feed(Frame(1, 9, 65000, 0, b"").encode())
    assert (counts.lost, counts.restarts) == (2, 1)


def test_another_version_differs_from_noise() -> None:
    body = bytearray(Frame(1, 9, 0, 0, b"x").body()[:-2])
    body[0] = 2
    stuffed = cobs.encode(bytes(body) + struct.pack("<H", crc16(body)))
    stream = FrameStream()
    assert stream.feed(b"\0" + stuffed + b"\0") == []
    assert (stream.other_version, stream.bad_frames) == (1, 1)


def test_values_that_do_not_fit_are_refused() -> None:
    with pytest.raises(WireError, match="201"):
        Frame(1, 1, 0, 0, bytes(201)).body()
    with pytest.raises(WireError, match="fit"):
        Frame(1, 1, 65536, 0, b"").body()


def test_a_clock_that_starts_anew_goes_on() -> None:
    assert elapsed_us(5, 0xFFFFFFFF) == 6


@pytest.mark.parametrize("block", [b"\xff" * 4096, b"\x00\x02" * 2048, bytes(range(256)) * 16])
def test_endless_noise_takes_no_memory(block: bytes) -> None:
    stream = FrameStream()
    stream.feed(block)
    tracemalloc.start()
    try:
        for _ in range(20):
            stream.feed(block)
        grown, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert grown < 10_000
