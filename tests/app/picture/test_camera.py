"""The eye sees what it should, and mouse and keys move it within bounds."""

import math

import numpy as np
import pytest

from app.picture.camera import (
    AUDIENCE,
    FARTHEST_M,
    NEAREST_M,
    OPERATOR,
    STEEPEST,
    Camera,
    Preset,
    placed,
)

EYES = [AUDIENCE, OPERATOR, Camera((1.0, -2.0, 0.5), 2.0, 2.5, 1.2)]


@pytest.mark.parametrize("camera", EYES)
def test_the_target_is_in_the_middle(camera: Camera) -> None:
    assert camera.pixel(np.array(camera.target), 800, 600) == pytest.approx((400, 300))


@pytest.mark.parametrize("camera", EYES)
def test_a_ray_leads_back_to_its_pixel(camera: Camera) -> None:
    point = camera.eye() + 2.7 * camera.ray(123.0, 456.0, 800, 600)
    assert camera.pixel(point, 800, 600) == pytest.approx((123, 456))


def test_what_is_behind_is_not_seen() -> None:
    assert AUDIENCE.pixel(np.array([30.0, 0.0, 0.7]), 800, 600) is None


def test_the_audience_has_the_robots_left_on_its_right() -> None:
    left = AUDIENCE.pixel(np.array([0.0, 0.5, 1.0]), 800, 600)
    assert left is not None and left[0] > 400 and left[1] < 300


def test_the_eye_stays_within_bounds() -> None:
    steep = AUDIENCE.orbited(0.0, 9.0)
    assert steep.axes() @ steep.axes().T == pytest.approx(np.eye(3), abs=1e-9)
    assert steep.pitch < math.pi / 2
    assert AUDIENCE.orbited(0.0, -9.0).eye()[2] > 0.0
    assert AUDIENCE.zoomed(1e-9).distance == NEAREST_M
    assert AUDIENCE.zoomed(1e9).distance == FARTHEST_M


def test_panning_goes_with_the_hand() -> None:
    moved = AUDIENCE.panned(0.25, 0.0)
    seen = moved.pixel(np.array(AUDIENCE.target), 600, 600)
    assert seen == pytest.approx((150, 300))


def test_the_audience_keeps_its_seat_and_turns_its_head() -> None:
    camera = placed(Preset.AUDIENCE, AUDIENCE, -0.5, 1.0, 2.0)
    assert camera.eye() == pytest.approx(AUDIENCE.eye())
    assert camera.target[:2] == (-0.5, 1.0)


def test_a_robot_that_comes_near_is_still_seen_whole() -> None:
    camera = placed(Preset.AUDIENCE, AUDIENCE, 1.4, 0.0, 0.0)
    assert camera.distance == AUDIENCE.distance
    for height_m in (0.0, 1.5):  # feet and head, within the picture
        place = camera.pixel(np.array([1.4, 0.0, height_m]), 600, 600)
        assert place is not None and 0.0 < place[1] < 600.0


def test_a_robot_at_the_seat_is_still_seen() -> None:
    x, y, _ = AUDIENCE.eye()
    camera = placed(Preset.AUDIENCE, AUDIENCE, x, y, 0.0)
    assert camera.distance >= NEAREST_M


def test_following_turns_with_the_robot() -> None:
    before, after = (placed(Preset.FOLLOW, AUDIENCE, 3.0, 4.0, yaw) for yaw in (0.0, 1.0))
    assert after.target == before.target == pytest.approx((3.0, 4.0, before.target[2]))
    assert after.yaw - before.yaw == pytest.approx(1.0)


def test_free_is_what_the_operator_made() -> None:
    assert placed(Preset.FREE, OPERATOR, 9.0, 9.0, 1.0) is OPERATOR


def test_a_camera_is_kept_in_numbers_and_nonsense_is_brought_within_reach() -> None:
    made = Camera((1.0, -2.0, 0.5), 4.0, 0.3, 0.2)
    assert Camera.kept(made.numbers()) == made
    wild = Camera.kept((99.0, -99.0, 99.0, -99.0, 99.0, 99.0))
    assert wild.distance == NEAREST_M and wild.pitch == STEEPEST
    assert abs(wild.target[0]) <= 50.0 and 0.0 <= wild.target[2] <= 3.0
