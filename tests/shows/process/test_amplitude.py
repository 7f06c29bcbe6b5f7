"""A scaled motion keeps the pose that it is scaled about."""

from collections.abc import Mapping

import numpy as np
import pytest

from shows.process.amplitude import Centre, scale_amplitude
from tests.shows.examples import wave_motion
from tests.shows.process.examples import refusal

POSE = {"head_yaw": 0.1, "right_shoulder_pitch": -0.5, "right_elbow": 0.7}


@pytest.mark.parametrize("factor", [-0.1, float("nan"), float("inf")])
def test_refuses_a_factor(factor: float) -> None:
    assert refusal(lambda: scale_amplitude(wave_motion(), factor)).place == "factor"


@pytest.mark.parametrize("pose", [{"head_yaw": 0.1}, POSE | {"right_elbow": float("nan")}])
def test_refuses_a_pose(pose: Mapping[str, float]) -> None:
    assert "about" in refusal(lambda: scale_amplitude(wave_motion(), 0.5, pose)).place


@pytest.mark.parametrize("about", ["mean", "first", POSE])
def test_keeps_the_pose_and_scales_the_rest(about: Centre) -> None:
    motion = wave_motion()
    halved = scale_amplitude(motion, 0.5, about)
    np.testing.assert_allclose(np.ptp(halved.positions, axis=0), [0.15, 1.0, 0.6])
    still = scale_amplitude(motion, 0.0, about).positions
    np.testing.assert_allclose(still, np.tile(still[0], (len(still), 1)))
    np.testing.assert_allclose(still[0] + halved.positions[0] - still[0], halved.positions[0])
    same = scale_amplitude(motion, 1.0, about)
    np.testing.assert_allclose(same.positions, motion.positions, atol=1e-15)


def test_the_poses_are_what_they_are_called() -> None:
    motion = wave_motion()
    mean, first, pose = (
        scale_amplitude(motion, 0.0, about).positions[0] for about in ("mean", "first", POSE)
    )
    np.testing.assert_allclose(mean, motion.positions.mean(axis=0))
    np.testing.assert_allclose(first, motion.positions[0])
    np.testing.assert_allclose(pose, list(POSE.values()))
