"""The check of smoothness finds what is smooth and what is not."""

import numpy as np
import pytest

from core.behave.clip import Clip
from core.behave.manager import MotionManager
from core.lab.experiments import transitions
from core.lab.experiments.transitions import Smoothness, check_clip, new_manager
from tests.core.rig import profile


def nod() -> Clip:
    t = np.linspace(0.0, 1.0, 51)
    return Clip.from_positions("nod", (0, 1), 50.0, 0.2 * np.sin(np.outer(t, [6.0, 3.0])))


def test_a_gesture_is_smooth_and_resumes_where_it_stopped() -> None:
    found = Smoothness()
    check_clip(profile(), nod(), 0, found)
    assert found.jump < 1e-9
    assert found.changes > 20
    assert found.resumed > 10
    assert found.unlike == 0


def test_the_body_of_a_gesture_is_looked_at_like_its_joints() -> None:
    robot = profile()
    joints = new_manager(robot, 0).joints
    body = joints.index["body_pitch"]
    assert body >= joints.joint_count
    t = np.linspace(0.0, 1.0, 51)
    lean = Clip.from_positions("lean", (0, body), 50.0, 0.1 * np.sin(np.outer(t, [6.0, 3.0])))
    found = Smoothness()
    check_clip(robot, lean, 0, found)
    assert found.jump < 1e-9 and found.resumed > 20 and found.unlike == 0


def test_a_jump_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def leap(manager: MotionManager, now_s: float, clip: Clip) -> None:
        manager.update(now_s + 0.01)

    monkeypatch.setattr(transitions, "ASKS", (leap,))
    monkeypatch.setattr(transitions, "BLENDS_S", ())
    found = Smoothness()
    check_clip(profile(), nod(), 0, found)
    assert found.jump > 1e-9
