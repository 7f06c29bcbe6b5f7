"""The streams of a BEAR line in noise, in pieces, and for long."""

import random
import tracemalloc

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from devices.families.bear.wire import packet as bear
from devices.families.bear.wire.bulk import BulkLayout, BulkReplies, BulkRequest
from devices.families.bear.wire.packet import Reply
from devices.families.bear.wire.registers import GOAL_POSITION, PRESENT_IQ, PRESENT_POSITION
from devices.families.bear.wire.stream import BulkStream, LineCounts, ReplyStream, RequestStream

SIZES = {1: 8, 2: 4, 9: 60}
LAYOUT = BulkLayout((1, 2, 9), (PRESENT_POSITION, PRESENT_IQ), (GOAL_POSITION,))

# Noise that likes to look like packets.
noise = st.one_of(
    st.binary(max_size=80),
    st.lists(st.sampled_from([0xFF, 1, 2, 9, 10, 6, 62, 0x80, 0x12, 0xFE]), max_size=80).map(bytes),
    st.lists(
        st.sampled_from([b"\xff\xff\x01\x0a", b"\xff\xff\x09\x3e", b"\xff\xff\xfe\xff\x12"])
    ).map(b"".join),
)
# Replies that hold no header by themselves.
replies = st.sampled_from(sorted(SIZES)).flatmap(
    lambda i: st.builds(
        lambda error, data: Reply(i, error, bytes(byte % 255 for byte in data)),
        st.integers(0, 254),
        st.binary(min_size=SIZES[i], max_size=SIZES[i]),
    )
)


def pieces(data: bytes, cuts: list[int]) -> list[bytes]:
    places = [0, *sorted(cut % (len(data) + 1) for cut in cuts), len(data)]
    return [data[a:b] for a, b in zip(places, places[1:], strict=False)]


cuts = st.lists(st.integers(0, 2000), max_size=12)


@given(st.binary(max_size=600), cuts)
def test_any_bytes_are_taken_calmly_and_all_are_counted(data: bytes, at: list[int]) -> None:
    stream = ReplyStream()
    stream.begin(SIZES)
    found = [reply for piece in pieces(data, at) for reply in stream.feed(piece)] + stream.end()
    taken = sum(len(reply.encode()) for reply in found)
    assert taken + stream.counts.noise_bytes == len(data)
    assert stream.counts.good.sum() == len(found)


@given(noise, st.lists(replies, min_size=2, max_size=6), cuts)
def test_noise_hides_at_most_the_reply_that_it_runs_into(
    before: bytes, good: list[Reply], at: list[int]
) -> None:
    stream = ReplyStream()
    stream.begin(SIZES)
    data = before + b"".join(reply.encode() for reply in good)
    found = [reply for piece in pieces(data, at) for reply in stream.feed(piece)] + stream.end()
    assert found[1 - len(good) :] == good[1:]


@pytest.mark.parametrize("header", [b"", b"\xff\xff\x01\x0a", b"\xff\xff\x09\x3e", b"\xff\xff"])
def test_noise_at_line_rate_costs_one_reply_or_request_at_most(header: bytes) -> None:
    chance = random.Random(5)
    good = [Reply(i, 0x80, bytes([0x55] * size)) for i, size in SIZES.items()]
    asked = [bear.ping(i) for i in SIZES]
    for _ in range(150):
        noise = chance.randbytes(chance.randrange(1, 400)) + header + chance.randbytes(3)
        stream = ReplyStream()
        stream.begin(SIZES)
        told = noise + b"".join(reply.encode() for reply in good)
        assert (stream.feed(told) + stream.end())[1 - len(good) :] == good[1:]
        round_ = BulkStream(BulkReplies(LAYOUT))
        round_.begin()
        round_.feed(noise + bytes(answers().packets))
        round_.end()
        assert round_.replies.fresh[1:].all()
        requests = RequestStream()
        found = requests.feed(noise + b"".join(asked)) + requests.end()
        assert found[1 - len(asked) :] == asked[1:]


