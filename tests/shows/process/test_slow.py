"""A motion that is too fast is slowed where it is, and only there."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shows.motion import Marker, Motion, check_motion
from shows.process.slow import slow_to_limits
from tests.draws import share
from tests.shows.examples import wave_motion
from tests.shows.process.examples import JOINTS, Waves, refusal, waves

SLOW = replace(
    JOINTS,
    velocity_limit=np.full(len(JOINTS.names), 2.0),
    acceleration_limit=np.full(len(JOINTS.names), 15.0),
)


def test_refuses_an_unknown_joint() -> None:
    motion = Motion("a", ("tail",), 50.0, np.zeros((3, 1)))
    assert "no joint 'tail'" in refusal(lambda: slow_to_limits(motion, SLOW)).reason


def test_refuses_what_would_take_too_long() -> None:
    noise = np.random.default_rng(1).uniform(-1.0, 1.0, (20_000, 1))
    motion = Motion("noise", ("head_yaw",), 50.0, noise)
    assert "more than 600 s" in refusal(lambda: slow_to_limits(motion, SLOW)).reason


def test_a_motion_within_the_limits_is_the_same_object() -> None:
    motion = wave_motion()
    assert slow_to_limits(motion, JOINTS) is motion


@settings(max_examples=share(60))
@given(waves(highest_hz=5.0), st.sampled_from([50.0, 100.0, 200.0, 1000.0]))
def test_passes_the_check_and_goes_through_the_same_poses(source: Waves, rate_hz: float) -> None:
    motion = source.motion(rate_hz)
    clipped = np.clip(motion.positions, -0.5, 0.5)  # kinks, as of a hand-made motion
    motion = replace(motion, positions=clipped)
    slowed = slow_to_limits(motion, SLOW)
    check_motion(slowed, SLOW)
    assert slowed.duration_s >= motion.duration_s
    np.testing.assert_allclose(slowed.positions[[0, -1]], clipped[[0, -1]], atol=1e-9)
    times = [marker.time_s for marker in slowed.markers]
    assert times == sorted(times)
    assert times[0] >= 0.5


@pytest.mark.parametrize("rate_hz", [50.0, 200.0, 1000.0])
def test_a_jump_becomes_a_movement(rate_hz: float) -> None:
    positions = np.where(np.arange(200) < 100, 0.0, 1.0)[:, None]
    motion = Motion("jump", ("head_yaw",), rate_hz, positions)
    slowed = slow_to_limits(motion, SLOW)
    check_motion(slowed, SLOW)
    assert slowed.duration_s < motion.duration_s + 15.0


def test_far_from_the_fault_the_pace_is_the_old_one() -> None:
    t = np.arange(1201) / 200.0
    fast = np.clip((t - 3.0) / 0.15, 0.0, 1.0)
    q = 0.3 * np.sin(2.0 * t) + fast * fast * (3.0 - 2.0 * fast)
    markers = (Marker(1.0, "before"), Marker(5.0, "after"))
    motion = Motion("fast", ("head_yaw",), 200.0, q[:, None], markers=markers)
    slowed = slow_to_limits(motion, SLOW)
    check_motion(slowed, SLOW)
    added = len(slowed.positions) - len(motion.positions)
    assert 0 < added < 200
    np.testing.assert_allclose(slowed.positions[:400], motion.positions[:400], atol=1e-9)
    np.testing.assert_allclose(slowed.positions[-400:], motion.positions[-400:], atol=1e-9)
    assert slowed.markers[0].time_s == pytest.approx(1.0)
    assert slowed.markers[1].time_s == pytest.approx(5.0 + added / 200.0)
