"""MVN's datagrams by hand, round trips, and any bytes."""

import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.capture.errors import CaptureError, Refusal
from devices.capture.skeleton import INDEX
from devices.capture.wire import mvn
from devices.capture.wire.mvn import MvnReader
from tests.devices.capture.person import posture

HEAD = bytes.fromhex("4d58 5450 3032 00000007 80 17 000003e8 00 17 00 00 0000 02e0")
"""Sample 7, the only datagram, 23 items, 1000 ms, character 0, 23 segments, 736 bytes."""


def items(scale: float = 1.0, turn: tuple[float, ...] = (1.0, 0.0, 0.0, 0.0)) -> list[bytes]:
    """Return segments one above the other, each 0.1 m higher."""
    return [
        struct.pack(">I7f", i, 0.25 * scale, -0.5 * scale, 0.1 * i * scale, *turn)
        for i in range(1, 24)
    ]


def golden(head: bytes = HEAD, scale: float = 1.0) -> bytes:
    return head + b"".join(items(scale))


def refused(data: bytes, reader: MvnReader | None = None) -> Refusal:
    with pytest.raises(CaptureError) as caught:
        (reader or MvnReader()).feed(data)
    return caught.value.reason


@pytest.mark.parametrize("scale", [1.0, 100.0], ids=["metres", "centimetres"])
def test_a_datagram_made_by_hand(scale: float) -> None:
    data = golden(scale=scale)
    assert len(data) == 24 + 23 * 32
    (pose,) = MvnReader().feed(data)
    assert pose.stamp_s == 1.0
    segments = {"hips": 1, "spine_1": 2, "spine_2": 3, "spine_3": 5, "neck": 6, "head": 7}
    segments |= {"right_shoulder": 8, "right_hand": 11, "left_upper_arm": 13, "left_hand": 15}
    segments |= {"right_upper_leg": 16, "right_toe": 19, "left_upper_leg": 20, "left_toe": 23}
    for bone, segment in segments.items():
        assert pose.positions[INDEX[bone]] == pytest.approx((0.25, -0.5, 0.1 * segment))


def test_a_quaternion_begins_with_its_real_part() -> None:
    half = float(np.sqrt(0.5))
    (pose,) = MvnReader().feed(HEAD + b"".join(items(turn=(half, 0.0, 0.0, half))))
    np.testing.assert_allclose(pose.orientations[0] @ [1, 0, 0], [0, 1, 0], atol=1e-6)


@given(st.integers(0, 1000), st.floats(0.0, 4e6))
def test_a_posture_comes_back(seed: int, stamp_s: float) -> None:
    points, turns = posture(seed)
    (datagram,) = mvn.encode(seed, stamp_s, points, turns)
    (pose,) = MvnReader().feed(datagram)
    assert pose.stamp_s == pytest.approx(stamp_s, abs=6e-4)
    np.testing.assert_allclose(pose.positions, points, atol=1e-6)
    np.testing.assert_allclose(pose.orientations, turns, atol=1e-5)


def test_only_the_first_character_and_only_postures_count() -> None:
    reader = MvnReader()
    assert len(reader.feed(golden())) == 1
    other = HEAD[:16] + b"\1" + HEAD[17:]
    assert reader.feed(golden(other)) == []
    assert reader.feed(b"MXTP12" + bytes(40)) == []


def test_what_is_damaged_is_refused() -> None:
    data = golden()
    assert refused(b"") == refused(b"MXTP") == refused(b"X" + data[1:]) == Refusal.FORM
    assert refused(data[:-1]) == refused(data + b"\0") == Refusal.FORM
    assert refused(data[:10] + b"\0" + data[11:]) == Refusal.FORM  # the first of several
    few = HEAD[:11] + b"\1" + HEAD[12:17] + b"\1" + HEAD[18:22] + struct.pack(">H", 32) + items()[0]
    assert refused(few) == Refusal.BONES
    swapped = items()[1::-1] + items()[2:]
    assert refused(HEAD + b"".join(swapped)) == Refusal.BONES
    assert refused(HEAD + b"".join(items(turn=(0.9, 0.0, 0.0, 0.0)))) == Refusal.NUMBERS
    assert refused(golden(scale=float("inf"))) == refused(golden(scale=1e30)) == Refusal.NUMBERS


@given(st.binary(max_size=760), st.integers(0, 759), st.booleans())
def test_any_bytes_are_postures_or_refused(noise: bytes, at: int, whole: bool) -> None:
    data = noise if whole else (golden()[:at] + noise + golden()[at + len(noise) :])[:760]
    try:
        found = MvnReader().feed(data)
    except CaptureError:
        return
    for pose in found:
        assert np.isfinite(pose.positions).all() and np.isfinite(pose.orientations).all()