@given(st.lists(st.tuples(noise, replies, replies), min_size=1, max_size=4), cuts)
def test_of_two_replies_between_noise_the_second_is_found(
    parts: list[tuple[bytes, Reply, Reply]], at: list[int]
) -> None:
    stream = ReplyStream()
    stream.begin(SIZES)
    data = b"".join(a + first.encode() + second.encode() for a, first, second in parts)
    found = [reply for piece in pieces(data, at) for reply in stream.feed(piece)] + stream.end()
    left = iter(found)
    assert all(second in left for _, _, second in parts)


def run_into(reply: Reply) -> bytes:
    """Return noise that is a sound packet of 66 bytes together with the reply's first 30."""
    begun = b"\xff\xff\x09\x3e" + bytes(31)
    return begun + bytes([(0xFD - sum(begun + reply.encode()[:30])) & 0xFF])


LONG_REPLY = Reply(9, 0x80, bytes(60))


@given(st.lists(st.tuples(noise, replies), max_size=6), cuts)
@example([(run_into(LONG_REPLY), LONG_REPLY)], [66])
def test_pieces_make_no_difference(parts: list[tuple[bytes, Reply]], at: list[int]) -> None:
    data = b"".join(before + reply.encode() for before, reply in parts)
    results = []
    for cut in (at, []):
        stream = ReplyStream()
        stream.begin(SIZES)
        found = [r for piece in pieces(data, cut) for r in stream.feed(piece)] + stream.end()
        results.append((found, stream.counts.noise_bytes, stream.counts.bad_checksum.tolist()))
    assert results[0] == results[1]


def test_a_false_header_swallows_nothing() -> None:
    """As in omelia-iliffe/westwood-bear-rs, tests/framing.rs: LEN is damaged on the way."""
    good = [Reply(i, 0x80, bytes([0xAA] * SIZES[i])) for i in (1, 2)]
    damaged = bytearray(good[0].encode())
    damaged[3] = 0x0C
    stream = ReplyStream()
    stream.begin(SIZES)
    assert stream.feed(bytes(damaged) + good[1].encode()) == [good[1]]
    stream.begin(SIZES)
    # The header of the longest reply just before others.
    assert stream.feed(b"\xff\xff\x09\x3e" + good[0].encode() + good[1].encode()) == []
    assert stream.end() == good
    assert stream.counts.silent[9] == 1
    assert stream.counts.silent[1] == 0


def test_a_false_header_that_waits_hides_no_reply_behind_it() -> None:
    """Noise whose sum happens to be right holds a header that never ends, then a reply."""
    good = Reply(2, 0, bytes(4))
    hidden = b"\xff\xff\x09\x3e" + bytes(40) + b"\xff\xff\x09\x3e" + bytes(7) + good.encode()
    noise = hidden + bytes([(0xFD - sum(hidden)) & 0xFF])
    assert len(noise) == 66
    stream = ReplyStream()
    stream.begin(SIZES)
    assert stream.feed(noise) + stream.end() == [good]


def test_unexpected_replies_are_counted_by_id() -> None:
    counts = LineCounts()
    stream = ReplyStream(counts)
    stream.begin({1: 4})
    assert stream.feed(Reply(5, 0x80, bytes(4)).encode() + Reply(1, 0x80, bytes(8)).encode()) == []
    stream.end()
    assert counts.unexpected[5] == 1
    assert counts.unexpected[1] == 1
    assert counts.silent[1] == 1
    bad = bytearray(Reply(1, 0x80, bytes(4)).encode())
    bad[-1] ^= 1
    stream.begin({1: 4})
    assert stream.feed(bytes(bad)) == []
    assert counts.bad_checksum[1] == 1


def answers(seed: int = 0) -> BulkReplies:
    made = BulkReplies(LAYOUT)
    made.values[:] = np.random.default_rng(seed).normal(size=made.values.shape)
    made.seal()
    return made


@given(noise, cuts)
def test_a_round_after_noise_lacks_at_most_the_first(before: bytes, at: list[int]) -> None:
    made = answers()
    stream = BulkStream(BulkReplies(LAYOUT))
    stream.begin()
    for piece in pieces(before + bytes(made.packets), at):
        stream.feed(piece)
    stream.end()
    assert stream.replies.fresh[1:].all()
    np.testing.assert_array_equal(stream.replies.values[1:], made.values[1:])
    stream.begin()
    assert stream.feed(bytes(made.packets))


