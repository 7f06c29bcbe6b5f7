"""Frames are found in whatever a line carries."""

import dataclasses
import random
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devices.families.crsf.wire import frame as crsf
from devices.families.crsf.wire import packed
from devices.families.mip.wire import packet as mip
from devices.families.mip.wire import sample
from devices.families.safe_remote import wire as safe_remote
from devices.wire.scanner import Framing, Scanner
from tests.devices.wire import noise
from tests.draws import share

MIP = [sample.encode((0.1 * i, 0.2, -9.8), (0.01, 0.02 * i, 0.03), i * 10**6) for i in range(8)]
CRSF = [packed.encode([172 + 97 * (i + c) % 1600 for c in range(16)]) for i in range(8)]
REMOTE = [safe_remote.encode_joystick((0.1 * i, 0, 0, -0.1 * i, 0.5, 1), i) for i in range(8)]

brief = settings(max_examples=share(50))  # each of these tests runs once a line

LINES = pytest.mark.parametrize(
    ("make", "frames", "headers"),
    [
        (mip.scanner, MIP, [b"\x75\x65\x80\xff", b"\x75\x65\x80\x26", b"\x75\x65"]),
        (crsf.scanner, CRSF, [b"\xc8\x3e", b"\xc8\x18\x16", b"\x00\x02"]),
        (safe_remote.scanner, REMOTE, [b"\x10\x01\x20\xf8", b"\x10\x01\x10\x0e", b"\x10\x01"]),
    ],
    ids=["mip", "crsf", "safe remote"],
)


@LINES
def test_frames_alone_are_all_found_however_they_are_cut(make, frames, headers) -> None:  # type: ignore[no-untyped-def]
    @brief
    @given(st.data())
    def check(data: st.DataObject) -> None:
        scanner = make()
        assert noise.feed(scanner, data.draw(noise.chunks(b"".join(frames)))) == frames
        assert (scanner.good, scanner.bad, scanner.dropped) == (len(frames), 0, 0)

    check()


@LINES
def test_any_bytes_are_accounted_for_and_few_are_kept(make, frames, headers) -> None:  # type: ignore[no-untyped-def]
    pieces = st.one_of(*(noise.deceptive(header) for header in headers), st.sampled_from(frames))

    @brief
    @given(st.lists(pieces, max_size=8).map(b"".join), st.data())
    def check(fed: bytes, data: st.DataObject) -> None:
        scanner: Scanner = make()
        found = noise.feed(scanner, data.draw(noise.chunks(fed)))
        assert noise.accounts_for(scanner, fed, found)
        scanner.reset()
        assert scanner.dropped + sum(map(len, found)) == len(fed)

    check()


@LINES
def test_all_good_frames_after_the_second_are_found_behind_any_noise(make, frames, headers) -> None:  # type: ignore[no-untyped-def]
    @brief
    @given(st.one_of(*(noise.deceptive(header) for header in headers)), st.data())
    def check(disorder: bytes, data: st.DataObject) -> None:
        scanner = make()
        fed = frames[0] + disorder + b"".join(frames)
        found = noise.feed(scanner, data.draw(noise.chunks(fed)))
        assert found[-len(frames) + 2 :] == frames[2:]

    check()


@LINES
def test_frames_between_noise_without_headers_are_all_found(make, frames, headers) -> None:  # type: ignore[no-untyped-def]
    @brief
    @given(st.lists(st.binary(max_size=40).map(_without_headers), min_size=8, max_size=8))
    def check(noises: list[bytes]) -> None:
        fed = b"".join(a + b for a, b in zip(noises, frames, strict=True))
        assert noise.feed(make(), [fed]) == frames

    check()


def _without_headers(data: bytes) -> bytes:
    return bytes(byte | 1 if byte | 1 != 0x75 else 1 for byte in data)


@LINES
def test_noise_at_line_rate_costs_two_frames_at_most(make, frames, headers) -> None:  # type: ignore[no-untyped-def]
    chance = random.Random(5)
    noises = [chance.randbytes(chance.randrange(1, 400)) for _ in range(300)]
    noises += [n + headers[i % 3] + chance.randbytes(i % 7) for i, n in enumerate(noises)]
    assert max(noise.lost_after_noise(make, noises, frames)) <= 2


@LINES
def test_a_false_length_delays_the_stream_by_two_frames(make, frames, headers) -> None:  # type: ignore[no-untyped-def]
    scanner = make()
    assert scanner.feed(frames[0]) == frames[:1]
    assert scanner.feed(headers[0]) == []
    assert scanner.feed(frames[1]) == []
    assert scanner.feed(frames[2]) == frames[1:3]
    assert scanner.dropped == len(headers[0])


@pytest.mark.parametrize(
    ("make", "frames", "wrap"),
    [
        (mip.scanner, MIP, lambda inner: mip.packet(0x80, inner)),
        (crsf.scanner, CRSF, lambda inner: crsf.frame(0x21, inner)),
        (safe_remote.scanner, REMOTE, lambda inner: safe_remote.packet(0x31, inner)),
    ],
    ids=["mip", "crsf", "safe remote"],
)
def test_noise_that_passes_its_check_does_not_swallow_two_frames(make, frames, wrap) -> None:  # type: ignore[no-untyped-def]
    around = wrap(frames[1] + frames[2])
    scanner = make()
    assert scanner.feed(frames[0] + b"\xff" + around + frames[3]) == [*frames[:4]]
    # Where a frame was due it is believed, save by a check of eight bits.
    believed = make is not crsf.scanner
    assert scanner.feed(around) == ([around] if believed else frames[1:3])


@LINES
def test_a_frame_that_is_damaged_is_bad_and_costs_only_itself(make, frames, headers) -> None:  # type: ignore[no-untyped-def]
    scanner = make()
    damaged = bytearray(frames[1])
    damaged[-3] ^= 0x02
    assert scanner.feed(frames[0] + damaged + frames[2] + frames[3]) == [frames[0], *frames[2:4]]
    assert (scanner.bad, scanner.dropped) == (1, len(damaged))


@LINES
def test_nothing_grows(make, frames, headers) -> None:  # type: ignore[no-untyped-def]
    chance = random.Random(7)
    scanner = make()
    junk = [chance.randbytes(64) + header for header in headers] + list(frames)
    for piece in junk:
        scanner.feed(piece)
    tracemalloc.start()
    for _ in range(300):
        for piece in junk:
            scanner.feed(piece)
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < 4096


@pytest.mark.parametrize(
    ("framing", "header"),
    [
        (mip.FRAMING, b"\x75\x65\x80\x80"),
        (crsf.framing(), b"\xc8\x3e"),
        (crsf.framing(), b"\x00\x02"),
        (safe_remote.FRAMING, b"\x10\x01\x10\x0e"),
    ],
)
def test_a_line_of_nothing_but_headers_costs_little(framing: Framing, header: bytes) -> None:
    checks = 0

    def counted(frame: bytes) -> bool:
        nonlocal checks
        checks += 1
        return framing.holds(frame)

    scanner = Scanner(dataclasses.replace(framing, holds=counted))
    for _ in range(40):
        checks = 0
        scanner.feed((header * 50)[:92])
        assert checks <= 2 * (noise.MOST_KEPT + 92)


def test_a_line_that_is_held_low_is_no_frame() -> None:
    # The CRC of nothing but zeros is zero.
    assert crsf.scanner().feed(b"\xc8\x02" + bytes(200)) == []
