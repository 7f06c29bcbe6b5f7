"""The margin is the distance to the nearer edge on the line through the point; negative outside."""

import math

import numpy as np
import pytest

from app.console.live.support import margins, scene_margins
from core.link.scene import Scene
from tests.app.console.rig import STANDING

BOX = np.array([[0.1, 0.2], [-0.1, 0.2], [-0.1, -0.2], [0.1, -0.2]])
KITE = np.array([[0.2, 0.0], [0.0, 0.1], [-0.2, 0.0], [0.0, -0.1]])


@pytest.mark.parametrize(
    ("point", "along", "across"),
    [
        ((0.0, 0.0), 0.1, 0.2),
        ((0.04, -0.15), 0.06, 0.05),
        ((0.1, 0.0), 0.0, 0.2),
        ((0.13, 0.0), -0.03, 0.2),
        ((0.0, 0.25), 0.1, -0.05),
        ((-0.3, -0.3), -0.2, -0.1),
    ],
)
def test_in_and_beside_a_box(point: tuple[float, float], along: float, across: float) -> None:
    assert margins(BOX, point, 0.0) == pytest.approx((along, across))


def test_the_edge_is_that_on_the_line_through_the_point() -> None:
    assert margins(KITE, (0.0, 0.05), 0.0) == pytest.approx((0.1, 0.05))


@pytest.mark.parametrize("yaw", [0.3, math.pi / 2, -2.0])
def test_along_and_across_turn_with_the_robot_and_do_not_care_where_it_is(yaw: float) -> None:
    turn = np.array([[math.cos(yaw), -math.sin(yaw)], [math.sin(yaw), math.cos(yaw)]])
    place = np.array([3.0, -7.0])
    point = (turn @ (0.04, -0.15) + place).tolist()
    found = margins(BOX @ turn.T + place, (point[0], point[1]), yaw)
    assert found == pytest.approx((0.06, 0.05))


def test_the_order_of_corners_does_not_matter() -> None:
    assert margins(BOX[::-1], (0.04, -0.15), 0.0) == pytest.approx((0.06, 0.05))


def test_one_foot_is_a_line_beside_which_nothing_is_inside() -> None:
    line = np.array([[-0.1, 0.12], [0.08, 0.12]])
    along, across = margins(line, (0.05, 0.10), 0.0)
    assert along == pytest.approx(0.03) and across == pytest.approx(-0.02)
    along, across = margins(line, (0.05, 0.12), 0.0)
    assert across == pytest.approx(0.0)


@pytest.mark.parametrize("corners", [np.zeros((0, 2)), np.array([[0.0, 0.0]])])
def test_without_a_foot_there_is_no_margin(corners: np.ndarray) -> None:
    assert all(math.isnan(margin) for margin in margins(corners, (0.0, 0.0), 0.0))


def test_a_picture_tells_both_margins_and_the_capture_points_smaller_one() -> None:
    along, across, capture = scene_margins(STANDING)
    assert (along, across) == pytest.approx((0.1, 0.12))
    assert capture == pytest.approx(0.1)


def test_a_picture_in_the_air_tells_nothing() -> None:
    assert all(math.isnan(margin) for margin in scene_margins(Scene(stamp_s=0.0)))
