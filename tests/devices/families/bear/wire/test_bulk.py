"""The bulk instruction from both ends."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.families.bear.wire.bulk import BulkLayout, BulkReplies, BulkRequest
from devices.families.bear.wire.packet import Reply, decode_reply
from devices.families.bear.wire.registers import (
    GOAL_IQ,
    GOAL_POSITION,
    GOAL_VELOCITY,
    HOMING_COMPLETE,
    MODE,
    PRESENT_IQ,
    PRESENT_POSITION,
    PRESENT_VELOCITY,
    STATUS,
    TORQUE_ENABLE,
)
from devices.wire.errors import WireError

READS = (PRESENT_POSITION, PRESENT_VELOCITY, PRESENT_IQ)
WRITES = (GOAL_POSITION, GOAL_VELOCITY, GOAL_IQ)
WRITABLE = [register for register in STATUS if register.writable]

layouts = st.builds(
    BulkLayout,
    st.lists(st.integers(0, 0xFC), min_size=1, max_size=12, unique=True).map(tuple),
    st.lists(st.sampled_from(STATUS), min_size=1, max_size=15).map(tuple),
    st.lists(st.sampled_from(WRITABLE), max_size=4).map(tuple),
)


def test_the_published_requests() -> None:
    """The three requests of omelia-iliffe/westwood-bear-rs, tests/bulk.rs."""
    read = BulkRequest(BulkLayout((1, 2), (PRESENT_POSITION, PRESENT_VELOCITY)))
    assert read.seal().hex() == "fffffe0812022009080102b1"

    both = BulkRequest(BulkLayout((1, 2), (PRESENT_POSITION,), (GOAL_POSITION,)))
    both.words[:, 0] = 0xDDCCBBAA, 0x44332211
    assert both.seal().hex() == "fffffe10120211090501aabbccdd021122334403"

    write = BulkRequest(BulkLayout((1, 2), (), (GOAL_POSITION,)))
    write.words[:, 0] = 0x04030201, 0x08070605
    assert write.seal().hex() == "fffffe0f1202010501010203040205060708b1"


def test_the_published_replies() -> None:
    """The replies of omelia-iliffe/westwood-bear-rs, tests/bulk.rs: 1, 2 and 3, 4."""
    layout = BulkLayout((1, 2), (PRESENT_POSITION, PRESENT_VELOCITY))
    data = Reply(1, 0x80, bytes.fromhex("0000803f00000040")).encode()
    data += Reply(2, 0x80, bytes.fromhex("0000404000008040")).encode()
    replies = BulkReplies(layout)
    assert replies.load(data)
    np.testing.assert_array_equal(replies.values, [[1.0, 2.0], [3.0, 4.0]])
    assert replies.complete


def test_eighteen_actuators_fit_one_packet_and_nineteen_do_not() -> None:
    assert BulkLayout(tuple(range(18)), READS, WRITES).request_size <= 259
    with pytest.raises(WireError, match="at most 259"):
        BulkLayout(tuple(range(19)), READS, WRITES)


@given(layouts, st.randoms(use_true_random=False))
def test_a_request_comes_back(layout: BulkLayout, random: Random) -> None:
    sent = BulkRequest(layout)
    sent.words[:] = np.array(
        [[random.getrandbits(32) for _ in layout.writes] for _ in layout.ids], dtype=np.uint32
    ).reshape(sent.words.shape)
    packet = bytes(sent.seal())
    assert len(packet) == layout.request_size
    assert BulkLayout.of(packet) == layout
    came = BulkRequest(layout)
    assert came.load(packet)
    np.testing.assert_array_equal(came.words, sent.words)


@given(layouts, st.randoms(use_true_random=False))
def test_replies_come_back(layout: BulkLayout, random: Random) -> None:
    sent = BulkReplies(layout)
    sent.words[:] = [[random.getrandbits(32) for _ in layout.reads] for _ in layout.ids]
    sent.errors[:] = [random.getrandbits(8) for _ in layout.ids]
    data = bytes(sent.seal())
    step = layout.reply_size
    for i, actuator in enumerate(layout.ids):
        reply = decode_reply(data[i * step : (i + 1) * step])
        assert (reply.id, reply.error) == (actuator, sent.errors[i])
    came = BulkReplies(layout)
    assert not came.complete
    assert came.load(data)
    np.testing.assert_array_equal(came.words, sent.words)
    np.testing.assert_array_equal(came.errors, sent.errors)


@given(st.data())
def test_a_changed_byte_is_noticed(data: st.DataObject) -> None:
    layout = BulkLayout((3, 4, 5), READS, WRITES)
    for made in (BulkRequest(layout), BulkReplies(layout)):
        packet = bytearray(made.seal())
        packet[data.draw(st.integers(0, len(packet) - 1))] ^= data.draw(st.integers(1, 255))
        assert not made.load(bytes(packet))
        assert not made.load(bytes(packet[:-1]))


def test_a_refused_load_changes_nothing() -> None:
    replies = BulkReplies(BulkLayout((3, 4), READS))
    replies.values[:] = 1.5
    packet = bytearray(replies.seal())
    packet[5] ^= 1
    assert not replies.load(bytes(packet))
    assert not replies.fresh.any()
    np.testing.assert_array_equal(replies.values, 1.5)


@given(st.binary(max_size=270))
def test_any_bytes_are_a_bulk_request_or_refused(data: bytes) -> None:
    for packet in (data, b"\xff\xff\xfe" + data[:1] + b"\x12" + data[1:]):
        try:
            BulkLayout.of(packet)
        except WireError:
            pass


@pytest.mark.parametrize(
    ("ids", "reads", "writes", "words"),
    [
        ((), READS, (), "once"),
        ((1, 1), READS, (), "once"),
        ((0xFE,), READS, (), "254"),
        ((1,), (), (), "at least one"),
        ((1,), READS * 6, (), "15"),
        ((1,), (MODE,), (), "mode"),
        ((1,), (), (PRESENT_IQ,), "present_iq"),
        ((1,), (), (TORQUE_ENABLE, HOMING_COMPLETE), "homing_complete"),
    ],
)
def test_invalid_requests_are_refused(
    ids: tuple[int, ...], reads: tuple[object, ...], writes: tuple[object, ...], words: str
) -> None:
    with pytest.raises(WireError, match=words):
        BulkLayout(ids, reads, writes)  # type: ignore[arg-type]


def test_a_request_that_reads_nothing_has_no_replies() -> None:
    with pytest.raises(WireError, match="has no replies"):
        BulkReplies(BulkLayout((1,), (), WRITES))
