"""One person: the T-pose is taken in its time, judged, and followed by postures."""

from dataclasses import replace

import numpy as np
import pytest

from assets.takes.scenes import t_pose, wave
from core.link.catalogue import partner as why
from core.partner.calibration import HOLD_S
from core.partner.person import GRACE_S, Person
from core.partner.robot import robot_of
from core.robot.profile_file import load_profile
from devices.interface import PoseFrame
from tests.core.partner.test_follower import frames_of

ROBOT = robot_of(load_profile("kid_cosmo"))
RATE_HZ = 60.0


def held(begin_s: float, end_s: float) -> list[PoseFrame]:
    """Return frames of a person in the T-pose."""
    frame = frames_of(t_pose())[round(2.5 * RATE_HZ)]
    stamps = np.arange(begin_s, end_s, 1.0 / RATE_HZ)
    return [replace(frame, stamp_s=float(stamp), arrival_s=float(stamp)) for stamp in stamps]


def test_the_t_pose_is_taken_in_two_seconds_and_postures_follow() -> None:
    person = Person(ROBOT)
    assert person.hear(held(5.0, 6.0), 1, 6.0) == (None, [])
    person.calibrate(10.0)
    assert person.hear(held(9.0, 11.0), 1, 11.0) == (None, [])
    report = person.report(11.0)
    assert report.state == "holding" and report.held_s == pytest.approx(1.0)
    person.hear(held(11.0, 10.1 + HOLD_S), 1, 10.1 + HOLD_S)
    report = person.report(12.2)
    assert report.state == "done" and report.reason is None
    assert report.scale == pytest.approx(ROBOT.height_m / 1.49, abs=0.01)
    assert person.build is not None and person.build.hips_m == pytest.approx(0.83, abs=0.01)
    found = [person.hear([frame], 4, frame.stamp_s) for frame in frames_of(wave(), 13.0)]
    postures = [posture for posture, _ in found if posture is not None]
    samples = [sample for _, several in found for sample in several]
    assert {posture.number for posture in postures} == {4}
    assert np.diff([sample.stamp_s for sample in samples]) == pytest.approx(1.0 / 30.0, abs=1e-6)
    feet = samples[0].positions[:, 2].min()
    assert abs(feet) < 0.01 and samples[0].positions[0, 0] == pytest.approx(0.0, abs=0.05)
    assert person.error_deg.keys() == {"left_arm", "right_arm", "head"}


def test_a_source_that_is_silent_fails_the_calibration_in_time() -> None:
    person = Person(ROBOT)
    person.calibrate(10.0)
    person.hear([], 0, 10.0 + HOLD_S + 0.5 * GRACE_S)
    assert person.report(12.1).state == "holding"
    person.hear([], 0, 10.0 + HOLD_S + GRACE_S)
    report = person.report(12.4)
    assert report.state == "failed" and report.reason == why.CAPTURE_MISSING(
        heard_s=0.0, needed_s=HOLD_S
    )


def test_a_new_t_pose_forgets_the_old_one() -> None:
    person = Person(ROBOT)
    person.calibrate(10.0)
    person.hear(held(10.0, 12.1), 0, 12.1)
    person.calibrate(13.0)
    assert person.build is None and person.report(13.0).scale == 1.0
    assert person.hear(held(13.0, 13.5), 0, 13.5) == (None, [])
    assert person.error_deg == {}


@pytest.mark.parametrize("robot", ["draco3", "small_biped", "two_arms"])
def test_every_robot_with_arms_can_follow(robot: str) -> None:
    found = robot_of(load_profile(robot))
    assert 0.2 < found.height_m < 2.5 and found.limbs.arms
    assert len(found.rest) == len(load_profile(robot).behaviour_joints)
