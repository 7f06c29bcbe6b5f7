"""Another pose is another picture."""

import numpy as np
from pytestqt.qtbot import QtBot

from app.console.gestures.stick_figure import stick_figure
from shows.motion import Motion


def test_another_pose_is_another_picture(qtbot: QtBot) -> None:
    joints = ("left_shoulder_roll", "head_yaw")
    positions = np.linspace([0.0, 0.0], [-1.2, 0.8], 51)
    start = Motion("a", joints, 50.0, positions, thumbnail_s=0.0)
    end = Motion("a", joints, 50.0, positions, thumbnail_s=1.0)
    assert stick_figure(start) != stick_figure(end)
    assert stick_figure(end) == stick_figure(end)
