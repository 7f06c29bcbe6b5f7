"""Clips: the path between samples, derived clips, and the form on the link."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.behave.clip import Clip
from core.behave.errors import BehaveError
from core.behave.hermite import peak_velocity
from devices.interface import Floats
from shows.motion import Motion
from tests.core.behave.upper import UPPER, columns, rest_q, upper_joints, wave


def sample(clip: Clip, t: float) -> tuple[Floats, Floats, Floats]:
    out = np.zeros((3, len(clip.joints)))
    clip.sample(t, out[0], out[1], out[2])
    return out[0], out[1], out[2]


def test_it_runs_through_every_sample_of_the_motion() -> None:
    names = ("right_elbow", "head_yaw")
    positions = np.random.default_rng(1).uniform(0.0, 0.3, (20, 2))
    clip = Clip.from_motion(Motion("nod", names, 50.0, positions), UPPER)
    assert [UPPER[joint] for joint in clip.joints] == ["head_yaw", "right_elbow"]
    for k in range(20):
        assert sample(clip, k / 50.0)[0] == pytest.approx(positions[k, ::-1], abs=1e-12)
    assert clip.duration_s == pytest.approx(19 / 50)


def test_velocity_is_continuous_at_every_knot() -> None:
    clip = wave()
    for k in range(1, len(clip.q) - 1):
        t = k / clip.rate_hz
        _, before, bend = sample(clip, t - 1e-9)
        _, after, _ = sample(clip, t + 1e-9)
        # 2e-9 s lie between; the acceleration on either side accounts for the rest.
        bends = np.maximum(np.abs(bend), np.abs(sample(clip, t + 1e-9)[2]))
        assert (np.abs(after - before) <= 2e-9 * bends + 1e-9).all()


def test_a_smooth_motion_is_followed_closely() -> None:
    t = np.arange(101) / 50.0
    clip = Clip.from_positions("sine", (0,), 50.0, 0.5 * np.sin(3.0 * t)[:, None])
    for moment in np.linspace(0.0, 2.0, 333):
        q, dq, _ = sample(clip, moment)
        assert q[0] == pytest.approx(0.5 * np.sin(3.0 * moment), abs=2e-5)
        assert dq[0] == pytest.approx(1.5 * np.cos(3.0 * moment), abs=4e-3)


def test_outside_its_time_the_ends_are_held() -> None:
    clip = wave()
    assert (sample(clip, -1.0)[0] == clip.q[0]).all()
    assert sample(clip, 99.0)[0] == pytest.approx(clip.q[-1], abs=1e-15)


def test_its_peak_velocity_is_that_of_its_segments() -> None:
    clip = wave()
    dense = np.abs([sample(clip, t)[1] for t in np.linspace(0.0, clip.duration_s, 5000)])
    assert clip.peak_velocity == pytest.approx(dense.max(axis=0), rel=1e-3)


def test_a_mirror_swaps_the_sides_and_turns_the_head_the_other_way() -> None:
    clip = wave("head", "left_arm", "left_hand")
    mirrored = clip.mirrored(upper_joints())
    assert mirrored.joints == columns("head", "right_arm", "right_hand")
    own, other = UPPER.index("head_yaw"), UPPER.index("head_pitch")
    assert (mirrored.q[:, own] == -clip.q[:, own]).all()
    assert (mirrored.q[:, other] == clip.q[:, other]).all()
    assert (mirrored.q[:, 2:] == clip.q[:, 2:]).all()
    again = mirrored.mirrored(upper_joints())
    assert again.joints == clip.joints
    assert (again.knots == clip.knots).all()
    assert (again.peak_velocity == clip.peak_velocity).all()


def test_a_loop_ends_where_it_begins_even_if_the_motion_does_not() -> None:
    clip = wave("left_arm", length_s=1.1)
    assert np.abs(clip.q[0] - clip.q[-1]).max() > 0.01
    loop = clip.looped(np.full(3, 2.0))
    assert (loop.q[0] == loop.q[-1]).all()
    assert (loop.dq[0] == loop.dq[-1]).all()
    assert (loop.q[: len(clip.q)] == clip.q).all()
    bridge = loop.knots[2 * len(clip.q) - 2 :]
    h = 1.0 / loop.rate_hz
    peak = peak_velocity(bridge[:-2:2], bridge[1:-2:2], bridge[2::2], bridge[3::2], h)
    assert peak.max() <= max(2.0, clip.peak_velocity.max()) + 1e-6


def test_a_loop_of_a_closed_motion_adds_nothing() -> None:
    t = np.arange(101) / 50.0
    q = 0.2 * np.sin(np.pi * t)[:, None]
    q[-1] = q[0]
    loop = Clip.from_positions("rock", (4,), 50.0, q).looped(np.ones(1))
    assert loop.duration_s == 2.0
    assert loop.dq[0] == loop.dq[-1] == pytest.approx(0.2 * np.pi, rel=0.01)


def test_covering_leaves_strangers_at_rest() -> None:
    clip = wave("left_arm")
    wanted = columns("head", "left_arm")
    covered = clip.covering(wanted, rest_q())
    assert covered.joints == wanted
    assert (covered.q[:, :2] == rest_q()[:2]).all()
    assert (covered.dq[:, :2] == 0.0).all()
    assert (covered.q[:, 2:] == clip.q).all()
    assert clip.covering(clip.joints, rest_q()) is clip


def test_a_pose_stands_still() -> None:
    clip = Clip.pose("fist", (9, 10), np.array([1.0, 1.2]), 4.0)
    assert clip.duration_s == 4.0
    for t in (0.0, 1.3, 4.0):
        q, dq, ddq = sample(clip, t)
        assert q == pytest.approx([1.0, 1.2], abs=1e-15)
        assert [*dq, *ddq] == pytest.approx([0.0] * 4, abs=1e-14)
    with pytest.raises(BehaveError, match="held"):
        Clip.pose("fist", (9,), np.array([1.0]), float("nan"))


def test_bytes_give_back_the_same_clip_without_a_copy() -> None:
    clip = wave("head", "right_hand")
    data = clip.to_bytes()
    back = Clip.from_bytes(data, len(UPPER))
    assert (back.name, back.joints, back.rate_hz) == (clip.name, clip.joints, clip.rate_hz)
    assert (back.knots == clip.knots).all()
    assert np.shares_memory(back.knots, np.frombuffer(data, np.uint8))
    assert back.knots.ctypes.data % 8 == np.frombuffer(data, np.uint8).ctypes.data % 8


def test_bytes_that_are_cut_anywhere_are_refused() -> None:
    data = wave("head", length_s=0.1).to_bytes()
    for length in range(len(data)):
        with pytest.raises(BehaveError):
            Clip.from_bytes(data[:length], len(UPPER))


@given(st.binary(max_size=200))
def test_any_other_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(BehaveError):
        Clip.from_bytes(data, len(UPPER))


@given(st.integers(0, 10_000), st.integers(0, 255))
def test_a_changed_byte_is_refused_or_still_a_sound_clip(place: int, value: int) -> None:
    data = bytearray(wave("head", length_s=0.1).to_bytes())
    data[place % len(data)] = value
    try:
        clip = Clip.from_bytes(bytes(data), len(UPPER))
    except BehaveError:
        return
    assert np.isfinite(clip.knots).all()
    assert np.isfinite(clip.peak_velocity).all()
    assert max(clip.joints) < len(UPPER)


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), 1e6])
def test_a_clip_of_no_number_is_refused(bad: float) -> None:
    q = np.zeros((5, 1))
    q[2, 0] = bad
    with pytest.raises(BehaveError, match="spike"):
        Clip.from_positions("spike", (0,), 50.0, q)


@pytest.mark.parametrize(
    ("joints", "rate_hz", "shape"),
    [
        ((0, 1), 50.0, (5, 1)),
        ((1, 0), 50.0, (5, 2)),
        ((2, 2), 50.0, (5, 2)),
        ((-1,), 50.0, (5, 1)),
        ((0,), 0.0, (5, 1)),
        ((0,), float("nan"), (5, 1)),
        ((), 50.0, (5, 0)),
    ],
)
def test_arrays_that_do_not_fit_are_refused(
    joints: tuple[int, ...], rate_hz: float, shape: tuple[int, int]
) -> None:
    with pytest.raises(BehaveError):
        Clip.from_positions("odd", joints, rate_hz, np.zeros(shape))


def test_a_motion_of_a_leg_is_refused_by_name() -> None:
    motion = Motion("kick", ("left_knee",), 50.0, np.zeros((3, 1)))
    with pytest.raises(BehaveError, match="left_knee"):
        Clip.from_motion(motion, UPPER)
