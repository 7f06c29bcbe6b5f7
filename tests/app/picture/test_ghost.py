"""The ghost shows what differs from the robot, and plays a gesture over and over."""

import numpy as np
import pytest

from app.picture import ghost
from shows.motion import Motion
from tests.app.console.figures import tree

TREE = tree()
NAMES = [body.joint for body in TREE.bodies]
NONE = [False] * len(NAMES)
WAVE = Motion("wave", ("left_elbow",), 10.0, np.array([[0.0], [1.0], [0.5]]))


def _drawn(angle: float, before: list[bool] = NONE) -> set[str]:
    shown = ghost.apart(TREE, {}, {"left_elbow": angle}, before)
    return {name for name, now in zip(NAMES, shown, strict=True) if now}


def test_only_what_hangs_from_the_moved_joint_is_drawn() -> None:
    drawn = _drawn(0.5)
    assert {"left_elbow", "left_wrist", "left_thumb"} <= drawn
    assert all(name.startswith("left_") for name in drawn)
    assert "left_shoulder_roll" not in drawn


def test_it_neither_shows_nor_hides_at_a_hair() -> None:
    between = (ghost.APART_RAD + ghost.TOGETHER_RAD) / 2.0
    assert not _drawn(between)
    assert _drawn(between, [True] * len(NAMES)) >= {"left_elbow"}
    assert not _drawn(0.5 * ghost.TOGETHER_RAD, [True] * len(NAMES))


@pytest.mark.parametrize(
    ("elapsed_s", "angle"), [(0.0, 0.0), (0.05, 0.5), (0.15, 0.75), (0.2, 0.5), (0.7, 0.5)]
)
def test_a_motion_plays_and_rests(elapsed_s: float, angle: float) -> None:
    assert ghost.moment(WAVE, elapsed_s) == {"left_elbow": pytest.approx(angle)}


def test_it_begins_again() -> None:
    again = WAVE.duration_s + ghost.REST_S + 0.05
    assert ghost.moment(WAVE, again) == {"left_elbow": pytest.approx(0.5)}