def test_a_silent_actuator_is_known_at_the_end_of_the_round() -> None:
    made = answers()
    step = LAYOUT.reply_size
    stream = BulkStream(BulkReplies(LAYOUT))
    stream.replies.values[:] = 7.0
    for _ in range(3):
        stream.begin()
        assert not stream.feed(bytes(made.packets[:step]))
        assert not stream.feed(bytes(made.packets[2 * step :]))
        assert not stream.end()
    assert stream.replies.fresh.tolist() == [True, False, True]
    assert (stream.replies.values[1] == 7.0).all()
    assert stream.counts.silent[2] == 3
    assert stream.counts.good[9] == 3


def test_the_later_of_two_answers_counts() -> None:
    late, now = answers(1), answers(2)
    step = LAYOUT.reply_size
    stream = BulkStream(BulkReplies(LAYOUT))
    stream.begin()
    stream.feed(bytes(late.packets[:step]) + bytes(now.packets))
    assert stream.end()
    np.testing.assert_array_equal(stream.replies.values, now.values)
    assert stream.counts.unexpected[1] == 1


requests = st.one_of(
    st.integers(0, 0xFC).map(bear.ping),
    st.integers(0, 0xFC).map(bear.save_config),
    st.integers(0, 0xFC).map(lambda i: bear.read(i, [PRESENT_POSITION, PRESENT_IQ])),
    st.floats(-9.0, 9.0).map(lambda x: bear.write(3, [(GOAL_POSITION, x)])),
    st.floats(-9.0, 9.0).map(lambda x: bear.set_position(3, x, 0.1)),
    st.just(bytes(BulkRequest(LAYOUT).seal())),
)


@given(st.lists(requests, max_size=8), cuts)
def test_requests_are_found_in_pieces(sent: list[bytes], at: list[int]) -> None:
    stream = RequestStream()
    found = [r for piece in pieces(b"".join(sent), at) for r in stream.feed(piece)]
    assert found == sent
    assert stream.good == len(sent)


@given(st.binary(max_size=600), cuts)
def test_any_bytes_are_taken_calmly_as_requests(data: bytes, at: list[int]) -> None:
    stream = RequestStream()
    found = [r for piece in pieces(data, at) for r in stream.feed(piece)] + stream.end()
    assert sum(map(len, found)) + stream.noise_bytes == len(data)


def test_a_request_whose_values_look_like_a_header_is_found_at_once() -> None:
    """As once on the twin: such a header, with a length beyond the request, delayed its round."""
    request = BulkRequest(LAYOUT)
    request.words[:2, 0] = 0xFFFF_0000, 0x0000_04C0  # the id of the next entry lies between
    packet = bytes(request.seal())
    assert b"\xff\xff\x02\xc0\x04" in packet
    assert RequestStream().feed(packet) == [packet]


def test_an_idle_line_gives_back_what_a_false_request_hid() -> None:
    stream = RequestStream()
    asked = bear.ping(4)
    assert stream.feed(b"\xff\xff\x01\xf2\x03" + asked) == []
    assert stream.end() == [asked]


@pytest.mark.parametrize("kind", ["random", "ones", "headers"])
def test_endless_noise_takes_no_memory(kind: str) -> None:
    draw = random.Random(4)
    block = {
        "random": draw.randbytes(2048),
        "ones": b"\xff" * 2048,
        "headers": b"\xff\xff\x01\x0a" * 512,
    }[kind]
    single, bulk, other = ReplyStream(), BulkStream(BulkReplies(LAYOUT)), RequestStream()
    single.begin(SIZES)
    bulk.begin()
    streams = (single, bulk, other)
    for stream in streams:
        stream.feed(block)
    tracemalloc.start()
    try:
        for _ in range(20):
            for stream in streams:
                stream.feed(block)
        grown, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert grown < 20_000
