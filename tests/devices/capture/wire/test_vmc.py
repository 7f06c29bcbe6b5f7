"""The VMC protocol: Unity's axes, frames from messages in any order and with losses."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.capture.errors import CaptureError, Refusal
from devices.capture.skeleton import BONES, INDEX, PARENTS, Pose
from devices.capture.wire import osc, vmc
from devices.capture.wire.osc import Argument, Message
from devices.capture.wire.vmc import BONE, OK, ROOT, TIME, VmcReader
from tests.devices.capture.person import posture

UNTURNED = (0.0, 0.0, 0.0, 1.0)
NEEDED = [
    "Hips", "Head",
    *(side + part for side in ("Left", "Right")
      for part in ("UpperArm", "LowerArm", "Hand", "UpperLeg", "LowerLeg", "Foot")),
]  # fmt: skip
"""The bones that no avatar lacks but for the spine."""


def bone(
    name: str, p: tuple[float, float, float] = (0, 0, 0), q: tuple[float, ...] = UNTURNED
) -> Message:
    return Message(BONE, (name, *p, *q))


def avatar(names: list[str], **changed: Message) -> list[Message]:
    """Return a frame of an avatar with bones of these names, at their parents."""
    return [changed.get(name, bone(name)) for name in names]


def sent(seed: int, stamp_s: float, size: float = 0.5) -> list[bytes]:
    return vmc.encode(stamp_s, *posture(seed, size))


def fed(reader: VmcReader, datagrams: list[bytes], arrival_s: float) -> list[Pose]:
    return [pose for one in datagrams for pose in reader.feed(osc.decode(one), arrival_s)]


def test_unitys_axes_become_ours() -> None:
    # The left upper arm is 0.2 m to the person's left (Unity: -x), 1.4 m up, 0.1 m forward, and
    # turned by 90° about Unity's y: its own left then points forward (left-handed).
    q = (0.0, math.sqrt(0.5), 0.0, math.sqrt(0.5))
    arm = bone("LeftUpperArm", (-0.2, 1.4, 0.1), q)
    elbow = bone("LeftLowerArm", (-0.3, 0.0, 0.0))
    frame = avatar(NEEDED, LeftUpperArm=arm, LeftLowerArm=elbow)
    reader = VmcReader()
    (pose,) = reader.feed([*frame, frame[0]], 0.0)
    np.testing.assert_allclose(pose.positions[INDEX["left_upper_arm"]], (0.1, 0.2, 1.4))
    np.testing.assert_allclose(pose.positions[INDEX["left_lower_arm"]], (0.4, 0.2, 1.4))
    turned = pose.orientations[INDEX["left_upper_arm"]]
    np.testing.assert_allclose(turned @ [0.0, 1.0, 0.0], (1.0, 0.0, 0.0), atol=1e-12)
    np.testing.assert_allclose(pose.orientations[INDEX["left_hand"]], turned, atol=1e-12)
    assert pose.stamp_s is None


def test_the_root_moves_the_hips() -> None:
    reader = VmcReader()
    frame = avatar(NEEDED, Hips=bone("Hips", (0, 1, 0)))
    root = Message(ROOT, ("root", 0.0, 0.0, 2.0, 0.0, math.sqrt(0.5), 0.0, math.sqrt(0.5), 1.0))
    (pose,) = reader.feed([root, *frame, frame[0]], 0.0)
    np.testing.assert_allclose(pose.positions[0], (2.0, 0.0, 1.0))
    np.testing.assert_allclose(pose.orientations[0] @ [1.0, 0.0, 0.0], (0.0, -1.0, 0.0), atol=1e-12)


@given(st.integers(0, 1000))
def test_a_posture_comes_back(seed: int) -> None:
    reader = VmcReader()
    points, turns = posture(seed)
    found = fed(reader, sent(seed, 1.0), 0.0) + fed(reader, sent(seed, 2.0), 0.01)
    assert [pose.stamp_s for pose in found] == [1.0, 2.0]
    for pose in found:
        np.testing.assert_allclose(pose.positions, points, atol=1e-5)
        np.testing.assert_allclose(pose.orientations, turns, atol=1e-5)


@pytest.mark.parametrize(
    ("late", "stamps"),
    [(False, [[], [0.0, 1.0], [2.0], [3.0]]), (True, [[None], [0.0], [1.0], [2.0]])],
    ids=["first", "last"],
)
def test_after_its_first_frame_a_sender_costs_no_delay_wherever_it_tells_the_time(
    late: bool, stamps: list[list[float | None]]
) -> None:
    reader, found = VmcReader(), []
    for number in range(4):
        time, frame = [Message(TIME, (float(number),))], avatar(NEEDED)
        poses = reader.feed(frame + time if late else time + frame, 0.02 * number)
        found.append([pose.stamp_s for pose in poses])
    assert found == stamps


def test_a_frame_that_lost_a_datagram_keeps_its_time() -> None:
    reader = VmcReader()
    for number in range(3):
        fed(reader, sent(number, 1.0 + number), 0.02 * number)
    assert fed(reader, sent(3, 4.0)[:1], 0.06) == []
    assert [pose.stamp_s for pose in fed(reader, sent(4, 5.0), 0.08)] == [4.0, 5.0]


def test_a_datagram_that_others_overtook_moves_nothing_back() -> None:
    reader = VmcReader()
    for number in range(3):
        fed(reader, sent(number, 1.0 + number), 0.02 * number)
    with pytest.raises(CaptureError) as caught:
        fed(reader, sent(9, 2.5)[:1], 0.05)
    assert caught.value.reason == Refusal.LATE
    (pose,) = fed(reader, sent(3, 4.0), 0.06)
    np.testing.assert_allclose(pose.positions, posture(3)[0], atol=1e-5)
    assert fed(reader, sent(4, 0.5), 0.08)  # a sender that began anew


def test_a_frame_that_lost_its_time_is_left_out_but_not_those_of_a_sender_who_seldom_tells_it() -> (
    None
):
    reader = VmcReader()
    for number in range(3):
        fed(reader, sent(number, 1.0 + number), 0.02 * number)
    late = fed(reader, sent(3, 4.0)[1:], 0.06) + fed(reader, sent(4, 5.0), 0.08)
    assert [pose.stamp_s for pose in late] == [5.0]
    frame = avatar(list(vmc.NAME_OF.values()))
    counts = [len(reader.feed(frame, 0.08 + 0.02 * step)) for step in range(1, 5)]
    assert counts == [0, 1, 1, 1]


def test_an_avatar_without_some_bones_is_completed() -> None:
    reader = VmcReader()
    names = [*NEEDED, "Spine", "Chest"]
    frame = avatar(names, Spine=bone("Spine", (0, 0.1, 0)), Chest=bone("Chest", (0, 0.2, 0)))
    frame += [bone("LeftIndexProximal"), bone("Jaw")]
    (pose,) = reader.feed([*frame, frame[0]], 0.0)
    heights = {name: pose.positions[INDEX[name], 2] for name in BONES}
    assert heights["spine_1"] == heights["spine_2"] == pytest.approx(0.1)
    assert heights["spine_3"] == heights["neck"] == heights["head"] == pytest.approx(0.3)
    assert heights["left_shoulder"] == pytest.approx(0.3)
    assert (pose.positions[INDEX["left_toe"]] == pose.positions[INDEX["left_foot"]]).all()


def test_a_lost_bone_stands_as_it_was_for_a_tenth_of_a_second() -> None:
    reader = VmcReader()
    full = avatar(NEEDED, Head=bone("Head", (0, 0.6, 0)))
    short = [message for message in full if message.arguments[0] != "Head"]
    reader.feed(full, 0.0)
    reader.feed(full, 0.02)
    reader.feed(short, 0.04)
    (pose,) = reader.feed(short, 0.06)
    assert pose.positions[INDEX["head"], 2] == pytest.approx(0.6)
    with pytest.raises(CaptureError) as caught:
        for step in range(4, 10):
            reader.feed(short, 0.02 * step)
    assert caught.value.reason == Refusal.BONES
    reader.feed(full, 0.3)
    assert reader.feed(full, 0.32)


def test_a_frame_that_ends_long_after_it_began_is_refused() -> None:
    for silent_s in (0.5, 10.0):
        reader = VmcReader()
        reader.feed(avatar(NEEDED), 0.0)
        with pytest.raises(CaptureError) as caught:
            reader.feed([Message(TIME, (1.0,))], silent_s)
        assert caught.value.reason == Refusal.BONES


def test_a_sender_without_an_avatar_gives_no_frame() -> None:
    reader = VmcReader()
    frame = avatar(NEEDED)
    assert reader.feed([Message(OK, (0,)), *frame, *frame], 0.0) == []
    assert reader.feed([Message(OK, (1, 3, 0)), *frame], 0.02)


Q_BAD = (0.0, 0.0, 0.0, 1.1)


@pytest.mark.parametrize(
    ("message", "why"),
    [
        (bone("Hips", (0, 1e30, 0)), Refusal.NUMBERS),
        (bone("Hips", q=Q_BAD), Refusal.NUMBERS),
        (bone("Hips", q=(0.0,) * 4), Refusal.NUMBERS),
        (Message(BONE, ("Hips", 0.0)), Refusal.FORM),
        (Message(BONE, (1.0,) * 8), Refusal.FORM),
        (Message(BONE, ("Hips", "up", *(0.0,) * 6)), Refusal.FORM),
        (Message(TIME), Refusal.FORM),
        (Message(TIME, ("noon",)), Refusal.FORM),
    ],
)
def test_impossible_messages_are_refused(message: Message, why: Refusal) -> None:
    reader = VmcReader()
    frame = avatar(NEEDED)
    with pytest.raises(CaptureError) as caught:
        reader.feed([message, *frame[1:], message], 0.0)
    assert caught.value.reason == why
    reader.feed(frame, 0.02)
    assert reader.feed([*frame, frame[0]], 0.04)


values: st.SearchStrategy[Argument] = st.one_of(
    st.sampled_from([*vmc.NAME_OF.values(), "Jaw", "root"]),
    st.floats(-1e38, 1e38),
    st.floats(-1.0, 1.0),
    st.integers(-2, 2),
    st.none(),
)
noise = st.builds(
    Message,
    st.sampled_from([BONE, ROOT, TIME, OK, "/VMC/Ext/Blend/Val"]),
    st.lists(values, max_size=9).map(tuple),
)
told = st.sampled_from(list(vmc.NAME_OF.values())).map(bone)


@given(st.lists(st.lists(st.one_of(told, told, told, noise), max_size=60), max_size=6))
def test_any_messages_give_sound_postures_or_are_refused(rows: list[list[Message]]) -> None:
    reader = VmcReader()
    for number, row in enumerate(rows):
        try:
            found = reader.feed(row, 0.05 * number)
        except CaptureError:
            continue
        for pose in found:
            assert np.isfinite(pose.positions).all() and pose.positions.shape == (22, 3)
            eye = pose.orientations @ np.swapaxes(pose.orientations, 1, 2)
            np.testing.assert_allclose(eye, np.tile(np.eye(3), (22, 1, 1)), atol=1e-9)


def test_a_bone_hangs_on_the_one_before_it() -> None:
    names = list(vmc.NAME_OF.values())
    assert (
        names[INDEX["left_upper_arm"]] == "LeftUpperArm"
        and names[INDEX["right_toe"]] == "RightToes"
    )
    assert len(set(names)) == len(BONES) == len(PARENTS)
