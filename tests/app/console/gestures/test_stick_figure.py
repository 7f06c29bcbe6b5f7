"""A pose is drawn from the bodies and joints of any robot."""

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from app.console.gestures.stick_figure import stick_figure
from app.picture.robot_tree import RobotTree
from shows.motion import Motion
from tests.app.console.figures import tree


@pytest.mark.parametrize("robot", ["kid_cosmo", "two_arms"])
def test_another_pose_is_another_picture(qtbot: QtBot, robot: str) -> None:
    found = tree(robot)
    joints = tuple(body.joint for body in found.bodies if body.joint)
    positions = np.linspace(np.zeros(len(joints)), np.full(len(joints), -0.5), 51)
    start = Motion("a", joints, 50.0, positions, thumbnail_s=0.0)
    end = Motion("a", joints, 50.0, positions, thumbnail_s=1.0)
    assert stick_figure(found, start) != stick_figure(found, end)
    assert stick_figure(found, end) == stick_figure(found, end)


def test_a_robot_without_bodies_is_an_empty_picture(qtbot: QtBot) -> None:
    still = Motion("a", (), 50.0, np.zeros((51, 0)))
    image = stick_figure(RobotTree("bare", ()), still)
    assert not any(image.constBits())
