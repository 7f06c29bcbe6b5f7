"""A pull is a spring toward the mouse, bounded; it needs a body under the mouse."""

import numpy as np
import pytest

from app.console.stage import drag
from app.picture.camera import AUDIENCE
from app.picture.robot_tree import base_pose
from core.link.commands import Push
from tests.app.console.figures import tree

SIZE = (800.0, 600.0)
GRASP = np.array([0.1, 0.0, 0.74])


def _force(dx: float, dy: float) -> np.ndarray:
    at = AUDIENCE.pixel(GRASP, *SIZE)
    assert at is not None
    return drag.Drag(GRASP, AUDIENCE).force(at[0] + dx, at[1] + dy, *SIZE)


def test_no_way_no_force() -> None:
    assert _force(0.0, 0.0) == pytest.approx(np.zeros(3), abs=1e-6)
    assert drag.push(_force(0.0, 0.0)) is None


def test_the_force_goes_where_the_mouse_goes() -> None:
    right, up = _force(20.0, 0.0), _force(0.0, -20.0)
    assert right[1] > 5.0 and abs(right[1]) == pytest.approx(np.linalg.norm(right))
    assert up[2] > 5.0


def test_it_is_a_spring() -> None:
    assert _force(20.0, 0.0) == pytest.approx(2.0 * _force(10.0, 0.0), rel=1e-3)


@pytest.mark.parametrize("way", [(4000.0, 0.0), (-4000.0, 3000.0)])
def test_it_is_bounded(way: tuple[float, float]) -> None:
    assert np.linalg.norm(_force(*way)) == pytest.approx(drag.MOST_N)


def test_the_command_is_the_force_for_a_moment() -> None:
    command = drag.push(np.array([1.0, -2.0, 3.0]))
    assert command == Push(1.0, -2.0, 3.0, drag.PUSH_S)
    assert drag.PUSH_S > drag.EVERY_S  # no gap between one and the next


def test_the_mouse_is_upon_the_body_or_beside_it() -> None:
    robot = tree()
    reach = drag.Reach(robot)
    poses = robot.forward_kinematics({}, base_pose((0.0, 0.0, 0.62), (0.0, 0.0, 0.0)))
    eye = AUDIENCE.eye()
    for height, width, upon in (
        (0.8, 0.0, True),
        (1.2, 0.1, True),
        (0.3, 0.055, True),
        (0.8, 0.6, False),
        (1.9, 0.0, False),
    ):
        ray = np.array([0.0, width, height]) - eye
        found = reach.hit(poses, eye, ray / np.linalg.norm(ray))
        assert (found is not None) is upon, (height, width)
        if found is not None:
            assert abs(found[0][0]) < 0.25
            assert robot.bodies[found[1]].patches


def test_a_body_behind_the_eye_is_not_grasped() -> None:
    robot = tree()
    poses = robot.forward_kinematics({}, base_pose((0.0, 0.0, 0.62), (0.0, 0.0, 0.0)))
    away = np.array([1.0, 0.0, 0.0])
    assert drag.Reach(robot).hit(poses, AUDIENCE.eye(), away) is None
