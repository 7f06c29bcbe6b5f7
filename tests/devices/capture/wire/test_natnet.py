"""NatNet's frame by hand, with all its groups, round trips, and any bytes."""

import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.capture.errors import CaptureError, Refusal
from devices.capture.skeleton import INDEX
from devices.capture.wire import natnet
from tests.devices.capture.person import posture

ZERO = bytes(4)
ONE = b"\1\0\0\0"


def body(
    number: int, p: tuple[float, ...] = (1, 2, 3), q: tuple[float, ...] = (0, 0, 0, 1), ok: int = 1
) -> bytes:
    return struct.pack("<i3f4ffh", number, *p, *q, 0.001, ok)


def skeleton(number: int = 2, count: int = 21, **kwargs: tuple[float, ...]) -> bytes:
    bones = b"".join(body(number << 16 | i, **kwargs) for i in range(1, count + 1))  # type: ignore[arg-type]
    return struct.pack("<ii", number, count) + bones


def frame(
    skeletons: bytes, groups: bytes = ZERO * 3, devices: bytes = ZERO * 3, end: bytes = ZERO
) -> bytes:
    """Return a frame: marker sets, markers and bodies before the skeletons, three groups after."""
    suffix = struct.pack("<IId3Qh", 0, 0, 12.5, 1, 2, 3, 0) + end
    content = struct.pack("<i", 99) + groups + skeletons + devices + suffix
    return struct.pack("<HH", 7, len(content)) + content


def refused(data: bytes) -> Refusal:
    with pytest.raises(CaptureError) as caught:
        natnet.decode(data)
    return caught.value.reason


def test_a_frame_made_by_hand_y_up() -> None:
    # 90° about Motive's y, which points up: what looked along z then looks along x.
    half = float(np.sqrt(0.5))
    (pose,) = natnet.decode(frame(ONE + skeleton(q=(0, half, 0, half))))
    assert pose.stamp_s == 12.5
    assert pose.positions[INDEX["left_hand"]] == pytest.approx((3, 1, 2))
    np.testing.assert_allclose(pose.orientations[0] @ [1, 0, 0], [0, 1, 0], atol=1e-6)
    np.testing.assert_allclose(pose.orientations[0] @ [0, 0, 1], [0, 0, 1], atol=1e-6)


def test_the_other_groups_are_skipped_and_the_lowest_skeleton_counts() -> None:
    sets = ONE + b"Anna\0" + struct.pack("<i", 2) + bytes(24)
    groups = sets + ONE + bytes(12) + ONE + body(5)
    plates = ONE + struct.pack("<iii2f", 1, 1, 2, 0.5, 0.5)
    devices = ONE + bytes(26) + plates + plates
    two = struct.pack("<i", 2) + skeleton(9) + skeleton(3, p=(4, 5, 6))
    (pose,) = natnet.decode(frame(two, groups, devices))
    assert pose.positions[0] == pytest.approx((6, 4, 5))
    assert natnet.decode(frame(ZERO)) == []
    assert natnet.decode(struct.pack("<HHi", 1, 4, 0)) == []  # information on the server


@given(st.integers(0, 1000), st.floats(0.0, 1e6))
def test_a_posture_comes_back_but_for_the_bones_that_motive_has_not(
    seed: int, stamp_s: float
) -> None:
    points, turns = posture(seed)
    (datagram,) = natnet.encode(seed, stamp_s, points, turns)
    (pose,) = natnet.decode(datagram)
    assert pose.stamp_s == stamp_s
    kept = [i for bone, i in INDEX.items() if bone != "spine_2"]
    np.testing.assert_allclose(pose.positions[kept], points[kept], atol=1e-6)
    np.testing.assert_allclose(pose.orientations[kept], turns[kept], atol=1e-5)
    assert (pose.positions[INDEX["spine_2"]] == pose.positions[INDEX["spine_1"]]).all()


def test_from_4_1_on_groups_have_sizes_and_assets_follow_the_skeletons() -> None:
    sizes = [struct.pack("<ii", 0, 0)] * 3
    asset = struct.pack("<ii", 7, 1) + body(1) + ONE + bytes(26)
    groups = [
        *sizes,
        struct.pack("<ii", 1, 806) + skeleton(p=(4, 5, 6)),
        struct.pack("<ii", 1, len(asset)) + asset,
        *sizes,
    ]
    suffix = struct.pack("<IId3QIIhi", 0, 0, 12.5, 1, 2, 3, 4, 5, 0, 0)
    content = struct.pack("<i", 99) + b"".join(groups) + suffix
    (pose,) = natnet.decode(struct.pack("<HH", 7, len(content)) + content)
    assert pose.stamp_s == 12.5
    assert pose.positions[0] == pytest.approx((6, 4, 5))
    empty = struct.pack("<i", 99) + struct.pack("<ii", 0, 0) * 8 + suffix
    assert natnet.decode(struct.pack("<HH", 7, len(empty)) + empty) == []


def test_other_versions_and_damage_are_refused() -> None:
    good = frame(ONE + skeleton())
    older = frame(ONE + struct.pack("<ii", 2, 1) + body(1)[:-6] + ZERO + body(1)[-6:])
    assert refused(older) == Refusal.FORM
    assert refused(b"") == refused(good[:-1]) == refused(good + b"\0") == Refusal.FORM
    assert refused(frame(ONE + skeleton(), end=b"")) == Refusal.FORM
    assert refused(frame(ONE + skeleton(), end=ONE)) == Refusal.FORM
    assert refused(frame(struct.pack("<i", -1))) == refused(frame(b"\xff" * 4)) == Refusal.FORM
    assert refused(frame(ONE + skeleton(count=12))) == Refusal.BONES
    assert refused(frame(ONE + struct.pack("<ii", 1, 1) + body(1, ok=0))) == Refusal.BONES
    assert refused(frame(ONE + skeleton(q=(0, 0, 0, 0)))) == Refusal.NUMBERS
    assert refused(frame(ONE + skeleton(p=(float("nan"), 0, 0)))) == Refusal.NUMBERS


GOOD = frame(ONE + skeleton())


@given(st.binary(max_size=100), st.integers(0, len(GOOD)), st.booleans())
def test_any_bytes_are_postures_or_refused(noise: bytes, at: int, whole: bool) -> None:
    content = noise if whole else (GOOD[4:at] + noise + GOOD[at + len(noise) :])
    data = struct.pack("<HH", 7, len(content)) + content
    try:
        found = natnet.decode(data)
    except CaptureError:
        return
    for pose in found:
        assert np.isfinite(pose.positions).all() and np.isfinite(pose.orientations).all()
