"""Landmarks of a picture become the skeleton of all sources, or are refused."""

import numpy as np
import pytest

from devices.capture.depth import SETTLE_S, Depth
from devices.capture.errors import CaptureError, Refusal
from devices.capture.landmarks import LEAST_SEEN, points_of, pose_of
from devices.capture.skeleton import INDEX, SIDES
from devices.capture.stance import LIFTED_M, Stance
from tests.devices.capture.landmarked import landmarks
from tests.devices.capture.person import posture

BACK = np.diag([-1.0, -1.0, 1.0])  # the person faces the camera
LIMBS = [
    INDEX[f"{side}_{part}"]
    for side in SIDES
    for part in ("upper_arm", "lower_arm", "hand", "upper_leg", "lower_leg", "foot", "toe")
]


@pytest.mark.parametrize("seed", range(5))
def test_the_joints_are_where_they_are_and_the_bones_turn_from_the_t_pose(seed: int) -> None:
    points, turns = posture(seed, 0.4)
    pose = pose_of(points_of(landmarks(points, turns)), 4.0)
    hips = points[[INDEX["left_upper_leg"], INDEX["right_upper_leg"]]].mean(axis=0)
    np.testing.assert_allclose(pose.positions[LIMBS], (points - hips)[LIMBS] @ BACK.T, atol=1e-9)
    np.testing.assert_allclose(pose.positions[0], 0.0, atol=1e-12)
    np.testing.assert_allclose(
        pose.positions[INDEX["head"]], BACK @ (points[INDEX["head"]] - hips), atol=1e-9
    )
    still = pose_of(points_of(landmarks(*posture(0, 0.0))), 0.0)
    head = INDEX["head"]
    turned = BACK @ pose.orientations[head] @ still.orientations[head].T @ BACK.T
    np.testing.assert_allclose(turned, turns[head], atol=1e-9)
    products = pose.orientations @ np.swapaxes(pose.orientations, 1, 2)
    np.testing.assert_allclose(products, np.tile(np.eye(3), (22, 1, 1)), atol=1e-9)
    for side in SIDES:  # the bone's own direction, as in the T-pose
        bone, end = INDEX[f"{side}_upper_arm"], INDEX[f"{side}_lower_arm"]
        along = pose.positions[end] - pose.positions[bone]
        before = still.positions[end] - still.positions[bone]
        turn = pose.orientations[bone] @ still.orientations[bone].T
        np.testing.assert_allclose(turn @ before, along, atol=1e-9)


def test_what_is_not_seen_is_refused_with_its_reason() -> None:
    good = landmarks(*posture())
    hidden, far, part, nobody = good.copy(), good.copy(), good.copy(), np.full_like(good, np.nan)
    hidden[15, 3] = LEAST_SEEN - 0.01  # a wrist
    far[0, 0], part[12, 1] = 1e9, np.nan
    for wrong, reason in (
        (hidden, Refusal.HIDDEN),
        (far, Refusal.NUMBERS),
        (part, Refusal.NUMBERS),
        (nobody, Refusal.NOBODY),
    ):
        with pytest.raises(CaptureError) as caught:
            points_of(wrong)
        assert caught.value.reason is reason
    hidden[15, 3], hidden[0, 3] = 1.0, 0.0  # a nose may be
    points_of(hidden)


def test_a_bone_that_is_seen_at_its_full_length_has_no_depth() -> None:
    good = points_of(landmarks(*posture(0, 0.0)))
    depth, stamp_s = Depth(), 0.0
    for _ in range(30):
        np.testing.assert_allclose(depth.bounded(good, stamp_s), good, atol=0.02)
        stamp_s += 1.0 / 30.0
    wrong = good.copy()
    wrong[[13, 15, 17, 19, 21], 0] -= 0.1  # the left elbow and the hand come nearer
    found = depth.bounded(wrong, stamp_s)
    assert abs(found[13, 0] - good[13, 0]) < 0.01 and abs(found[15, 0] - good[15, 0]) < 0.01
    np.testing.assert_allclose(found[:, 1:], wrong[:, 1:])
    # An arm that points at the camera is short across, and keeps its depth.
    arm = good[15] - good[11]
    ahead = good.copy()
    for number, share in ((13, 0.5), (15, 1.0)):
        ahead[number] = good[11] + share * np.array([-np.linalg.norm(arm), 0.0, 0.0])
    np.testing.assert_allclose(depth.bounded(ahead, stamp_s), ahead, atol=0.03)


def test_one_wrong_picture_does_not_lengthen_a_bone() -> None:
    good, depth = points_of(landmarks(*posture(0, 0.0))), Depth()
    depth.bounded(good, 0.0)
    wrong = good.copy()
    wrong[15, 1] += 0.1
    depth.bounded(wrong, SETTLE_S / 10.0)
    wrong = good.copy()
    wrong[15, 0] -= 0.2
    assert depth.bounded(wrong, SETTLE_S / 5.0)[15, 0] > -0.2


def test_the_foot_that_stands_keeps_its_place() -> None:
    points, _ = posture(0, 0.0)
    left, right = ([INDEX[f"{side}_{part}"] for part in ("foot", "toe")] for side in SIDES)
    stance = Stance()
    first = stance.placed(points)
    assert first[left + right, 2].min() == pytest.approx(0.0)
    # The person sways to the left: about the hips, both feet go to the right.
    swayed = points.copy()
    swayed[left + right, 1] -= 0.1
    second = stance.placed(swayed)
    np.testing.assert_allclose(second[left + right, :2], first[left + right, :2], atol=1e-12)
    assert second[0, 1] - first[0, 1] == pytest.approx(0.1)
    # The left foot is lifted and set down farther left; the right one bears.
    for lift, aside in ((LIFTED_M, 0.1), (0.1, 0.3), (LIFTED_M, 0.3), (0.0, 0.3)):
        step = swayed.copy()
        step[left] += [0.0, aside, lift]
        last = stance.placed(step)
    np.testing.assert_allclose(last[right], second[right], atol=1e-9)
    np.testing.assert_allclose(last[left] - second[left], [[0.0, 0.3, 0.0]] * 2, atol=1e-9)
